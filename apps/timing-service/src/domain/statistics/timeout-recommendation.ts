import { logNormalToleranceBound, toleranceRank } from '@agent-faculties/stats-math';
import { curveOf, longestFinished } from './duration-curve.ts';
import type { DurationSample } from './duration-history.ts';
import { outcomeCounts } from './duration-summary.ts';
import { type LongerRuns, longerRuns, mostFail } from './longer-runs.ts';
import { type Confidence, confidenceIn, isCensored, type Percentile, percentileOf } from './percentile.ts';
import type { DurationChange } from './recent-runs.ts';
import { forgottenFrom, longestCounted, stuckShare } from './stuck-runs.ts';

/** The defaults of OpenTime; the contract states them too. */
export const DEFAULT_PERCENTILE = 0.95;
export const DEFAULT_SAFETY_MARGIN = 1.2;
/** Confidence of the conservative bound. */
const BOUND_CONFIDENCE = 0.9;
/** A log-normal tail from a few samples may be far too long, so the bound is at most ten times the longest run. */
const LOG_NORMAL_CAP = 10;
/** The least timeout, for runs of 0 s by the clock. Programs read a timeout of 0 as none, or end at once. */
const LEAST_SECONDS = 1;
/** Coverages that the table of log-normal factors serves. */
const COVERAGE_RANGE = { least: 0.5, greatest: 0.999 };

export interface TimeoutRecommendation {
  /** percentile value times safety margin */
  readonly seconds: number;
  readonly percentileValue: Percentile;
  readonly percentile: number;
  readonly safetyMargin: number;
  readonly sampleCount: number;
  readonly censoredCount: number;
  /** How the conservative bound was found. */
  readonly method: 'empirical' | 'tolerance' | 'lognormal';
  /** Upper tolerance bound: with 90 % confidence at least the share `percentile` of all runs ends within it. No less than `seconds`. */
  readonly conservativeSeconds: number;
  readonly confidence: Confidence;
  /** Than `seconds`. */
  readonly longerRuns: LongerRuns;
  readonly warning: string | null;
}

interface Asked {
  readonly percentile: number;
  readonly safetyMargin: number;
  /** Of what the timeout rests on: see `Basis`. */
  readonly newestCutOffAfter?: number | null;
  readonly nowMs: number;
}

/** Null when no task ended ok. */
export function recommendTimeout(sample: DurationSample, asked: Asked): TimeoutRecommendation | null {
  const { percentile, safetyMargin, nowMs } = asked;
  const sampleCount = sample.ended.ok.sorted.size;
  if (sampleCount === 0) return null;
  const ofAll = percentileOf(sample, percentile, nowMs);
  const percentileValue = raised(ofAll, sample, asked);
  const isRaised = percentileValue !== ofAll;
  const stuck = stuckShare(sample, nowMs);
  const bound = conservativeBound(sample, { percentile, stuck, nowMs });
  const { timeout, cancelled, active } = outcomeCounts(sample);
  const seconds = percentileValue.seconds * safetyMargin || LEAST_SECONDS;
  // A bound within the safety margin, of runs that are much alike or of many, would be the shorter timeout of the two.
  const conservativeSeconds = Math.max(bound.seconds, seconds);
  const isSafer = conservativeSeconds > seconds;
  const isBound = bound.method === 'tolerance' && !isSafer && !isCensored(sample);
  const longer = longerRuns(sample, seconds);
  const isForgotten = longestCounted(sample) < longestFinished(sample);
  const warning = isRaised
    ? NEWEST_CUT_OFF
    : withStuck(warningFor(percentileValue, { sampleCount, percentile, isSafer, isBound, isForgotten }), stuck);
  return {
    seconds,
    percentileValue,
    percentile,
    safetyMargin,
    sampleCount,
    censoredCount: timeout + cancelled + active,
    method: bound.method,
    conservativeSeconds,
    confidence: confidenceIn(percentileValue, sampleCount),
    longerRuns: longer,
    warning: withFailures(warning, longer),
  };
}

/**
 * Where the newest runs were cut off after more than the percentile of all, that is its lower end: their timeout was too short, and a
 * shorter one would cut off the next run too. The timeout grows by its margin as they obey it, up to where a run counts as forgotten. From
 * there on it is as long as theirs was.
 */
function raised(ofAll: Percentile, sample: DurationSample, { newestCutOffAfter, safetyMargin }: Asked): Percentile {
  if (newestCutOffAfter == null) return ofAll;
  const least = Math.max(Math.min(newestCutOffAfter, forgottenFrom(sample)), newestCutOffAfter / safetyMargin);
  return least > ofAll.seconds ? { seconds: least, isLowerEnd: true, interval: [ofAll.interval[0], null] } : ofAll;
}

type Bound = Pick<TimeoutRecommendation, 'method'> & { readonly seconds: number };

/**
 * The order statistic that is a tolerance bound without assuming a shape (Wilks 1941), where there are enough samples;
 * below that a log-normal bound, since durations are positive and right-skewed. It is no less than the longest run, which without the
 * assumption proves too little there: of 44 runs with two peaks, the log-normal bound alone held in half of the cases. Censored tasks
 * can only raise it.
 */
function conservativeBound(
  sample: DurationSample,
  { percentile, stuck, nowMs }: { percentile: number; stuck: number; nowMs: number },
): Bound {
  const events = sample.ended.ok.sorted;
  const longestOk = events.at(events.size - 1);
  const mostCounted = stuck > 0 ? longestOk : forgottenFrom(sample);
  const longest = Math.min(longestFinished(sample), mostCounted);
  const coverage = Math.min(Math.max(percentile, COVERAGE_RANGE.least), COVERAGE_RANGE.greatest);
  const rank = toleranceRank({ size: events.size, coverage, confidence: BOUND_CONFIDENCE });
  if (rank !== null) {
    const curveBound = isCensored(sample)
      ? (curveOf(sample, nowMs).upperBound({ p: coverage * (1 - stuck), confidence: BOUND_CONFIDENCE }) ?? longest)
      : 0;
    return { method: 'tolerance', seconds: Math.max(events.at(rank), curveBound) };
  }
  if (events.size === 1 || events.at(0) === events.at(events.size - 1))
    return { method: 'empirical', seconds: longest };
  const bound = logNormalToleranceBound({
    values: Float64Array.from(events),
    coverage,
    confidence: BOUND_CONFIDENCE,
  });
  return { method: 'lognormal', seconds: Math.min(Math.max(bound, longest), LOG_NORMAL_CAP * longest) };
}

interface Advised {
  readonly sampleCount: number;
  readonly percentile: number;
  /** Whether the conservative bound is longer than what is recommended. */
  readonly isSafer: boolean;
  /** Whether what is recommended is no less than a bound that assumes no shape. */
  readonly isBound: boolean;
  /** Whether a run was cut off so late that it may have hung or been forgotten, and counts for less than it took. */
  readonly isForgotten: boolean;
}

/** The share of runs that no timeout helps, before what else there is to say: it is no part of the percentile. */
function withStuck(warning: string | null, stuck: number): string | null {
  if (stuck === 0) return warning;
  const sentence = `About ${Math.ceil(stuck * 100)} % of the runs get stuck and end with no timeout: this is for the others.`;
  return warning === null ? sentence : `${sentence} ${warning}`;
}

/** What one that takes longer comes to, after what else there is to say. */
function withFailures(warning: string | null, longer: LongerRuns): string | null {
  if (!mostFail(longer)) return warning;
  const { ok, error } = longer;
  const sentence = `Of the ${ok + error} runs that took longer and were not cut off, ${error} failed: one that has not ended by then will most likely fail.`;
  return warning === null ? sentence : `${warning} ${sentence}`;
}

export const CUT_OFF_LATER = 'The newest runs were cut off after more than those before took';

const NEWEST_CUT_OFF = `${CUT_OFF_LATER}, and nobody knows how much longer they would have taken: take the value as "at least".`;

export const OUTGROWN = 'The newest runs take longer than those before, and most of them were cut off or still run';

/** The sentence about runs that have become slower, before what else there is to say. */
export function withChange(warning: string | null, change: DurationChange | null): string | null {
  if (change === null) return warning;
  const { since } = change;
  const sentence = since
    ? `The newest runs take longer than those before: this rests on the newest ${since.runs} alone.`
    : `${OUTGROWN}: allow more.`;
  return warning === null ? sentence : `${sentence} ${warning}`;
}

function warningFor(
  value: Percentile,
  { sampleCount, percentile, isSafer, isBound, isForgotten }: Advised,
): string | null {
  if (value.isLowerEnd && isForgotten) {
    return 'A run was cut off after more than ten times the longest that ended ok, and counts as far as that, since it may have hung or been forgotten: take the value as "at least".';
  }
  if (value.isLowerEnd) {
    return 'So many tasks were cut off or are still running that this percentile lies beyond everything seen: take the value as "at least".';
  }
  if (value.seconds === 0) {
    return `The runs were too short to be measured: ${LEAST_SECONDS} s stands in for 0, which would be no timeout at all.`;
  }
  if (sampleCount === 1) return 'One run says nothing of the spread: allow several times as much until there are more.';
  const longer = isSafer ? 'prefer conservative_seconds' : 'allow more than recommended_seconds';
  if (sampleCount < 5) return `Only ${sampleCount} runs so far: ${longer}.`;
  if (value.interval[1] === null && percentile > 0.5 && !isBound) {
    return `${sampleCount} runs cannot bound this percentile from above: ${longer} where a false timeout is costly.`;
  }
  return null;
}
