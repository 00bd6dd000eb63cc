import { hasVerb } from '../text/clauses.ts';
import { otherSubjects } from '../text/other-subject.ts';
import { isBareVersion } from '../text/values/differ.ts';
import type { Value } from '../text/values/value.ts';
import { stemOf } from '../text/words.ts';
import type { Clash } from './clashes/clash.ts';
import { type Overlap, unlikeTerms } from './overlap.ts';
import { isOneOfRelative } from './relatives.ts';
import { isRepeated } from './repeated.ts';
import { saidByClash } from './said-by-clash.ts';
import { nameOthers, nameTheSame } from './statements/identifiers.ts';
import { type Marks, marksOf, NO_MARKS } from './statements/marks.ts';
import { tellApart, tellsWhich } from './statements/opposites.ts';
import { type Sentence, type Statement, stemsAt } from './statements/statement.ts';
import { tellsOfChange } from './told-change.ts';

/** Two statements as the vetoes read them. */
interface Look {
  readonly a: Statement;
  readonly b: Statement;
  /** Strongest first. */
  readonly clashes: readonly Clash[];
  /** The sentence of each side that holds what both share. */
  readonly mine: Sentence;
  readonly theirs: Sentence;
  /** The marks of these sentences without those that stand beside the strongest clash. */
  readonly marksOfMine: Marks;
  readonly marksOfTheirs: Marks;
}

/** Each veto with its rule. All but `told_change` are symmetric in a, the older one, and b. */
const RULES = {
  question: ({ mine, theirs }) => mine.marks.isQuestion || theirs.marks.isQuestion,
  conditional: ({ mine, theirs }) => mine.marks.isConditional || theirs.marks.isConditional,
  doubtful: ({ mine, theirs }) => mine.marks.isDoubtful || theirs.marks.isDoubtful,
  plan: ({ marksOfMine, marksOfTheirs }) => marksOfMine.isPlan !== marksOfTheirs.isPlan,
  other_time: areOfOtherTimes,
  rough: ({ marksOfMine, marksOfTheirs }) => marksOfMine.isRough !== marksOfTheirs.isRough,
  additive: ({ a, b, clashes, marksOfMine, marksOfTheirs }) =>
    marksOfMine.isAdditive !== marksOfTheirs.isAdditive || verbTakesBoth(a, b, clashes[0]),
  other_identifier: ({ a, b }) => valuesDiffer(a, b, 'identifier'),
  other_subject: areAboutOthers,
  other_one: ({ a, b }) => speakOfAnotherOne(a, b),
  exclaimed: ({ a, b }) => a.isTalk || b.isTalk,
  intent: (look) => look.mine.marks.isIntent || look.theirs.marks.isIntent || isAskedFor(look) || isWishedFor(look),
  own_words: (look) => isOwnAffair(look) && !isTakenBack(look),
  calculation: ({ mine, theirs }) => CALCULATES.test(mine.text) && CALCULATES.test(theirs.text),
  answer: ({ a, b }) => isOfAnswer(a) || isOfAnswer(b),
  other_speaker: ({ a, b }) => a.own !== null && b.own !== null && a.own !== b.own,
  repeated: ({ a, b, clashes }) => clashes.length === 0 && isRepeated(a, b),
  told_change: ({ a, b, clashes }) => tellsOfChange(a, b, clashes[0] ?? null),
} satisfies Readonly<Record<string, (look: Look) => boolean>>;

/** A veto that is read off the two statements alone. */
type OfStatements = keyof typeof RULES;

/** A reason why two statements that look contrary may both hold. `series` and `crowded` are read off the memories beside them. */
export type Veto = OfStatements | 'series' | 'crowded';

const OF_STATEMENTS = Object.keys(RULES) as OfStatements[];
export const VETOES: readonly Veto[] = [...OF_STATEMENTS, 'series', 'crowded'];

/** All vetoes of a pair; empty when there is none. */
export function vetoesOf(
  a: Statement,
  b: Statement,
  { overlap, clashes }: { overlap: Overlap; clashes: readonly Clash[] },
): Veto[] {
  const [mine, theirs] = [sentenceOn(a, overlap), sentenceOn(b, overlap)];
  const [clash] = clashes;
  const look = {
    a,
    b,
    clashes,
    mine,
    theirs,
    marksOfMine: clash ? marksNear(mine, a, clash.a) : mine.marks,
    marksOfTheirs: clash ? marksNear(theirs, b, clash.b) : theirs.marks,
  };
  return OF_STATEMENTS.filter((veto) => RULES[veto](look));
}

/** Whether they are about two people, things or cases. */
function areAboutOthers({ a, b, clashes, mine, theirs }: Look): boolean {
  const [clash] = clashes;
  return (
    isOneOfRelative(a, b) ||
    nameOtherTickets({ ...mine, in: a }, { ...theirs, in: b }) ||
    otherSubjects(mine.words, theirs.words) !== null ||
    (clashes.some(({ reason }) => MEASURED.has(reason)) && areOtherEnds(mine.text, theirs.text)) ||
    (clash !== undefined && nameOtherGroups(a, b, clash)) ||
    nameOthersOfAKind(
      mine,
      theirs,
      clashes.map((one) => ({ a: stemsAt(a, one.a), b: stemsAt(b, one.b) })),
    )
  );
}

/** "Please prepare the agenda" clashes with nothing; "please no cilantro" does, with liking it. */
function isAskedFor({ clashes, mine, theirs }: Look): boolean {
  return clashes.length === 0 && (mine.marks.isRequest || theirs.marks.isRequest);
}

/** Whether one only says what somebody would like: "wants to work four days", "works five days". */
function isWishedFor({ clashes, mine, theirs }: Look): boolean {
  return (
    clashes[0] !== undefined && MEASURED.has(clashes[0].reason) && WISHES.test(mine.text) !== WISHES.test(theirs.text)
  );
}

const WISHES = /\b(?:wants?|wanted|hop(?:es?|ed|ing)|wish(?:es)?|would (?:like|love)|dreams?|longs?) to\b/i;

/**
 * Whether one speaker tells of their own affairs at two times. Their dates, numbers and plans differ because life goes on, or because
 * each is of another thing.
 */
function isOwnAffair({ a, b }: Look): boolean {
  return a.speaker === b.speaker && (a.self !== null || b.self !== null);
}

/** Whether one side denies what the other says. A plan does not take back "I've never done it". */
function isTakenBack({ clashes, mine, theirs }: Look): boolean {
  return TAKEN_BACK.has(clashes[0]?.reason ?? '') && mine.marks.isIntent === theirs.marks.isIntent;
}

const TAKEN_BACK = new Set<string>(['negation', 'antonym', 'preference']);
const MEASURED = new Set<string>(['number', 'date', 'state']);
const FIRST_END = /\b(?:starts?|begins?|began|opens?|kicks? off|min(?:imum)?|at least|arriv(?:es?|al))\b/i;
const LAST_END =
  /\b(?:ends?|ended|finish(?:es)?|clos(?:es?|ing)|is over|until|max(?:imum)?|at most|up to|expires?|leaves?|departs?|departure)\b/i;

/** Whether one is about where a thing begins and the other about where it ends: "The pool opens at 7", "The pool closes at 9". */
function areOtherEnds(a: string, b: string): boolean {
  const [first, last] = [a, b].map((text) => [FIRST_END.test(text), LAST_END.test(text)].join());
  return first !== last && [first, last].includes('true,false') && [first, last].includes('false,true');
}

/** Verbs of which one may do several: somebody who speaks French may speak German too. */
const OF_MANY = new Set(
  'speak know support visit sell offer serve play teach collect read watch follow contain include like love enjoy'
    .split(' ')
    .map(stemOf),
);

/** Whether two names clash that stand right after the same verb, which may take both. */
function verbTakesBoth(a: Statement, b: Statement, clash: Clash | undefined): boolean {
  if (clash?.reason !== 'name') return false;
  const before = ({ words }: Statement, places: readonly number[]) => words[(places[0] as number) - 1]?.stem ?? '';
  const [mine, theirs] = [before(a, clash.a), before(b, clash.b)];
  return mine === theirs && OF_MANY.has(mine);
}

/** A formula, or a fraction that is a result: two of these are steps, or of two exercises. */
const CALCULATES = /\b\p{L}\([^)]{1,20}\)|[=≈]\s?-?\d|\d\s?[×÷*^√]\s?\d|\b(?:is|are|of)\s\d+\/\d+\b/u;

/** An assistant's long answer explains and plays through: little of it is a claim about what its reader has or does. */
function isOfAnswer({ extent }: Statement): boolean {
  return extent === 'part of answer';
}

/** The sentence that holds most of the shared words. */
function sentenceOn(statement: Statement, { shared }: Overlap): Sentence {
  let best = statement.sentences[0];
  if (best && statement.sentences.length === 1) return best;
  let most = -1;
  let start = 0;
  for (const sentence of statement.sentences) {
    const from = statement.text.indexOf(sentence.text, start);
    const to = from + sentence.text.length;
    start = to;
    const about = shared.filter((stem) =>
      statement.terms.get(stem)?.some((at) => {
        const word = statement.words[at];
        return word && word.start >= from && word.end <= to;
      }),
    ).length;
    if (about > most) {
      most = about;
      best = sentence;
    }
  }
  return best ?? { text: '', words: [], marks: NO_MARKS, subjects: [] };
}

/**
 * The marks of a sentence without those of its parts, between commas, that say something else beside the clash: "388 respondents,
 * mostly urban" is no rough number. A single word, such as "usually", belongs to the whole.
 */
function marksNear(
  sentence: Pick<Sentence, 'marks' | 'text'>,
  { text, words }: Statement,
  clash: readonly number[],
): Marks {
  if (!sentence.marks.isPlan && !sentence.marks.isRough && !sentence.marks.isAdditive) return sentence.marks;
  const from = text.indexOf(sentence.text);
  const places = clash.flatMap((at) => words[at]?.start ?? []).map((start) => start - from);
  let end = 0;
  const kept = sentence.text.split(PART).filter((part) => {
    const start = sentence.text.indexOf(part, end);
    end = start + part.length;
    return part.trim().split(/\s+/).length === 1 || places.some((place) => place >= start && place < end);
  });
  return places.some((place) => place >= 0 && place < sentence.text.length) ? marksOf(kept.join(', ')) : sentence.marks;
}

const PART = /[,;:]\s|\s[–—-]\s/;

function areOfOtherTimes({ a, b, clashes, mine: { marks: mine }, theirs: { marks: theirs } }: Look): boolean {
  if ((mine.isPast && theirs.isNow && !theirs.isPast) || (theirs.isPast && mine.isNow && !mine.isPast)) return true;
  if (OF_ONE_TENSE.has(clashes[0]?.reason ?? '') && areOfTwoTenses(a, b)) return true;
  if (isOver(a) !== isOver(b)) return true;
  // A list says how a thing is: "512 MB", "used 380 MB yesterday".
  if ([a, b].some(({ extent }) => extent === 'property') && mine.isPast !== theirs.isPast) return true;
  // What is said of another year, day or version besides is no contradiction; that one alone may be one.
  const isOtherOne = valuesDiffer(a, b, 'date') || valuesDiffer(a, b, 'weekday') || valuesDiffer(a, b, 'version');
  const isOtherYear =
    valuesDiffer(a, b, 'year') &&
    !(clashes.every(({ reason }) => reason === 'date') && isAllElseSaid(a, b, clashes[0]));
  return isOtherYear || (isOtherOne && clashes.some(({ reason }) => SAID_OF_ONE.has(reason)));
}

/** Whether it says till when something was so: "ate meat until he turned 20", "used to be full". */
function isOver({ text }: Statement): boolean {
  return OVER.test(text);
}

const OVER =
  /\bused to(?! it\b)|\bas a (?:child|kid|boy|girl|student|teenager)\b|^(?!.*\b(?:is|are|be|been)\b).*\b(?:was|were|had|did|ate|ran|went|kept|led|wrote|drove|spoke|sold|made|held|taught|[a-z]{2,}ed)\b(?:[^,;.]|\.(?=\d))*\b(?:until|till|up to)\b/i;

/** What was down this morning may be up: one says "was" and the other "is". What still is has not become so. */
function areOfTwoTenses(a: Statement, b: Statement): boolean {
  if ([a, b].some(({ text }) => /\b(?:is|are) still\b/i.test(text))) return false;
  const [mine, theirs] = [a, b].map(({ text }) => /\b(?:was|were|is|are)\b/i.exec(text)?.[0].toLowerCase());
  return mine !== undefined && theirs !== undefined && mine.startsWith('w') !== theirs.startsWith('w');
}

/** Whether one side has no content words that the other lacks: the museum was founded in 1887, or in 1903 by two brothers. */
function isAllElseSaid(a: Statement, b: Statement, clash: Clash | undefined): boolean {
  const said = clash ? saidByClash(a, b, clash) : { a: [], b: [] };
  return Math.min(unlikeTerms(a, b, said.a), unlikeTerms(b, a, said.b)) === 0;
}

/** A thing has a version, and is open, at a time. */
const OF_ONE_TENSE = new Set<string>(['antonym', 'version']);
const SAID_OF_ONE = new Set(['number', 'negation', 'antonym']);

/** Whether the statements are about two things of one kind: the north gate and the south gate, last year and this year. */
function speakOfAnotherOne(a: Statement, b: Statement): boolean {
  const only = (one: Statement, other: Statement) =>
    one.words.filter(({ stem }) => tellsWhich(stem) && !other.terms.has(stem));
  const theirs = only(b, a);
  return only(a, b).some((word) => theirs.some(({ stem }) => tellApart(word.stem, stem)));
}

/**
 * Whether something clashes beside two things of one kind, which a word before the same noun tells apart, or the second half of a
 * compound: "the north gate is locked" and "the south gate is open", "the 2019 edition" and "the 2025 edition", quail-small and
 * quail-base.
 */
function nameOthersOfAKind(
  a: Sentence,
  b: Sentence,
  clashes: readonly { readonly a: readonly string[]; readonly b: readonly string[] }[],
): boolean {
  const isBeside = (one: string, other: string) =>
    clashes.some((clash) => !clash.a.includes(one) || !clash.b.includes(other));
  const [kinds, compounds] = [kindsIn(b), compoundsIn(b)];
  const isOtherKind = kindsIn(a).some(({ kind, which }) =>
    kinds.some((other) => kind === other.kind && areApart(which, other.which) && isBeside(which, other.which)),
  );
  return (
    isOtherKind ||
    (clashes.length > 0 &&
      compoundsIn(a).some(({ kind, which }) => compounds.some((other) => kind === other.kind && which !== other.which)))
  );
}

/** Whether the two speak of two groups of people, and something clashes besides: "the mobile team", "the platform team". */
function nameOtherGroups(a: Statement, b: Statement, clash: Clash): boolean {
  const theirs = groupsIn(b, a, clash.b);
  return groupsIn(a, b, clash.a).some((group) => theirs.includes(group));
}

/** The groups before which a statement has a word that the other one lacks. */
function groupsIn(one: Statement, other: Statement, beside: readonly number[]): string[] {
  return one.words.flatMap(({ stem, isContent, isName, end }, at) => {
    const group = one.words[at + 1];
    const isTold = (isContent || isName) && !other.terms.has(stem) && !beside.includes(at);
    return group && GROUPS.has(group.lower) && isTold && one.text.slice(end, group.start) === ' ' ? [group.stem] : [];
  });
}

const GROUPS = new Set('team group class squad crew shift club department office'.split(' '));

interface OneOfAKind {
  readonly kind: string;
  readonly which: string;
}

/** Each noun with the word before it that tells which one it is. */
function kindsIn({ words }: Sentence): OneOfAKind[] {
  return words.flatMap(({ stem: which }, at) => {
    const noun = words[at + 1];
    return noun?.isContent && (tellsWhich(which) || YEAR.test(which)) ? [{ kind: noun.stem, which }] : [];
  });
}

function areApart(a: string, b: string): boolean {
  return tellApart(a, b) || (YEAR.test(a) && YEAR.test(b) && a !== b);
}

const YEAR = /^(?:19|20)\d\d$/;

/** Words such as quail-small and feature/login that stand before the verb, as a subject does. */
function compoundsIn({ text, words }: Sentence): OneOfAKind[] {
  return words.flatMap(({ lower, start }) => {
    const [, kind, which] = COMPOUND.exec(lower) ?? [];
    return kind && which && !hasVerb(text.slice(0, start)) ? [{ kind, which }] : [];
  });
}

const COMPOUND = /^(\p{L}{3,}[-/_.])(\p{L}{2,})$/u;

/** Whether the statements are about different tickets, builds or commits, and neither names one that the other is about. */
function nameOtherTickets(a: About, b: About): boolean {
  return (
    nameOthers(a.subjects, b.subjects) &&
    !nameTheSame(a.subjects, b.in.identifiers) &&
    !nameTheSame(b.subjects, a.in.identifiers)
  );
}

interface About extends Pick<Sentence, 'subjects'> {
  readonly in: Statement;
}

/** Both sides name values of the kind and unit, and none of them in common; beside a bare version all are of one unit. */
function valuesDiffer(a: Statement, b: Statement, kind: Value['kind']): boolean {
  const mine = a.values.filter((value) => value.kind === kind);
  const theirs = b.values.filter((value) => value.kind === kind);
  const isBare = [...mine, ...theirs].some(isBareVersion);
  const unitOf = (value: Value) => (isBare ? '' : value.unit);
  const units = new Set(mine.map(unitOf));
  return [...units].some((unit) => {
    const others = theirs.filter((value) => unitOf(value) === unit);
    const own = new Set(mine.filter((value) => unitOf(value) === unit).map(({ value }) => value));
    return others.length > 0 && !others.some(({ value }) => own.has(value));
  });
}
