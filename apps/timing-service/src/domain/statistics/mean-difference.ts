import { type SurvivalCurve, type WeightedMean, weightedMeansInterval } from '@agent-faculties/stats-math';
import type { OutcomeDurations } from './duration-history.ts';
import { INTERVAL_CONFIDENCE, type Percentile } from './percentile.ts';

/** Fewer runs make any verdict a guess, and nobody can tell how much they vary. */
export const ENOUGH_RUNS = 5;

/** What a step takes on average. */
export interface MeanTime {
  /** Steps with the same one take the same time, which is not known better for one than for the other. */
  readonly key: string;
  readonly seconds: number;
  /** The variance of the mean; null where no runs tell of it. */
  readonly squaredError: number | null;
  readonly runs: number;
  /** The share of runs of which is known only that they take longer than all that are known. */
  readonly unknown: number;
}

export interface MeanDifference {
  readonly seconds: number;
  /** Its 95 % interval; null where nobody knows an end. */
  readonly interval: Percentile['interval'];
}

export function meanOfRuns(key: string, { sorted, moments }: OutcomeDurations): MeanTime {
  const runs = sorted.size;
  const squaredError = runs < ENOUGH_RUNS ? null : moments.sampleStandardDeviation ** 2 / runs;
  return { key, seconds: moments.mean, squaredError, runs, unknown: 0 };
}

/** The mean time of a step that never ended ok, from an estimate. */
export function meanOfGuess(key: string, { seconds, unknown }: Pick<MeanTime, 'seconds' | 'unknown'>): MeanTime {
  return { key, seconds, squaredError: null, runs: 0, unknown };
}

/**
 * The area under a survival curve up to the last of the values that stand for its ranks, with Greenwood's variance: the sum over event times
 * of A^2 d / (n (n - d)), where A is the area that is left behind the time, times m / (m - 1) of m events (Klein and Moeschberger, Survival
 * Analysis, section 4.5). Without censoring that is s^2 / n.
 * @param ranked the quantiles of equal shares of the curve, ascending
 */
export function meanOfCurve(
  key: string,
  { curve, ranked, runs, unknown }: { curve: SurvivalCurve; ranked: Float64Array; runs: number; unknown: number },
): MeanTime {
  const seconds = ranked.reduce((sum, value) => sum + value, 0) / ranked.length;
  if (runs < ENOUGH_RUNS) return { key, seconds, squaredError: null, runs, unknown };
  let variance = 0;
  let before = 0;
  let behind = seconds - (ranked[0] ?? 0);
  for (const [index, time] of ranked.entries()) {
    if (index > 0) behind -= ((time - (ranked[index - 1] as number)) * (ranked.length - index)) / ranked.length;
    const sum = curve.varianceSumAt(time);
    // Nothing is left behind the last time, where the curve may end at 0 and the sum at infinity.
    if (Number.isFinite(sum)) variance += Math.max(0, behind) ** 2 * (sum - before);
    before = sum;
  }
  return { key, seconds, squaredError: (variance * runs) / (runs - 1), runs, unknown };
}

/** The share of sums of steps of which is known only that they take longer, because a step does. */
export function unknownShare(times: readonly MeanTime[]): number {
  return 1 - times.reduce((share, { unknown }) => share * (1 - unknown), 1);
}

/** How much longer one sum of steps takes than another. Steps that both have cancel out. */
export function meanDifference(longer: readonly MeanTime[], shorter: readonly MeanTime[]): MeanDifference {
  const weights = new Map<string, { readonly time: MeanTime; weight: number }>();
  for (const [times, sign] of [[longer, 1] as const, [shorter, -1] as const]) {
    for (const time of times) {
      const known = weights.get(time.key);
      if (known) known.weight += sign;
      else weights.set(time.key, { time, weight: sign });
    }
  }
  const terms = [...weights.values()].filter(({ weight }) => weight !== 0);
  const seconds = terms.reduce((sum, { time, weight }) => sum + weight * time.seconds, 0);
  const means = terms.flatMap(({ time, weight }) => weighted(time, weight));
  if (means.length < terms.length) return { seconds, interval: [null, null] };
  const { low, high } = weightedMeansInterval({ means, confidence: INTERVAL_CONFIDENCE });
  const mayBe = (sign: number) => terms.some(({ time, weight }) => time.unknown > 0 && Math.sign(weight) === sign);
  return { seconds, interval: [mayBe(-1) ? null : low, mayBe(1) ? null : high] };
}

/** The steps that another sum does not have: what both have takes the same time in both. */
export function ownSteps(times: readonly MeanTime[], others: readonly MeanTime[]): MeanTime[] {
  const left = others.map(({ key }) => key);
  return times.filter(({ key }) => {
    const place = left.indexOf(key);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
}

function weighted({ seconds, squaredError, runs }: MeanTime, weight: number): WeightedMean[] {
  return squaredError === null ? [] : [{ weight, mean: seconds, squaredError, size: runs }];
}
