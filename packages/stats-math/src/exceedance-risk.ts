import { requireCount, requireInRange } from './require-in-range.ts';
import { wilsonInterval } from './wilson-interval.ts';

/** Confidence of the interval when the caller names none. */
const DEFAULT_CONFIDENCE = 0.95;

/**
 * Probability that a run that has lasted past the elapsed time will also last past the timeout, from finished runs
 * only: (k + 1) / (m + 1), the exchangeable version of k / m. It claims neither 0 when no run has done it yet nor
 * anything but 1 when no run has ever lasted this long. The interval is Wilson's for k of m, and 0..1 when m = 0; it
 * can lie below the probability, which counts the running task itself as a case.
 *
 * Source: exchangeability as for `predictionRank`; Wilson 1927.
 * @param options.aboveElapsed m, how many past runs lasted longer than the elapsed time
 * @param options.aboveTimeout k, how many lasted longer than the timeout, 0..m
 * @param options.confidence of the interval, 0.95 when left out
 * @throws RangeError when a count is outside
 * @complexity O(1)
 */
export function exceedanceRisk(options: { aboveElapsed: number; aboveTimeout: number; confidence?: number }): {
  probability: number;
  low: number;
  high: number;
} {
  const { aboveElapsed, aboveTimeout, confidence = DEFAULT_CONFIDENCE } = options;
  requireCount('aboveElapsed', aboveElapsed, 0);
  requireCount('aboveTimeout', aboveTimeout, 0);
  requireInRange('aboveTimeout', aboveTimeout, { least: 0, most: aboveElapsed });
  const probability = (aboveTimeout + 1) / (aboveElapsed + 1);
  if (aboveElapsed === 0) return { probability, low: 0, high: 1 };
  return { probability, ...wilsonInterval({ successes: aboveTimeout, trials: aboveElapsed, confidence }) };
}
