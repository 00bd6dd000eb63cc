import { type Word, wordsOf } from '../text/words.ts';

const WORDS_OF_CHANGE =
  /\b(?:now|instead|no longer|no more|any ?more|replace[ds]|moved|switch(?:ed|es)|(?:takes?|took|taken|hands?|handed) over|(?:from|since|as of) (?:now|today|tomorrow|tonight|yesterday|this (?:morning|afternoon|evening|week|month|year)|(?:mon|tues|wednes|thurs|fri|satur|sun)day)(?: on)?)\b/i;
/** Words that tell nothing of their own. */
const PASSED_OVER = new Set('she go goes'.split(' '));
const EACH_WORD_OF_CHANGE = new RegExp(WORDS_OF_CHANGE, 'gi');

/** Whether a statement has plain words of change, such as "now" and "instead". */
export function tellsOfChange(text: string): boolean {
  return WORDS_OF_CHANGE.test(text);
}

/**
 * Whether all that a statement of change adds to an older one is one name: "Ann is the owner of billing", "Billing has moved to Bob".
 * What adds more speaks of something else: "Bob is now the owner of search", "Billing now sends letters".
 * @param question stems of its words that tell a subject
 * @param newer the text of the statement of change
 */
export function addsOneName(question: ReadonlySet<string>, older: readonly Word[], newer: string): boolean {
  const known = new Set(older.flatMap(({ isContent, stem }) => (isContent ? stem : [])));
  const words = wordsOf(newer.replace(EACH_WORD_OF_CHANGE, ' '));
  const isAdded = ({ isContent, lower, stem }: Word) =>
    isContent && !PASSED_OVER.has(lower) && !known.has(stem) && !question.has(stem);
  const name = words.slice(words.findIndex(isAdded), words.findLastIndex(isAdded) + 1);
  const isName = name.length > 0 && name.every((word) => isAdded(word) && mayBeName(word));
  return isName && words.some(({ stem }) => known.has(stem));
}

/** The first word of a sentence has a capital anyway. */
function mayBeName({ isName, startsSentence, text, lower }: Word): boolean {
  return isName || (startsSentence && text !== lower);
}
