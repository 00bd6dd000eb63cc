import type { OrderedSample } from './ordered-sample.ts';
import { requireCount } from './require-in-range.ts';

/**
 * P(A < B) + P(A = B) / 2 for one random value of each sample: 0.5 when neither is faster.
 *
 * Source: Mann and Whitney, Annals of Mathematical Statistics 18 (1947), 50-60, U / (n * m); the same number is the A
 * measure of Vargha and Delaney, Journal of Educational and Behavioral Statistics 25 (2000).
 * @throws RangeError when a sample is empty
 * @complexity O(min(n, m) * log max(n, m))
 */
export function probabilityLess(a: OrderedSample, b: OrderedSample): number {
  requireCount('a.size', a.size, 1);
  requireCount('b.size', b.size, 1);
  if (b.size < a.size) return 1 - shareGreater(b, a);
  return shareGreater(a, b);
}

/** Mean over `few` of the share of `many` that is greater, ties half. Counts stay whole up to 2^53. */
function shareGreater(few: OrderedSample, many: OrderedSample): number {
  let twice = 0;
  for (let index = 0; index < few.size; index++) {
    const value = few.at(index);
    twice += 2 * many.size - many.countAtMost(value) - many.countBelow(value);
  }
  return twice / 2 / few.size / many.size;
}
