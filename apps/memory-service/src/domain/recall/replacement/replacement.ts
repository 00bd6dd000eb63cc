import { recallText } from '../../memory/memory.ts';
import { otherSubjects } from '../../text/sentences/other-subject.ts';
import { numberedThings } from '../../text/words/numbered-things.ts';
import { withParts } from '../../text/words/parts-of-words.ts';
import { tellingTerms } from '../../text/words/telling-terms.ts';
import { termsOf } from '../../text/words/terms.ts';
import { type Word, wordsOf } from '../../text/words/words.ts';
import { type AskedValue, asksWhoOrWhere } from '../question/asked-value.ts';
import { isOfOtherThing } from './other-thing.ts';
import { hasOtherValue, hasOtherValueOfIt, repeatsValueOfIt, valuesAsked } from './other-value.ts';
import { fitsClosely, gapOf, isShorter, LOOKED_AT, mayReplace, type Pair, toldBy } from './pair.ts';
import {
  type ReadStatement,
  readStatement,
  type StatementInParts,
  type TwoStatements,
  toldBeside,
} from './read-statement.ts';
import { isSameButValue } from './same-but-value.ts';
import {
  addsName,
  addsOneThing,
  endsIt,
  hintsAtChange,
  isSettled,
  leavesOutSubject,
  namesReplaced,
  namesReplacedValue,
  tellsOfChange,
} from './tells-of-change.ts';
import { overrules } from './verdict.ts';

/** How much lower the score is at most where both fit just as well. */
const SAME_FIT = 0.1;
/** How much less alike they may be where a statement of change has another value and most words of the question, or takes up the older one. */
const LESS_ALIKE = 0.2;
/** The same where there is no value to compare. */
const LITTLE_LESS_ALIKE = 0.05;
/** How much more alike they have to be where no word of change or of the question tells. */
const MORE_ALIKE = 0.1;
/**
 * Where the question is whether something is still so: how much less alike the nearest later statement may be, and its least share of
 * the older one's cosine with the question. Chosen on 74 triples of bench/memory/short-updates.json.
 */
const LESS_ALIKE_STILL = 0.1;
const FIT_STILL = 0.6;
/** The same share where both are of who asks of themselves. */
const FIT_OF_SELF = 0.8;
/** The most values of a kind that what takes up another statement has: a day and an hour. With more it tells of several things. */
const MOST_VALUES = 2;
/** The most words of a statement that says one thing. */
const SHORT_WORDS = 25;
/** Of one person, who is the user where an agent notes it. "We" is in most of what a team says. */
const OF_SELF = /^(?:i|me|my|mine|i['’](?:m|ve|d|ll)|user)$/;
/** The name of one person or thing: it has small letters, as capitals alone are abbreviations, or a number: SHOP-101. */
const OF_ONE = /^\p{Lu}[\p{Ll}\p{M}]|\p{L}[-_#]\d/u;
/** "E2", "PX14". */
const OF_A_MODEL = /\p{L}\d/u;

/** How sure it is that one statement replaces another. */
export const SURENESS = { sameThing: 2, else: 1, none: 0 };

interface Asked {
  readonly asked: AskedValue;
  /** Stems of the words of the question that tell its subject. */
  readonly subject: ReadonlySet<string>;
  /** The least cosine of two statements of which one replaces the other, where words of the question or a change tell so. */
  readonly leastAlike: number;
}

/** What is compared of two statements; of the newer one without what it asks. */
interface Compared extends TwoStatements, Pick<Pair, 'alike' | 'isBest'> {
  /** How much lower the score of the newer one is. */
  readonly gap: number;
  readonly isClose: boolean;
  readonly isShort: boolean;
  /** Whether the newer one tells of a change. */
  readonly isChange: boolean;
  /** Whether the older one is the best answer, and the newer one takes up what it tells: as a later mention, or as the nearest. */
  readonly isOfBest: boolean;
  /** Whether the newer one is a later mention of it, of which more is known than that it is the nearest. */
  readonly isTakenUp: boolean;
  /** Whether both are of who asks of themselves. */
  readonly isOfSelf: boolean;
  /** The newer one's cosine with the question as a share of the older one's. */
  readonly share: number;
  /** Whether the newer one asks too; that may be what fits so well. */
  readonly isAsking: boolean;
  /** How many words of the question that tell its subject the newer one has. */
  readonly held: number;
  /** Whether it has one, or both are of who asks. */
  readonly isAbout: boolean;
}

interface Asking extends Asked {
  readonly asksMeasure: boolean;
  /** Whether it asks if something is still so. */
  readonly asksStill: boolean;
  /** Whether it only names a thing. */
  readonly namesThing: boolean;
  /** Whether who asks asks of themselves. */
  readonly asksOfSelf: boolean;
  /** The question, and its words. */
  readonly text: string;
  readonly question: readonly Word[];
  /** What tells its subject, with the parts of identifiers. */
  readonly subjectParts: ReadonlySet<string>;
  /** Stems of all that may name one person, thing or model, a first word with a capital too. */
  readonly particulars: readonly string[];
  /** Stems of those that may be the name of one person or thing. */
  readonly names: ReadonlySet<string>;
  /** Stems of the words beside the name of a person of whom many things are told; null: the question is of no such person. */
  readonly besidePerson: ReadonlySet<string> | null;
  // What is read of the beginning of a text, once of each: that costs more than all else here.
  readonly read: (text: string) => StatementInParts;
  readonly tellsChange: (text: string) => boolean;
  readonly hintsChange: (text: string) => boolean;
}

/** Tells how sure it is that a newer statement replaces an older one. */
export function surenessOfReplacement(
  question: string,
  {
    asked,
    leastAlike,
    asksAhead,
    asksStill,
    namesThing,
    person,
  }: Pick<Asking, 'asked' | 'leastAlike' | 'asksStill' | 'namesThing'> & {
    readonly asksAhead: boolean;
    /** The name of a person of whom many things are told that the question names; null: it names none. */
    readonly person: string | null;
  },
): (pair: Pair) => number {
  const words = wordsOf(question.slice(0, LOOKED_AT));
  const subject = subjectOf(words, { asksAhead });
  const asking = {
    asked,
    leastAlike,
    asksStill,
    namesThing,
    text: question,
    question: words,
    particulars: words.flatMap(({ text, stem }) => (OF_ONE.test(text) || OF_A_MODEL.test(text) ? stem : [])),
    names: new Set(words.flatMap(({ isName, text, stem }) => (isName && OF_ONE.test(text) ? stem : []))),
    subject,
    subjectParts: new Set([...subject, ...subjectOf(withParts(words), { asksAhead })]),
    asksMeasure: !asksWhoOrWhere(question),
    asksOfSelf: words.some(saysOfSelf),
    besidePerson: person === null ? null : contentBeside(person, words),
    read: onceOfEach((text) => readStatement(text.slice(0, LOOKED_AT))),
    tellsChange: onceOfEach(tellsOfChange),
    hintsChange: onceOfEach(hintsAtChange),
  };
  return (pair) => surenessOf(pair, asking);
}

function onceOfEach<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text) ?? read(text);
    known.set(text, found);
    return found;
  };
}

function subjectOf(question: readonly Word[], { asksAhead }: { asksAhead: boolean }): ReadonlySet<string> {
  // Two things of the same day have its name in common, and are two things.
  const isOfSubject = ({ isContent, lower }: Word) =>
    isContent && (!asksAhead || tellingTerms(termsOf(lower), { namesTime: true }).length > 0);
  return new Set(question.flatMap((word) => (isOfSubject(word) ? word.stem : [])));
}

/** First what needs no reading, then what keeps the two apart, then what tells of a replacement; the surest of these before the others. */
function surenessOf(pair: Pair, asking: Asking): number {
  const { asked, subject, leastAlike, asksMeasure, namesThing, read } = asking;
  if (tellsElseOfPerson(pair.newer, asking)) return SURENESS.none;
  if (isOverruled(pair, asking)) return SURENESS.else;
  if (!mayReplace(pair)) return SURENESS.none;
  const change = toldBy(pair.newer);
  if (change === '') return SURENESS.none;
  const isClose = fitsClosely(pair);
  const isShort = isShorter(pair, SHORT_WORDS);
  const leadingBy = leadingFrom(pair, change);
  // Where no value is asked for, a hint in what is only alike is no sign.
  const mayHint = leadingBy !== null && (leadingBy !== 'likeness' || asked !== 'other');
  const isChange = mayHint ? asking.hintsChange(change) : asking.tellsChange(change);
  // Words alone tell nothing of other pairs.
  if (!mayTellStill(asking) && !isClose && !isChange && !(isShort && pair.alike >= leastAlike + MORE_ALIKE))
    return SURENESS.none;
  const said = { older: read(pair.older.text), newer: read(change) };
  if (isOfOtherSubject(subject, said) || isOfOtherThing(asking, said)) return SURENESS.none;
  const held = wordsHeld(subject, said.newer);
  const hasOther = isClose && asksMeasure && hasOtherValueOfIt(asked, subject, said);
  if (namesThing) {
    if (leavesOutName(asking, said)) return SURENESS.none;
    const isMostOfIt = hasMajority(subject, held);
    if (isMostOfIt && isSameButValue(pair.older.text, pair.newer.text, asking.text)) return SURENESS.sameThing;
    const isSettledChange = isChange && isSettled(change);
    // Of one person or thing many things change; a value that is asked for is one of them.
    const tellsAnew = asked === 'other' ? isSettledChange && isMostOfIt : isSettledChange || (hasOther && isMostOfIt);
    if (!tellsAnew) return SURENESS.none;
  }
  if (hasOther) return SURENESS.sameThing;
  // Of one person there are many values.
  const isOfSelf = asked === 'other' && areOfSelf(said, asking);
  const isAbout = held > 0 || isOfSelf;
  if (mayTellStill(asking) && isAbout && tellsStill(pair, asking)) return SURENESS.else;
  const isAsking = pair.newer.candidate.evidence.isQuestion;
  // In a small store each word is rare: "My sister is down to 61 kilos" takes up "I weigh 84 kilos". Something is always the nearest.
  const isOfBest = leadingBy === 'name' || (leadingBy !== null && isAbout);
  const compared = {
    ...pair,
    ...said,
    gap: gapOf(pair),
    isClose,
    isShort,
    isChange,
    isOfBest,
    isTakenUp: leadingBy === 'name' || leadingBy === 'words',
    isOfSelf,
    isAsking,
    held,
    isAbout,
    share: shareOfFit(pair),
  };
  return replaces(compared, change, asking) ? SURENESS.else : SURENESS.none;
}

function replaces(compared: Compared, change: string, asking: Asking): boolean {
  const { asked, subject, read } = asking;
  const { older, isBest, isChange, isAbout, isTakenUp } = compared;
  if (asked === 'other' && tellsElseOfOne(compared, asking)) return false;
  if (isChange && addsOneThing(asked, subject, { older, change, read })) return true;
  const isOfIt = isAbout || (isBest && leavesOutSubject(change));
  if (isChange && isOfIt && namesReplaced(subject, older, change)) return true;
  if (isChange && (isAbout || isTakenUp) && namesReplacedValue(asked, compared, change)) return true;
  if (isChange && endsIt(subject, older, change)) return true;
  return asked === 'other' ? replacesOther(compared, asking) : replacesValue(compared, asking);
}

/**
 * Whether the newer statement may tell something else of the person that the question names: it tells no change, or has not more than
 * half of the question's other words. "My sister moved away, so the second key is with Mrs Haas now" has those of "Who has the second key
 * to Mr Tran's flat?".
 */
function tellsElseOfPerson(newer: Pair['newer'], { besidePerson, read, tellsChange }: Asking): boolean {
  if (besidePerson === null) return false;
  const told = toldBy(newer);
  if (besidePerson.size === 0 || !tellsChange(told)) return true;
  return wordsHeld(besidePerson, read(told)) * 2 <= besidePerson.size;
}

function contentBeside(person: string, question: readonly Word[]): ReadonlySet<string> {
  const names = new Set(wordsOf(person).flatMap(({ isContent, stem }) => (isContent ? stem : [])));
  return new Set(question.flatMap(({ isContent, stem }) => (isContent && !names.has(stem) ? stem : [])));
}

function mayTellStill({ asksStill, asked }: Asking): boolean {
  return asksStill && asked === 'other';
}

/** Whether the newer one decides on something otherwise than the older one says, however little it has of its words. */
function isOverruled({ older, newer, proposalAlike: alike }: Pair, asking: Asking): boolean {
  const { asked, subject, read } = asking;
  const { verdictIn: thread } = newer;
  if (thread === null) return false;
  const told = read(older.text);
  if (!overrules(asked, subject, { older: older.candidate, newer: newer.candidate, ...thread, alike, told }))
    return false;
  return [recallText(thread.proposal.stored.memory), newer.text].every((text) => {
    const said = { older: told, newer: read(text) };
    return !isOfOtherSubject(subject, said) && !isOfOtherThing(asking, said);
  });
}

/** Who asks whether something is still so doubts it: what was said last of it is the answer, with or without a word of change. */
function tellsStill({ older, newer, alike, isNearest }: Pair, { leastAlike }: Asked): boolean {
  const [before, after] = [older, newer].map(({ candidate }) => candidate.evidence.cosine) as [number, number];
  return isNearest && alike >= leastAlike - LESS_ALIKE_STILL && after >= before * FIT_STILL;
}

/** Whether the newer one has another value of the kind that is asked for and speaks of the same, as far as can be told. */
function replacesValue(compared: Compared, { asked, subject, leastAlike }: Asked): boolean {
  const { alike, held, isClose, isChange, isShort, isOfBest } = compared;
  const isVeryAlike = alike >= leastAlike + MORE_ALIKE;
  const isOfAsked = held > 0 || subject.size === 0;
  const hasMost = held >= 2 && held * 2 >= subject.size;
  const changesBest =
    isOfBest && valuesAsked(asked, compared.newer).length <= MOST_VALUES && !repeatsValueOfIt(asked, subject, compared);
  const isOfSame =
    (isClose && (isVeryAlike || (isOfAsked && alike >= leastAlike))) ||
    (isChange && (hasMost || changesBest) && alike >= leastAlike - LESS_ALIKE) ||
    (isShort && isVeryAlike && held > 0);
  return isOfSame && hasOtherValue(asked, compared);
}

/** Whether the newer one answers the question as well, where there is no value to compare, such as of names. */
function replacesOther(compared: Compared, { subject, leastAlike }: Asked): boolean {
  const { alike, gap, held, isAbout, isBest, isClose, isChange, isAsking, isShort, isOfBest, isOfSelf, share } =
    compared;
  if (isBest && isClose && gap <= SAME_FIT && !isAsking) return true;
  const hasAll = held >= 2 && held === subject.size;
  if (isBest && isClose && isShort && hasAll && alike >= leastAlike + MORE_ALIKE) return true;
  if (!isChange || !isAbout) return false;
  if (isOfSelf && isOfBest && alike >= leastAlike - LESS_ALIKE && share >= FIT_OF_SELF) return true;
  if (isOfBest && !isAsking && alike >= leastAlike - LITTLE_LESS_ALIKE && takesUpAnswer(subject, compared)) return true;
  return alike >= leastAlike && (isClose || addsName(subject, compared));
}

/**
 * Whether the newer one has nothing of the question but the name of one person or thing, no further word of the older one, and is not very much
 * like it. Of one person many different things are told: "Ann has moved to Oslo" is no other pet than "Ann has a cat".
 */
function tellsElseOfOne(compared: Compared, { subject, names, leastAlike, asksStill }: Asking): boolean {
  const { alike, held, newer } = compared;
  if (held === 0 || asksStill || alike >= leastAlike + MORE_ALIKE) return false;
  const hasNamesAlone = newer.words.every(({ stem }) => names.has(stem) || !subject.has(stem));
  return hasNamesAlone && !takesUpAnswer(subject, compared) && !numbersAnew(names, compared);
}

/** Whether both number what the question names, and not alike: "Node 20 is required", "We are on Node 22 now". */
function numbersAnew(names: ReadonlySet<string>, { older, newer }: TwoStatements): boolean {
  const before = numberedThings(older.words).filter(([thing]) => names.has(thing));
  const after = numberedThings(newer.words);
  return before.some(([thing, number]) => after.some(([of, is]) => of === thing && is !== number));
}

/** What leads from the best answer to what was said later and is settled; null: nothing does. */
function leadingFrom({ older, newer, isBest, isNearest }: Pair, change: string): 'name' | 'words' | 'likeness' | null {
  if (!isBest || !isSettled(change)) return null;
  const { takesUp } = newer;
  if (takesUp?.candidate === older.candidate) return takesUp.isNamed ? 'name' : 'words';
  return isNearest ? 'likeness' : null;
}

/** Whether the newer statement says of another subject what the older one says of the one that is asked for. */
function isOfOtherSubject(subject: ReadonlySet<string>, { older, newer }: TwoStatements): boolean {
  return otherSubjects(older.words, newer.words)?.a.every(({ stem }) => subject.has(stem)) ?? false;
}

/** Whether the newer statement has a word of the older one beside those of the question: "Imhoff retires", of the adviser Imhoff. */
function takesUpAnswer(subject: ReadonlySet<string>, { older, newer }: TwoStatements): boolean {
  const told = toldBeside(subject, older);
  return newer.words.some(({ stem }) => told.has(stem));
}

/** Whether who asks of themselves is who both statements are of: "I moved to Porto" has a word of "Where do I live?" as "Ann moved" has one of "Where does Ann live?". */
function areOfSelf({ older, newer }: TwoStatements, { asksOfSelf }: Asking): boolean {
  return asksOfSelf && older.words.some(saysOfSelf) && newer.words.some(saysOfSelf);
}

function saysOfSelf({ lower }: Word): boolean {
  return OF_SELF.test(lower);
}

function shareOfFit({ older, newer }: Pair): number {
  return newer.candidate.evidence.cosine / older.candidate.evidence.cosine;
}

/** Whether the older statement has a name of the question, of one person, thing or model, and the newer one lacks it. */
function leavesOutName({ particulars }: Asking, { older, newer }: TwoStatements): boolean {
  const has = ({ words }: ReadStatement, stem: string) => words.some((word) => word.stem === stem);
  return particulars.some((stem) => has(older, stem) && !has(newer, stem));
}

/** Whether the newer statement has more than half of the words of a query that names a thing, and not only its name. */
function hasMajority(subject: ReadonlySet<string>, held: number): boolean {
  return held >= 2 && held * 2 > subject.size;
}

function wordsHeld(subject: ReadonlySet<string>, { words }: ReadStatement): number {
  return new Set(words.flatMap(({ isContent, stem }) => (isContent && subject.has(stem) ? stem : []))).size;
}
