import { tellingTerms } from '../../text/words/telling-terms.ts';
import { termsOf } from '../../text/words/terms.ts';
import type { Word } from '../../text/words/words.ts';
import type { ReadStatement } from '../question/asked-value.ts';

interface Asking {
  /** The words of the question. */
  readonly question: readonly Word[];
  /** Stems of those that tell its subject. */
  readonly subject: ReadonlySet<string>;
}

interface TwoStatements {
  readonly older: ReadStatement;
  readonly newer: ReadStatement;
}

const PREPOSITION = /^(?:for|of)$/;
const DETERMINER = /^(?:the|an?|our|my|your|his|her|its|their)$/;
const NUMBER = /^\d+$/;

/**
 * Whether the newer statement names another thing where the older one names the one that is asked for, which the newer one lacks: "the
 * bus to Kyoto" of the bus to Osaka, "the vet for our horses" of the vet for the cat, "invoice 207" of invoice 204.
 */
export function isOfOtherThing({ question, subject }: Asking, { older, newer }: TwoStatements): boolean {
  const told = new Set(newer.words.map(({ stem }) => stem));
  const isGone = ({ stem }: Word) => subject.has(stem) && !told.has(stem);
  const stoodAt = new Set(older.words.flatMap((word, at) => (isGone(word) ? placesOf(older.words, at) : [])));
  if (newer.words.some((_, at) => placesOf(newer.words, at).some((place) => stoodAt.has(place)))) return true;
  const [before, after] = [older, newer].map(({ words }) => numbersIn(words)) as [Numbers, Numbers];
  return [...numbersIn(question)].some(
    ([thing, number]) => before.get(thing) === number && after.has(thing) && !told.has(number),
  );
}

/** What stands before a name; before a thing "vet for", and no preposition alone: "a deposit of 200, for the cleaning too". */
function placesOf(words: readonly Word[], at: number): string[] {
  const word = words[at] as Word;
  const [preposition = '', before = ''] = [words[at - 2]?.lower, words[at - 1]?.lower];
  const head = words[at - 3];
  const isBehind = head?.isContent && PREPOSITION.test(preposition) && DETERMINER.test(before);
  return [
    ...(word.isName && before ? [before] : []),
    ...(isBehind && isThing(word) ? [`${head.stem} ${preposition}`] : []),
  ];
}

/** By stem of a thing, its number in a text. */
type Numbers = ReadonlyMap<string, string>;

function numbersIn(words: readonly Word[]): Numbers {
  return new Map(
    words.flatMap((word, at) => {
      const number = words[at + 1]?.lower ?? '';
      return NUMBER.test(number) && isThing(word) ? [[word.stem, number]] : [];
    }),
  );
}

/** A month, a day or "time" is none: what moves to December 10 is no other thing than on December 3. */
function isThing({ isContent, lower }: Word): boolean {
  return isContent && tellingTerms(termsOf(lower), { namesTime: true }).length > 0;
}
