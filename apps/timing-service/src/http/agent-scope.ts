import { ANY_AGENT, type Caller, projectScope } from '@agent-faculties/agent-identity';
import { ADMIN_ROLES, type MayName } from '@agent-faculties/service-kit/http';
import type { operations } from '../api.gen.ts';
import type { Whose } from '../domain/whose.ts';

/** Whose records a caller asks about. */
export function whoseOf(caller: Caller): Whose {
  return { agentId: caller.agentId === ANY_AGENT ? null : caller.agentId, project: projectScope(caller) };
}

/** Figures over many tasks, without any agent's own words. */
const POOLED_FIGURES: ReadonlySet<keyof operations> = new Set([
  'listSummaries',
  'getSummary',
  'listTaskTypes',
  'recommendTimeout',
  'checkTimeout',
  'compareApproaches',
  'estimateDuration',
  'getDistribution',
] as const);

/** Operations that may read for all agents; every other operation is about one agent. */
export const ANY_AGENT_OPERATIONS: ReadonlySet<keyof operations> = new Set([
  ...POOLED_FIGURES,
  'listProjects',
  'listEvents',
  'listActiveTasks',
  'streamEvents',
  'listTasks',
  'getTrend',
  'getTimeSpent',
  'exportData',
  'listHooks',
] as const);

const READS: ReadonlySet<keyof operations> = new Set([
  ...ANY_AGENT_OPERATIONS,
  'listAgents',
  'getStopwatch',
  'listStopwatches',
  'getEvent',
  'getTask',
] as const);

/**
 * Behind a gateway: an administrator may read as any agent and for all agents. Every role may read figures pooled over all agents,
 * because a new agent has no history of its own to plan by. Nobody may write as another agent.
 */
export const mayReadOf: MayName = ({ operationId, agentId, role }) => {
  const operation = operationId as keyof operations;
  return ADMIN_ROLES.has(role ?? '') ? READS.has(operation) : agentId === ANY_AGENT && POOLED_FIGURES.has(operation);
};
