import type { OrderedSample } from './ordered-sample.ts';
import { requireCount, requireInRange } from './require-in-range.ts';

/**
 * The empirical quantile at `quantileRank`: always one of the values, in their unit.
 * @param sample at least one value
 * @param p share in 0..1
 * @throws RangeError when the sample is empty or p is outside
 * @complexity O(1) rank accesses
 */
export function quantileSorted(sample: OrderedSample, p: number): number {
  return sample.at(quantileRank(sample.size, p));
}

/**
 * 0-based rank of the empirical quantile: min(floor(n * p), n - 1). p = 0 is the minimum and p = 1 the maximum.
 *
 * It is the rule of OpenTime, the upper empirical quantile: equal to nearest rank (Hyndman and Fan 1996, type 1), but
 * one rank higher where n * p is whole. The product is taken in doubles, as OpenTime does.
 * @param size number of values, at least 1
 * @param p share in 0..1
 * @throws RangeError when size or p is outside
 * @complexity O(1)
 */
export function quantileRank(size: number, p: number): number {
  requireCount('size', size, 1);
  requireInRange('p', p, { least: 0, most: 1 });
  return Math.min(Math.floor(size * p), size - 1);
}
