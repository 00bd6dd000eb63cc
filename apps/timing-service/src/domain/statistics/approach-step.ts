import { type BootstrapTerm, median, type OrderedSample, orderedSample } from '@agent-faculties/stats-math';
import { curveOf } from './duration-curve.ts';
import type { DurationSample } from './duration-history.ts';
import { longestCutOff } from './estimate-from-history.ts';
import { LEAST_ESTIMATES } from './estimate-from-others.ts';
import { type MeanTime, meanOfCurve, meanOfGuess, meanOfRuns } from './mean-difference.ts';
import { type Confidence, confidenceIn, isCensored } from './percentile.ts';
import { longestCounted } from './stuck-runs.ts';

/** Histories up to this size are copied (8 KiB each): 10,000 picks from a plain array take a third less time. */
const COPIED_SIZE = 1_024;
/** Ranks of a survival curve that stand for the runs of a type, where some of them were cut off. */
const CURVE_RANKS = 1_000;

export interface StepInput {
  readonly taskType: string;
  readonly estimatedSeconds: number | null;
}

export interface Step extends StepInput {
  /** Median of history, or the estimate corrected by past ratios, or the estimate; null with neither. */
  readonly adjustedSeconds: number | null;
  readonly sampleCount: number;
  /** Runs that failed beside those. How long a failure takes is in no total. */
  readonly failedCount: number;
  readonly confidence: Confidence;
  readonly source: 'history' | 'scaled_estimate' | 'estimate' | 'none';
}

/** How long a step takes by what is known of its type. */
export interface StepHistory {
  readonly durations: OrderedSample;
  /** How many ended ok. */
  readonly count: number;
  readonly failed: number;
  /** Null where none ended ok. */
  readonly mean: MeanTime | null;
  /** What the longest run without an end took, where none ended ok: an estimate below it is refuted. */
  readonly leastSeconds: number;
}

export function stepHistory(taskType: string, sample: DurationSample, nowMs: number): StepHistory {
  const { sorted } = sample.ended.ok;
  const count = sorted.size;
  if (count > 0 && isCensored(sample)) return fromCurve(taskType, sample, nowMs);
  const durations = count > COPIED_SIZE ? sorted : orderedSample(Float64Array.from(sorted));
  const failed = sample.ended.error.sorted.size;
  return count === 0
    ? { durations, count, failed, mean: null, leastSeconds: longestCutOff(sample, nowMs) }
    : { durations, count, failed, mean: meanOfRuns(taskType, sample.ended.ok), leastSeconds: 0 };
}

/**
 * Draws from the survival curve, so that what was cut off counts as longer than it took: with the ok runs alone, an approach that often
 * times out would be as fast as its fast runs. Where the curve does not come down to 0, the longest run stands for the rest, as the last
 * time of a sample does in Efron (1981, Censored data and the bootstrap).
 */
function fromCurve(taskType: string, sample: DurationSample, nowMs: number): StepHistory {
  const { ok, error } = sample.ended;
  const count = ok.sorted.size;
  const curve = curveOf(sample, nowMs);
  const longest = longestCounted(sample);
  const ranked = Float64Array.from(
    { length: CURVE_RANKS },
    (_, index) => curve.quantileValue((index + 0.5) / CURVE_RANKS) ?? longest,
  );
  const unknown = curve.survivalAt(ok.sorted.at(count - 1)).survival;
  const mean = meanOfCurve(taskType, { curve, ranked, runs: count, unknown });
  return { durations: orderedSample(ranked), count, failed: error.sorted.size, mean, leastSeconds: 0 };
}

/**
 * Where the time of a step comes from. Past ratios of actual to estimate correct an estimate (Spolsky 2007), and runs of it that were
 * cut off raise it.
 */
export function resolveStep(
  step: StepInput,
  { durations, count: sampleCount, failed: failedCount, mean, leastSeconds }: StepHistory,
  ratios: OrderedSample,
): { step: Step; term: BootstrapTerm | null; mean: MeanTime | null } {
  const isLowerEnd = mean !== null && mean.unknown > 0.5;
  const common = { ...step, sampleCount, failedCount, confidence: confidenceIn({ isLowerEnd }, sampleCount) };
  const estimate = step.estimatedSeconds;
  if (sampleCount > 0) {
    return { step: { ...common, adjustedSeconds: median(durations), source: 'history' }, term: durations, mean };
  }
  if (estimate === null) return { step: { ...common, adjustedSeconds: null, source: 'none' }, term: null, mean };
  const isScaled = ratios.size >= LEAST_ESTIMATES;
  const known = isScaled ? ratios : AS_ESTIMATED;
  const term = { size: known.size, at: (index: number) => Math.max(estimate * known.at(index), leastSeconds) };
  const refuted = known.countBelow(leastSeconds / estimate) / known.size;
  return {
    step: {
      ...common,
      adjustedSeconds: Math.max(estimate * median(known), leastSeconds),
      source: isScaled ? 'scaled_estimate' : 'estimate',
    },
    term,
    mean: meanOfGuess(`${step.taskType}\0${estimate}`, { seconds: meanOf(term), unknown: refuted }),
  };
}

/** Of an estimate that nothing corrects. */
const AS_ESTIMATED = orderedSample([1]);

function meanOf(values: BootstrapTerm): number {
  let sum = 0;
  for (let index = 0; index < values.size; index++) sum += values.at(index);
  return sum / values.size;
}
