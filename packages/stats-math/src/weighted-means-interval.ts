import { requireCount, requireInRange, requireOpenUnit } from './require-in-range.ts';
import { studentQuantile } from './student-quantile.ts';

/** A mean of a sample, and what it counts in a sum: 1 and -1 make a difference of two. */
export interface WeightedMean {
  readonly weight: number;
  readonly mean: number;
  /** The variance of the mean, not of the values: s^2 / n. */
  readonly squaredError: number;
  /** How many values it is of, at least 2. */
  readonly size: number;
}

/**
 * The interval of a weighted sum of the means of independent samples, whose variances need not be equal: Welch's, with the degrees of
 * freedom of Satterthwaite. Of two lopsided samples alike it holds what it promises; where one alone has rare large values, a small sample
 * that has none of them makes it too narrow (38 % of samples of 10 with one such value in ten, 12 % of 20; measured).
 *
 * Source: Welch, Biometrika 34 (1947), 28-35; Satterthwaite, Biometrics Bulletin 2 (1946), 110-114.
 * @param options.means no two of one sample
 * @throws RangeError when an option is outside
 * @complexity O(means)
 */
export function weightedMeansInterval(options: { means: readonly WeightedMean[]; confidence: number }): {
  sum: number;
  low: number;
  high: number;
} {
  const { means, confidence } = options;
  requireOpenUnit('confidence', confidence);
  let [sum, variance, spread] = [0, 0, 0];
  for (const { weight, mean, squaredError, size } of means) {
    requireCount('size', size, 2);
    requireInRange('squaredError', squaredError, { least: 0, most: Number.MAX_VALUE });
    const part = weight * weight * squaredError;
    sum += weight * mean;
    variance += part;
    spread += (part * part) / (size - 1);
  }
  if (spread === 0) return { sum, low: sum, high: sum };
  const half =
    studentQuantile({ p: (1 + confidence) / 2, freedom: Math.max(1, (variance * variance) / spread) }) *
    Math.sqrt(variance);
  return { sum, low: sum - half, high: sum + half };
}
