import { type Call, OperationProblem } from '@agent-faculties/mcp-kit';
import type { components, operations } from '../api.gen.ts';

type Schemas = components['schemas'];

/** Nobody has ended such a task yet. */
export const NO_HISTORY = 'no_completed_tasks';
/** The key of who asks is for other projects. */
export const FOREIGN_PROJECT = 'foreign_project';

/** What is known of a task type, and of whom: an agent that is new plans by what all agents did. */
export interface History {
  /** As it was asked for; undefined for that of the connection. */
  readonly project: unknown;
  readonly of: 'this agent' | 'all agents';
  readonly summary: Schemas['Summary'];
}

/** Fewer runs of an agent tell less than those of all agents: one run alone makes a timeout that cuts off half of the next ones. */
const ENOUGH_RUNS = 5;

/** That of this agent where it tells enough, else that of all. Null where nobody has done such a task. */
export async function historyOf(
  call: Call<operations>,
  { task_type, project }: { readonly task_type: unknown; readonly project: unknown },
): Promise<History | null> {
  const own = (await nullWithoutHistory(call('getSummary', { task_type, project })))?.body.summary;
  if (own && own.count >= ENOUGH_RUNS) return { of: 'this agent', project, summary: own };
  const all = (await nullWithoutHistory(call('getSummary', { task_type, project, agent_id: '*' })))?.body.summary;
  if (all && (!own || all.count >= ENOUGH_RUNS)) return { of: 'all agents', project, summary: all };
  return own ? { of: 'this agent', project, summary: own } : null;
}

/** The query for another operation about the same tasks. */
export function scopeOf({ of, project }: History): { readonly agent_id?: '*'; readonly project: unknown } {
  return { project, ...(of === 'all agents' && { agent_id: '*' }) };
}

/** How long the type takes since it has changed; null where its newest runs are like those before. */
export async function recentOf(call: Call<operations>, history: History): Promise<Schemas['DurationEstimate'] | null> {
  const { task_type } = history.summary;
  const { estimate } = (await call('estimateDuration', { task_type, ...scopeOf(history) })).body;
  return estimate.since === undefined ? null : estimate;
}

/** What all projects know of a type of which the one that is asked about has only a few runs. Null where they know too little as well. */
export async function widerOf(call: Call<operations>, { summary }: History): Promise<Schemas['Summary'] | null> {
  if (summary.count >= ENOUGH_RUNS) return null;
  const wider = await elsewhereOf(call, summary.task_type);
  return wider && wider.count >= ENOUGH_RUNS ? wider : null;
}

/** What became of tasks of which none has ended ok: a summary of those with each outcome that there is, of all agents. */
export async function triedOf(
  call: Call<operations>,
  { task_type, project }: { readonly task_type: unknown; readonly project: unknown },
): Promise<readonly Tried[]> {
  const tried: Tried[] = [];
  for (const outcome of ['error', 'timeout', 'cancelled'] as const) {
    const found = await nullWithoutHistory(call('getSummary', { task_type, project, outcome, agent_id: '*' }));
    if (found) tried.push({ outcome, summary: found.body.summary });
  }
  return tried;
}

export interface Tried {
  readonly outcome: 'error' | 'timeout' | 'cancelled';
  readonly summary: Schemas['Summary'];
}

/**
 * What other projects know of a type that has no history in the one that is asked about. Null where they know nothing either, or the key
 * of who asks is not for them.
 */
export async function elsewhereOf(call: Call<operations>, task_type: unknown): Promise<Schemas['Summary'] | null> {
  const asked = call('getSummary', { task_type, project: '*', agent_id: '*' });
  return (await nullWithout([NO_HISTORY, FOREIGN_PROJECT], asked))?.body.summary ?? null;
}

export async function nullWithoutHistory<T>(answer: Promise<T>): Promise<T | null> {
  return nullWithout([NO_HISTORY], answer);
}

/** Null in place of a problem with one of the codes; any other error is thrown on. */
export async function nullWithout<T>(codes: readonly string[], answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof OperationProblem && codes.includes(error.problem.code)) return null;
    throw error;
  }
}
