import type { OrderedSample } from './ordered-sample.ts';
import { requireCount } from './require-in-range.ts';

/**
 * The z of the rank-sum test of Wilcoxon, Mann and Whitney: how many standard errors the share of pairs in which the value of `few` is
 * the greater one, ties half, lies above 1/2. Without the correction for ties, which would move it away from 0.
 *
 * Source: Mann and Whitney, Annals of Mathematical Statistics 18 (1947), 50-60: the variance of U is n m (n + m + 1) / 12. The normal
 * distribution is close enough from 20 and 20 on: their table has 105 for 1 % of both sides, this gives 104.8.
 * @param options.few in any order, at least one
 * @param options.many at least one
 * @throws RangeError when one of them is empty
 * @complexity O(few * log many)
 */
export function rankSumZ(options: {
  few: ArrayLike<number>;
  many: Pick<OrderedSample, 'size' | 'countAtMost' | 'countBelow'>;
}): number {
  const { few, many } = options;
  requireCount('few.length', few.length, 1);
  requireCount('many.size', many.size, 1);
  let twice = 0;
  for (let index = 0; index < few.length; index++) {
    const value = few[index] as number;
    twice += many.countBelow(value) + many.countAtMost(value);
  }
  const pairs = few.length * many.size;
  return (twice / 2 - pairs / 2) / Math.sqrt((pairs * (few.length + many.size + 1)) / 12);
}
