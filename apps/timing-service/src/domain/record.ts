import { type Clock, type IdSource, InvalidInputError, timeOfId } from '@agent-faculties/service-kit';
import type { ChangeFeed } from './change-feed.ts';
import { type EventStore, type Metadata, type StoredEvent, TASK_END, TASK_START, type TimingEvent } from './event.ts';
import { secondsBetween } from './instant.ts';
import {
  decideEndById,
  decideEndByType,
  decideStart,
  decideStartAt,
  isNoActiveTask,
  noActiveTask,
  requireToldOutcome,
} from './pairing.ts';
import { inSession, sessionOf } from './session.ts';
import {
  MOST_CANDIDATES,
  type Outcome,
  type PairingDecision,
  type PairingResult,
  type Task,
  type TaskStore,
} from './task.ts';
import { requireToldEnd, toldTime } from './told-time.ts';

/** What an agent may attach to an event or a task, as JSON. */
export const METADATA_LIMIT_BYTES = 64 * 1024;

export interface RecordDeps {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly events: EventStore;
  readonly tasks: TaskStore;
  readonly feed: ChangeFeed;
  /** Called when an end lies before a start that nobody told, which only a clock that was set back explains. */
  readonly onClockStep?: (task: Task, event: TimingEvent) => void;
}

export interface EventInput {
  readonly agentId: string;
  readonly project: string | null;
  readonly eventType: string;
  readonly taskType: string | null;
  readonly metadata: Metadata;
  readonly correlationId: string | null;
  /** When it was, for what is told of later; absent or null: now. */
  readonly toldMs?: number | null;
  /** Of the caller, for a task that starts; null and absent: none. */
  readonly session?: string | null;
}

/** Records an event; a `task_start` or `task_end` with correlation id and task type pairs as startTask and endTask do. */
export async function recordEvent(
  deps: RecordDeps,
  input: EventInput,
): Promise<{ event: StoredEvent; task: Task | null; replayed: boolean }> {
  const { taskType, correlationId } = input;
  const pairs = input.eventType === TASK_START || input.eventType === TASK_END;
  if (pairs && correlationId !== null) {
    if (taskType === null) throw missingTaskType(input.eventType);
    return input.eventType === TASK_START
      ? startTask(deps, { ...input, taskType, estimatedSeconds: null })
      : endTask(deps, { ...input, taskType, outcome: 'ok' });
  }
  const event = await deps.events.record(newEvent(deps, input));
  deps.feed.publish({ kind: 'timing', agentId: event.agentId, project: event.project, event, task: null });
  return { event, task: null, replayed: false };
}

function missingTaskType(eventType: string): InvalidInputError {
  return InvalidInputError.at('body/task_type', `is needed with event_type '${eventType}' and a correlation_id`);
}

export interface StartInput {
  readonly agentId: string;
  readonly project: string | null;
  readonly taskType: string;
  readonly metadata: Metadata;
  readonly estimatedSeconds: number | null;
  /** The agent's own id; null takes a new one. */
  readonly correlationId: string | null;
  readonly toldMs?: number | null;
  /** Of the caller; null and absent: none. */
  readonly session?: string | null;
}

/** A start that is sent again from another session is the same start. @throws ConflictError when the id is in use for another task */
export async function startTask(deps: RecordDeps, input: StartInput): Promise<PairingResult> {
  const correlationId = input.correlationId ?? deps.ids.next();
  const event = newEvent(deps, { eventType: TASK_START, ...input, correlationId });
  const startedIn = (session: string | null): Task => ({
    correlationId,
    agentId: input.agentId,
    project: input.project,
    taskType: input.taskType,
    state: 'active',
    outcome: null,
    startedMs: event.timestampMs,
    endedMs: null,
    abandonedMs: null,
    durationSeconds: null,
    estimatedSeconds: input.estimatedSeconds,
    metadata: inSession(input.metadata, session),
    endEventId: null,
  });
  const decide = input.toldMs == null ? decideStart : decideStartAt;
  const decided = (existing: Task | null) =>
    decide(existing, startedIn(existing ? sessionOf(existing.metadata) : (input.session ?? null)));
  return published(deps, await deps.tasks.start(event, decided));
}

export interface EndInput {
  readonly agentId: string;
  /** Ends a task of this project or of none; null ends one of any. */
  readonly project: string | null;
  readonly taskType: string;
  readonly metadata: Metadata;
  readonly outcome: Outcome;
  /** The outcome where the caller names it; null and absent: nobody does. */
  readonly toldOutcome?: Outcome | null;
  /** Null ends the agent's only active task of the type. */
  readonly correlationId: string | null;
  /** The duration as the caller measured it; absent where the time between start and end is the duration. */
  readonly durationSeconds?: number | null;
  readonly toldMs?: number | null;
}

/** @throws NotFoundError, ConflictError: see the rules in pairing.ts and told-time.ts; InvalidInputError for a told time before the start */
export async function endTask(deps: RecordDeps, input: EndInput): Promise<PairingResult> {
  const event = newEvent(deps, { eventType: TASK_END, ...input });
  const endLasting = (durationSeconds: number | null) =>
    deps.tasks.end(event, (candidates) => {
      const decision =
        input.correlationId === null
          ? decideEndByType(candidates, event, input.outcome)
          : decideEndById(candidates[0], event, input.outcome);
      if (input.toldMs != null) requireToldEnd(decision, input.toldMs);
      if (input.toldOutcome != null) requireToldOutcome(decision, input.toldOutcome);
      if (durationSeconds === null && 'write' in decision && event.timestampMs < decision.write.startedMs) {
        throw new StartsLater(decision.write);
      }
      return lasting(decision, durationSeconds);
    });
  try {
    return published(deps, await endLasting(input.durationSeconds ?? null));
  } catch (error) {
    if (isNoActiveTask(error)) throw noActiveTask(event, await abandonedTasks(deps, input));
    if (!(error instanceof StartsLater)) throw error;
    const { task } = error;
    const durationSeconds = await sinceStartWasTold(deps, task, event.timestampMs);
    const result = await endLasting(durationSeconds ?? 0);
    if (durationSeconds === null && !result.replayed) deps.onClockStep?.(task, event);
    return published(deps, result);
  }
}

async function abandonedTasks(deps: RecordDeps, { agentId, project, taskType }: EndInput): Promise<readonly Task[]> {
  const filter = { agentId, project, taskType, state: 'abandoned' } as const;
  return (await deps.tasks.list(filter, { limit: MOST_CANDIDATES, after: null })).items;
}

/** Thrown out of the transaction, so that only an end before its start looks for the event of the start. */
class StartsLater extends Error {
  readonly task: Task;

  constructor(task: Task) {
    super(`The task '${task.correlationId}' starts after its end.`);
    this.task = task;
  }
}

/**
 * The seconds since a start was told that lay ahead of this clock, as of an agent whose clock is fast: the time it told cannot be held
 * against this clock, the moment in which it told it can. Null where the start is of this clock, which has been set back since.
 */
async function sinceStartWasTold({ events }: RecordDeps, task: Task, nowMs: number): Promise<number | null> {
  const { correlationId } = task;
  const filter = { agentId: null, project: null, eventType: TASK_START, correlationId };
  const [start] = (await events.list(filter, { limit: 1, after: null })).items;
  const toldAtMs = start ? timeOfId(start.id) : null;
  // An id has whole milliseconds, and is made at once after the time of its event is taken.
  return toldAtMs === null || task.startedMs - toldAtMs < 1 ? null : secondsBetween(toldAtMs, nowMs);
}

/** An end that lies as long after the start as was measured. */
export function lasting(decision: PairingDecision, durationSeconds: number | null): PairingDecision {
  if (durationSeconds === null || 'replay' in decision) return decision;
  const { write } = decision;
  return { write: { ...write, endedMs: write.startedMs + durationSeconds * 1000, durationSeconds } };
}

export function newEvent(deps: RecordDeps, input: EventInput): TimingEvent {
  checkMetadata(input.metadata, 'body/metadata');
  const nowMs = deps.clock.now();
  const timestampMs = input.toldMs == null ? nowMs : toldTime(input.toldMs, nowMs);
  // New fields come first: a literal that adds to another object gives each result a shape of its own, which outlives the request.
  return { id: deps.ids.next(), timestampMs, ...eventFields(input) };
}

/** Only the fields of an event: what else the input carries must not reach the store. */
function eventFields({ agentId, project, eventType, taskType, metadata, correlationId }: EventInput): EventInput {
  return { agentId, project, eventType, taskType, metadata, correlationId };
}

/** @param where what the fault names: 'body/metadata' @throws InvalidInputError */
export function checkMetadata(metadata: Metadata, where: string): void {
  if (metadata === null) return;
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  if (bytes <= METADATA_LIMIT_BYTES) return;
  const message = `has ${bytes} bytes as JSON, at most ${METADATA_LIMIT_BYTES} are kept: store the rest elsewhere and send a reference`;
  throw InvalidInputError.at(where, message);
}

export function published(deps: RecordDeps, result: PairingResult): PairingResult {
  const { event, task, replayed } = result;
  if (!replayed) deps.feed.publish({ kind: 'timing', agentId: event.agentId, project: event.project, event, task });
  return result;
}
