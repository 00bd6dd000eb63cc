import { secondsBetween } from '../instant.ts';
import { endTask, type RecordDeps, startTask } from '../record.ts';
import type { Outcome, Task, TaskStore } from '../task.ts';

/** The task type of an exchange: from a prompt of the user to the reply. */
export const EXCHANGE = 'exchange';
/** Exchanges that a session may have left open; more were abandoned. */
const MOST_OPEN = 20;
/** Newest tasks looked through for the last one of a session. */
const MOST_LOOKED_AT = 50;
/** A host that is at work begins or ends a call more often. Commands take no longer in most of them unless they are told so. */
const LONG_SILENCE_MS = 10 * 60_000;

/** What a hook says about where something happened. */
export interface HookPlace {
  readonly host: string;
  readonly session: string | null;
  readonly cwd: string | null;
}

interface Exchange {
  readonly agentId: string;
  /** Of the prompt. Its reply may come from another folder, and so from another project. */
  readonly project: string | null;
  readonly place: HookPlace;
  /** An id that a prompt and its reply share; null if the host gives none. */
  readonly key: string | null;
}

/** Begins an exchange, and cancels those that the session left open. @throws ConflictError: see startTask; UnavailableError */
export async function beginExchange(deps: RecordDeps, { agentId, project, place, key }: Exchange): Promise<Task> {
  await cancelExchanges(deps, { agentId, place, but: key });
  const started = await startTask(deps, {
    agentId,
    project,
    taskType: EXCHANGE,
    metadata: { ...place },
    estimatedSeconds: null,
    correlationId: key,
  });
  return started.task;
}

/**
 * Cancels the exchanges that a session has left open: the user broke them off, of which no host tells. One whose session has been silent for
 * long lasted until it was last heard of, as far as anybody knows: the user may have come back the next day.
 * @param but the key of one that goes on; null for none
 * @returns those that were cancelled
 */
export async function cancelExchanges(
  deps: RecordDeps,
  { agentId, place, but }: Pick<Exchange, 'agentId' | 'place'> & { readonly but: string | null },
): Promise<readonly Task[]> {
  const nowMs = deps.clock.now();
  const cancelled: Task[] = [];
  for (const exchange of await openExchanges(deps.tasks, { agentId, place })) {
    const { correlationId, startedMs } = exchange;
    // What is delivered late says nothing of an exchange that has begun since.
    if (correlationId === but || startedMs > nowMs) continue;
    const heardMs = await lastHeardOf(deps.tasks, exchange, place);
    const isSilent = nowMs - heardMs > LONG_SILENCE_MS;
    const durationSeconds = isSilent ? secondsBetween(startedMs, heardMs) : null;
    const end = { ...END, agentId, outcome: 'cancelled' as const, correlationId, durationSeconds };
    cancelled.push((await endTask(deps, end)).task);
  }
  return cancelled;
}

/** When a call of the session began or ended last since the exchange began, else when that was. */
async function lastHeardOf(tasks: TaskStore, { agentId, startedMs }: Task, place: HookPlace): Promise<number> {
  const filter = { agentId, project: null, sinceMs: startedMs };
  const { items } = await tasks.list(filter, { limit: MOST_LOOKED_AT, after: null });
  const calls = items.filter((task) => task.taskType !== EXCHANGE && isIn(task, place));
  return Math.max(startedMs, ...calls.map((call) => call.endedMs ?? call.startedMs));
}

/** Ends the exchange of this key, else the open one of the session. @returns null when there is none */
export async function finishExchange(
  deps: RecordDeps,
  { agentId, place, key, outcome }: Omit<Exchange, 'project'> & { readonly outcome: Outcome },
): Promise<Task | null> {
  const known = key === null ? null : await deps.tasks.find(key);
  const exchange = known ?? (await openExchanges(deps.tasks, { agentId, place }))[0];
  if (!exchange) return null;
  const { correlationId } = exchange;
  const { task } = await endTask(deps, { ...END, agentId, outcome, correlationId });
  return task;
}

/** The exchange before this one: of the same session, else the agent's newest. */
export async function exchangeBefore(
  tasks: TaskStore,
  { agentId, project, place, key }: Exchange,
): Promise<{ readonly task: Task; readonly isOfSession: boolean } | null> {
  const { items } = await tasks.list({ agentId, project, taskType: EXCHANGE }, { limit: MOST_LOOKED_AT, after: null });
  const others = items.filter(({ correlationId }) => correlationId !== key);
  const ofSession = others.find((task) => isIn(task, place));
  const task = ofSession ?? others[0];
  return task ? { task, isOfSession: ofSession !== undefined } : null;
}

/** Fields of every end of an exchange. Without a project, because its session or key finds it in any project. */
const END = { project: null, taskType: EXCHANGE, metadata: null };

/** The newest first. */
async function openExchanges(
  tasks: TaskStore,
  { agentId, place }: { readonly agentId: string; readonly place: HookPlace },
): Promise<Task[]> {
  const { items } = await tasks.list(
    { agentId, project: null, taskType: EXCHANGE, state: 'active' },
    { limit: MOST_OPEN, after: null },
  );
  return items.filter((task) => isIn(task, place));
}

export function isIn({ metadata }: Task, { host, session }: HookPlace): boolean {
  if (typeof metadata !== 'object' || metadata === null) return false;
  return metadata.host === host && (metadata.session ?? null) === session;
}
