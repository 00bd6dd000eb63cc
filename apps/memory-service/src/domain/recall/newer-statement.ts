import type { ModelKind } from '../embedding/text-embedding.ts';
import { otherSubjects } from '../text/other-subject.ts';
import { type Word, wordsOf } from '../text/words.ts';
import type { Candidate } from './evidence.ts';
import {
  type AskedValue,
  askedValue,
  hasOtherValue,
  hasOtherValueOfIt,
  type ReadStatement,
  readStatement,
} from './other-value.ts';
import type { Question } from './question.ts';
import { addsOneThing, tellsOfChange } from './tells-of-change.ts';

/**
 * The least cosine of two statements at which another value of the kind that is asked for tells that the newer replaces the older.
 * Static vectors are closer to each other; without vectors nothing can tell.
 */
const ALIKE: Readonly<Record<ModelKind, number | null>> = { contextual: 0.5, static: 0.6, none: null };
/**
 * How much lower the score of the newer statement may be, because the older one names the subject in full; and how close it is at least
 * to the older one (their cosine) and to the question (its share of the older one's cosine with it) together. Chosen in coarse steps on
 * six data sets; docs/benchmarks/recall.md.
 */
interface Reach {
  readonly gap: number;
  readonly close: number;
}
const REACH: Reach = { gap: 1, close: 1 };
/** Of a statement of change; often it does not name the subject. */
const REACH_OF_A_CHANGE: Reach = { gap: 2.5, close: 0.6 };
/** How much lower the score is at most where both fit just as well. */
const SAME_FIT = 0.1;
/** How much less alike they may be where a statement of change has another value and most words of the question. */
const LESS_ALIKE = 0.2;
/** How many of the best may be replaced, and the last place from which one is moved. */
const REPLACED = 3;
const PLACES = 10;
/** The most words of a statement; a longer text has another value by chance. */
const MOST_WORDS = 120;
/** Characters that are read: more than MOST_WORDS words have. A text without blanks may be longer. */
const LOOKED_AT = 2_000;

/** A candidate with its place in a ranking. */
export interface Ranked {
  readonly candidate: Candidate;
  readonly fused: number;
  readonly text: string;
}

/** An answer in its new place. */
export interface Placed<T extends Ranked> {
  readonly answer: T;
  /** The older statement that it was moved before; null where it keeps its place. */
  readonly movedBefore: T | null;
}

/** People do many things of a kind, but keep one hour and one day for each. */
const OF_A_PERSON: ReadonlySet<AskedValue> = new Set(['clock', 'weekday']);

/** How sure it is that one statement replaces another. */
const SURENESS = { sameThing: 2, else: 1, none: 0 };

/**
 * Moves, for a question about the present, each statement that seems to replace one of the best three just before it: the surest
 * first, then the newest. What is moved itself has nothing moved before it. It hides nothing. A question that names a speaker moves
 * none unless it asks for an hour or a weekday.
 * @param ranked best first
 */
export function newerFirst<T extends Ranked>(
  question: Question,
  ranked: readonly T[],
  { likeness, model }: { likeness: (a: Candidate, b: Candidate) => number; model: ModelKind },
): Placed<T>[] {
  const kept = (answer: T): Placed<T> => ({ answer, movedBefore: null });
  const leastAlike = ALIKE[model];
  if (!question.asksPresent || leastAlike === null) return ranked.map(kept);
  const asked = askedValue(question.text);
  if (question.speaker !== null && !OF_A_PERSON.has(asked)) return ranked.map(kept);
  const surenessOf = comparison(question.text, { asked, leastAlike });
  const moved = new Set<T>();
  const newerThan = ranked.slice(0, REPLACED).map((older, place) => {
    const newer = ranked.slice(place + 1, PLACES).flatMap((answer) => {
      if (moved.has(older) || moved.has(answer) || saidAt(answer) <= saidAt(older)) return [];
      const sureness = surenessOf({
        older,
        newer: answer,
        alike: likeness(older.candidate, answer.candidate),
        isBest: place === 0,
      });
      return sureness === SURENESS.none ? [] : { answer, sureness };
    });
    for (const { answer } of newer) moved.add(answer);
    newer.sort((a, b) => b.sureness - a.sureness || saidAt(b.answer) - saidAt(a.answer));
    return newer.map(({ answer }) => ({ answer, movedBefore: older }));
  });
  return ranked.flatMap((answer, place) => [...(newerThan[place] ?? []), ...(moved.has(answer) ? [] : [kept(answer)])]);
}

interface Pair {
  readonly older: Ranked;
  readonly newer: Ranked;
  /** Their cosine. */
  readonly alike: number;
  /** Whether the older one is the best answer. */
  readonly isBest: boolean;
}

/** Tells how sure it is that a newer statement replaces an older one. */
function comparison(
  question: string,
  { asked, leastAlike }: { asked: AskedValue; leastAlike: number },
): (pair: Pair) => number {
  const subject = new Set(wordsOf(question).flatMap(({ isContent, stem }) => (isContent ? stem : [])));
  // Reading a statement costs more than all else here.
  const known = new Map<Ranked, ReadStatement>();
  const read = (one: Ranked) => {
    const statement = known.get(one) ?? readStatement(one.text.slice(0, LOOKED_AT));
    known.set(one, statement);
    return statement;
  };
  return ({ older, newer, alike, isBest }) => {
    const gap = older.fused - newer.fused;
    const [was, is] = [older.candidate.evidence, newer.candidate.evidence];
    // The cosine is 0 where one of them has no vector yet.
    const isWithin = (reach: Reach) => alike > 0 && gap <= reach.gap && is.cosine >= (reach.close - alike) * was.cosine;
    const isClose = isWithin(REACH);
    const change = newer.text.slice(0, LOOKED_AT);
    const isChange = isWithin(REACH_OF_A_CHANGE) && tellsOfChange(change);
    if ((!isClose && !isChange) || Math.max(was.words, is.words) > MOST_WORDS) return SURENESS.none;
    // Where the question names a speaker, somebody else may mean an hour of their own.
    if (is.speaker < was.speaker) return SURENESS.none;
    const said = { older: read(older), newer: read(newer) };
    if (isOfOtherSubject(subject, said.older.words, said.newer.words)) return SURENESS.none;
    if (isClose && hasOtherValueOfIt(asked, subject, said)) return SURENESS.sameThing;
    if (isChange && addsOneThing(asked, subject, { ...said, change })) return SURENESS.else;
    const isOther = asked === 'other' ? isChange && isAbout(subject, said.newer) : hasOtherValue(asked, said);
    const isNearlyAlike = alike >= leastAlike - LESS_ALIKE;
    if (isChange && isOther && asked !== 'other' && isNearlyAlike && holdsMost(subject, said.newer))
      return SURENESS.else;
    if (!isClose) return SURENESS.none;
    // Of two answers that fit alike and have no value to compare, such as names, the newer one holds.
    if (isBest && asked === 'other' && gap <= SAME_FIT) return SURENESS.else;
    return alike >= leastAlike && isOther ? SURENESS.else : SURENESS.none;
  };
}

/** Whether the newer statement says of another subject what the older one says of the one that is asked for. */
function isOfOtherSubject(asked: ReadonlySet<string>, older: readonly Word[], newer: readonly Word[]): boolean {
  return otherSubjects(older, newer)?.a.every(({ stem }) => asked.has(stem)) ?? false;
}

/** Whether a statement has a word of the question that tells its subject. */
function isAbout(asked: ReadonlySet<string>, { words }: ReadStatement): boolean {
  return words.some(({ isContent, stem }) => isContent && asked.has(stem));
}

/** Whether a statement has at least two of the words of the question that tell its subject, and half of them. */
function holdsMost(asked: ReadonlySet<string>, { words }: ReadStatement): boolean {
  const held = new Set(words.flatMap(({ isContent, stem }) => (isContent && asked.has(stem) ? stem : [])));
  return held.size >= 2 && held.size * 2 >= asked.size;
}

function saidAt({ candidate }: Ranked): number {
  return candidate.evidence.createdAt;
}
