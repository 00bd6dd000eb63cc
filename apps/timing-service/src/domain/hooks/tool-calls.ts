import { NotFoundError } from '@agent-faculties/service-kit';
import { TASK_END } from '../event.ts';
import { decideEndById } from '../pairing.ts';
import { endTask, lasting, newEvent, published, type RecordDeps, startTask } from '../record.ts';
import type { Outcome, Task } from '../task.ts';
import type { HookPlace } from './exchanges.ts';

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

/** Repeated, it finds nothing that runs. */
async function finishByLikeness(deps: RecordDeps, call: ToolCall, { outcome, durationSeconds }: EndOfCall) {
  const { agentId, taskType } = call;
  const ofEnd = { agentId, project: null, taskType, metadata: null, correlationId: null };
  const event = newEvent(deps, { ...ofEnd, eventType: TASK_END });
  try {
    const ended = await deps.tasks.end(event, (running) => {
      const task = running.find(({ metadata }) => (metadata as { call?: unknown } | null)?.call === call.likeness);
      return lasting(decideEndById(task, event, outcome), durationSeconds);
    });
    return published(deps, ended).task;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

function startOf({ agentId, project, taskType, place, likeness }: ToolCall) {
  return { agentId, project, taskType, metadata: { ...place, call: likeness }, estimatedSeconds: null };
}
