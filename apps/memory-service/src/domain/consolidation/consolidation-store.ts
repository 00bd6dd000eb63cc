import type { Memory } from '../memory/memory.ts';
import type { MemoryStore, StoredMemory } from '../memory/memory-store.ts';

/** The additional needs of consolidation. */
export interface ConsolidationStore extends Pick<MemoryStore, 'find' | 'changeTogether'> {
  /** All memories at the moment of the call, PRIVATE ones included, oldest first, in batches. */
  scanAll(): AsyncIterable<readonly StoredMemory[]>;
  /**
   * The direction of each memory's vectors, of length 1, in the order of the ids; null while it has none. Do not write to them.
   */
  embeddingsOf(ids: readonly string[]): Promise<readonly (Float32Array | null)[]>;
  /** Those of these ids whose memories somebody decided about: in a contradiction, as a successor, or by undoing a consolidation. */
  decidedAmong(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Deletes the expired memories, or the chosen ones among them; resolves to them. One that changes meanwhile waits for the next time. */
  removeExpired(of?: ExpiredOf): Promise<readonly Memory[]>;
  /** The semantic memories with any of these among their sources, each once. */
  derivedFrom(ids: readonly string[]): Promise<readonly StoredMemory[]>;
}

/** Which of the expired memories. */
export interface ExpiredOf {
  readonly isMeant: (memory: Memory) => boolean;
}
