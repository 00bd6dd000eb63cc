import type { MemoryHistory, PastVersion } from '../memory/history.ts';
import { type Memory, recallText } from '../memory/memory.ts';
import type { Contradiction, Decision } from './contradiction.ts';
import type { ContradictionStore } from './contradiction-store.ts';

/**
 * The dismissal of a contradiction that is no longer known, as one of its memories went or said something else for a while; null where
 * either one says something else than it did then. Its note is not kept.
 */
export async function dismissedBefore(
  {
    store,
    history,
  }: { readonly store: Pick<ContradictionStore, 'contradiction'>; readonly history: MemoryHistory | null },
  { id }: Pick<Contradiction, 'id'>,
  memories: readonly [Memory, Memory],
): Promise<Decision | null> {
  if (history === null || (await store.contradiction(id)) !== null) return null;
  const [one, other] = memories;
  const ofOne = await history.versionsOf(one.id);
  const ofOther = await history.versionsOf(other.id);
  const versions = [...ofOne, ...ofOther].sort((a, b) => a.at - b.at).reverse();
  for (const { at, contradictions } of versions) {
    const past = contradictions.find((contradiction) => contradiction.id === id);
    if (!past || !saidTheSame(one, ofOne, at) || !saidTheSame(other, ofOther, at)) continue;
    return past.dismissed && { ...past.dismissed, winner: null, note: null };
  }
  return null;
}

/** Whether a memory had the same text just before a moment. @param versions its own, oldest first */
function saidTheSame(memory: Memory, versions: readonly PastVersion[], at: number): boolean {
  const next = versions.find((version) => version.at >= at);
  if (!next) return true;
  return next.before !== null && recallText(next.before.memory) === recallText(memory);
}
