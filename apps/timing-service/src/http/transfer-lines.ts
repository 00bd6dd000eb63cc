import { InvalidInputError } from '@agent-faculties/service-kit';
import type { Metadata } from '../domain/event.ts';
import { isStorable, parseInstant, secondsBetween } from '../domain/instant.ts';
import { checkMetadata } from '../domain/record.ts';
import { OUTCOMES, type Outcome, type TaskState } from '../domain/task.ts';
import type { TransferItem } from '../domain/transfer.ts';
import { eventView, stopwatchView, taskView } from './views.ts';

type Fields = Readonly<Record<string, unknown>>;

/** 1 to 128 characters, not blank, no control characters nor halves of surrogate pairs: the `Name` of the contract. */
const NAME = /^(?=.*\S)[^\p{Cc}\p{Cs}]{1,128}$/u;
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

/** @throws InvalidInputError saying what is wrong with the line */
export function parseTransferLine(line: string): TransferItem {
  const fields = jsonObject(line);
  if (fields.kind === 'event') return parseEvent(fields);
  if (fields.kind === 'task') return parseTask(fields);
  if (fields.kind === 'stopwatch') return parseStopwatch(fields);
  throw new InvalidInputError('kind must be event, task or stopwatch');
}

function jsonObject(line: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new InvalidInputError('is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidInputError('is not a JSON object');
  }
  return value as Fields;
}

function parseEvent(fields: Fields): TransferItem {
  const event = {
    id: name(fields, 'id'),
    agentId: agent(fields),
    eventType: name(fields, 'event_type'),
    taskType: nameOrNull(fields, 'task_type'),
    timestampMs: instant(fields, 'timestamp'),
    metadata: metadata(fields),
    correlationId: nameOrNull(fields, 'correlation_id'),
  };
  return { kind: 'event', event };
}

function parseTask(fields: Fields): TransferItem {
  const state = oneOf(fields, 'state', STATES);
  const startedMs = instant(fields, 'started_at');
  const ended = state === 'ended' ? parseEnd(fields, startedMs) : NO_END;
  const task = {
    correlationId: name(fields, 'correlation_id'),
    agentId: agent(fields),
    taskType: name(fields, 'task_type'),
    state,
    startedMs,
    ...ended,
    estimatedSeconds: estimate(fields),
    metadata: metadata(fields),
    endEventId: nameOrNull(fields, 'end_event_id'),
  };
  return { kind: 'task', task };
}

const NO_END = { outcome: null, endedMs: null, durationSeconds: null };

/** The duration is computed: the one in the line is rounded for show. */
function parseEnd(fields: Fields, startedMs: number) {
  const endedMs = instant(fields, 'ended_at');
  if (endedMs < startedMs) throw new InvalidInputError('ended_at lies before started_at');
  const outcome: Outcome = oneOf(fields, 'outcome', OUTCOMES);
  return { outcome, endedMs, durationSeconds: secondsBetween(startedMs, endedMs) };
}

function parseStopwatch(fields: Fields): TransferItem {
  const startedMs = instant(fields, 'started_at');
  const stoppedMs = (fields.stopped_at ?? null) === null ? null : instant(fields, 'stopped_at');
  if (stoppedMs !== null && stoppedMs < startedMs) throw new InvalidInputError('stopped_at lies before started_at');
  return { kind: 'stopwatch', stopwatch: { name: name(fields, 'name'), agentId: agent(fields), startedMs, stoppedMs } };
}

function name(fields: Fields, field: string): string {
  const value = fields[field];
  if (typeof value === 'string' && NAME.test(value)) return value;
  throw new InvalidInputError(`${field} must be 1 to 128 characters, not blank, without control characters`);
}

function nameOrNull(fields: Fields, field: string): string | null {
  return (fields[field] ?? null) === null ? null : name(fields, field);
}

function agent(fields: Fields): string {
  const value = name(fields, 'agent_id');
  if (value === '*' || value !== value.trim()) throw new InvalidInputError('agent_id must name one agent');
  return value;
}

function instant(fields: Fields, field: string): number {
  const value = fields[field];
  if (typeof value !== 'string') throw new InvalidInputError(`${field} must be an ISO 8601 instant`);
  const milliseconds = parseInstant(value, field);
  if (!isStorable(milliseconds)) throw new InvalidInputError(`${field} must lie between 1970 and 2255`);
  return milliseconds;
}

function oneOf<const Value extends string>(fields: Fields, field: string, values: readonly Value[]): Value {
  const found = values.find((value) => value === fields[field]);
  if (found === undefined) throw new InvalidInputError(`${field} must be one of ${values.join(', ')}`);
  return found;
}

function estimate(fields: Fields): number | null {
  const value = fields.estimated_seconds ?? null;
  if (value === null) return null;
  if (typeof value === 'number' && value > 0 && value <= 1e9) return value;
  throw new InvalidInputError('estimated_seconds must be above 0 and at most 1e9');
}

function metadata(fields: Fields): Metadata {
  const value = fields.metadata ?? null;
  const isObject = typeof value === 'object' && !Array.isArray(value);
  if (!isObject && typeof value !== 'string')
    throw new InvalidInputError('metadata must be an object, a string or null');
  checkMetadata(value as Metadata);
  return value as Metadata;
}
