import { isThing, type NumberedThing, numberedThings } from '../../text/words/numbered-things.ts';
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

/**
 * Whether the newer statement names another thing where the older one names the one that is asked for, which the newer one lacks: "the
 * bus to Kyoto" of the bus to Osaka, "the vet for our horses" of the vet for the cat, "invoice 207" of invoice 204.
 */
export function isOfOtherThing({ question, subject }: Asking, { older, newer }: TwoStatements): boolean {
  const told = new Set(newer.words.map(({ stem }) => stem));
  const isGone = ({ stem }: Word) => subject.has(stem) && !told.has(stem);
  const stoodAt = new Set(older.words.flatMap((word, at) => (isGone(word) ? placesOf(older.words, at) : [])));
  if (newer.words.some((_, at) => placesOf(newer.words, at).some((place) => stoodAt.has(place)))) return true;
  const [before, after] = [older, newer].map(({ words }) => numberedThings(words)) as [
    NumberedThing[],
    NumberedThing[],
  ];
  const isNamed = ([thing, number]: NumberedThing) => before.some(([of, is]) => of === thing && is === number);
  // "User 51" of a newer statement is not city 51, where the older one has another user. It may be in "207 replaces 204".
  const isElse = ([thing, number]: NumberedThing) =>
    after.some(([of, is]) => is === number && of !== thing && before.some(([kind]) => kind === of));
  return numberedThings(question).some(
    (asked) => isNamed(asked) && after.some(([of]) => of === asked[0]) && (!told.has(asked[1]) || isElse(asked)),
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
