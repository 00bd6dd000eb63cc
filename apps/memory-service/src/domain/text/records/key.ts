import { hasVerb } from '../sentences/clauses.ts';
import { withParts } from '../words/parts-of-words.ts';
import { type Word, wordsOf } from '../words/words.ts';

/** A line with what stands before a value, as programs write it: "POOL_SIZE=20", "[apollo] lead: Ann", "user.theme = dark", "label BUG -> engineering". */
const RECORD = /^[\s>*•+-]*((?![\s>*•+-])(?:(?![.!?;,]\s)[^=:|\n]){1,60}?)\s*(?:=|:(?=\s)|->|→)\s*\S.*\s*$/u;
/** With more words it is a heading, of a value prose. */
const MOST_WORDS_OF_KEY = 6;
const MOST_WORDS = 12;
/** A longer text has more words. */
const MOST_CHARACTERS = 200;

/** The words of the key of a record, identifiers taken apart; none of what is no record, such as a sentence with a heading. */
export function keyOf(text: string): readonly Word[] {
  const [, key] = text.length > MOST_CHARACTERS ? [] : (RECORD.exec(text) ?? []);
  if (key === undefined || hasVerb(text) || wordsOf(text).length > MOST_WORDS) return [];
  const words = withParts(wordsOf(key));
  return words.length > MOST_WORDS_OF_KEY ? [] : words;
}
