import type { Clock } from '@agent-faculties/service-kit';
import { strengthened } from '../cognition/retention.ts';
import { isVisibleTo } from '../visibility.ts';
import type { ConsolidationStore, PrunedArchive, PrunedMemory } from './consolidation-store.ts';

export interface RestoreDeps {
  readonly clock: Clock;
  readonly store: ConsolidationStore;
  /** null: nothing is pruned. */
  readonly archive: PrunedArchive | null;
  /** The vectors are not kept with what was pruned: they have to be made again. */
  readonly onWithoutVectors: () => void;
}

/** What was pruned and the caller may see, the latest first. */
export async function prunedFor(
  { archive }: Pick<RestoreDeps, 'archive'>,
  callerAgentId: string,
): Promise<PrunedMemory[]> {
  const all = (await archive?.all()) ?? [];
  return all.filter(({ memory }) => isVisibleTo(callerAgentId, memory));
}

/**
 * Brings pruned memories back as they were, under their ids. Each counts as recalled now, so that it is not pruned again.
 * Resolves to the ids of those that were there and are back.
 * @param ids null: all that the caller may see
 */
export async function restorePruned(
  deps: RestoreDeps,
  callerAgentId: string,
  ids: readonly string[] | null,
): Promise<string[]> {
  const { store, archive, clock } = deps;
  const restored: string[] = [];
  for (const { memory, strength } of await prunedFor(deps, callerAgentId)) {
    if (!archive || (ids && !ids.includes(memory.id))) continue;
    if ((await store.find(memory.id)) === null) {
      const { importance, createdAt } = memory;
      const recalled = strengthened(strength, { importance, createdAt, now: Math.floor(clock.now()) });
      await store.changeTogether({ expected: [], changes: [{ op: 'add', memory, strength: recalled, vectors: [] }] });
      restored.push(memory.id);
    }
    await archive.remove([memory.id]);
  }
  if (restored.length > 0) deps.onWithoutVectors();
  return restored;
}
