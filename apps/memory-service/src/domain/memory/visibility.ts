import type { Memory } from './memory.ts';

/** The one rule of who may see a memory. Every path that returns text, ids or counts goes through it. */
export function isVisibleTo(agentId: string, memory: Pick<Memory, 'scope' | 'agentId'>): boolean {
  return memory.scope !== 'PRIVATE' || memory.agentId === agentId;
}
