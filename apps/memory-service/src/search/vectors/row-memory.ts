/// <reference lib="es2024.sharedmemory" />
import { type Dot, type GrowingMemory, MOST_PAGES, PAGE_BYTES, vectorMemory } from './dot-in-memory.ts';

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
  readonly #dot: Dot;
  #asked: Float32Array | null = null;

  constructor(dimension: number) {
    this.#rowBytes = dimension * BYTES_PER_VALUE;
    const { memory, dot } = vectorMemory(Math.ceil(this.#rowBytes / PAGE_BYTES));
    this.#memory = memory;
    this.#dot = dot;
  }

  /** Rows of a dimension that fit. */
  static mostRows(dimension: number): number {
    return Math.floor((MOST_PAGES * PAGE_BYTES) / (dimension * BYTES_PER_VALUE)) - 1;
  }

  /** Makes room for so many rows in all. */
  reserve(rows: number): void {
    const bytes = (rows + 1) * this.#rowBytes;
    const missing = bytes - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE_BYTES));
    this.values = new Float32Array(this.#memory.buffer, this.#rowBytes, (rows * this.#rowBytes) / BYTES_PER_VALUE);
  }

  /** Consecutive rows that there is room for, as bytes. */
  bytes(row: number, count: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, this.#addressOf(row), count * this.#rowBytes);
  }

  /** Dot product of a vector, which never changes, with a row that there is room for. */
  dot(vector: Float32Array, row: number): number {
    if (vector !== this.#asked) {
      new Float32Array(this.#memory.buffer, 0, this.#rowBytes / BYTES_PER_VALUE).set(vector);
      this.#asked = vector;
    }
    return this.#dot(0, this.#addressOf(row), this.#rowBytes);
  }

  /** Dot product of two rows that there is room for. */
  dotRows(a: number, b: number): number {
    return this.#dot(this.#addressOf(a), this.#addressOf(b), this.#rowBytes);
  }

  #addressOf(row: number): number {
    return (row + 1) * this.#rowBytes;
  }
}
