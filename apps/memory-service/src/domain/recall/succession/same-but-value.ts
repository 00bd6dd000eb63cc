import { wordsOf } from '../../text/words.ts';

/** The most words of a statement that says one thing. */
const MOST_WORDS = 25;
/** A statement begins with what it speaks of: so many words at least. */
const LEAST_BEGINNING = 2;
/** The most words of a value, such as a title or a name. */
const MOST_OF_VALUE = 5;

/**
 * Whether two short statements have all words in common but those of one value, behind what they speak of: "Anna Bell was born in Leeds"
 * and "Anna Bell was born in Turin". Then one of them corrects the other, whenever it was so.
 */
export function isSameButValue(one: string, other: string): boolean {
  const a = wordsOf(one).map(({ lower }) => lower);
  const b = wordsOf(other).map(({ lower }) => lower);
  if (Math.max(a.length, b.length) > MOST_WORDS) return false;
  const beginning = commonLength(a, b);
  const end = commonLength(a.slice(beginning).reverse(), b.slice(beginning).reverse());
  const values = [a, b].map(({ length }) => length - beginning - end);
  return beginning >= LEAST_BEGINNING && values.every((length) => length > 0 && length <= MOST_OF_VALUE);
}

function commonLength(a: readonly string[], b: readonly string[]): number {
  const differs = a.findIndex((word, place) => word !== b[place]);
  return differs === -1 ? Math.min(a.length, b.length) : differs;
}
