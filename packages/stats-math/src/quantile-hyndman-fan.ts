import type { OrderedSample } from './ordered-sample.ts';
import { requireCount, requireInRange } from './require-in-range.ts';

/** A type of sample quantile in the numbering that R, numpy and scipy share. */
export type QuantileType = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** Plotting position m = constant + slope * p of the interpolating types, Hyndman and Fan 1996, table 1. */
const POSITIONS: Record<4 | 5 | 6 | 7 | 8 | 9, { constant: number; slope: number }> = {
  4: { constant: 0, slope: 0 },
  5: { constant: 0.5, slope: 0 },
  6: { constant: 0, slope: 1 },
  7: { constant: 1, slope: -1 },
  8: { constant: 1 / 3, slope: 1 / 3 },
  9: { constant: 3 / 8, slope: 1 / 4 },
};

/** R's fuzz: a position closer than this to a whole number counts as whole, so that 0.29 * 100 is 29. */
const FUZZ = 4 * Number.EPSILON;

/**
 * The sample quantile Q(p) of a chosen type: 1 inverse of the empirical cdf, 2 the same with means at steps, 3 nearest
 * even rank, 4 to 9 linear interpolation at position n * p + m (7 is the default of R and numpy, 8 median-unbiased).
 *
 * Source: Hyndman and Fan, "Sample Quantiles in Statistical Packages", The American Statistician 50 (1996), 361-365;
 * rounding as in R's `quantile.default`.
 * @param sample at least one value; the result has their unit
 * @throws RangeError when the sample is empty, p is outside 0..1 or the type is not 1..9
 * @complexity O(1) rank accesses
 */
export function quantileHyndmanFan(sample: OrderedSample, options: { p: number; type: QuantileType }): number {
  const { p, type } = options;
  const size = sample.size;
  requireCount('sample.size', size, 1);
  requireInRange('p', p, { least: 0, most: 1 });
  requireCount('type', type, 1);
  requireInRange('type', type, { least: 1, most: 9 });

  // Rank 0 and rank size + 1 repeat the ends.
  const atRank = (rank: number) => sample.at(Math.min(Math.max(rank, 1), size) - 1);
  const blend = (rank: number, weight: number) => {
    if (weight === 0) return atRank(rank);
    if (weight === 1) return atRank(rank + 1);
    return (1 - weight) * atRank(rank) + weight * atRank(rank + 1);
  };

  if (type <= 3) {
    const position = size * p + (type === 3 ? -0.5 : 0);
    const rank = Math.floor(position + FUZZ);
    const isAbove = position > rank + FUZZ;
    if (isAbove) return atRank(rank + 1);
    if (type === 1) return atRank(rank);
    if (type === 2) return blend(rank, 0.5);
    return atRank(rank % 2 === 0 ? rank : rank + 1);
  }
  const { constant, slope } = POSITIONS[type as keyof typeof POSITIONS];
  const position = size * p + constant + slope * p;
  const rank = Math.floor(position + FUZZ);
  const fraction = position - rank;
  return blend(rank, Math.abs(fraction) < FUZZ ? 0 : fraction);
}
