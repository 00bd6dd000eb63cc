import { isDeepStrictEqual } from 'node:util';
import { ConflictError, NotFoundError } from '@agent-faculties/service-kit';
import type { TimingEvent } from './event.ts';
import { secondsBetween, toMicroseconds } from './instant.ts';
import { isOfType, type Outcome, type PairingDecision, type Task } from './task.ts';
import { isSeenIn } from './whose.ts';

/**
 * A start with an id: new when the id is, replayed when it says the same as the first one, however far the task is, else
 * refused.
 * @throws ConflictError
 */
export function decideStart(existing: Task | null, started: Task): PairingDecision {
  if (!existing) return { write: started };
  if (isSameStart(existing, started)) return { replay: existing };
  throw new ConflictError(
    `The correlation id '${started.correlationId}' is in use for another task (type '${existing.taskType}', ${existing.state}): ` +
      'choose another id, or leave it out and take the one in the answer.',
    { code: 'correlation_id_in_use' },
  );
}

/** The same for a start that tells when it was: another time is another start. @throws ConflictError */
export function decideStartAt(existing: Task | null, started: Task): PairingDecision {
  const decision = decideStart(existing, started);
  if ('write' in decision || isSameInstant(decision.replay.startedMs, started.startedMs)) return decision;
  throw new ConflictError(
    `The task '${started.correlationId}' is known to have started at ${new Date(decision.replay.startedMs).toISOString()}: ` +
      'choose another id, or leave the timestamp out.',
    { code: 'correlation_id_in_use' },
  );
}

/** Whether two instants are the same once they are stored. */
function isSameInstant(oneMs: number, otherMs: number): boolean {
  return toMicroseconds(oneMs) === toMicroseconds(otherMs);
}

function isSameStart(existing: Task, started: Task): boolean {
  return (
    existing.agentId === started.agentId &&
    existing.project === started.project &&
    isOfType(existing, started.taskType) &&
    existing.estimatedSeconds === started.estimatedSeconds &&
    // As JSON: what was stored has been through it, and -0 has become 0.
    isDeepStrictEqual(existing.metadata, JSON.parse(JSON.stringify(started.metadata)))
  );
}

/**
 * An end that names a correlation id closes its task, whoever sends it and however late; the same end again is replayed. A task of
 * another project than the end's is as good as unknown; where either names none, they go together.
 * @throws NotFoundError for an unknown id, ConflictError for another task type than at the start
 */
export function decideEndById(task: Task | undefined, event: TimingEvent, outcome: Outcome): PairingDecision {
  if (!task || !isSeenIn(event.project, task)) {
    throw new NotFoundError(
      `No task with the correlation id '${event.correlationId}'${inProject(event)}: start it first, and end it with the id of the answer.`,
      { code: 'unknown_correlation_id' },
    );
  }
  if (!isOfType(task, event.taskType)) {
    throw new ConflictError(
      `The task '${task.correlationId}' was started as '${task.taskType}', not '${event.taskType}': end it under the type it was started with.`,
      { code: 'task_type_mismatch' },
    );
  }
  return task.state === 'ended' ? { replay: task } : { write: endedTask(task, event, outcome) };
}

/** An end that says how the task ended: where it has ended before, in the same way. @throws ConflictError */
export function requireToldOutcome(decision: PairingDecision, outcome: Outcome): void {
  if ('write' in decision || decision.replay.outcome === outcome) return;
  const { correlationId, outcome: first } = decision.replay;
  throw new ConflictError(
    `The task '${correlationId}' is known to have ended with the outcome '${first}', and nothing was changed: ` +
      'leave the outcome out to be answered with that end.',
    { code: 'already_ended' },
  );
}

/**
 * An end without an id closes the agent's only active task of the type, among those that are seen in its project.
 * @throws NotFoundError when there is none, ConflictError naming the ids when there are several
 */
export function decideEndByType(candidates: Task[], event: TimingEvent, outcome: Outcome): PairingDecision {
  const [only, ...others] = candidates;
  if (!only) throw noActiveTask(event, []);
  if (others.length > 0) {
    const ids = candidates.map((task) => task.correlationId);
    throw new ConflictError(
      `The agent '${event.agentId}' has several active tasks of type '${event.taskType}': send the correlation_id of the one that ended (${named(candidates)}).`,
      { code: 'ambiguous_task', extra: { correlation_ids: ids } },
    );
  }
  return { write: endedTask(only, event, outcome) };
}

/**
 * @param abandoned tasks of the agent and the type, newest start first; an end by type does not take one of them for the one that ended,
 * since they may be long over
 */
export function noActiveTask(event: TimingEvent, abandoned: readonly Task[]): NotFoundError {
  const none = `The agent '${event.agentId}' has no active task of type '${event.taskType}'${inProject(event)}`;
  if (abandoned.length === 0) {
    return new NotFoundError(`${none}: start one first, or send the correlation_id.`, NO_ACTIVE_TASK);
  }
  return new NotFoundError(
    `${none}, but ${abandoned.length} that nobody ended for so long that the service took it for abandoned: send the correlation_id of the one that has ended (${named(abandoned)}), or start one first.`,
    { ...NO_ACTIVE_TASK, extra: { correlation_ids: abandoned.map((task) => task.correlationId) } },
  );
}

export function isNoActiveTask(error: unknown): boolean {
  return error instanceof NotFoundError && error.code === NO_ACTIVE_TASK.code;
}

const NO_ACTIVE_TASK = { code: 'no_active_task' } as const;

/** Most ids that a text names; the answer has all of them beside it. */
const NAMED = 5;

/** With the start, by which an agent tells the run that it is about from one that was forgotten. */
function named(tasks: readonly Task[]): string {
  const more = tasks.length > NAMED ? `, and ${tasks.length - NAMED} more` : '';
  return tasks
    .slice(0, NAMED)
    .map(({ correlationId, startedMs }) => `'${correlationId}', started ${new Date(startedMs).toISOString()}`)
    .join('; ')
    .concat(more);
}

function inProject({ project }: TimingEvent): string {
  return project === null ? '' : ` in the project '${project}'`;
}

function endedTask(task: Task, event: TimingEvent, outcome: Outcome): Task {
  return {
    ...task,
    state: 'ended',
    outcome,
    // A clock that was set back must not make an end lie before its start.
    endedMs: Math.max(task.startedMs, event.timestampMs),
    abandonedMs: null,
    durationSeconds: secondsBetween(task.startedMs, event.timestampMs),
    endEventId: event.id,
  };
}
