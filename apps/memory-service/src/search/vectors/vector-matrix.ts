import type { FiledRows } from './filed-rows.ts';
import { RowMemory } from './row-memory.ts';
import { eachDot } from './vector-rows.ts';

/** Rows added to the reserved memory at a time: 6 MB at 384 dimensions, so that growing stays a matter of microseconds. */
const GROWTH_ROWS = 4096;

/** 3 GB at 384 dimensions. */
const DEFAULT_MAXIMUM_ROWS = 2_000_000;

const BYTES_PER_VALUE = Float32Array.BYTES_PER_ELEMENT;

/** Rows whose values come later. */
export interface ExpectedRows {
  readonly bytes: Uint8Array;
  readonly arrived: () => void;
  readonly givenUp: (why: Error) => void;
}

/** The matrix holds as many rows as it may. */
export class MatrixFullError extends Error {
  override readonly name = 'MatrixFullError';
}

/**
 * Vectors of one dimension, row after row in one piece of memory that grows in place: no copy is made when it does, and rows
 * keep their numbers. A row never changes while anybody has it. The first of many rows may be in a file instead.
 */
export class VectorMatrix {
  readonly dimension: number;
  readonly maximumRows: number;
  /** The first rows; null: all are in memory. */
  #filed: FiledRows | null = null;
  /** The rows after those. */
  #held: RowMemory;
  #length = 0;
  #whole: Promise<void> | null = null;

  constructor({
    dimension,
    maximumRows = DEFAULT_MAXIMUM_ROWS,
  }: {
    dimension: number;
    maximumRows?: number;
  }) {
    this.dimension = dimension;
    this.maximumRows = Math.min(maximumRows, RowMemory.mostRows(dimension));
    this.#held = new RowMemory(dimension);
  }

  /** The first row in memory. */
  get #first(): number {
    return this.#filed?.count ?? 0;
  }

  /** Rows held. */
  get length(): number {
    return this.#length;
  }

  /** Of all rows. */
  get bytes(): number {
    return this.#length * this.dimension * BYTES_PER_VALUE;
  }

  /** Bytes of the rows in memory. */
  get bytesHeld(): number {
    return (this.#length - this.#first) * this.dimension * BYTES_PER_VALUE + (this.#filed?.bytesHeld ?? 0);
  }

  /** False while rows are still to come, of which none may be read yet. */
  get isWhole(): boolean {
    return this.#whole === null;
  }

  /** Resolves when every row may be read. @throws why that will never be */
  async whole(): Promise<void> {
    await this.#whole;
  }

  /**
   * Numbers rows whose values come later, in front of whatever is appended until then. The matrix must be empty.
   * @returns where their values go, as bytes; and what says that they are all there, or why they never will be
   * @throws MatrixFullError
   */
  expect(rows: number): ExpectedRows {
    if (this.#length > 0) throw new RangeError(`there are ${this.#length} rows already`);
    this.#makeRoomFor(rows);
    this.#length = rows;
    let [arrived, givenUp]: [() => void, (why: Error) => void] = [() => {}, () => {}];
    this.#whole = new Promise((resolve, reject) => {
      arrived = () => {
        this.#whole = null;
        resolve();
      };
      givenUp = reject;
    });
    // Without a caller that waits, a rejection would end the process.
    this.#whole.catch(() => {});
    return { bytes: this.#held.bytes(0, rows), arrived, givenUp };
  }

  /**
   * Lets go of the rows that this file has, which are the first ones here; more than an earlier one had.
   * @throws RangeError where there is no memory for the others; then all is as it was
   */
  keepInFile(filed: FiledRows): void {
    const held = new RowMemory(this.dimension);
    const rest = this.#length - filed.count;
    if (rest > 0) {
      held.reserve(rest);
      held.values.set(this.row(filed.count, rest));
    }
    // Nothing is another way before the memory is there, which a limit of the process may refuse.
    const before = this.#filed;
    this.#filed = filed;
    this.#held = held;
    before?.close();
  }

  /** Overwrites rows that no memory has any more, so that no file keeps their values. */
  forget(first: number, count: number): void {
    const inFile = Math.min(count, this.#first - first);
    if (inFile > 0) this.#filed?.blank(first, inFile);
  }

  /** Rows in a file cannot be read any more. */
  close(): void {
    this.#filed?.close();
  }

  hasRoomFor(rows: number): boolean {
    return this.#length + rows <= this.maximumRows;
  }

  /**
   * Copies one vector, or several behind one another, to the end and returns the number of the first new row.
   * @throws RangeError when the values are no whole number of rows; MatrixFullError
   */
  append(values: Float32Array): number {
    const rows = values.length / this.dimension;
    if (!Number.isInteger(rows) || rows === 0) {
      throw new RangeError(`${values.length} values do not make rows of ${this.dimension}`);
    }
    this.#makeRoomFor(this.#length + rows);
    const firstRow = this.#length;
    this.#held.values.set(values, (firstRow - this.#first) * this.dimension);
    this.#length += rows;
    return firstRow;
  }

  /** A row, or several consecutive ones; not to be written to. @throws RangeError for rows that are not there; UnavailableError */
  row(row: number, count = 1): Float32Array {
    if (row < 0 || row + count > this.#length) throw new RangeError(`row ${row} of ${this.#length}`);
    const filed = this.#filed;
    if (!filed || row >= filed.count) return this.#rowHeld(row, count);
    const inFile = Math.min(count, filed.count - row);
    const values = filed.rows(row, inFile);
    if (inFile === count) return values;
    const all = new Float32Array(count * this.dimension);
    all.set(values);
    all.set(this.#rowHeld(row + inFile, count - inFile), values.length);
    return all;
  }

  #rowHeld(row: number, count: number): Float32Array {
    const start = (row - this.#first) * this.dimension;
    return this.#held.values.subarray(start, start + count * this.dimension);
  }

  /** Dot product of a vector of this dimension with a row; NaN for a row that is not there. @throws UnavailableError */
  dot(query: Float32Array, row: number): number {
    const filed = this.#filed;
    if (filed && row < filed.count) return filed.dot(query, row);
    return this.#has(row) ? this.#held.dot(query, row - this.#first) : Number.NaN;
  }

  /** Dot products of a vector with rows that are there, to the same places of `products`. @throws UnavailableError */
  dots(query: Float32Array, rows: ArrayLike<number>, products: Float64Array): void {
    if (this.#filed) eachDot(this, query, { rows, products });
    else this.#held.dots(query, rows, products);
  }

  /** Dot product of two rows; NaN when one is not there. @throws UnavailableError */
  dotRows(a: number, b: number): number {
    const filed = this.#filed;
    if (filed && Math.max(a, b) < filed.count) return filed.dotRows(a, b);
    if (!this.#has(a) || !this.#has(b)) return Number.NaN;
    if (Math.min(a, b) < this.#first) return this.dot(this.row(a), b);
    return this.#held.dotRows(a - this.#first, b - this.#first);
  }

  #has(row: number): boolean {
    return row >= 0 && row < this.#length;
  }

  #makeRoomFor(rows: number): void {
    const held = rows - this.#first;
    if (held * this.dimension <= this.#held.values.length) return;
    if (rows > this.maximumRows) throw new MatrixFullError(`the matrix holds at most ${this.maximumRows} vectors`);
    const roundedUp = Math.ceil(held / GROWTH_ROWS) * GROWTH_ROWS;
    this.#held.reserve(Math.min(roundedUp, this.maximumRows - this.#first));
  }
}
