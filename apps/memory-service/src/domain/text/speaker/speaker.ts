import type { Memory } from '../../memory/memory.ts';
import { flatText } from '../sentences/flat-text.ts';

/**
 * The characters that a name may not hold. Colons, brackets, quotes and arrows are among them: they separate the speaker from the
 * words, and only the service writes them.
 */
const NO_PART_OF_A_NAME = /[^\p{L}\p{M}\p{N}\p{Extended_Pictographic}._@+\-/~&,'’#*! ]+/gu;
/** The characters that a shown agent id may not hold, and a blank after a blank. */
const ESCAPED =
  /[^\p{L}\p{M}\p{N}\p{Extended_Pictographic}._@+\-/~&,'’#*! ]|[\p{Default_Ignorable_Code_Point}]|(?<= ) /gu;

/** Who is shown where a person without a name said it. */
const USER = 'user';

/**
 * The speaker as derived memories show it: `ann`, or `Dana (told by ann)` where the memory names a speaker other
 * than its agent. It holds no colon, no line break and no other brackets, so that a name, which is a claim of its agent, cannot
 * end the line or add a speaker. No two agents are shown alike: characters that an id may not show are escaped as in a URL
 * (`ops:bot` is `ops%3Abot`).
 */
export function speakerOf({ name, agentId }: Pick<Memory, 'name' | 'agentId'>): string {
  return toldBy(agentLabel(agentId), nameLabel(name ?? ''));
}

/**
 * The speaker as contexts show it, for a reader who has to weigh the words. What a person said is not what the agent says: without a
 * name it is the user's, `user (told by ann)`. A derived memory has words of several, and is its agent's.
 */
export function whoSaid({ name, agentId, source, kind }: Pick<Memory, 'name' | 'agentId' | 'source' | 'kind'>): string {
  const named = nameLabel(name ?? '');
  const isOfUser = named === '' && source === 'user' && kind === 'episodic';
  return toldBy(agentLabel(agentId), isOfUser ? USER : named);
}

function toldBy(agent: string, named: string): string {
  return named === '' || named === agent ? agent : `${named} (told by ${agent})`;
}

function agentLabel(agentId: string): string {
  return agentId.replace(ESCAPED, percentEncoded);
}

/** Escapes a character, also one that `encodeURIComponent` leaves as it is. */
function percentEncoded(character: string): string {
  return Buffer.from(character).toString('hex').toUpperCase().replace(/../g, '%$&');
}

function nameLabel(name: string): string {
  return flatText(flatText(name).replace(NO_PART_OF_A_NAME, ' '));
}
