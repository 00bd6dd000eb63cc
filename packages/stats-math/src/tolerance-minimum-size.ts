import { TIE_SLACK } from './binomial-cdf.ts';
import { requireOpenUnit } from './require-in-range.ts';

/**
 * The least sample size whose maximum is an upper tolerance bound: the least n with 1 - coverage^n >= confidence.
 *
 * Source: Wilks 1941, as for `toleranceRank`. Coverage 0.95 with confidence 0.95 gives the well-known 59.
 * @param options.coverage between 0 and 1
 * @param options.confidence between 0 and 1
 * @throws RangeError when an option is outside
 * @complexity O(1)
 */
export function toleranceMinimumSize(options: { coverage: number; confidence: number }): number {
  const { coverage, confidence } = options;
  requireOpenUnit('coverage', coverage);
  requireOpenUnit('confidence', confidence);
  // The slack keeps an exact tie (0.5^2 = 1 - 0.75) from asking for one more, here as in `toleranceRank`.
  return Math.max(1, Math.ceil(Math.log1p(TIE_SLACK - confidence) / Math.log(coverage)));
}
