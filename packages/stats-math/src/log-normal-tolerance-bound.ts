import { logNormalToleranceFactor } from './log-normal-tolerance-factor.ts';
import { requireCount } from './require-in-range.ts';
import { RunningMoments } from './running-moments.ts';

/** A value below this enters as this: the logarithm of 0 does not exist, and 1 ms is the least duration shown. */
const FLOOR = 0.001;

/**
 * Upper tolerance bound under a log-normal model: exp(mean of ln x + k * sd of ln x), in the unit of the values. For
 * samples too small for `toleranceRank`. Equal values give that value: the caller must judge whether that is likely.
 *
 * Source: Hahn and Meeker, Statistical Intervals, chapter 4, on logarithms.
 * @param options.values in any order, not negative; seconds, as the floor of 0.001 supposes
 * @param options.coverage 0.5 to 0.999
 * @param options.confidence 0.5 to 0.99
 * @throws RangeError with fewer than two values, or one negative or not finite, or an option outside
 * @complexity O(n)
 */
export function logNormalToleranceBound(options: {
  values: ArrayLike<number>;
  coverage: number;
  confidence: number;
}): number {
  const { values, coverage, confidence } = options;
  requireCount('values.length', values.length, 2);
  const factor = logNormalToleranceFactor({ size: values.length, coverage, confidence });
  const logarithms = new RunningMoments();
  for (let index = 0; index < values.length; index++) {
    const value = values[index] as number;
    if (!(value >= 0)) throw new RangeError(`values[${index}] is ${value}: pass durations, at least 0`);
    logarithms.add(Math.log(Math.max(value, FLOOR)));
  }
  return Math.exp(logarithms.mean + factor * logarithms.sampleStandardDeviation);
}
