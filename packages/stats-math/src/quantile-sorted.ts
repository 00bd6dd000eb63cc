import type { OrderedSample } from './ordered-sample.ts';
import { quantileRank } from './quantile-rank.ts';

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
