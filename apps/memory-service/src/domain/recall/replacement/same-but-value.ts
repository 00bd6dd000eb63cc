import { type Word, wordsOf } from '../../text/words/words.ts';

/** The most words of a statement that says one thing. */
const MOST_WORDS = 25;
/** A longer text has more words, or is not of words; what was said may have 200,000 characters, and reading them takes a tenth of a second. */
const MOST_CHARACTERS = 500;
/** A statement begins with what it speaks of: so many words at least. */
const LEAST_BEGINNING = 2;
/** The box before a to-do, ticked or not. */
const BOX = /^[\s>*•+-]{0,40}\[[ x]\]\s+(?=\S)/i;
const FIRST = /[\p{L}\p{N}][\p{L}\p{N}\p{M}_]*/u;
/** The most words of a value, such as a title or a name. */
const MOST_OF_VALUE = 5;

/**
 * Whether two short statements have all words in common but those of one value, behind what they speak of: "Anna Bell was born in Leeds"
 * and "Anna Bell was born in Turin". Then one of them corrects the other, whenever it was so. They speak of two things where the value of
 * the older one has a word of the question that the newer one lacks: "the password of db1 was tulip" and "the password of db2 was rose".
 * @param asked the question
 */
export function isSameButValue(older: string, newer: string, asked: string): boolean {
  if (Math.max(older.length, newer.length) > MOST_CHARACTERS || firstOf(older) !== firstOf(newer)) return false;
  const a = wordsOf(older);
  const b = wordsOf(newer);
  if (Math.max(a.length, b.length) > MOST_WORDS) return false;
  const beginning = commonLength(a, b);
  const end = commonLength(a.slice(beginning).reverse(), b.slice(beginning).reverse());
  const [value = [], other = []] = [a, b].map((words) => words.slice(beginning, words.length - end));
  const isOneValue = [value, other].every(({ length }) => length > 0 && length <= MOST_OF_VALUE);
  return beginning >= LEAST_BEGINNING && isOneValue && !hasAskedAlone(value, other, asked);
}

/** Whether two statements are the same to-do, of which one is done: "- [x] pay the plumber". */
export function isSameToDo(older: string, newer: string): boolean {
  const [before, after] = [older.replace(BOX, ''), newer.replace(BOX, '')];
  return before === after && before !== older && after !== newer && older !== newer;
}

/** The letters and digits with which the first word begins; to read the words takes twenty times as long. */
function firstOf(text: string): string | undefined {
  return FIRST.exec(text)?.[0].toLowerCase();
}

function hasAskedAlone(value: readonly Word[], other: readonly Word[], asked: string): boolean {
  const wanted = subjectsIn(wordsOf(asked));
  const others = subjectsIn(other);
  return [...subjectsIn(value)].some((stem) => wanted.has(stem) && !others.has(stem));
}

/** Stems of the words that tell what is spoken of. The number of a thing may stand by itself: "sprint 2". */
function subjectsIn(words: readonly Word[]): ReadonlySet<string> {
  return new Set(words.flatMap(({ isContent, lower, stem }) => (isContent || /\d/.test(lower) ? stem : [])));
}

function commonLength(a: readonly Word[], b: readonly Word[]): number {
  const differs = a.findIndex(({ lower }, place) => lower !== b[place]?.lower);
  return differs === -1 ? Math.min(a.length, b.length) : differs;
}
