import type { Memory } from './memory.ts';

/**
 * An id that no agent has. Asked by nobody, a store shows and counts only what is not PRIVATE. The contract and parseAgentId
 * refuse empty ids.
 */
export const NOBODY = '';

/** Decides whether an agent may see a memory. Every path that returns text, ids or counts asks this function. */
export function isVisibleTo(agentId: string, memory: Pick<Memory, 'scope' | 'agentId'>): boolean {
  return memory.scope !== 'PRIVATE' || memory.agentId === agentId;
}
