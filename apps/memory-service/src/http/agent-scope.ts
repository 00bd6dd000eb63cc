import { ADMIN_ROLES, type MayName } from '@agent-faculties/service-kit';
import type { Request } from 'express';
import type { operations } from '../api.gen.ts';

/** The reads that may name all agents (`*`); every other operation names one. */
export const ANY_AGENT_OPERATIONS: ReadonlySet<keyof operations> = new Set(['listMemories', 'listHooks'] as const);

/**
 * Whether an operation may name another agent behind a gateway: in a list, `agent_id` says whose memories are listed and not
 * who asks. The list holds only what the caller may see. Only administrators may list the hook calls of another agent.
 */
export const mayReadOf: MayName = ({ operationId, role }) =>
  operationId === 'listMemories' || (operationId === 'listHooks' && ADMIN_ROLES.has(role ?? ''));

/** Whether a request behind a gateway may rank down what another agent told: as for an edit, that is for administrators. */
export function maySupersedeOthers(req: Request): boolean {
  return ADMIN_ROLES.has(req.get('X-Role') ?? '');
}
