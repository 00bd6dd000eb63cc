import { ANY_AGENT, type Caller } from '@agent-faculties/agent-identity';
import { ADMIN_ROLES, type MayName } from '@agent-faculties/service-kit';
import type { operations } from '../api.gen.ts';

/** The agent whose data is read, or null for those of all agents. */
export function agentScope(caller: Caller): string | null {
  return caller.agentId === ANY_AGENT ? null : caller.agentId;
}
