import type { Memory } from '../memory/memory.ts';

type Voice = Pick<Memory, 'agentId' | 'name'>;

/**
 * Whether one agent told both, of one speaker. What it told of two people is as independent as what two agents told; a name is the claim
 * of its agent, so what two agents tell of one name is independent too.
 */
export function isSameVoice(one: Voice, other: Voice): boolean {
  return one.agentId === other.agentId && speakerKey(one) === speakerKey(other);
}

function speakerKey({ name, agentId }: Voice): string {
  const key = name?.trim().toLowerCase() ?? '';
  return key === '' ? agentId.toLowerCase() : key;
}
