import { otherSubjects } from '../../text/sentences/other-subject.ts';
import { stemOf } from '../../text/words/words.ts';
import type { Clash } from '../clashes/clash.ts';
import { type Marks, marksIn, NO_MARKS } from '../statements/marks.ts';
import type { Overlap } from '../statements/overlap.ts';
import { type Sentence, type Statement, stemsAt } from '../statements/statement.ts';
import {
  nameOtherGroups,
  nameOtherNumbers,
  nameOthersOfAKind,
  nameOtherTickets,
  speakOfAnotherOne,
} from './other-things.ts';
import { areOfOtherTimes } from './other-times.ts';
import { isOneOfRelative } from './relatives.ts';
import { isRepeated } from './repeated.ts';
import { isToldChange } from './told-change.ts';
import { valuesDiffer } from './values-differ.ts';

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
  told_change: ({ a, b, clashes }) => isToldChange(a, b, clashes[0] ?? null),
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
    nameOtherNumbers(mine, theirs) ||
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
  return places.some((place) => place >= 0 && place < sentence.text.length) ? marksIn(kept.join(', ')) : sentence.marks;
}

const PART = /[,;:]\s|\s[–—-]\s/;
