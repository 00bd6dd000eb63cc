import type { NearRows } from '../columns/top-rows.ts';

/** Rows to search among. */
export interface RowSource {
  /** Every row is below. */
  readonly length: number;
  /** So many rows are compared rather than searched for. */
  readonly mostCompared: number;
  /** The nearest of all, about. */
  search(query: Float32Array, count: number): Promise<NearRows>;
  /** The nearest of these, exactly. */
  nearestAmong(rows: readonly number[], query: Float32Array, count: number): Promise<NearRows>;
}

/** What fits may lie farther away than what does not: the search goes on among so many times as many. */
const WIDENING = 4;

export interface Wanted {
  /** Rows that are worth having. */
  readonly count: number;
  /** Part of all rows that fits, as far as that is known without looking at them; null when it is not. */
  readonly share: number | null;
  /** Rows that fit, in any order, some in each turn of the event loop; asked for when the share is not known or small. */
  readonly fitting: () => AsyncIterable<readonly number[]>;
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
  { source, wanted }: { source: RowSource; wanted: Wanted },
): Promise<ArrayLike<number>> {
  const { count, fits, fitting } = wanted;
  let share = wanted.share ?? 0;
  if (share < LEAST_SHARE) {
    const rows: number[] = [];
    for await (const some of fitting()) {
      for (const row of some) rows.push(row);
      if (rows.length > source.mostCompared) break;
    }
    if (rows.length <= source.mostCompared) return (await source.nearestAmong(rows, query, count)).rows;
    share = Math.max(share, rows.length / source.length);
  }
  for (let asked = Math.ceil(count / share); ; asked *= WIDENING) {
    const { rows } = await source.search(query, Math.min(asked, source.length));
    const near = Array.from(rows).filter(fits);
    if (near.length >= count / 2 || asked >= source.length) return near.slice(0, count);
  }
}
