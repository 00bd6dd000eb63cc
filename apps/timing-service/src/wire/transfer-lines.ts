import {
  InvalidInputError,
  instantField,
  type JsonFields,
  nameField,
  nameOrNullField,
  oneOfField,
} from '@agent-faculties/service-kit';
import type { Metadata } from '../domain/event.ts';
import { isStorable, secondsBetween } from '../domain/instant.ts';
import { checkMetadata } from '../domain/record.ts';
import { OUTCOMES, type Outcome, type TaskState } from '../domain/task.ts';
import type { TransferItem } from '../domain/transfer.ts';
import { eventView, stopwatchView, taskView } from './views.ts';

const STATES: readonly TaskState[] = ['active', 'ended', 'abandoned'];

/** One line of an export, without its line break. */
export function formatTransferLine(item: TransferItem, nowMs: number): string {
  const view =
    item.kind === 'event'
      ? eventView(item.event)
      : item.kind === 'task'
        ? { ...taskView(item.task, nowMs), end_event_id: item.task.endEventId }
        : stopwatchView(item.stopwatch, nowMs);
  return JSON.stringify({ kind: item.kind, ...view });
}

/** @param fields of the line @throws InvalidInputError saying what is wrong with them */
export function parseTransferLine(fields: JsonFields): TransferItem {
  if (fields.kind === 'event') return parseEvent(fields);
  if (fields.kind === 'task') return parseTask(fields);
  if (fields.kind === 'stopwatch') return parseStopwatch(fields);
  throw new InvalidInputError('kind must be event, task or stopwatch');
}

function parseEvent(fields: JsonFields): TransferItem {
  const event = {
    id: nameField(fields, 'id'),
    agentId: agent(fields),
    eventType: nameField(fields, 'event_type'),
    taskType: nameOrNullField(fields, 'task_type'),
    timestampMs: instant(fields, 'timestamp'),
    metadata: metadata(fields),
    correlationId: nameOrNullField(fields, 'correlation_id'),
  };
  return { kind: 'event', event };
}

function parseTask(fields: JsonFields): TransferItem {
  const state = oneOfField(fields, 'state', STATES);
  const startedMs = instant(fields, 'started_at');
  const ended = state === 'ended' ? parseEnd(fields, startedMs) : NO_END;
  const task = {
    correlationId: nameField(fields, 'correlation_id'),
    agentId: agent(fields),
    taskType: nameField(fields, 'task_type'),
    state,
    startedMs,
    ...ended,
    estimatedSeconds: estimate(fields),
    metadata: metadata(fields),
    endEventId: nameOrNullField(fields, 'end_event_id'),
  };
  return { kind: 'task', task };
}

const NO_END = { outcome: null, endedMs: null, durationSeconds: null };

/** The duration is computed: the one in the line is rounded for show. */
function parseEnd(fields: JsonFields, startedMs: number) {
  const endedMs = instant(fields, 'ended_at');
  if (endedMs < startedMs) throw new InvalidInputError('ended_at lies before started_at');
  const outcome: Outcome = oneOfField(fields, 'outcome', OUTCOMES);
  return { outcome, endedMs, durationSeconds: secondsBetween(startedMs, endedMs) };
}

function parseStopwatch(fields: JsonFields): TransferItem {
  const startedMs = instant(fields, 'started_at');
  const stoppedMs = (fields.stopped_at ?? null) === null ? null : instant(fields, 'stopped_at');
  if (stoppedMs !== null && stoppedMs < startedMs) throw new InvalidInputError('stopped_at lies before started_at');
  return {
    kind: 'stopwatch',
    stopwatch: { name: nameField(fields, 'name'), agentId: agent(fields), startedMs, stoppedMs },
  };
}

function agent(fields: JsonFields): string {
  const value = nameField(fields, 'agent_id');
  if (value === '*' || value !== value.trim()) throw new InvalidInputError('agent_id must name one agent');
  return value;
}

function instant(fields: JsonFields, field: string): number {
  const milliseconds = instantField(fields, field);
  if (!isStorable(milliseconds)) throw new InvalidInputError(`${field} must lie between 1970 and 2255`);
  return milliseconds;
}

function estimate(fields: JsonFields): number | null {
  const value = fields.estimated_seconds ?? null;
  if (value === null) return null;
  if (typeof value === 'number' && value > 0 && value <= 1e9) return value;
  throw new InvalidInputError('estimated_seconds must be above 0 and at most 1e9');
}

function metadata(fields: JsonFields): Metadata {
  const value = fields.metadata ?? null;
  const isObject = typeof value === 'object' && !Array.isArray(value);
  if (!isObject && typeof value !== 'string')
    throw new InvalidInputError('metadata must be an object, a string or null');
  checkMetadata(value as Metadata);
  return value as Metadata;
}
