import { ANY_AGENT, type Caller } from '@agent-faculties/agent-identity';

/** The agent whose data is read, or null for those of all agents. */
export function agentScope(caller: Caller): string | null {
  return caller.agentId === ANY_AGENT ? null : caller.agentId;
}
