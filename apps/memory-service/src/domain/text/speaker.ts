import { flatText } from './flat-text.ts';

/**
 * What a name may hold. Colons, brackets, quotes and arrows are not among it: they part the speaker from what is said, and only
 * the service sets them.
 */
const NO_PART_OF_A_NAME = /[^\p{L}\p{M}\p{N}\p{Extended_Pictographic}._@+\-/~&,'’#*! ]+/gu;
/** The same of an agent id, and blanks that are not seen. */
const ESCAPED =
  /[^\p{L}\p{M}\p{N}\p{Extended_Pictographic}._@+\-/~&,'’#*! ]|[\p{Default_Ignorable_Code_Point}]|(?<= ) /gu;

/**
 * Who said it, as it stands in contexts and in what consolidation derives: `ann`, or `Dana (told by ann)` where a memory names
 * another than the agent that told it. Holds no colon, no brackets and no line break but these: a name is a claim of its agent,
 * and ends neither the line nor the list of who speaks. Two agents never read the same: what an id may not show is escaped, as
 * in a URL (`ops:bot` is `ops%3Abot`).
 */
export function speakerOf({ name, agentId }: { readonly name: string | null; readonly agentId: string }): string {
  const agent = agentLabel(agentId);
  const named = nameLabel(name ?? '');
  return named === '' || named === agent ? agent : `${named} (told by ${agent})`;
}

function agentLabel(agentId: string): string {
  return agentId.replace(ESCAPED, percentEncoded);
}

/** Also what `encodeURIComponent` leaves as it is. */
function percentEncoded(character: string): string {
  return Buffer.from(character).toString('hex').toUpperCase().replace(/../g, '%$&');
}

function nameLabel(name: string): string {
  return flatText(flatText(name).replace(NO_PART_OF_A_NAME, ' '));
}
