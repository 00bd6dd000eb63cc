import { InvalidInputError, lazily, parseInstant } from '@agent-faculties/service-kit';
import { type JsonFields, type OpenApiDocument, recordReader } from '@agent-faculties/service-kit/http';
import type { components } from '../api.gen.ts';
import { isStorable, secondsBetween } from '../domain/instant.ts';
import { lengthFault, plainName } from '../domain/plain-name.ts';
import { checkMetadata } from '../domain/record.ts';
import type { Task } from '../domain/task.ts';
import type { TransferItem } from '../domain/transfer.ts';
import { eventView, stopwatchView, taskView } from './views.ts';

type Schemas = components['schemas'];
type EventFields = Schemas['ImportedEvent'];
type TaskFields = Schemas['ImportedTask'];
type EndFields = Schemas['ImportedEnd'];
type StopwatchFields = Schemas['ImportedStopwatch'];

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
export type ReadTransferLine = (fields: JsonFields) => TransferItem;

export interface TransferLineReader {
  readonly read: ReadTransferLine;
  /** What a first line of each kind would do: compiles its schema, which takes up to 40 ms. */
  readonly preparations: readonly (() => void)[];
}

/** The reader of what the contract calls ImportedEvent, ImportedTask and ImportedStopwatch: make it once. */
export function transferLineReader(spec: OpenApiDocument): TransferLineReader {
  const checkedEvent = lazily(() => recordReader<EventFields>(spec, 'ImportedEvent'));
  const checkedTask = lazily(() => recordReader<TaskFields>(spec, 'ImportedTask'));
  const checkedStopwatch = lazily(() => recordReader<StopwatchFields>(spec, 'ImportedStopwatch'));
  return {
    read: (fields) => {
      if (fields.kind === 'event') return eventOf(checkedEvent()(fields));
      if (fields.kind === 'task') return taskOf(checkedTask()(fields));
      if (fields.kind === 'stopwatch') return stopwatchOf(checkedStopwatch()(fields));
      throw new InvalidInputError('kind must be event, task or stopwatch');
    },
    preparations: [checkedEvent, checkedTask, checkedStopwatch],
  };
}

function eventOf(fields: EventFields): TransferItem {
  const { metadata = null } = fields;
  checkMetadata(metadata, 'metadata');
  const event = {
    id: fields.id,
    agentId: agentOf(fields),
    project: projectOf(fields),
    eventType: nameOf(fields.event_type, 'event_type'),
    taskType: fields.task_type == null ? null : nameOf(fields.task_type, 'task_type'),
    timestampMs: instantOf(fields.timestamp, 'timestamp'),
    metadata,
    correlationId: fields.correlation_id ?? null,
  };
  return { kind: 'event', event };
}

function taskOf(fields: TaskFields): TransferItem {
  const { metadata = null } = fields;
  checkMetadata(metadata, 'metadata');
  const startedMs = instantOf(fields.started_at, 'started_at');
  const task = {
    correlationId: fields.correlation_id,
    agentId: agentOf(fields),
    project: projectOf(fields),
    taskType: nameOf(fields.task_type, 'task_type'),
    state: fields.state,
    startedMs,
    ...(fields.state === 'ended' ? endOf(fields as TaskFields & EndFields, startedMs) : noEndOf(fields)),
    abandonedMs: abandonedOf(fields, startedMs),
    estimatedSeconds: fields.estimated_seconds ?? null,
    metadata,
    endEventId: fields.end_event_id ?? null,
  };
  return { kind: 'task', task };
}

const OF_AN_END = ['ended_at', 'outcome', 'duration_seconds', 'end_event_id'] as const;

/** The schema does not know the end of a task that has none. To drop it would leave a task that ended running until it is abandoned. */
function noEndOf(fields: TaskFields & { readonly [field in (typeof OF_AN_END)[number]]?: unknown }) {
  const end = OF_AN_END.find((field) => fields[field] != null);
  if (end) {
    throw new InvalidInputError(
      `${end} is of a task that has ended, and state is '${fields.state}': send state 'ended', or no ${end}`,
    );
  }
  return { outcome: null, endedMs: null, durationSeconds: null };
}

function abandonedOf({ state, abandoned_at: at }: TaskFields, startedMs: number): number | null {
  if (at == null) return null;
  if (state !== 'abandoned') {
    throw new InvalidInputError(
      `abandoned_at is of an abandoned task, and state is '${state}': send state 'abandoned', or no abandoned_at`,
    );
  }
  const abandonedMs = instantOf(at, 'abandoned_at');
  if (abandonedMs < startedMs) throw new InvalidInputError('abandoned_at lies before started_at');
  return abandonedMs;
}

/** The duration is computed: the one in the line is rounded for show. */
function endOf(fields: EndFields, startedMs: number): Pick<Task, 'outcome' | 'endedMs' | 'durationSeconds'> {
  const endedMs = instantOf(fields.ended_at, 'ended_at');
  if (endedMs < startedMs) throw new InvalidInputError('ended_at lies before started_at');
  return { outcome: fields.outcome, endedMs, durationSeconds: secondsBetween(startedMs, endedMs) };
}

function stopwatchOf(fields: StopwatchFields): TransferItem {
  const startedMs = instantOf(fields.started_at, 'started_at');
  const stoppedMs = fields.stopped_at == null ? null : instantOf(fields.stopped_at, 'stopped_at');
  if (stoppedMs !== null && stoppedMs < startedMs) throw new InvalidInputError('stopped_at lies before started_at');
  const whose = { agentId: agentOf(fields), project: projectOf(fields) };
  return { kind: 'stopwatch', stopwatch: { name: nameOf(fields.name, 'name'), ...whose, startedMs, stoppedMs } };
}

function nameOf(sent: string, field: string): string {
  const plain = plainName(sent);
  const fault = lengthFault(plain);
  if (fault !== null) throw new InvalidInputError(`${field} ${fault}`);
  return plain;
}

function agentOf({ agent_id: agentId }: { readonly agent_id: string }): string {
  if (agentId === '*' || agentId !== agentId.trim()) throw new InvalidInputError('agent_id must name one agent');
  return agentId;
}

function projectOf({ project = null }: { readonly project?: string | null }): string | null {
  if (project === '*' || project !== (project?.trim() ?? null))
    throw new InvalidInputError('project must name one project');
  return project;
}

function instantOf(text: string, field: string): number {
  const milliseconds = parseInstant(text, field);
  if (!isStorable(milliseconds)) throw new InvalidInputError(`${field} must lie between 1970 and 2255`);
  return milliseconds;
}
