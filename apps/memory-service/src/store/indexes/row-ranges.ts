import { grown } from '../../search/columns/grown.ts';
import type { RowRange } from '../../search/vectors/vector-rows.ts';

/** The rows of vectors of each memory, by ordinal. */
export class RowRanges {
  #firsts = new Int32Array(0);
  /** + 1, so that 0 means that there are none. */
  #counts = new Int32Array(0);

  /** Null also for no ordinal. */
  of(ordinal: number | undefined): RowRange | null {
    return ordinal === undefined ? null : rangeAt(this.#firsts, this.#counts, ordinal);
  }

  set(ordinal: number, rows: RowRange | null): void {
    this.#firsts = grown(this.#firsts, ordinal + 1);
    this.#counts = grown(this.#counts, ordinal + 1);
    this.#firsts[ordinal] = rows?.first ?? 0;
    this.#counts[ordinal] = rows ? rows.count + 1 : 0;
  }

  /** A copy of the ranges, which later changes do not touch. */
  capture(): (ordinal: number) => RowRange | null {
    const firsts = this.#firsts.slice();
    const counts = this.#counts.slice();
    return (ordinal) => rangeAt(firsts, counts, ordinal);
  }
}

function rangeAt(firsts: Int32Array, counts: Int32Array, ordinal: number): RowRange | null {
  const count = counts[ordinal] ?? 0;
  return count === 0 ? null : { first: firsts[ordinal] as number, count: count - 1 };
}
