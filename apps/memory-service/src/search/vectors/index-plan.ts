/** How FAISS shall keep rows. */
export interface IndexPlan {
  /** Lists of an IVF index, each of the rows near one centre; 0: a flat index, which compares a query with every row. */
  readonly lists: number;
  /** Lists that a search looks into. */
  readonly probes: number;
  /** Rows that the centres are found from. */
  readonly sampleRows: number;
  /** With so many rows it is time for another plan. */
  readonly outgrownAt: number;
}

/**
 * From so many rows on an approximate index is worth its building: at 50,000 rows of 240 values a search takes 1.9 ms of a
 * processor instead of 4.9 ms, at 200,000 4 ms instead of 15 ms (docs/benchmarks/memory-service.md).
 */
export const APPROXIMATE_FROM_ROWS = 50_000;

/**
 * Building one takes 12 s of a processor at 100,000 rows of 240 values, where each search of it takes 8 ms less than a flat one; both
 * grow with the rows. So it begins when about as much was spent on flat searches, as nobody knows how many more will come.
 */
export const APPROXIMATE_AFTER_SEARCHES = 1_000;

/** Lists for n rows: this times the square root of n, so that centres and rows of a list cost about the same. */
const LISTS_PER_ROOT = 2;

/**
 * The share of the lists to look into, times the cube root of the rows. Measured on sentences of both bundled models (38,000 to
 * 200,000 rows), with 15 a search finds 98.5 to 98.9 % of the exact 50 nearest and 98.0 % of the 200 nearest.
 */
const SHARE_TIMES_CUBE_ROOT = 15;

/** FAISS asks for 39 rows a centre or more. */
const SAMPLE_ROWS_PER_LIST = 40;

/** The share falls with the cube root of the rows, and lists get longer: a plan is good for this growth. */
const GROWTH = 2;

export function flatPlan(approximateFromRows: number): IndexPlan {
  return { lists: 0, probes: 0, sampleRows: 0, outgrownAt: approximateFromRows };
}

/** The plan for so many rows. */
export function planFor(rows: number, { approximateFromRows }: { approximateFromRows: number }): IndexPlan {
  if (rows < approximateFromRows) return flatPlan(approximateFromRows);
  const lists = Math.max(1, Math.round(LISTS_PER_ROOT * Math.sqrt(rows)));
  return {
    lists,
    probes: Math.ceil(lists * Math.min(1, SHARE_TIMES_CUBE_ROOT / Math.cbrt(rows))),
    sampleRows: Math.min(rows, SAMPLE_ROWS_PER_LIST * lists),
    outgrownAt: GROWTH * rows,
  };
}
