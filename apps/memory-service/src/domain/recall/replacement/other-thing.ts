import { hasVerb } from '../../text/sentences/clauses.ts';
import { gapsBetween } from '../../text/words/gaps-between.ts';
import { isThing, type NumberedThing, numberedThings } from '../../text/words/numbered-things.ts';
import type { Word } from '../../text/words/words.ts';
import type { StatementInParts, TwoStatements } from './read-statement.ts';

interface Asking {
  /** The words of the question. */
  readonly question: readonly Word[];
  /** Stems of those that tell its subject. */
  readonly subject: ReadonlySet<string>;
  /** The same with the parts of identifiers. */
  readonly subjectParts: ReadonlySet<string>;
}

/** The most words, or parts of words, of a statement that is compared word by word. */
const MOST_WORDS_OF_FORM = 25;
/** The most words of what stands in the place of another thing. */
const MOST_WORDS_OF_THING = 2;
const PREPOSITION = /^(?:for|of)$/;
const CAPITAL = /^\p{Lu}/u;
const DIGIT = /\d/;
const POSSESSIVE = /['’]s$/;
const DETERMINER = /^(?:the|an?|our|my|your|his|her|its|their)$/;

/**
 * Whether the newer statement names another thing where the older one names the one that is asked for, which the newer one lacks: "the
 * bus to Kyoto" of the bus to Osaka, "the vet for our horses" of the vet for the cat, "invoice 207" of invoice 204.
 */
export function isOfOtherThing(asking: Asking, said: TwoStatements<StatementInParts>): boolean {
  return (
    standsInPlace(asking, said) ||
    hasOtherSubject(asking, said) ||
    fillsInForm(asking, said) ||
    hasOtherKey(asking, said) ||
    hasOtherNumber(asking, said)
  );
}

function standsInPlace({ subject }: Asking, { older, newer }: TwoStatements): boolean {
  const told = new Set(newer.words.map(({ stem }) => stem));
  const isGone = ({ stem }: Word) => subject.has(stem) && !told.has(stem);
  const stoodAt = new Set(older.words.flatMap((word, at) => (isGone(word) ? placesOf(older.words, at) : [])));
  return stoodAt.size > 0 && newer.words.some((_, at) => placesOf(newer.words, at).some((place) => stoodAt.has(place)));
}

/** Whether the newer one begins with a name where the older one begins with the one that is asked for: "Dave has moved", "Ann lives in Paris". */
function hasOtherSubject({ question }: Asking, { older, newer }: TwoStatements): boolean {
  const [mine, theirs] = [subjectBefore(older.words), subjectBefore(newer.words)];
  if (!mine || !theirs) return false;
  const has = (words: readonly Word[], { stem }: Word) => words.some((word) => word.stem === stem);
  const isAsked = question.some((word) => word.isName && word.stem === mine.stem);
  return isAsked && !has(newer.words, mine) && !has(older.words, theirs) && !has(question, theirs);
}

/** The first word, where it may be a name that stands right before its verb. */
function subjectBefore([first, verb]: readonly Word[]): Word | null {
  return first && verb && isThing(first) && CAPITAL.test(first.text) && hasVerb(verb.text) ? first : null;
}

/**
 * Whether the newer one has another thing between the same words: "Dana earns 20 an hour now" of "Bob earns 17 an hour", "deploys of
 * search" of "deploys of billing", and "Yusuf reports to Ann" of "Ann reports to Dave".
 */
function fillsInForm({ question, subjectParts }: Asking, { older, newer }: TwoStatements<StatementInParts>): boolean {
  const hasParts = [older, newer].some(({ words, parts }) => parts.length > words.length);
  const forms = [[older.words, newer.words] as const, ...(hasParts ? [[older.parts, newer.parts] as const] : [])];
  const gaps = forms
    .filter((form) => form.every(({ length }) => length <= MOST_WORDS_OF_FORM))
    .flatMap((form) => gapsBetween(...form));
  const isName = ({ stem }: Word) => question.some((word) => word.isName && word.stem === stem);
  return gaps.some(([mine, theirs]) => {
    const isAsked = (word: Word) =>
      subjectParts.has(word.stem) && isThing(word) && (isName(word) || !hasVerb(word.text));
    return (
      // What is shorter may be the value: "Hattersley: spruce" of "Hattersley: garden house, larch".
      mine.length <= theirs.length &&
      theirs.length <= MOST_WORDS_OF_THING &&
      mine.some((word) => isAsked(word) && theirs.every(({ stem }) => stem !== word.stem)) &&
      theirs.some(isThing)
    );
  });
}

/**
 * Whether both begin with a key, and these are of two things: that of the older one has a word of the question which the newer one lacks,
 * or both go on differently behind the same beginning. "SEARCH_POOL_SIZE=9" of PAYMENTS_POOL_SIZE, "[apollo] lead: Ann" of "[apollo] budget".
 */
function hasOtherKey({ subjectParts }: Asking, { older, newer }: TwoStatements<StatementInParts>): boolean {
  const [mine, theirs] = [older.key, newer.key];
  const isIn = (words: readonly Word[], { stem }: Word) => words.some((word) => word.stem === stem);
  const isGone = (word: Word) => isThing(word) && subjectParts.has(word.stem) && !isIn(newer.parts, word);
  const namesOther = theirs.some((word) => isThing(word) && !isIn(mine, word));
  if (namesOther && mine.some(isGone)) return true;
  const differs = mine.findIndex(({ stem }, at) => stem !== theirs[at]?.stem);
  const rest = theirs.slice(differs);
  // "Meeting now: Friday" is the meeting of "Meeting with Ann: Tuesday".
  const goesOn = differs > 0 && rest.some((word) => isThing(word) || DIGIT.test(word.text));
  return goesOn && mine.slice(differs).every((word) => !isIn(rest, word));
}

function hasOtherNumber({ question }: Asking, said: TwoStatements): boolean {
  const asked = numberedThings(question);
  if (asked.length === 0) return false;
  const [before, after] = [numberedThings(said.older.words), numberedThings(said.newer.words)];
  const isNamed = ([thing, number]: NumberedThing) => before.some(([of, is]) => of === thing && is === number);
  // "207 replaces 204" names it too. "User 51" does not name city 51 where the older one has another user, nor does "51 years".
  const isNamedStill = ([thing, number]: NumberedThing) =>
    after.some(([of, is]) => is === number && (of === thing || before.every(([kind]) => kind !== of)));
  return asked.some((one) => isNamed(one) && after.some(([of]) => of === one[0]) && !isNamedStill(one));
}

/** What stands behind somebody's own: "Ann's birthday". Before a name; before a thing "vet for", and no preposition alone: "a deposit of 200, for the cleaning too". */
function placesOf(words: readonly Word[], at: number): string[] {
  const word = words[at] as Word;
  const [preposition = '', before = ''] = [words[at - 2]?.lower, words[at - 1]?.lower];
  const head = words[at - 3];
  const isBehind = head?.isContent && PREPOSITION.test(preposition) && DETERMINER.test(before);
  const owned = words[at + 1];
  return [
    ...(owned && POSSESSIVE.test(word.text) ? [`'s ${owned.stem}`] : []),
    ...(word.isName && before ? [before] : []),
    ...(isBehind && isThing(word) ? [`${head.stem} ${preposition}`] : []),
  ];
}
