import { normalQuantile } from './normal-quantile.ts';
import { requireCount, requireInRange, requireOpenUnit } from './require-in-range.ts';

/**
 * Two-sided score interval for a share, within 0..1; also useful at 0 and at all successes.
 *
 * Source: Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22 (1927), 209-212.
 * @param options.successes 0..trials
 * @param options.trials at least 1
 * @param options.confidence between 0 and 1
 * @throws RangeError when an option is outside
 * @complexity O(1)
 */
export function wilsonInterval(options: { successes: number; trials: number; confidence: number }): {
  low: number;
  high: number;
} {
  const { successes, trials, confidence } = options;
  requireCount('trials', trials, 1);
  requireCount('successes', successes, 0);
  requireInRange('successes', successes, { least: 0, most: trials });
  requireOpenUnit('confidence', confidence);
  const z = normalQuantile((1 + confidence) / 2);
  const share = successes / trials;
  const shrink = 1 + (z * z) / trials;
  const centre = (share + (z * z) / (2 * trials)) / shrink;
  const half = (z * Math.sqrt((share * (1 - share)) / trials + (z * z) / (4 * trials * trials))) / shrink;
  return {
    low: successes === 0 ? 0 : Math.max(0, centre - half),
    high: successes === trials ? 1 : Math.min(1, centre + half),
  };
}
