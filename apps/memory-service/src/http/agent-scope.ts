import { ANY_AGENT, type Caller, readCaller } from '@agent-faculties/agent-identity';
import { ADMIN_ROLES, type MayName } from '@agent-faculties/service-kit/http';
import type { Request } from 'express';
import type { operations } from '../api.gen.ts';
import type { MemoryFilter } from '../domain/memory/memory-store.ts';
import { viewerOf } from '../domain/memory/visibility.ts';

/** In these, `agent_id` of the query says whose memories are listed and not who asks. They hold only what the caller may see. */
const LISTS: ReadonlySet<string> = new Set<keyof operations>(['listMemories', 'getAgenda']);

/** The reads that may name all agents (`*`); every other operation names one. */
export const ANY_AGENT_OPERATIONS: ReadonlySet<keyof operations> = new Set([
  'listMemories',
  'getAgenda',
  'listHooks',
] as const);

/** Whether an operation may name another agent behind a gateway. Only administrators may list the hook calls of another agent. */
export const mayReadOf: MayName = ({ operationId, role }) =>
  LISTS.has(operationId) || (operationId === 'listHooks' && ADMIN_ROLES.has(role ?? ''));

/** Whether a request behind a gateway may rank down what another agent told: as for an edit, that is for administrators. */
export function maySupersedeOthers(req: Request): boolean {
  return ADMIN_ROLES.has(req.get('X-Role') ?? '');
}

interface ListRequest {
  readonly query: { readonly agent_id?: string | undefined };
  /** Made of `agent_id` of the query, else of the header. */
  readonly caller: Caller;
  readonly req: Request;
}

/** Who reads a list, and whose memories are in it. */
export function listedFor(
  { query, caller, req }: ListRequest,
  { defaultAgentId }: { defaultAgentId: string },
): Pick<MemoryFilter, 'viewer' | 'authorAgentIds'> {
  const isForAll = caller.agentId === ANY_AGENT;
  return {
    viewer: { ...viewerOf(caller), agentId: readerOf(req, isForAll ? defaultAgentId : caller.agentId) },
    authorAgentIds: query.agent_id && !isForAll ? [caller.agentId] : undefined,
  };
}

/** The agent that reads: the one in the header, else `otherwise`. For a request whose `agent_id` names the author instead. */
export function readerOf(req: Request, otherwise: string): string {
  return readCaller({ headers: req.headers }, { defaultAgentId: otherwise }).agentId;
}
