import { retention } from '../cognition/retention.ts';
import type { MemoryStore, StoredMemory } from '../memory/memory-store.ts';
import { byTime } from '../memory/order-of-time.ts';
import { isEnded } from '../memory/validity.ts';
import type { Viewer } from '../memory/visibility.ts';

const MOST_RECALLED = 10;
const STRENGTH_STEPS = 10;

export interface Summary {
  readonly total: number;
  readonly superseded: number;
  /** How many memories have ended. */
  readonly ended: number;
  readonly neverRecalled: number;
  /** How many have a strength from 0 to 0.1, from there to 0.2, and so on. */
  readonly strength: readonly number[];
  /** The most recalled first. */
  readonly mostRecalled: readonly StoredMemory[];
}

/** Figures of all that a viewer sees. Goes through the store once, in its batches. */
export async function summaryOf(
  { store, nowMs }: { readonly store: Pick<MemoryStore, 'scan'>; readonly nowMs: number },
  viewer: Viewer,
): Promise<Summary> {
  const strength = new Array<number>(STRENGTH_STEPS).fill(0);
  let [total, superseded, ended, neverRecalled] = [0, 0, 0, 0];
  let mostRecalled: StoredMemory[] = [];
  for await (const batch of store.scan({ viewer })) {
    for (const stored of batch) {
      const { memory } = stored;
      const left = retention(stored.strength, { createdAt: memory.createdAt, now: nowMs });
      const step = Math.min(STRENGTH_STEPS - 1, Math.floor(left * STRENGTH_STEPS));
      strength[step] = (strength[step] as number) + 1;
      total += 1;
      if (memory.supersededBy !== null) superseded += 1;
      if (isEnded(memory, nowMs)) ended += 1;
      if (stored.strength.recallCount === 0) neverRecalled += 1;
    }
    const recalled = batch.filter((stored) => stored.strength.recallCount > 0);
    mostRecalled = [...mostRecalled, ...recalled].sort(oftenFirst).slice(0, MOST_RECALLED);
  }
  return { total, superseded, ended, neverRecalled, strength, mostRecalled };
}

function oftenFirst(a: StoredMemory, b: StoredMemory): number {
  return b.strength.recallCount - a.strength.recallCount || byTime(b.memory, a.memory);
}
