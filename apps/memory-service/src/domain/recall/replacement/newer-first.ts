import type { ModelKind } from '../../embedding/text-embedding.ts';
import type { Candidate } from '../evidence/evidence.ts';
import { type AskedValue, askedValue, asksWhoOrWhere } from '../question/asked-value.ts';
import type { Question } from '../question/question.ts';
import { isOfOtherDay } from './other-day.ts';
import { type Pair, type Ranked, toldBy } from './pair.ts';
import { SURENESS, surenessOfReplacement } from './replacement.ts';
import { isSameButValue, isSameToDo } from './same-but-value.ts';

/**
 * The least cosine of two statements at which another value of the kind that is asked for tells that the newer replaces the older.
 * Static vectors are closer to each other; without vectors nothing can tell.
 */
const ALIKE: Readonly<Record<ModelKind, number | null>> = { contextual: 0.5, static: 0.6, none: null };
/** How many of the best may be replaced. */
const BEST_REPLACED = 3;
/** The most words of an answer that may be the nearest to the best one. */
const MOST_WORDS_OF_NEAREST = 60;
/** However few answers are wanted. */
export const LAST_PLACE_MOVED_FROM = 15;

/** An answer in its new place. */
export interface Placed<T extends Ranked> {
  readonly answer: T;
  /** The older statement that it was moved before; null where it keeps its place. */
  readonly movedBefore: T | null;
}

/** People do many things of a kind, but keep one hour and one day for each. */
const OF_A_PERSON: ReadonlySet<AskedValue> = new Set(['clock', 'weekday']);

/**
 * Moves, for a question about the present, each statement that seems to replace one of the best three just before it: the surest first,
 * then the newest. What is moved itself has nothing moved before it. It hides nothing. For a question that names a speaker and asks for
 * no hour or weekday, but for another value, a person or a place, only a change that has most of its other words is moved. Of a query
 * that only names a thing, which may ask for something else, more has to tell that a statement replaces another. For a question about the
 * past, what says the same with another value is moved. Whatever is asked, so is the same to-do with another box: "- [x] pay the plumber"
 * before "- [ ] pay the plumber".
 * @param ranked best first
 */
export function newerFirst<T extends Ranked>(
  question: Question,
  ranked: readonly T[],
  { likeness, model }: { likeness: (a: Candidate, b: Candidate) => number; model: ModelKind },
): Placed<T>[] {
  const kept = (answer: T): Placed<T> => ({ answer, movedBefore: null });
  const surenessOf = surenessFor(question, model);
  // Of any other question the texts alone tell.
  const isCompared = mayAskPresent(question);
  const moved = new Set<T>();
  const newerThan = ranked.slice(0, BEST_REPLACED).map((older, place) => {
    const nearest = isCompared && (place === 0 || question.asksStill) ? nearestLater(older, ranked, likeness) : null;
    const newer = ranked.slice(place + 1, LAST_PLACE_MOVED_FROM).flatMap((answer) => {
      if (moved.has(older) || moved.has(answer) || saidAt(answer) <= saidAt(older)) return [];
      const sureness = surenessOf({
        older,
        newer: answer,
        alike: isCompared ? likeness(older.candidate, answer.candidate) : 0,
        isBest: place === 0,
        isNearest: answer === nearest,
        proposalAlike: answer.verdictIn === null ? 0 : likeness(older.candidate, answer.verdictIn.proposal),
      });
      return sureness === SURENESS.none ? [] : { answer, sureness };
    });
    for (const { answer } of newer) moved.add(answer);
    newer.sort((a, b) => b.sureness - a.sureness || saidAt(b.answer) - saidAt(a.answer));
    return newer.map(({ answer }) => ({ answer, movedBefore: older }));
  });
  return ranked.flatMap((answer, place) => [...(newerThan[place] ?? []), ...(moved.has(answer) ? [] : [kept(answer)])]);
}

/** What is the most alike to an answer of what was told after it; null where nothing was. Long texts are near to much, and who asks repeats what is told. */
function nearestLater<T extends Ranked>(
  older: T,
  ranked: readonly T[],
  likeness: (a: Candidate, b: Candidate) => number,
): T | null {
  let nearest: T | null = null;
  let most = 0;
  for (const answer of ranked.slice(0, LAST_PLACE_MOVED_FROM)) {
    if (saidAt(answer) <= saidAt(older) || answer.candidate.evidence.words > MOST_WORDS_OF_NEAREST) continue;
    const alike = likeness(older.candidate, answer.candidate);
    if (alike <= most || toldBy(answer) === '') continue;
    nearest = answer;
    most = alike;
  }
  return nearest;
}

type SurenessOf = (pair: Pair) => number;

/** Tells how sure it is that one statement replaces another. The same to-do with another box does, whatever is asked. */
function surenessFor(question: Question, model: ModelKind): SurenessOf {
  const surenessOf = mayAskPresent(question) ? surenessAtPresent(question, model) : surenessInPast(question);
  return (pair) =>
    isSameToDo(pair.older.text, pair.newer.text) ? SURENESS.sameThing : (surenessOf?.(pair) ?? SURENESS.none);
}

function mayAskPresent({ asksPresent, namesThing }: Question): boolean {
  return asksPresent || namesThing;
}

function surenessAtPresent(question: Question, model: ModelKind): SurenessOf | null {
  const leastAlike = ALIKE[model];
  if (leastAlike === null) return null;
  const asked = askedValue(question.text);
  if (question.speaker !== null && asked === 'other' && !asksWhoOrWhere(question.text)) return null;
  const person = OF_A_PERSON.has(asked) ? null : question.speaker;
  const surenessOf = surenessOfReplacement(question.text, { ...question, asked, leastAlike, person });
  return question.asksAhead ? (pair) => (isOfOtherDay(pair) ? SURENESS.none : surenessOf(pair)) : surenessOf;
}

/** What was so once holds whatever is said later, unless the same is said anew with another value. */
function surenessInPast({ asksPast, speaker, text }: Question): SurenessOf | null {
  if (!asksPast || speaker !== null) return null;
  return ({ older, newer }) => (isSameButValue(older.text, newer.text, text) ? SURENESS.sameThing : SURENESS.none);
}

function saidAt({ candidate }: Ranked): number {
  return candidate.evidence.createdAt;
}
