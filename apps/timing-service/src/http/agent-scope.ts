import { ANY_AGENT, type Caller } from '@agent-faculties/agent-identity';
import { ADMIN_ROLES, type MayName } from '@agent-faculties/service-kit';
import type { operations } from '../api.gen.ts';

/** The agent whose data is read, or null for those of all agents. */
export function agentScope(caller: Caller): string | null {
  return caller.agentId === ANY_AGENT ? null : caller.agentId;
}

/** Figures over many tasks, with nothing that any one agent said. */
const POOLED_FIGURES: ReadonlySet<keyof operations> = new Set([
  'listSummaries',
  'getSummary',
  'listTaskTypes',
  'recommendTimeout',
  'checkTimeout',
  'compareApproaches',
  'getDistribution',
] as const);

/** Reads that may speak of all agents; everything else belongs to one. */
export const ANY_AGENT_OPERATIONS: ReadonlySet<keyof operations> = new Set([
  ...POOLED_FIGURES,
  'listEvents',
  'listActiveTasks',
  'streamEvents',
  'listTasks',
  'getTrend',
  'exportData',
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
 * Behind a gateway: an administrator may read in the name of every agent and of all. Every role may read figures pooled over
 * all agents, because without them an agent that is new has nothing to plan by. Nobody writes as another.
 */
export const mayReadOf: MayName = ({ operationId, agentId, role }) => {
  const operation = operationId as keyof operations;
  return ADMIN_ROLES.has(role ?? '') ? READS.has(operation) : agentId === ANY_AGENT && POOLED_FIGURES.has(operation);
};
