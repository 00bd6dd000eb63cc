import { dotAt, type VectorMatrix } from './vector-matrix.ts';
import type { VectorRows } from './vector-rows.ts';

/** The vector of one chunk of the text of a memory. */
export interface VectorPlace {
  readonly id: string;
  readonly chunk: number;
}

export interface NearPlace extends VectorPlace {
  readonly cosine: number;
}

/** Vectors that are kept outside of this process, by the memory that has them; all have unit length. */
export interface DistantVectors {
  /** Of each of these memories, chunk by chunk; absent where it has none there. @throws UnavailableError */
  fetch(ids: readonly string[]): Promise<ReadonlyMap<string, readonly Float32Array[]>>;
  /** The `count` nearest, nearly all of them, with exact cosines, the nearest first. @throws UnavailableError */
  nearest(query: Float32Array, count: number): Promise<readonly NearPlace[]>;
  /** The `count` nearest of these memories, exactly. @throws UnavailableError */
  nearestAmong(ids: readonly string[], query: Float32Array, count: number): Promise<readonly NearPlace[]>;
}

/** The rows of a matrix, numbered from `first` on; what was read of them can be read again, whatever happens to the space. */
export class HeldRows implements VectorRows {
  readonly matrix: VectorMatrix;
  readonly first: number;

  constructor(matrix: VectorMatrix, first: number) {
    this.matrix = matrix;
    this.first = first;
  }

  dot(query: Float32Array, row: number): number {
    return this.matrix.dot(query, row - this.first);
  }

  dotRows(a: number, b: number): number {
    return this.matrix.dotRows(a - this.first, b - this.first);
  }

  row(row: number): Float32Array {
    return this.matrix.row(row - this.first);
  }
}

/** Rows that one request reads: those that are held, and those that were fetched for it. */
export class GatheredRows implements VectorRows {
  readonly #heldNow: () => HeldRows;
  readonly #fetch: (rows: readonly number[]) => Promise<ReadonlyMap<number, Float32Array>>;
  readonly #fetched = new Map<number, Float32Array>();
  #held: HeldRows;

  constructor(from: {
    heldNow: () => HeldRows;
    fetch: (rows: readonly number[]) => Promise<ReadonlyMap<number, Float32Array>>;
  }) {
    this.#heldNow = from.heldNow;
    this.#fetch = from.fetch;
    this.#held = from.heldNow();
  }

  /** Those that are still to be fetched. Where there are none, all of them can be read, now and later. */
  missing(rows: Iterable<number>): number[] {
    this.#held = this.#heldNow();
    const missing: number[] = [];
    for (const row of rows) if (row < this.#held.first && !this.#fetched.has(row)) missing.push(row);
    return missing;
  }

  /** A row that is not there any more is like no other. */
  async fetch(rows: readonly number[]): Promise<void> {
    const found = await this.#fetch(rows);
    for (const row of rows) {
      this.#fetched.set(row, found.get(row) ?? new Float32Array(this.#held.matrix.dimension));
    }
  }

  dot(query: Float32Array, row: number): number {
    const fetched = this.#fetched.get(row);
    return fetched ? dotAt(query, 0, fetched, 0, query.length) : this.#held.dot(query, row);
  }

  dotRows(a: number, b: number): number {
    return this.dot(this.row(a), b);
  }

  row(row: number): Float32Array {
    return this.#fetched.get(row) ?? this.#held.row(row);
  }
}
