import { NotFoundError } from '@agent-faculties/service-kit';
import type { MemoryStore, StoredMemory } from '../memory/memory-store.ts';
import { isVisibleTo, type Viewer } from '../memory/visibility.ts';

/** Finds a memory by its id, or by that of one that it absorbed. @throws NotFoundError when there is none that the caller may see */
export async function readMemory(
  { store }: { readonly store: Pick<MemoryStore, 'find'> },
  viewer: Viewer,
  id: string,
): Promise<StoredMemory> {
  const stored = await store.find(id);
  if (!stored || !isVisibleTo(viewer, stored.memory)) throw unknownMemory(id);
  return stored;
}

/** The memories of these ids that the viewer sees, by id, in the order of the ids. */
export async function readMemories(
  { store }: { readonly store: Pick<MemoryStore, 'find'> },
  viewer: Viewer,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredMemory>> {
  const found = new Map<string, StoredMemory>();
  for (const id of ids) {
    const stored = await store.find(id);
    if (stored && isVisibleTo(viewer, stored.memory)) found.set(id, stored);
  }
  return found;
}

export function unknownMemory(id: string): NotFoundError {
  return new NotFoundError(`Memory '${id}' not found: take an id from what was stored, recalled or listed.`, {
    code: 'unknown_memory',
  });
}
