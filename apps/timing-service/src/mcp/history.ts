import { type Call, OperationProblem } from '@agent-faculties/mcp-kit';
import type { components, operations } from '../api.gen.ts';

type Schemas = components['schemas'];

/** Nobody has ended such a task yet. */
export const NO_HISTORY = 'no_completed_tasks';

/** What is known of a task type, and of whom: an agent that is new plans by what all agents did. */
export interface History {
  /** As it was asked for; undefined for that of the connection. */
  readonly project: unknown;
  readonly of: 'this agent' | 'all agents';
  readonly summary: Schemas['Summary'];
}

/** Null where nobody has done such a task. */
export async function historyOf(
  call: Call<operations>,
  { task_type, project }: { readonly task_type: unknown; readonly project: unknown },
): Promise<History | null> {
  const own = await nullWithoutHistory(call('getSummary', { task_type, project }));
  if (own) return { of: 'this agent', project, summary: own.body.summary };
  const pooled = await nullWithoutHistory(call('getSummary', { task_type, project, agent_id: '*' }));
  return pooled && { of: 'all agents', project, summary: pooled.body.summary };
}

/** The query for another operation about the same tasks. */
export function scopeOf({ of, project }: History): { readonly agent_id?: '*'; readonly project: unknown } {
  return { project, ...(of === 'all agents' && { agent_id: '*' }) };
}

/** Any other error is thrown on. */
async function nullWithoutHistory<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof OperationProblem && error.problem.code === NO_HISTORY) return null;
    throw error;
  }
}
