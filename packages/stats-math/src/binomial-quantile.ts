import { binomialCdf, TIE_SLACK } from './binomial-cdf.ts';
import { normalQuantile } from './normal-quantile.ts';

/**
 * The least k in 0..trials with P(X <= k) >= probability, for X ~ Binomial(trials, p).
 *
 * Starts at the normal quantile with its first skewness correction (Cornish and Fisher), gallops until the answer is
 * enclosed and bisects: about six evaluations of the cdf at any size. A tie within TIE_SLACK counts as reached.
 * Callers guard the ranges: trials >= 1, p and probability between 0 and 1.
 * @complexity O(log of the error of the start) evaluations of the cdf
 */
export function binomialQuantile(probability: number, trials: number, p: number): number {
  const reached = (k: number) => binomialCdf(k, trials, p) >= probability - TIE_SLACK;
  const z = normalQuantile(probability);
  const start = trials * p + z * Math.sqrt(trials * p * (1 - p)) + ((1 - 2 * p) * (z * z - 1)) / 6 - 0.5;
  let high = Math.min(Math.max(Math.round(start), 0), trials);
  let low = high - 1; // not reached, once the loops below have ended
  for (let step = 1; !reached(high); step *= 2) {
    low = high;
    high = Math.min(high + step, trials);
  }
  for (let step = 1; low >= 0 && reached(low); step *= 2) {
    high = low;
    low -= step;
  }
  low = Math.max(low, -1);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (reached(middle)) high = middle;
    else low = middle;
  }
  return high;
}
