import type { AgentCounts, StoredMemory } from '../domain/memory/memory-store.ts';
import type { Viewer } from '../domain/memory/visibility.ts';
import type { SpaceVectors } from './vectors/space-vectors.ts';
import type { RowRange } from './vectors/vector-rows.ts';

/** The memories that the indexes are over, by ordinal. */
export interface SearchedRecords {
  readonly size: number;
  has(ordinal: number): boolean;
  /** @throws RangeError when the memory was deleted */
  at(ordinal: number): StoredMemory;
  ordinalOf(id: string): number | undefined;
  /** Epoch milliseconds. */
  createdAt(ordinal: number): number;
  /**
   * Unpacks these memories, as many as one turn of the event loop allows.
   * @returns whether the caller must end its turn: unpacking took this one, or needs more
   */
  unpackMany(ordinals: readonly number[]): boolean;
  /** Resolves when these memories, or all of them, are unpacked: then a filter reads each of them in one turn of the event loop. */
  unpacked(ordinals?: readonly number[]): Promise<void>;
  /** Epoch milliseconds; null where there is no such memory. */
  readonly saidAt: (id: string) => number | null;
  /** The ordinals of the memories of this agent, in no order. */
  ordinalsOf(agentId: string): Iterable<number>;
  /** The ordinals in the order of time. */
  readonly order: { snapshot(): readonly number[]; newestBefore(instant: number): Iterable<number> };
  /** How many memories the caller sees, by author. */
  counts(viewer: Viewer): ReadonlyMap<string, AgentCounts>;
}

/** The vectors of these memories. */
export interface SearchedVectors {
  /** Null without an embedding model. */
  readonly vectors: SpaceVectors | null;
  /** The rows of a memory; null where it has none. */
  readonly rowsOf: (ordinal: number) => RowRange | null;
  readonly ordinalOf: (row: number) => number;
}
