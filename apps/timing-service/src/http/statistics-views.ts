import type { components, operations } from '../api.gen.ts';
import type { Approach, Comparison } from '../domain/statistics/approach-comparison.ts';
import { DRAWS } from '../domain/statistics/approach-comparison.ts';
import type { Distribution } from '../domain/statistics/distribution.ts';
import type { DurationEstimate } from '../domain/statistics/duration-estimate.ts';
import { mostFail } from '../domain/statistics/longer-runs.ts';
import { type Confidence, confidenceIn } from '../domain/statistics/percentile.ts';
import { type DurationChange, isOutgrown } from '../domain/statistics/recent-runs.ts';
import type { TaskTimes, TimeSpent } from '../domain/statistics/time-spent.ts';
import {
  CUT_OFF_LATER,
  OUTGROWN,
  type TimeoutRecommendation,
  withChange,
} from '../domain/statistics/timeout-recommendation.ts';
import type { TimeoutRisk } from '../domain/statistics/timeout-risk.ts';
import type { Trend } from '../domain/statistics/trend.ts';
import { formatInstant, shownSeconds } from '../wire/instant.ts';
import { approximationView, intervalView, shownOrNull, shownProbability } from '../wire/views.ts';
import type { AskedTime } from './asked-time.ts';

type Schemas = components['schemas'];

/** Left out where an answer rests on the whole history. */
function sinceView(change: DurationChange | null): { readonly since?: string } {
  return change?.since ? { since: formatInstant(change.since.startMs) } : {};
}

/** `low` where the newest runs take longer than what is answered: that is then known only from below. */
function confidenceView(confidence: Confidence, change: DurationChange | null): Confidence {
  return isOutgrown(change) && confidence !== 'none' ? 'low' : confidence;
}

export function recommendationView(
  advice: TimeoutRecommendation,
  change: DurationChange | null,
): Schemas['Recommendation'] {
  return {
    recommended_seconds: shownSeconds(advice.seconds),
    percentile_value: shownSeconds(advice.percentileValue.seconds),
    percentile: advice.percentile,
    safety_margin: advice.safetyMargin,
    sample_count: advice.sampleCount,
    method: advice.method,
    conservative_seconds: shownSeconds(advice.conservativeSeconds),
    interval: intervalView(advice.percentileValue.interval),
    censored_count: advice.censoredCount,
    confidence: confidenceView(advice.confidence, change),
    longer_runs: advice.longerRuns,
    warning: withChange(advice.warning, change),
    ...sinceView(change),
  };
}

/** An estimate that rests on other types is never sure. */
const GUESSED = { similar_names: 'low', other_types: 'low', own_estimate: 'low', none: 'none' } as const;

export function estimateView(taskType: string, estimate: DurationEstimate): Schemas['DurationEstimate'] {
  const { source, of, seconds, interval, coverage, sampleCount, similar, ratio, error } = estimate;
  return {
    task_type: taskType,
    source,
    of,
    seconds: shownOrNull(seconds),
    interval: intervalView(interval),
    coverage: coverage === null ? null : shownProbability(coverage),
    sample_count: sampleCount,
    similar: similar.map((type) => ({
      task_type: type.taskType,
      similarity: shownProbability(type.similarity),
      median_seconds: shownSeconds(type.medianSeconds),
      count: type.count,
    })),
    ratio: ratio === null ? null : shownProbability(ratio),
    // Without an interval, most runs were cut off before they ended: what is said is only a lower end.
    confidence:
      source === 'history'
        ? confidenceView(confidenceIn({ isLowerEnd: coverage === null }, sampleCount), estimate.change)
        : GUESSED[source],
    ...approximationView(error),
    ...sinceView(estimate.change),
  };
}

export function riskView(risk: TimeoutRisk, change: DurationChange | null): Schemas['Risk'] {
  const { elapsedSeconds, timeoutSeconds } = risk;
  const warnings = riskWarnings(risk, change);
  return {
    elapsed_seconds: elapsedSeconds,
    timeout_seconds: timeoutSeconds,
    time_remaining: Number((timeoutSeconds - elapsedSeconds).toFixed(3)),
    median_duration: shownSeconds(risk.medianSeconds),
    p95_duration: shownSeconds(risk.p95Seconds),
    // Of a timeout of next to nothing it is beyond all numbers, which JSON has no word for.
    percent_through_timeout: Number(Math.min((elapsedSeconds / timeoutSeconds) * 100, Number.MAX_VALUE).toFixed(1)),
    at_risk: risk.atRisk,
    sample_count: risk.sampleCount,
    risk_probability: shownProbability(risk.probability),
    risk_interval: risk.interval.map(shownProbability),
    risk_level: risk.level,
    longer_runs: risk.longerRuns,
    beyond_history: risk.beyondHistory,
    expected_remaining_seconds: { median: shownOrNull(risk.remaining.median), p95: shownOrNull(risk.remaining.p95) },
    censored_count: risk.censoredCount,
    confidence: confidenceView(risk.confidence, change),
    ...(warnings.length > 0 && { warning: warnings.join(' ') }),
    ...sinceView(change),
  };
}

function riskWarnings(
  { elapsedSeconds, timeoutSeconds, isHigher, longerRuns }: TimeoutRisk,
  change: DurationChange | null,
): string[] {
  // Of a timeout that has passed it is certain.
  const hasOutgrown = isOutgrown(change) && timeoutSeconds > elapsedSeconds;
  const why = hasOutgrown ? OUTGROWN : isHigher ? CUT_OFF_LATER : null;
  return [
    ...(why === null ? [] : [`${why}: the risk is higher than that.`]),
    ...(mostFail(longerRuns)
      ? ['Most of those that took longer failed, and this one most likely will: see what it does.']
      : []),
  ];
}

export function comparisonView(comparison: Comparison): Schemas['Comparison'] {
  const { probabilityBeatsSecond, onAverage } = comparison;
  return {
    approaches: comparison.approaches.map(approachView),
    recommendation: comparison.recommendation,
    savings_vs_worst: Number(comparison.savingsVsWorst.toFixed(3)),
    verdict: comparison.verdict,
    probability_fastest_beats_second: probabilityBeatsSecond === null ? null : shownProbability(probabilityBeatsSecond),
    on_average: onAverage && {
      approach: onAverage.approach,
      other: onAverage.other,
      difference_seconds: shownSeconds(onAverage.seconds),
      interval: intervalView(onAverage.interval),
    },
    warning: comparison.warning,
    draws: DRAWS,
    ...approximationView(comparison.error),
  };
}

function approachView({ name, steps, totals }: Approach): Schemas['Comparison']['approaches'][number] {
  const withHistory = steps.filter((step) => step.source === 'history').length;
  return {
    name,
    steps: steps.map((step) => ({
      task_type: step.taskType,
      estimated_seconds: step.estimatedSeconds,
      adjusted_seconds: shownOrNull(step.adjustedSeconds),
      has_historical_data: step.source === 'history',
      sample_count: step.sampleCount,
      ...(step.failedCount > 0 && { failed_count: step.failedCount }),
      confidence: step.confidence,
      source: step.source,
    })),
    total_estimated_seconds: shownSeconds(steps.reduce((sum, step) => sum + (step.estimatedSeconds ?? 0), 0)),
    total_adjusted_seconds: shownOrNull(totals?.adjustedSeconds ?? null),
    adjustment_coverage: Number((withHistory / steps.length).toFixed(3)),
    ranked: totals !== null,
    mean_seconds: shownOrNull(totals?.mean ?? null),
    p50_seconds: shownOrNull(totals?.p50 ?? null),
    p80_seconds: shownOrNull(totals?.p80 ?? null),
    p95_seconds: shownOrNull(totals?.p95 ?? null),
    ...(totals &&
      totals.atLeast.length > 0 && { at_least: totals.atLeast.map((figure) => `${figure}_seconds` as const) }),
    probability_fastest: totals ? shownProbability(totals.probabilityFastest) : null,
  };
}

type DistributionBody = operations['getDistribution']['responses'][200]['content']['application/json']['distribution'];

export function distributionView(
  taskType: string,
  distribution: Distribution,
  change: DurationChange | null,
): DistributionBody {
  const { p50Seconds, recommendation, timeout } = distribution;
  return {
    task_type: taskType,
    count: recommendation.sampleCount,
    censored_count: recommendation.censoredCount,
    p50_seconds: shownSeconds(p50Seconds),
    p95_seconds: shownSeconds(recommendation.percentileValue.seconds),
    recommended_seconds: shownSeconds(timeout.seconds),
    conservative_seconds: shownSeconds(timeout.conservativeSeconds),
    ...sinceView(change),
    histogram: distribution.histogram.map(({ from, to, count }) => ({ from_seconds: from, to_seconds: to, count })),
    survival: distribution.survival.map(({ time, survival, low, high }) => ({
      seconds: time,
      survival: shownProbability(survival),
      low: shownProbability(low),
      high: shownProbability(high),
    })),
  };
}

type TrendBody = operations['getTrend']['responses'][200]['content']['application/json']['trend'];

export function trendView(taskType: string, trend: Trend): TrendBody {
  const ratio = (value: number | null) => (value === null ? null : Number(value.toFixed(3)));
  return {
    task_type: taskType,
    direction: trend.direction,
    ratio: ratio(trend.ratio),
    ratio_interval: trend.interval.map(ratio),
    probability_slower: trend.probabilitySlower === null ? null : shownProbability(trend.probabilitySlower),
    previous_median_seconds: shownOrNull(trend.previousMedian),
    recent_median_seconds: shownOrNull(trend.recentMedian),
    ...(trend.sinceMs === null ? {} : { since: formatInstant(trend.sinceMs) }),
    points: trend.points.map(({ task, durationSeconds, runningMedian }) => ({
      correlation_id: task.correlationId,
      agent_id: task.agentId,
      started_at: formatInstant(task.startedMs),
      duration_seconds: shownSeconds(durationSeconds),
      running_median_seconds: shownSeconds(runningMedian),
    })),
  };
}

type TimeSpentBody = operations['getTimeSpent']['responses'][200]['content']['application/json']['time_spent'];

export function timeSpentView({ total, groups }: TimeSpent, { sinceMs, untilMs, timeZone }: AskedTime): TimeSpentBody {
  return {
    since: formatInstant(sinceMs),
    until: formatInstant(untilMs),
    time_zone: timeZone,
    total: taskTimesView(total),
    groups: groups.map(({ of: { agent, ...of }, ...times }) => ({
      ...(of as object),
      ...(agent != null && { agent_id: agent }),
      ...taskTimesView(times),
    })),
  };
}

function taskTimesView({ tasks, spentUs, busyUs, runningUs, cutOffUs, longestUs, outcomes }: TaskTimes) {
  return {
    tasks,
    spent_seconds: shownSeconds(spentUs / 1e6),
    busy_seconds: shownSeconds(busyUs / 1e6),
    running_seconds: shownSeconds(runningUs / 1e6),
    cut_off_seconds: shownSeconds(cutOffUs / 1e6),
    longest_seconds: shownSeconds(longestUs / 1e6),
    outcomes,
  };
}
