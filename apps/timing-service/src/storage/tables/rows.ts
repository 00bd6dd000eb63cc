import type { Metadata, StoredEvent } from '../../domain/event.ts';
import { toMicroseconds } from '../../domain/instant.ts';
import { sessionOf } from '../../domain/session.ts';
import type { Stopwatch } from '../../domain/stopwatch.ts';
import type { Task, TaskTime } from '../../domain/task.ts';
import type { events, stopwatches, tasks } from './schema.ts';

/** What both engines read of their tables, so that the same records come of it. */
export type EventRow = typeof events.$inferSelect;
export type TaskRow = typeof tasks.$inferSelect;
export type StopwatchRow = typeof stopwatches.$inferSelect;

const fromUs = (microseconds: number): number => microseconds / 1000;
const fromUsOrNull = (microseconds: number | null): number | null =>
  microseconds === null ? null : fromUs(microseconds);
const toUsOrNull = (milliseconds: number | null): number | null =>
  milliseconds === null ? null : toMicroseconds(milliseconds);

export function metadataText(metadata: Metadata): string | null {
  return metadata === null ? null : JSON.stringify(metadata);
}

function parsedMetadata(text: string | null): Metadata {
  return text === null ? null : (JSON.parse(text) as Metadata);
}

/** The column holds '' for none. */
export function projectOf({ project }: { readonly project: string }): string | null {
  return project === '' ? null : project;
}

export function eventOf(row: EventRow): StoredEvent {
  const { timestampUs, metadata, ...rest } = row;
  return { timestampMs: fromUs(timestampUs), metadata: parsedMetadata(metadata), ...rest, project: projectOf(row) };
}

export function taskOf(row: TaskRow): Task {
  const leftMs = fromUsOrNull(row.endedUs);
  return {
    correlationId: row.correlationId,
    agentId: row.agentId,
    project: projectOf(row),
    taskType: row.taskType,
    state: row.state,
    outcome: row.outcome,
    startedMs: fromUs(row.startedUs),
    endedMs: row.state === 'abandoned' ? null : leftMs,
    abandonedMs: row.state === 'abandoned' ? leftMs : null,
    durationSeconds: row.durationUs === null ? null : row.durationUs / 1e6,
    estimatedSeconds: row.estimatedSeconds,
    metadata: parsedMetadata(row.metadata),
    endEventId: row.endEventId,
  };
}

/** The columns that say when a task ran, and where it comes in the order of starts. */
export type TimeRow = Pick<
  TaskRow,
  'agentId' | 'project' | 'taskType' | 'state' | 'outcome' | 'startedUs' | 'durationUs' | 'sequence'
> & { readonly metadata?: string | null };

/** More metadata is not read to find a session: thousands of rows are in memory at once. */
export const SESSION_METADATA_BYTES = 4_096;

export function timeOf(row: TimeRow): TaskTime {
  const { agentId, taskType, state, outcome, startedUs, durationUs, metadata = null } = row;
  const session = sessionOf(parsedMetadata(metadata));
  return { agentId, project: projectOf(row), taskType, state, outcome, startedUs, durationUs, session };
}

/** The columns of a task, but for its sequence numbers. */
export function taskColumns(task: Task) {
  return {
    correlationId: task.correlationId,
    agentId: task.agentId,
    project: task.project ?? '',
    taskType: task.taskType,
    state: task.state,
    outcome: task.outcome,
    startedUs: toMicroseconds(task.startedMs),
    endedUs: toUsOrNull(task.endedMs ?? task.abandonedMs),
    durationUs: task.durationSeconds === null ? null : Math.round(task.durationSeconds * 1e6),
    estimatedSeconds: task.estimatedSeconds,
    metadata: metadataText(task.metadata),
    endEventId: task.endEventId,
  };
}

export function stopwatchOf(row: StopwatchRow): Stopwatch {
  return {
    name: row.name,
    agentId: row.agentId,
    project: projectOf(row),
    startedMs: fromUs(row.startedUs),
    stoppedMs: fromUsOrNull(row.stoppedUs),
  };
}
