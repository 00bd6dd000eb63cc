import { NotFoundError } from '@agent-faculties/service-kit';
import { TASK_END } from '../event.ts';
import { decideEndById } from '../pairing.ts';
import { endTask, lasting, newEvent, published, type RecordDeps, startTask } from '../record.ts';
import type { Outcome, Task } from '../task.ts';
import { type HookPlace, isIn } from './exchanges.ts';

/** Calls that a session may have left open; more are left to be abandoned by their age. */
const MOST_OPEN = 100;

/** A call of a tool, as a hook tells of it. */
export interface ToolCall {
  readonly agentId: string;
  /** Of the start. The end may come from another folder, and so from another project. */
  readonly project: string | null;
  readonly taskType: string;
  readonly place: HookPlace;
  /** Of the host, the same at start and end and each time; null where the host gives calls no id. */
  readonly key: string | null;
  /** Of the start of a call without an id: the same each time that the start is delivered. */
  readonly startKey: string | null;
  /** The same for calls of one session that do the same. */
  readonly likeness: string;
}

/**
 * Abandons a call behind which what it started runs on: the oldest running one that did the same, where calls have no ids. Nothing is known
 * of how long that takes.
 * @returns null when no such call runs
 */
export async function leaveCall(deps: RecordDeps, call: ToolCall): Promise<Task | null> {
  const { agentId, taskType, key, likeness } = call;
  const filter = { agentId, project: null, taskType, state: 'active' } as const;
  const { items } = await deps.tasks.list(filter, { limit: MOST_OPEN, after: null });
  const left = items.findLast((one) => (key === null ? likenessOf(one) === likeness : one.correlationId === key));
  return left ? ((await abandon(deps, [left], deps.clock.now()))[0] ?? null) : null;
}

export interface EndOfCall {
  readonly outcome: Outcome;
  /** As the host measured it; null where it does not. */
  readonly durationSeconds: number | null;
}

/** @throws ConflictError when the key is another task's */
export async function beginCall(deps: RecordDeps, call: ToolCall): Promise<Task> {
  const { task } = await startTask(deps, { ...startOf(call), correlationId: call.key ?? call.startKey });
  return task;
}

/**
 * Abandons the calls that a session has left open when an exchange begins, or it ends: no host tells of the end of a call that the user did
 * not permit, and for a day it would count as one that runs on. An end that comes all the same ends it.
 * @param atMs the start of the exchange: a prompt that is delivered again has begun before the calls since then
 * @returns those that were abandoned; none where the host does not name its session
 */
export async function abandonCalls(
  deps: RecordDeps,
  { agentId, place, atMs }: { readonly agentId: string; readonly place: HookPlace; readonly atMs: number },
): Promise<readonly Task[]> {
  if (place.session === null) return [];
  const filter = { agentId, project: null, state: 'active' } as const;
  const { items } = await deps.tasks.list(filter, { limit: MOST_OPEN, after: null });
  return await abandon(
    deps,
    items.filter((one) => one.startedMs < atMs && isIn(one, place) && likenessOf(one) !== undefined),
    atMs,
  );
}

async function abandon({ tasks, feed }: RecordDeps, left: readonly Task[], atMs: number): Promise<Task[]> {
  if (left.length === 0) return [];
  const ids = left.map(({ correlationId }) => correlationId);
  const abandoned = await tasks.abandon(ids, atMs);
  for (const task of abandoned) {
    feed.publish({ kind: 'abandoned', agentId: task.agentId, project: task.project, task });
  }
  return abandoned;
}

function likenessOf({ metadata }: Task): unknown {
  return (metadata as { call?: unknown } | null)?.call;
}

/**
 * Ends a call: the one of its key, else the oldest running one that did the same in its session. A call whose start nobody told
 * of is recorded when the host measured it.
 * @returns null when nothing is known of it, or its end came before
 */
export async function finishCall(deps: RecordDeps, call: ToolCall, end: EndOfCall): Promise<Task | null> {
  if (call.key === null) return await finishByLikeness(deps, call, end);
  const known = await deps.tasks.find(call.key);
  if (!known) {
    if (end.durationSeconds === null) return null;
    const startedMs = deps.clock.now() - end.durationSeconds * 1000;
    await beginCall({ ...deps, clock: { now: () => startedMs } }, call);
  }
  const { agentId, taskType, key: correlationId } = call;
  const { task } = await endTask(deps, { agentId, project: null, taskType, metadata: null, correlationId, ...end });
  return task;
}

/** Repeated, it finds nothing that runs, and that the newest call of its kind has ended. */
async function finishByLikeness(deps: RecordDeps, call: ToolCall, { outcome, durationSeconds }: EndOfCall) {
  const { agentId, taskType } = call;
  const ofEnd = { agentId, project: null, taskType, metadata: null, correlationId: null };
  const event = newEvent(deps, { ...ofEnd, eventType: TASK_END });
  try {
    const ended = await deps.tasks.end(event, (running) => {
      const task = running.find((one) => likenessOf(one) === call.likeness);
      return lasting(decideEndById(task, event, outcome), durationSeconds);
    });
    return published(deps, ended).task;
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
  }
  const correlationId = await givenUp(deps, call);
  if (correlationId === null) return null;
  return (await endTask(deps, { ...ofEnd, correlationId, outcome, durationSeconds })).task;
}

/**
 * The id of the call that an end without one belongs to, where it was abandoned while it ran: the user may write meanwhile, and a prompt
 * overtakes the ends that its host could not deliver. It is the newest of its kind, since one before it was not permitted, or has ended.
 */
async function givenUp(
  { tasks, clock }: RecordDeps,
  { agentId, taskType, likeness }: ToolCall,
): Promise<string | null> {
  const untilMs = clock.now();
  const { items } = await tasks.list({ agentId, project: null, taskType, untilMs }, { limit: MOST_OPEN, after: null });
  const newest = items.find((one) => likenessOf(one) === likeness);
  return newest?.state === 'abandoned' ? newest.correlationId : null;
}

function startOf({ agentId, project, taskType, place, likeness }: ToolCall) {
  return { agentId, project, taskType, metadata: { ...place, call: likeness }, estimatedSeconds: null };
}
