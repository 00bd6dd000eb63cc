import { conditionalSurvival, median, type SurvivalCurve, wilsonInterval } from '@agent-faculties/stats-math';
import { curveOf } from './duration-curve.ts';
import type { DurationSample } from './duration-history.ts';
import { outcomeCounts } from './duration-summary.ts';
import { type LongerRuns, longerRuns } from './longer-runs.ts';
import { type Confidence, confidenceIn, INTERVAL_CONFIDENCE, isCensored, percentileOf } from './percentile.ts';

/** Levels of the probability that a running task misses its timeout. */
const MEDIUM_RISK = 0.2;
const HIGH_RISK = 0.5;
/** OpenTime's rule: at risk with less than this share of the timeout left. */
const LITTLE_TIME_LEFT = 0.2;
/** Laplace's rule for no run at all. */
const NOTHING_KNOWN = 0.5;

export interface TimeoutRisk {
  readonly elapsedSeconds: number;
  readonly timeoutSeconds: number;
  readonly medianSeconds: number;
  readonly p95Seconds: number;
  /** Than `probability`, because the newest runs were cut off after more than the p95. */
  readonly isHigher: boolean;
  readonly atRisk: boolean;
  readonly sampleCount: number;
  readonly censoredCount: number;
  /** P(T > timeout | T > elapsed) */
  readonly probability: number;
  readonly interval: readonly [number, number];
  readonly level: 'low' | 'medium' | 'high';
  /** Than `elapsedSeconds`. */
  readonly longerRuns: LongerRuns;
  /** No task that ended ok or was cut off ran longer than this one has. */
  readonly beyondHistory: boolean;
  /** Null where no history is that long. */
  readonly remaining: { readonly median: number | null; readonly p95: number | null };
  /** By the runs that came this far, which the probability rests on; by all once the timeout has passed, and nothing is estimated. */
  readonly confidence: Confidence;
}

interface Times {
  readonly elapsedSeconds: number;
  readonly timeoutSeconds: number;
  /** Of what the risk rests on: see `Basis`. */
  readonly newestCutOffAfter?: number | null;
  readonly nowMs: number;
}

/** Null when no task ended ok. */
export function assessTimeout(
  sample: DurationSample,
  { elapsedSeconds, timeoutSeconds, newestCutOffAfter = null, nowMs }: Times,
): TimeoutRisk | null {
  const events = sample.ended.ok.sorted;
  if (events.size === 0) return null;
  const curve = curveOf(sample, nowMs);
  const medianSeconds = median(events);
  const { timeout, cancelled, active } = outcomeCounts(sample);
  const longer = finishedLongerThan(sample, elapsedSeconds);
  const times = { elapsedSeconds, timeoutSeconds, longer };
  const { probability, interval } = missProbability(sample, curve, times);
  const timeLeft = timeoutSeconds - elapsedSeconds;
  const p95Seconds = percentileOf(sample, 0.95, nowMs).seconds;
  // Of a timeout that has passed it is certain.
  const isHigher = timeLeft > 0 && newestCutOffAfter !== null && newestCutOffAfter > p95Seconds;
  return {
    elapsedSeconds,
    timeoutSeconds,
    medianSeconds,
    p95Seconds,
    isHigher,
    atRisk: elapsedSeconds > medianSeconds && timeLeft < LITTLE_TIME_LEFT * timeoutSeconds,
    sampleCount: events.size,
    censoredCount: timeout + cancelled + active,
    probability,
    interval,
    level: probability < MEDIUM_RISK ? 'low' : probability < HIGH_RISK ? 'medium' : 'high',
    longerRuns: longerRuns(sample, elapsedSeconds),
    beyondHistory: longer === 0,
    remaining: {
      median: remaining(curve, elapsedSeconds, 0.5),
      p95: remaining(curve, elapsedSeconds, 0.95),
    },
    confidence: confidenceIn({ isLowerEnd: isHigher }, timeLeft > 0 ? Math.max(longer, 1) : events.size),
  };
}

/**
 * S(timeout) / S(elapsed) by Laplace's rule of succession: (m q + 1) / (m + 2) for m runs longer than elapsed, which without
 * censoring is (k + 1) / (m + 2). From a few runs k / m claims 0 or 1 too soon, and (k + 1) / (m + 1), an upper bound, was further
 * off in the benchmark (docs/benchmarks/timing-service.md, Estimates). Where no run was that long, m is 0, and the rule says 1/2; of
 * the run its age alone is known, and of such a thing the share elapsed / timeout reaches the timeout (Gott 1993, Nature 363, 315-319).
 * The greater of the two is said: a run that is stuck reaches every timeout.
 */
function missProbability(
  sample: DurationSample,
  curve: SurvivalCurve,
  { elapsedSeconds, timeoutSeconds, longer }: { elapsedSeconds: number; timeoutSeconds: number; longer: number },
): { probability: number; interval: readonly [number, number] } {
  // The timeout has passed: a task that still runs has missed it.
  if (timeoutSeconds <= elapsedSeconds) return { probability: 1, interval: [1, 1] };
  const conditional = conditionalSurvival(curve, { elapsed: elapsedSeconds, until: timeoutSeconds });
  if (longer === 0 || conditional === null) {
    return { probability: Math.max(NOTHING_KNOWN, elapsedSeconds / timeoutSeconds), interval: [0, 1] };
  }
  const probability = (longer * conditional.probability + 1) / (longer + 2);
  if (isCensored(sample)) return { probability, interval: [conditional.low, conditional.high] };
  const successes = Math.round(longer * conditional.probability);
  const { low, high } = wilsonInterval({ successes, trials: longer, confidence: INTERVAL_CONFIDENCE });
  return { probability, interval: [low, high] };
}

/** Running tasks do not count: the one that is asked about is among them. */
function finishedLongerThan({ ended }: DurationSample, seconds: number): number {
  return [ended.ok, ended.timeout, ended.cancelled].reduce(
    (sum, { sorted }) => sum + sorted.size - sorted.countAtMost(seconds),
    0,
  );
}

/** Seconds from now until the share `p` of the tasks that got this far has ended. */
function remaining(curve: SurvivalCurve, elapsedSeconds: number, p: number): number | null {
  const reached = curve.survivalAt(elapsedSeconds).survival;
  if (reached === 0) return null;
  const { value } = curve.quantile(1 - (1 - p) * reached);
  return value === null ? null : Math.max(0, value - elapsedSeconds);
}
