import { binomialCdf, TIE_SLACK } from './binomial-cdf.ts';
import { binomialQuantile } from './binomial-quantile.ts';
import { requireCount, requireOpenUnit } from './require-in-range.ts';

/**
 * 0-based ranks of the two values that enclose the true quantile p of the population with at least the confidence,
 * whatever the distribution. null where the sample is too small to give that end: then it is unknown, and neither the
 * minimum nor the maximum.
 *
 * Equal tails: with B the cdf of Binomial(size, p) and 1-based ranks, low is the greatest l with
 * B(l - 1) <= (1 - C) / 2 and high the least u with B(u - 1) >= 1 - (1 - C) / 2.
 * Source: Hahn and Meeker, Statistical Intervals, chapter 5.
 * @param options.size number of values, at least 1
 * @param options.p the quantile, between 0 and 1
 * @param options.confidence C, between 0 and 1; the tails are right to 1e-8
 * @throws RangeError when an option is outside
 * @complexity about twelve evaluations of the cdf at any size
 */
export function orderStatisticInterval(options: { size: number; p: number; confidence: number }): {
  low: number | null;
  high: number | null;
} {
  const { size, p, confidence } = options;
  requireCount('size', size, 1);
  requireOpenUnit('p', p);
  requireOpenUnit('confidence', confidence);
  const tail = (1 - confidence) / 2;
  // B(k) >= 1 - tail with k = u - 1, which is the 0-based rank of u.
  const high = binomialQuantile(1 - tail, size, p);
  // The least k with B(k) >= tail; the k below has B < tail and, 1-based, the rank l = k.
  let low = binomialQuantile(tail, size, p);
  if (binomialCdf(low, size, p) <= tail + TIE_SLACK) low += 1;
  return { low: low === 0 ? null : low - 1, high: high === size ? null : high };
}
