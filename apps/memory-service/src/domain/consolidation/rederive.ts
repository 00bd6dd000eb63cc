import { recallText } from '../memory/memory.ts';
import type { StoredMemory } from '../memory/memory-store.ts';
import { addSemantic, existing } from './apply-plan.ts';
import type { ConsolidationStore } from './consolidation-store.ts';
import { byTime, isSource, LEAST_SOURCES } from './plan.ts';

/** Others may change a source while its semantic memory is made anew; then it is tried again so many times, and at the next consolidation. */
const TRIES = 3;

/**
 * Changes or deletes memories, and makes what was gathered from them anew from what is left: a source that is gone or says
 * something else is no longer in it, and with fewer than two it goes. The store has taken the old one out together with
 * its source, so no word of that survives, whatever happens in between.
 * @param ids of the memories that `change` is about
 */
export async function rederiving<T>(
  { store, now }: { store: ConsolidationStore; now: () => number },
  ids: readonly string[],
  change: () => Promise<T>,
): Promise<T> {
  const gathered = new Map(
    ids.flatMap((id) => store.derivedFrom(id).map((stored) => [stored.memory.id, stored] as const)),
  );
  if (gathered.size === 0) return await change();
  const before = new Map<string, StoredMemory>();
  for (const { memory } of gathered.values()) {
    for (const stored of await sourcesOf(store, memory.sources)) before.set(stored.memory.id, stored);
  }
  const result = await change();
  for (const semantic of gathered.values()) await rederive(store, { semantic, before, now });
  return result;
}

async function rederive(
  store: ConsolidationStore,
  { semantic, before, now }: { semantic: StoredMemory; before: ReadonlyMap<string, StoredMemory>; now: () => number },
): Promise<void> {
  const { id, sources } = semantic.memory;
  for (let tried = 0; tried < TRIES; tried++) {
    // Nothing that it tells was changed.
    if (await existing(store, id)) return;
    const left = (await sourcesOf(store, sources)).filter((stored) => {
      const known = before.get(stored.memory.id);
      return (
        known && isSource(stored.memory, semantic.memory) && recallText(stored.memory) === recallText(known.memory)
      );
    });
    if (left.length < LEAST_SOURCES || (await addSemantic(store, left, { id, strength: semantic.strength, now })))
      return;
  }
}

async function sourcesOf(store: ConsolidationStore, ids: readonly string[]): Promise<StoredMemory[]> {
  const found = await Promise.all(ids.map((id) => existing(store, id)));
  return found.filter((stored) => stored !== null).sort(byTime);
}
