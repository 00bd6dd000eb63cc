import { binomialQuantile } from './binomial-quantile.ts';
import { requireCount, requireOpenUnit } from './require-in-range.ts';

/**
 * 0-based rank of the least value that is an upper tolerance bound: with at least the confidence, at least the share
 * `coverage` of all future runs stays at or below it, whatever the distribution. null when even the maximum proves less:
 * 1 - coverage^size < confidence.
 *
 * 1-based, the least r with B(r - 1; size, coverage) >= confidence. Source: Wilks, "Determination of Sample Sizes for
 * Setting Tolerance Limits", Annals of Mathematical Statistics 12 (1941), 91-96; Hahn and Meeker, chapter 5.
 * @param options.size number of values, at least 1
 * @param options.coverage between 0 and 1
 * @param options.confidence between 0 and 1
 * @throws RangeError when an option is outside
 * @complexity about six evaluations of the cdf at any size
 */
export function toleranceRank(options: { size: number; coverage: number; confidence: number }): number | null {
  const { size, coverage, confidence } = options;
  requireCount('size', size, 1);
  requireOpenUnit('coverage', coverage);
  requireOpenUnit('confidence', confidence);
  const rank = binomialQuantile(confidence, size, coverage);
  return rank === size ? null : rank;
}
