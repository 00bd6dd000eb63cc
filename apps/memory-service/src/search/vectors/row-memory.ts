/// <reference lib="es2024.sharedmemory" />
import {
  type Dots,
  type GrowingMemory,
  MOST_PAGES,
  PAGE_BYTES,
  RESULT_BYTES,
  ROWS_TOGETHER,
  vectorMemory,
} from './dot-in-memory.ts';

const BYTES_PER_VALUE = Float32Array.BYTES_PER_ELEMENT;

/**
 * Vectors of one dimension, row after row in one piece of memory that grows in place. Address space is reserved for 4 GiB, not memory.
 * Before the first row is the place of a vector that rows are compared with.
 */
export class RowMemory {
  /** Of the rows that there is room for. Replaced as room is made: a view that follows the length of its buffer is ten times slower to read. */
  values = new Float32Array(new SharedArrayBuffer(0));
  readonly #rowBytes: number;
  readonly #memory: GrowingMemory;
  readonly #dot: Dots['dot'];
  readonly #dots: Dots['dots'];
  readonly #results: Float64Array;
  #asked: Float32Array | null = null;

  constructor(dimension: number) {
    this.#rowBytes = dimension * BYTES_PER_VALUE;
    const { memory, dot, dots } = vectorMemory(Math.ceil((RESULT_BYTES + this.#rowBytes) / PAGE_BYTES));
    this.#memory = memory;
    this.#dot = dot;
    this.#dots = dots;
    this.#results = new Float64Array(memory.buffer, 0, ROWS_TOGETHER);
  }

  /** Rows of a dimension that fit. */
  static mostRows(dimension: number): number {
    return Math.floor((MOST_PAGES * PAGE_BYTES - RESULT_BYTES) / (dimension * BYTES_PER_VALUE)) - 1;
  }

  /** Makes room for so many rows in all. */
  reserve(rows: number): void {
    const bytes = this.#addressOf(rows);
    const missing = bytes - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE_BYTES));
    this.values = new Float32Array(this.#memory.buffer, this.#addressOf(0), (rows * this.#rowBytes) / BYTES_PER_VALUE);
  }

  /** Consecutive rows that there is room for, as bytes. */
  bytes(row: number, count: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, this.#addressOf(row), count * this.#rowBytes);
  }

  /** Dot product of a vector, which never changes, with a row that there is room for. */
  dot(vector: Float32Array, row: number): number {
    this.#dot(this.#placed(vector), this.#addressOf(row), this.#rowBytes);
    return this.#results[0] as number;
  }

  /** Dot product of two rows that there is room for. */
  dotRows(a: number, b: number): number {
    this.#dot(this.#addressOf(a), this.#addressOf(b), this.#rowBytes);
    return this.#results[0] as number;
  }

  /** Dot products of a vector, which never changes, with rows that there is room for; to the same places of `products`. */
  dots(vector: Float32Array, rows: ArrayLike<number>, products: Float64Array): void {
    const address = this.#placed(vector);
    const last = rows.length - 1;
    // Where fewer are left, the last one is multiplied again.
    const at = (place: number) => this.#addressOf(rows[Math.min(place, last)] as number);
    for (let from = 0; from <= last; from += ROWS_TOGETHER) {
      this.#dots(address, at(from), at(from + 1), at(from + 2), at(from + 3), this.#rowBytes);
      const until = Math.min(from + ROWS_TOGETHER, rows.length);
      for (let place = from; place < until; place++) products[place] = this.#results[place - from] as number;
    }
  }

  #placed(vector: Float32Array): number {
    if (vector !== this.#asked) {
      new Float32Array(this.#memory.buffer, RESULT_BYTES, this.#rowBytes / BYTES_PER_VALUE).set(vector);
      this.#asked = vector;
    }
    return RESULT_BYTES;
  }

  #addressOf(row: number): number {
    return RESULT_BYTES + (row + 1) * this.#rowBytes;
  }
}
