import type { OrderedSample, SurvivalCurve } from '@agent-faculties/stats-math';
import { curveOf } from './duration-curve.ts';
import type { DurationSample } from './duration-history.ts';
import { percentileOf } from './percentile.ts';
import {
  DEFAULT_PERCENTILE,
  DEFAULT_SAFETY_MARGIN,
  recommendTimeout,
  type TimeoutRecommendation,
} from './timeout-recommendation.ts';

/** Bins of a histogram: enough to show two modes, few enough to read. */
const BINS = 24;
const CURVE_POINTS = 200;
/** A duration of 0 has no place on a logarithmic axis. */
const LEAST_SECONDS = 0.001;

/** The distribution of the durations of a type, and the advice within it. */
export interface Distribution {
  readonly p50Seconds: number;
  /** Of all runs, with the default percentile and margin. */
  readonly recommendation: TimeoutRecommendation;
  /** Of the runs that a timeout rests on; see `basisOfTimeout`. */
  readonly timeout: TimeoutRecommendation;
  readonly histogram: Bin[];
  /** Steps of the survival curve with its band, at most 200. */
  readonly survival: ReturnType<SurvivalCurve['points']>;
}

/** A share of the durations: those from `from` to below `to`, in seconds. */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

interface Asked {
  /** What a timeout rests on, where that is not the sample. */
  readonly recent?: DurationSample | undefined;
  readonly newestCutOffAfter: number | null;
  readonly nowMs: number;
}

/** Null when no task ended ok. */
export function distributionOf(
  sample: DurationSample,
  { recent = sample, newestCutOffAfter, nowMs }: Asked,
): Distribution | null {
  const options = { percentile: DEFAULT_PERCENTILE, safetyMargin: DEFAULT_SAFETY_MARGIN, nowMs };
  const recommendation = recommendTimeout(sample, options);
  if (!recommendation) return null;
  return {
    p50Seconds: percentileOf(sample, 0.5, nowMs).seconds,
    recommendation,
    timeout: recommendTimeout(recent, { ...options, newestCutOffAfter }) ?? recommendation,
    histogram: histogram(sample.ended.ok.sorted),
    survival: curveOf(sample, nowMs).points(CURVE_POINTS),
  };
}

/** Bins of equal width on a logarithmic axis from the least to the greatest; the last includes its end. O(bins log n). */
export function histogram(sorted: OrderedSample): Bin[] {
  if (sorted.size === 0) return [];
  const greatest = Math.max(sorted.at(sorted.size - 1), LEAST_SECONDS);
  const least = Math.min(Math.max(sorted.at(0), LEAST_SECONDS), greatest);
  if (least === greatest) return [{ from: least, to: greatest, count: sorted.size }];
  const ratio = (greatest / least) ** (1 / BINS);
  const edges = Array.from({ length: BINS + 1 }, (_, index) => (index === BINS ? greatest : least * ratio ** index));
  let before = 0;
  return edges.slice(1).map((to, index) => {
    const upTo = index === BINS - 1 ? sorted.size : sorted.countBelow(to);
    const bin = { from: edges[index] as number, to, count: upTo - before };
    before = upTo;
    return bin;
  });
}
