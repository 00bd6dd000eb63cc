import type { components } from '../api.gen.ts';
import type { TimingEvent } from '../domain/event.ts';
import { secondsBetween } from '../domain/instant.ts';
import type { DurationSummary } from '../domain/statistics/duration-summary.ts';
import type { Percentile } from '../domain/statistics/percentile.ts';
import { elapsedSeconds, type Stopwatch } from '../domain/stopwatch.ts';
import type { Task } from '../domain/task.ts';

import { formatInstant, shownSeconds } from './instant.ts';

type Schemas = components['schemas'];

/** Seconds as shown, or null. */
export function shownOrNull(seconds: number | null): number | null {
  return seconds === null ? null : shownSeconds(seconds);
}

export function shownProbability(probability: number): number {
  return Number(probability.toFixed(4));
}

/** Left out where there is none: who uses no projects sees nothing of them. */
export function projectView({ project }: { readonly project: string | null }): { readonly project?: string } {
  return project === null ? {} : { project };
}

export function eventView(event: TimingEvent): Schemas['Event'] {
  return {
    id: event.id,
    event_id: event.id,
    agent_id: event.agentId,
    ...projectView(event),
    event_type: event.eventType,
    task_type: event.taskType,
    timestamp: formatInstant(event.timestampMs),
    metadata: event.metadata,
    correlation_id: event.correlationId,
  };
}

export function taskView(task: Task, nowMs: number): Schemas['Task'] {
  const { durationSeconds } = task;
  return {
    correlation_id: task.correlationId,
    agent_id: task.agentId,
    ...projectView(task),
    task_type: task.taskType,
    state: task.state,
    outcome: task.outcome,
    started_at: formatInstant(task.startedMs),
    ended_at: task.endedMs === null ? null : formatInstant(task.endedMs),
    ...(task.abandonedMs !== null && { abandoned_at: formatInstant(task.abandonedMs) }),
    duration_seconds: shownOrNull(durationSeconds),
    elapsed_seconds: shownSeconds(durationSeconds ?? secondsBetween(task.startedMs, nowMs)),
    estimated_seconds: task.estimatedSeconds,
    metadata: task.metadata,
  };
}

export function stopwatchView(stopwatch: Stopwatch, nowMs: number): Schemas['Stopwatch'] {
  return {
    name: stopwatch.name,
    agent_id: stopwatch.agentId,
    ...projectView(stopwatch),
    started_at: formatInstant(stopwatch.startedMs),
    stopped_at: stopwatch.stoppedMs === null ? null : formatInstant(stopwatch.stoppedMs),
    elapsed_seconds: shownSeconds(elapsedSeconds(stopwatch, nowMs)),
    is_running: stopwatch.stoppedMs === null,
  };
}

export function intervalView(interval: Percentile['interval']): (number | null)[] {
  return interval.map(shownOrNull);
}

/** Beside durations that may be off by a share of them. */
export function approximationView(error: number): Pick<Schemas['Summary'], 'approximate_within'> {
  return error === 0 ? {} : { approximate_within: error };
}

export function summaryView(summary: DurationSummary): Schemas['Summary'] {
  return {
    task_type: summary.taskType,
    count: summary.count,
    mean_seconds: shownSeconds(summary.mean),
    median_seconds: shownSeconds(summary.median),
    p95_seconds: shownSeconds(summary.p95.seconds),
    min_seconds: shownSeconds(summary.min),
    max_seconds: shownSeconds(summary.max),
    stddev_seconds: shownOrNull(summary.standardDeviation),
    p50_seconds: shownSeconds(summary.p50),
    p90_seconds: shownSeconds(summary.p90),
    p99_seconds: shownSeconds(summary.p99),
    p95_interval: intervalView(summary.p95.interval),
    ...(summary.atLeast.length > 0 && { at_least: summary.atLeast.map((name) => `${name}_seconds` as const) }),
    censored_count: summary.censoredCount,
    outcomes: summary.outcomes,
    confidence: summary.confidence,
    method: summary.method,
  };
}
