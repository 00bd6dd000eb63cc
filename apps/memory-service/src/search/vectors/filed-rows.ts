import { closeSync, fsync, open, readSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { UnavailableError } from '@agent-faculties/service-kit';
import { RowMemory } from './row-memory.ts';

/** Rows that are read together: what lies beside a row is mostly asked for too. */
const GROUP_ROWS = 8;

/** Groups that are kept, 15.7 MB at 240 values: a recall reads 600 or so, and each row of them several times. */
const DEFAULT_GROUPS = 2048;

/** Closes the files of rows that nobody can ask for any more. */
const forgotten = new FinalizationRegistry<number>(closeSync);

export interface FiledRowsOptions {
  /** Where the first row begins in the file, bytes. */
  readonly offset: number;
  readonly dimension: number;
  readonly count: number;
  /** Groups that are kept. Absent: 2,048. */
  readonly groups?: number;
}

/**
 * Rows of vectors in a file, read when they are asked for: 2 us for a group of them that the system has in its page cache. The groups
 * that were read last are kept, each in one place of a table (a direct-mapped cache).
 */
export class FiledRows {
  /** Rows in the file. */
  readonly count: number;
  /** -1: closed. */
  #file: number;
  readonly #offset: number;
  readonly #rowBytes: number;
  readonly #groups: number;
  /** The group at each place; -1: none. */
  readonly #groupAt: Int32Array;
  readonly #dimension: number;
  /** The rows of the groups, place by place. */
  readonly #held: RowMemory;

  private constructor(file: number, { offset, dimension, count, groups = DEFAULT_GROUPS }: FiledRowsOptions) {
    this.count = count;
    this.#file = file;
    this.#offset = offset;
    this.#dimension = dimension;
    this.#rowBytes = dimension * Float32Array.BYTES_PER_ELEMENT;
    this.#groups = groups;
    this.#groupAt = new Int32Array(groups).fill(-1);
    this.#held = new RowMemory(dimension);
    this.#held.reserve(groups * GROUP_ROWS);
    forgotten.register(this, file, this);
  }

  /**
   * The file may be removed afterwards. It is on the disk when this resolves: what the disk does not take shows now, and not in values
   * that are read later. @throws what the file system throws
   */
  static async open(path: string, options: FiledRowsOptions): Promise<FiledRows> {
    const file = await promisify(open)(path, 'r+');
    try {
      await promisify(fsync)(file);
    } catch (error) {
      closeSync(file);
      throw error;
    }
    return new FiledRows(file, options);
  }

  /** In memory. */
  get bytesHeld(): number {
    return this.#held.values.byteLength;
  }

  /** Dot product of a vector with a row. @throws UnavailableError */
  dot(query: Float32Array, row: number): number {
    return this.#held.dot(query, this.#placeOf(row));
  }

  /** Dot product of two rows. @throws UnavailableError */
  dotRows(a: number, b: number): number {
    const [groupA, groupB] = [groupOf(a), groupOf(b)];
    const takePlace = groupA !== groupB && groupA % this.#groups === groupB % this.#groups;
    if (takePlace) return this.dot(this.rows(a, 1), b);
    return this.#held.dotRows(this.#placeOf(a), this.#placeOf(b));
  }

  /** Copies of consecutive rows. @throws UnavailableError */
  rows(first: number, count: number): Float32Array {
    if (count === 1) {
      const start = this.#placeOf(first) * this.#dimension;
      return this.#held.values.slice(start, start + this.#dimension);
    }
    const values = new Float32Array(count * this.#dimension);
    this.#read(new Uint8Array(values.buffer), { first, count });
    return values;
  }

  /** Takes the values of rows out of the file: they are zeros from now on. */
  blank(first: number, count: number): void {
    for (let row = first; row < first + count; row++) {
      const group = groupOf(row);
      if (this.#groupAt[group % this.#groups] === group) this.#groupAt[group % this.#groups] = -1;
    }
    const zeros = new Uint8Array(count * this.#rowBytes);
    try {
      writeSync(this.#file, zeros, 0, zeros.length, this.#offset + first * this.#rowBytes);
    } catch {
      // A change is applied whole. What the disk does not take stays in a file that has no name, until the space is closed.
    }
  }

  /** Nothing can be read any more. */
  close(): void {
    forgotten.unregister(this);
    closeSync(this.#file);
    this.#file = -1;
  }

  /** Where a row is held, until another one is asked for. */
  #placeOf(row: number): number {
    const group = groupOf(row);
    const place = group % this.#groups;
    if (this.#groupAt[place] !== group) this.#readGroup(group, place);
    return place * GROUP_ROWS + (row % GROUP_ROWS);
  }

  #readGroup(group: number, place: number): void {
    const first = group * GROUP_ROWS;
    this.#groupAt[place] = -1;
    const count = Math.min(GROUP_ROWS, this.count - first);
    this.#read(this.#held.bytes(place * GROUP_ROWS, count), { first, count });
    this.#groupAt[place] = group;
  }

  /** Reads rows into these bytes, which are as many. */
  #read(bytes: Uint8Array, { first, count }: { first: number; count: number }): void {
    const start = this.#offset + first * this.#rowBytes;
    const length = count * this.#rowBytes;
    try {
      for (let done = 0; done < length; ) {
        const read = readSync(this.#file, bytes, done, length - done, start + done);
        if (read === 0) throw new Error(`the file ends after ${start + done} bytes`);
        done += read;
      }
    } catch (error) {
      throw new UnavailableError(
        `The vectors of this space cannot be read from the folder for temporary files (${(error as Error).message}): start the service again.`,
        { code: 'storage_unavailable', cause: error },
      );
    }
  }
}

function groupOf(row: number): number {
  return Math.floor(row / GROUP_ROWS);
}
