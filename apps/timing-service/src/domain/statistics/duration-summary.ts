import { median } from '@agent-faculties/stats-math';
import type { Outcome } from '../task.ts';
import type { DurationSample } from './duration-history.ts';
import {
  type Confidence,
  confidenceIn,
  isCensored,
  type Percentile,
  percentileOf,
  plainPercentile,
} from './percentile.ts';

const SUMMARY_PERCENTILES = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99 } as const;
type SummaryPercentile = keyof typeof SUMMARY_PERCENTILES;

/** How long tasks of a type take; seconds, not rounded. */
export interface DurationSummary {
  readonly taskType: string;
  readonly count: number;
  readonly mean: number;
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** Null for one sample. */
  readonly standardDeviation: number | null;
  readonly p50: number;
  readonly p90: number;
  readonly p95: Percentile;
  readonly p99: number;
  /** Those that lie beyond everything seen, where the figure is only their lower end, and may be more than `max`. */
  readonly atLeast: readonly SummaryPercentile[];
  readonly censoredCount: number;
  readonly outcomes: Readonly<Record<Outcome | 'active' | 'abandoned', number>>;
  readonly confidence: Confidence;
  readonly method: 'empirical' | 'kaplan-meier';
}

/** Null when no task ended with this outcome. Mean, median, least and greatest are over those tasks alone. */
export function summarise(
  taskType: string,
  sample: DurationSample,
  { outcome, nowMs }: { outcome: Outcome; nowMs: number },
): DurationSummary | null {
  const { sorted, moments } = sample.ended[outcome];
  const count = sorted.size;
  if (count === 0) return null;
  const censored = outcome === 'ok' && isCensored(sample);
  const percentile = (name: SummaryPercentile) => {
    const p = SUMMARY_PERCENTILES[name];
    return censored ? percentileOf(sample, p, nowMs) : plainPercentile(sorted, p);
  };
  const [p50, p90, p95, p99] = [percentile('p50'), percentile('p90'), percentile('p95'), percentile('p99')];
  const outcomes = outcomeCounts(sample);
  return {
    taskType,
    count,
    mean: moments.mean,
    median: median(sorted),
    min: sorted.at(0),
    max: sorted.at(count - 1),
    standardDeviation: count > 1 ? moments.sampleStandardDeviation : null,
    p50: p50.seconds,
    p90: p90.seconds,
    p95,
    p99: p99.seconds,
    atLeast: Object.entries({ p50, p90, p95, p99 }).flatMap(([name, { isLowerEnd }]) =>
      isLowerEnd ? [name as SummaryPercentile] : [],
    ),
    censoredCount: censored ? outcomes.timeout + outcomes.cancelled + outcomes.active : 0,
    outcomes,
    confidence: confidenceIn(p95, count),
    method: censored ? 'kaplan-meier' : 'empirical',
  };
}

export function outcomeCounts(sample: DurationSample): DurationSummary['outcomes'] {
  const { ok, error, timeout, cancelled } = sample.ended;
  return {
    ok: ok.sorted.size,
    error: error.sorted.size,
    timeout: timeout.sorted.size,
    cancelled: cancelled.sorted.size,
    active: sample.activeStartsMs.size,
    abandoned: sample.abandonedCount,
  };
}
