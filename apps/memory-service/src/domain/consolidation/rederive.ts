import { recallText } from '../memory/memory.ts';
import type { StoredMemory } from '../memory/memory-store.ts';
import { addSemantic, existing } from './apply-plan.ts';
import type { ConsolidationStore } from './consolidation-store.ts';
import { isSource, LEAST_SOURCES, storedByTime } from './plan.ts';

/** Attempts to derive a semantic memory while others change its sources; after that the next consolidation does it. */
const TRIES = 3;

/**
 * Changes or deletes memories, and derives their semantic memories again from the remaining sources. A source that was deleted or
 * has another text is left out; with fewer than two sources the semantic memory stays deleted. The store deletes the old semantic
 * memory together with its source, so none of its words survive, even after a crash in between.
 * @param ids ids of the memories that `change` changes
 */
export async function rederiving<T>(
  { store, now }: { store: ConsolidationStore; now: () => number },
  ids: readonly string[],
  change: () => Promise<T>,
): Promise<T> {
  const derived = await store.derivedFrom(ids);
  if (derived.length === 0) return await change();
  const before = new Map<string, StoredMemory>();
  for (const { memory } of derived) {
    for (const stored of await sourcesOf(store, memory.sources)) before.set(stored.memory.id, stored);
  }
  const result = await change();
  for (const semantic of derived) await rederive(store, { semantic, before, now });
  return result;
}

async function rederive(
  store: ConsolidationStore,
  { semantic, before, now }: { semantic: StoredMemory; before: ReadonlyMap<string, StoredMemory>; now: () => number },
): Promise<void> {
  const { id, sources } = semantic.memory;
  for (let tried = 0; tried < TRIES; tried++) {
    // None of its sources has changed.
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
  return found.filter((stored) => stored !== null).sort(storedByTime);
}
