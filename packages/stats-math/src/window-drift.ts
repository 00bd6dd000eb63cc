import { median } from './median.ts';
import { type OrderedSample, orderedSample } from './ordered-sample.ts';
import { probabilityLess } from './probability-less.ts';
import { quantileSorted } from './quantile.ts';
import type { RandomSource } from './random-source.ts';
import { requireCount } from './require-in-range.ts';
import { resampledMedians } from './resampled-median.ts';

/** The ends of a 95 % interval settle to about 1 % of its width; 1000 draws take half a millisecond. */
const DEFAULT_DRAWS = 1000;
const TAIL = 0.025;

export interface WindowDrift {
  /** Median after / median before. */
  ratio: number;
  /** Ends of the 95 % interval of the ratio. */
  low: number;
  high: number;
  /** P(before < after), ties half. */
  probabilityIncreased: number;
  /** Durations: slower when the whole interval lies above 1, faster when below. */
  direction: 'faster' | 'slower' | 'steady';
}

/**
 * Whether durations have changed between two windows: the ratio of medians with its percentile bootstrap interval.
 *
 * Source: Efron and Tibshirani, An Introduction to the Bootstrap, chapter 13; `probabilityLess`.
 * @param options.before @param options.after values above 0 in any order, at least one each; one or two values give an
 *   interval that is too narrow, so ask for five or more before believing a direction
 * @param options.draws bootstrap draws, at least 40; 1000 when left out
 * @throws RangeError when a window is empty or has a value that is not finite or not above 0
 * @complexity O(draws + n log n) for windows of n
 */
export function windowDrift(options: {
  before: ArrayLike<number>;
  after: ArrayLike<number>;
  random: RandomSource;
  draws?: number;
}): WindowDrift {
  const { random, draws = DEFAULT_DRAWS } = options;
  requireCount('draws', draws, 40);
  const before = positiveSample('before', options.before);
  const after = positiveSample('after', options.after);
  const ratios = new Float64Array(draws);
  const [medianAfter, medianBefore] = [resampledMedians(after, random), resampledMedians(before, random)];
  for (let draw = 0; draw < draws; draw++) ratios[draw] = medianAfter() / medianBefore();
  const ordered = orderedSample(ratios.sort());
  const low = quantileSorted(ordered, TAIL);
  const high = quantileSorted(ordered, 1 - TAIL);
  return {
    ratio: median(after) / median(before),
    low,
    high,
    probabilityIncreased: probabilityLess(before, after),
    direction: low > 1 ? 'slower' : high < 1 ? 'faster' : 'steady',
  };
}

function positiveSample(name: string, values: ArrayLike<number>): OrderedSample {
  requireCount(`${name}.length`, values.length, 1);
  const sorted = Float64Array.from(values).sort();
  if (!((sorted[0] as number) > 0)) throw new RangeError(`${name} holds ${sorted[0]}: pass durations above 0`);
  return orderedSample(sorted);
}
