import { retention } from '../cognition/retention.ts';
import type { Kept } from '../memory-store.ts';

/** What may be pruned. All of it must be true of a memory. */
export interface PruneLimits {
  /** Said longer ago than this. */
  readonly olderThanDays: number;
  /** At most, 0..1. */
  readonly importance: number;
  /** At most so much of it is left, 0..1. */
  readonly retention: number;
  /** So many memories of each agent stay in any case. */
  readonly keepPerAgent: number;
}

/** A quarter of a year unasked, of no weight, and mostly forgotten: small talk of one conversation out of many. */
export const DEFAULT_PRUNE_LIMITS: PruneLimits = {
  olderThanDays: 90,
  importance: 0.2,
  retention: 0.3,
  keepPerAgent: 1_000,
};

const DAY_MS = 86_400_000;

/**
 * What nobody will miss: old, unimportant, never recalled, mostly forgotten, and nothing else rests on it. The weakest
 * first, down to the floor of each agent.
 * @param memories all of the store @param isNeeded whether something rests on a memory
 */
export function prunable(
  memories: readonly Kept[],
  { limits, now, isNeeded }: { limits: PruneLimits; now: number; isNeeded: (id: string) => boolean },
): Kept[] {
  const spare = new Map<string, number>();
  for (const { memory } of memories) {
    if (memory.kind !== 'episodic') continue;
    spare.set(memory.agentId, (spare.get(memory.agentId) ?? -limits.keepPerAgent) + 1);
  }
  const weak = memories.flatMap((kept) => {
    const { memory, strength } = kept;
    if (memory.kind !== 'episodic' || strength.recallCount > 0 || memory.importance > limits.importance) return [];
    if (now - memory.createdAt < limits.olderThanDays * DAY_MS || memory.absorbed || isNeeded(memory.id)) return [];
    const left = retention(strength, { createdAt: memory.createdAt, now });
    return left <= limits.retention ? [{ kept, left }] : [];
  });
  weak.sort((a, b) => a.left - b.left || (a.kept.memory.id < b.kept.memory.id ? -1 : 1));
  return weak.flatMap(({ kept }) => {
    const { agentId } = kept.memory;
    const left = spare.get(agentId) ?? 0;
    if (left <= 0) return [];
    spare.set(agentId, left - 1);
    return [kept];
  });
}
