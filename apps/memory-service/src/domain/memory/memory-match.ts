import { isTrusted, type Memory } from './memory.ts';
import type { MemoryFilter } from './memory-store.ts';
import { wasHeld } from './validity.ts';
import { isVisibleTo } from './visibility.ts';

/**
 * Whether a memory meets every condition of a filter, visibility first.
 * @param saidAt when the memory of an id was said, epoch milliseconds; null where there is none
 */
export function matches(memory: Memory, filter: MemoryFilter, saidAt: (id: string) => number | null): boolean {
  const { authorAgentIds, sessionId, kinds, scope, tags, leastSource, sinceMs, untilMs, heldAtMs } = filter;
  return (
    isVisibleTo(filter.viewer, memory) &&
    (authorAgentIds === undefined || authorAgentIds.includes(memory.agentId)) &&
    (sessionId === undefined || memory.sessionId === sessionId) &&
    (kinds === undefined || kinds.includes(memory.kind)) &&
    (scope === undefined || memory.scope === scope) &&
    (tags === undefined || tags.every((tag) => memory.tags.includes(tag))) &&
    (leastSource === undefined || isTrusted(memory.source, leastSource)) &&
    (sinceMs === undefined || memory.createdAt >= sinceMs) &&
    (untilMs === undefined || memory.createdAt < untilMs) &&
    (heldAtMs === undefined || wasHeld(memory, heldAtMs, saidAt))
  );
}

/** Whether the filter has no condition except visibility. */
export function isOpen({ viewer: _, ...conditions }: MemoryFilter): boolean {
  return Object.values(conditions).every((condition) => condition === undefined);
}
