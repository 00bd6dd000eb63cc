import { recallText } from '../../memory/memory.ts';
import { type NumberedThing, numberedThings } from '../../text/words/numbered-things.ts';
import { wordsOf } from '../../text/words/words.ts';
import type { Candidate } from '../evidence/evidence.ts';

/** What a memory gains that names the numbered thing of the question: more than lies between those that have all of its words. */
const NAMED = 0.3;
/** Characters of a question and of a memory in which it is looked for. */
const LOOKED_AT = 2_000;

/**
 * What each candidate gains by naming what the question names by a number: "user 51", where "user 93 likes item 51" has the same words.
 */
export function numberLifts({ text }: { readonly text: string }, candidates: readonly Candidate[]): readonly number[] {
  const asked = numberedThings(wordsOf(text.slice(0, LOOKED_AT)));
  if (asked.length === 0) return candidates.map(() => 0);
  return candidates.map(({ stored }) => (namesOneOf(asked, recallText(stored.memory)) ? NAMED : 0));
}

function namesOneOf(asked: readonly NumberedThing[], memory: string): boolean {
  const text = memory.slice(0, LOOKED_AT);
  // To read its words takes longer.
  if (!asked.some(([, number]) => text.includes(number))) return false;
  const named = numberedThings(wordsOf(text));
  return asked.some(([thing, number]) => named.some(([other, its]) => other === thing && its === number));
}
