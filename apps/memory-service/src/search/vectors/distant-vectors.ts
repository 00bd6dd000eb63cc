import { dotAt } from './dot.ts';
import type { VectorMatrix } from './vector-matrix.ts';
import { eachDot, type VectorRows } from './vector-rows.ts';

/** One chunk of the text of a memory, which has a vector. */
export interface ChunkId {
  readonly id: string;
  readonly chunk: number;
}

/** A present or former text of a memory, from which its vectors were made. */
export interface MemoryText {
  readonly id: string;
  /** Digest of the text. */
  readonly digest: string;
}

export interface NearChunk extends ChunkId, MemoryText {
  readonly cosine: number;
}

/** Vectors that are kept outside of this process, by the memory and the text that they are of; all have unit length. */
export interface DistantVectors {
  /** The vectors of these texts, by the id of the memory, chunk by chunk; absent: none are stored. @throws UnavailableError */
  fetch(texts: readonly MemoryText[]): Promise<ReadonlyMap<string, readonly Float32Array[]>>;
  /** The `count` nearest, nearly all of them, with exact cosines, the nearest first. @throws UnavailableError */
  nearest(query: Float32Array, count: number): Promise<readonly NearChunk[]>;
  /** The `count` nearest of these memories, exactly. @throws UnavailableError */
  nearestAmong(ids: readonly string[], query: Float32Array, count: number): Promise<readonly NearChunk[]>;
  /** Told of a memory whose vectors should be there and are not, unless it was changed meanwhile. */
  missed(id: string): void;
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

  dots(query: Float32Array, rows: ArrayLike<number>, products: Float64Array): void {
    const { first } = this;
    this.matrix.dots(query, first === 0 ? rows : Int32Array.from(rows, (row) => row - first), products);
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
  readonly #lost = new Set<number>();
  #held: HeldRows;

  constructor(from: {
    heldNow: () => HeldRows;
    fetch: (rows: readonly number[]) => Promise<ReadonlyMap<number, Float32Array>>;
  }) {
    this.#heldNow = from.heldNow;
    this.#fetch = from.fetch;
    this.#held = from.heldNow();
  }

  /** The rows that are still to be fetched. If there are none, all of these rows can be read, now and later. */
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
      const vector = found.get(row);
      if (!vector) this.#lost.add(row);
      this.#fetched.set(row, vector ?? new Float32Array(this.#held.matrix.dimension));
    }
  }

  /** Whether a row that was fetched is not there any more. */
  isLost(row: number): boolean {
    return this.#lost.has(row);
  }

  dot(query: Float32Array, row: number): number {
    const fetched = this.#fetched.get(row);
    return fetched ? dotAt(query, 0, fetched, 0, query.length) : this.#held.dot(query, row);
  }

  dots(query: Float32Array, rows: ArrayLike<number>, products: Float64Array): void {
    eachDot(this, query, { rows, products });
  }

  dotRows(a: number, b: number): number {
    return this.dot(this.row(a), b);
  }

  row(row: number): Float32Array {
    return this.#fetched.get(row) ?? this.#held.row(row);
  }
}
