import { tellingTerms } from './telling-terms.ts';
import { termsOf } from './terms.ts';
import type { Word } from './words.ts';

/** The stem of a word for things, and the number that stands behind it as digits. */
export type NumberedThing = readonly [thing: string, number: string];

const NUMBER = /^\d+$/;
/** What may stand between both. */
const FOR_NUMBER = /^(?:number|nr|no)$/;

/** What a text names by a number, in order: "invoice 204", "room number 12", "table #4". What stands behind a month, a day or "time" is none. */
export function numberedThings(words: readonly Word[]): NumberedThing[] {
  return words.flatMap(({ lower }, at) => {
    if (!NUMBER.test(lower)) return [];
    const [further, before] = [words[at - 2], words[at - 1]];
    const word = before && FOR_NUMBER.test(before.lower) && further && isNumbered(further) ? further : before;
    return word && isNumbered(word) ? [[word.stem, lower] as const] : [];
  });
}

/** "The user" is no subject, and "user 51" is one. */
function isNumbered(word: Word): boolean {
  return isThing(word) || word.lower === 'user';
}

/** Whether a word may stand for a thing. What moves to December 10 is no other thing than on December 3. */
export function isThing({ isContent, lower }: Word): boolean {
  return isContent && tellingTerms(termsOf(lower), { namesTime: true }).length > 0;
}
