import { DAY_MS } from '@agent-faculties/service-kit';
import { retention } from '../../cognition/retention.ts';
import { sortedInSlices } from '../../concurrency/sorted-in-slices.ts';
import type { TimeSlicer } from '../../concurrency/time-slicer.ts';
import type { Memory } from '../../memory/memory.ts';
import type { StoredMemory } from '../../memory/memory-store.ts';

/** The conditions of pruning; a memory must meet all of them. */
export interface PruneLimits {
  /** It was said longer ago than this. */
  readonly olderThanDays: number;
  /** Its importance is at most this, 0..1. */
  readonly importance: number;
  /** Its retention is at most this, 0..1. */
  readonly retention: number;
  /** Each agent keeps at least this many memories, and this many PRIVATE ones. */
  readonly keepPerAgent: number;
}

/** A quarter of a year without recall, little importance, mostly forgotten: the small talk of one conversation out of many. */
export const DEFAULT_PRUNE_LIMITS: PruneLimits = {
  olderThanDays: 90,
  importance: 0.2,
  retention: 0.3,
  keepPerAgent: 1_000,
};

/**
 * The memories that nobody will miss: old, unimportant, never recalled, mostly forgotten, and needed by no other memory. The
 * weakest first, as far as each agent keeps its least number.
 * @param memories all of the store @param isNeeded whether something rests on a memory
 */
export async function prunable(
  memories: readonly StoredMemory[],
  {
    limits,
    now,
    isNeeded,
    slicer,
  }: { limits: PruneLimits; now: number; isNeeded: (memory: Memory) => boolean; slicer: TimeSlicer },
): Promise<StoredMemory[]> {
  const spare = new Map<string, number>();
  const weak: { stored: StoredMemory; left: number }[] = [];
  await slicer.each(memories, (stored) => {
    const { memory, strength } = stored;
    if (memory.kind !== 'episodic') return;
    const floor = floorOf(memory);
    spare.set(floor, (spare.get(floor) ?? -limits.keepPerAgent) + 1);
    if (strength.recallCount > 0 || memory.importance > limits.importance) return;
    // A memory with an expiry date is deleted on that date, and must not come back from the archive.
    if (memory.expiresAt !== null) return;
    if (now - memory.createdAt < limits.olderThanDays * DAY_MS || memory.absorbed || isNeeded(memory)) return;
    const left = retention(strength, { createdAt: memory.createdAt, now });
    if (left <= limits.retention) weak.push({ stored, left });
  });
  const weakestFirst = await sortedInSlices(weak, {
    compare: (a, b) => a.left - b.left || (a.stored.memory.id < b.stored.memory.id ? -1 : 1),
    slicer,
  });
  const pruned: StoredMemory[] = [];
  await slicer.each(weakestFirst, ({ stored }) => {
    const floor = floorOf(stored.memory);
    const left = spare.get(floor) ?? 0;
    if (left <= 0) return;
    spare.set(floor, left - 1);
    pruned.push(stored);
  });
  return pruned;
}

/** Counts PRIVATE memories and those of each project apart, so that they change nothing about what others see. */
function floorOf({ agentId, project, scope }: Memory): string {
  return JSON.stringify([scope === 'PRIVATE', agentId, project]);
}
