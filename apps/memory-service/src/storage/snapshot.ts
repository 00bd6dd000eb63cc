import type { Memory, Strength } from '../domain/memory.ts';
import type { VectorModel } from './change.ts';
import type { DataDirectory } from './data-directory.ts';
import type { RowRange } from './evidence-index.ts';
import type { Journal } from './journal.ts';

/** A memory as the store holds it. */
export interface StoredMemory {
  readonly memory: Memory;
  readonly strength: Readonly<Strength>;
  /** Its vectors in the matrix; null while they are still to be made. */
  readonly rows: RowRange | null;
}

/** What a save needs of the vectors; VectorMatrix is one. */
export interface MatrixRows {
  readonly dimension: number;
  /** The row itself; not to be changed. */
  row(row: number): Float32Array;
}

/**
 * The store at one moment. The array and its objects must not change while the save writes them (the numbers in a strength
 * may); the rows that they name must stay in the matrix.
 */
export interface StoreContents {
  readonly memories: readonly StoredMemory[];
  readonly vectors: { readonly model: VectorModel; readonly matrix: MatrixRows } | null;
}

export interface SaveReport {
  /** How many the files hold. */
  readonly memories: number;
  /** Size of the three files. */
  readonly bytes: number;
  /** Number of the last change that the files hold; the journal goes on from there. */
  readonly sequence: number;
}

/** Writes the three files of a data directory, all of them or none. */
export interface Snapshots {
  /**
   * Resolves when everything that was acknowledged before the call is in the three files. Calls during a save share the next.
   * @param savedAtMs epoch milliseconds
   * @throws UnavailableError when the disk refuses; the files before and the journal are then as they were
   */
  save(savedAtMs: number): Promise<SaveReport>;
}

export declare function createSnapshots(options: {
  directory: DataDirectory;
  journal: Journal;
  /** Called between two changes; must return within a few ms. */
  capture: () => StoreContents;
}): Snapshots;
