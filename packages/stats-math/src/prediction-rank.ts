import { requireCount, requireOpenUnit } from './require-in-range.ts';

/** Relative slack against (n + 1) * p landing a last digit above a whole number, as 0.95 * 20 could. */
const FUZZ = 1e-12;

/**
 * 0-based rank of an upper prediction bound: the next run stays at or below it with probability p or more, if the runs
 * are exchangeable. ceil((size + 1) * p) - 1; null when the sample is too small (below 19 values for p = 0.95).
 *
 * Source: Hahn and Meeker, Statistical Intervals, chapter 5; the same rank is the split-conformal bound of Vovk,
 * Gammerman and Shafer, Algorithmic Learning in a Random World.
 * @param options.size number of values, at least 1
 * @param options.p between 0 and 1
 * @throws RangeError when an option is outside
 * @complexity O(1)
 */
export function predictionRank(options: { size: number; p: number }): number | null {
  const { size, p } = options;
  requireCount('size', size, 1);
  requireOpenUnit('p', p);
  const rank = Math.ceil((size + 1) * p * (1 - FUZZ));
  return rank > size ? null : rank - 1;
}
