import type { Logger } from '@agent-faculties/service-kit';
import type { Memory, Strength } from '../domain/memory.ts';
import type { VectorModel } from './change.ts';
import type { DataDirectory } from './data-directory.ts';
import type { RowRange } from './evidence-index.ts';
import type { Journal } from './journal.ts';

/**
 * Takes what is loaded, in order. These are the changes that the apply functions of the journal make, and must do the same:
 * an `add` of a known id replaces it, an `update` or `remove` of an unknown one does nothing.
 */
export interface StoreSink {
  /** @param rows of the matrix; null when the vectors must be made again @param strength null: the store makes the first one */
  add(memory: Memory, strength: Readonly<Strength> | null, rows: RowRange | null): void;
  /** @param rows undefined: the text stays, and with it the vectors; null: they must be made again */
  update(memory: Memory, strength: Readonly<Strength> | undefined, rows: RowRange | null | undefined): void;
  remove(ids: readonly string[]): void;
}

/** Where loaded vectors go; VectorMatrix is one. */
export interface GrowingMatrix {
  readonly length: number;
  readonly dimension: number;
  append(vector: Float32Array): number;
}

export interface LoadOptions {
  readonly directory: DataDirectory;
  readonly sink: StoreSink;
  /** Of this start; null without embeddings. Vectors of another model are left out. */
  readonly vectors: { readonly model: VectorModel; readonly matrix: GrowingMatrix } | null;
  /** Keeps what can be kept of damaged files instead of refusing to start; the damaged ones stay as `*.damaged-<time>`. */
  readonly repair: { readonly nowMs: number } | null;
  readonly log: Logger;
}

export interface LoadReport {
  /** Ready for the next change. */
  readonly journal: Journal;
  readonly memories: number;
  /** When the files were saved, epoch milliseconds; null for a new directory. */
  readonly savedAtMs: number | null;
  /** Changes that came from the journal: the last stop was no clean one when this is above 0. */
  readonly replayed: number;
  /** Why vectors have to be made again, for the operator; null when they have not. */
  readonly vectorsLost: string | null;
  /** What could not be kept by the repair; empty without one. */
  readonly losses: readonly string[];
  /** Whether the files should be saved soon, because they were damaged or of another model. */
  readonly saveSoon: boolean;
}

/**
 * Reads the three files and the journal.
 * @throws DataDirectoryError when something is damaged and `repair` is null; nothing has been changed then
 */
export declare function loadStore(options: LoadOptions): Promise<LoadReport>;
