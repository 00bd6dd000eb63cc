import type { Memory, Strength } from '../../src/domain/memory/memory.ts';
import type { MemoryStore } from '../../src/domain/memory/memory-store.ts';

type Store = Pick<MemoryStore, 'changeTogether'>;

/** Adds a memory, whatever else there is. */
export async function add(
  store: Store,
  memory: Memory,
  { strength, vectors = [] }: { strength?: Readonly<Strength>; vectors?: readonly Float32Array[] } = {},
): Promise<void> {
  const change = { op: 'add' as const, memory, vectors, ...(strength && { strength }) };
  await store.changeTogether({ expected: [], changes: [change] });
}

/** Puts another version in place of a memory. */
export async function replace(store: Store, memory: Memory): Promise<void> {
  await store.changeTogether({ expected: [], changes: [{ op: 'update', memory }] });
}

export async function remove(store: Store, ids: readonly string[]): Promise<void> {
  await store.changeTogether({ expected: [], changes: [{ op: 'delete', ids }] });
}
