import type { Memory } from './memory.ts';

/**
 * An id that no agent has: asked as nobody, a store shows and counts what is not PRIVATE. The contract refuses empty ids, and
 * parseAgentId does too.
 */
export const NOBODY = '';

/** The one rule of who may see a memory. Every path that returns text, ids or counts goes through it. */
export function isVisibleTo(agentId: string, memory: Pick<Memory, 'scope' | 'agentId'>): boolean {
  return memory.scope !== 'PRIVATE' || memory.agentId === agentId;
}
