import { type OrderedSample, orderStatisticInterval, quantileSorted } from '@agent-faculties/stats-math';
import { curveOf } from './duration-curve.ts';
import { cutOffCount, type DurationSample } from './duration-history.ts';
import { longestCounted, stuckShare } from './stuck-runs.ts';

/** Confidence of the intervals that are shown beside a figure. */
export const INTERVAL_CONFIDENCE = 0.95;

export interface Percentile {
  readonly seconds: number;
  /** The percentile lies beyond everything seen: `seconds` is only its lower end. */
  readonly isLowerEnd: boolean;
  readonly interval: readonly [number | null, number | null];
}

export type Confidence = 'none' | 'low' | 'medium' | 'high';

/** OpenTime's labels, which depend on the number of samples and not on their spread. */
export function confidenceOf(count: number): Confidence {
  if (count === 0) return 'none';
  if (count < 5) return 'low';
  return count < 20 ? 'medium' : 'high';
}

/** The confidence in a figure. If it is known only from below, that is `low`, however many runs there are: none tells how far above it lies. */
export function confidenceIn({ isLowerEnd }: { readonly isLowerEnd: boolean }, count: number): Confidence {
  return isLowerEnd && count > 0 ? 'low' : confidenceOf(count);
}

/** Whether running, timed-out or cancelled tasks influence the percentiles. */
export function isCensored(sample: DurationSample): boolean {
  return sample.activeStartsMs.size + cutOffCount(sample) > 0;
}

/** By the rank rule sorted[min(floor(n p), n - 1)], with the order-statistic interval (Hahn & Meeker, ch. 5). */
export function plainPercentile(events: OrderedSample, p: number): Percentile {
  const ranks = orderStatisticInterval({ size: events.size, p: inside(p), confidence: INTERVAL_CONFIDENCE });
  const valueAt = (rank: number | null): number | null => (rank === null ? null : events.at(rank));
  return {
    seconds: quantileSorted(events, p),
    isLowerEnd: false,
    interval: [valueAt(ranks.low), valueAt(ranks.high)],
  };
}

/**
 * Percentile of the time that success takes; by the survival curve when there are censored tasks, of its part without stuck runs. The
 * sample is not empty.
 */
export function percentileOf(sample: DurationSample, p: number, nowMs: number): Percentile {
  const events = sample.ended.ok.sorted;
  if (!isCensored(sample)) return plainPercentile(events, p);
  const { value, low, high } = curveOf(sample, nowMs).quantile(inside(p) * (1 - stuckShare(sample, nowMs)));
  return {
    seconds: value ?? longestCounted(sample),
    isLowerEnd: value === null,
    interval: [low, high],
  };
}

/** Percentiles 0 and 1 have no interval; the nearest that has one stands in for them. */
function inside(p: number): number {
  return Math.min(Math.max(p, 1e-9), 1 - 1e-9);
}
