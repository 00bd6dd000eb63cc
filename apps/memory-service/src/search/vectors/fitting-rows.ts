import { TopRows } from '../columns/top-rows.ts';
import type { VectorIndex } from './vector-index.ts';
import type { VectorMatrix } from './vector-matrix.ts';

/** So few rows that fit are all compared here, without the vector index: 5 to 8 ms. */
const COMPARED_HERE = 20_000;
/** What fits may lie farther away than what does not: the search goes on among so many times as many. */
const WIDENING = 4;

export interface Wanted {
  /** Rows that are worth having. */
  readonly count: number;
  /** Part of all rows that fits, as far as that is known without looking at them; null when it is not. */
  readonly share: number | null;
  /** Rows that fit, in any order; asked for when the share is not known or small. */
  readonly fitting: () => Iterable<number>;
  readonly fits: (row: number) => boolean;
}

/** Below this share a search would have to pass over too much. */
const LEAST_SHARE = 0.25;

/**
 * The nearest of the rows that fit: `count` or so, and no fewer than half of it where there are that many, however few of the
 * nearest of all fit. Exact where few fit, else as exact as the index.
 */
export async function nearestFitting(
  query: Float32Array,
  { matrix, index, wanted }: { matrix: VectorMatrix; index: VectorIndex; wanted: Wanted },
): Promise<ArrayLike<number>> {
  const { count, fits, fitting } = wanted;
  let share = wanted.share ?? 0;
  if (share < LEAST_SHARE) {
    const rows: number[] = [];
    for (const row of fitting()) if (rows.push(row) > COMPARED_HERE) break;
    if (rows.length <= COMPARED_HERE) return nearestOf(rows, { query, matrix, count });
    share = Math.max(share, rows.length / matrix.length);
  }
  for (let asked = Math.ceil(count / share); ; asked *= WIDENING) {
    const { rows } = await index.search(query, Math.min(asked, matrix.length));
    const near = Array.from(rows).filter(fits);
    if (near.length >= count / 2 || asked >= matrix.length) return near.slice(0, count);
  }
}

function nearestOf(
  rows: readonly number[],
  { query, matrix, count }: { query: Float32Array; matrix: VectorMatrix; count: number },
): ArrayLike<number> {
  const top = new TopRows(count);
  for (const row of rows) top.offer(row, matrix.dot(query, row));
  return top.take().rows;
}
