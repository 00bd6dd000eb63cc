import { atOnce, type Steps } from '@agent-faculties/service-kit';
import type { Clash } from '../clashes/clash.ts';
import { clashesOf } from '../clashes/clashes-of.ts';
import { areOfTwoCourses } from '../statements/courses.ts';
import { nameTheSame } from '../statements/identifiers.ts';
import { isLight } from '../statements/light.ts';
import { type Overlap, overlapOf } from '../statements/overlap.ts';
import { areShort, type Statement } from '../statements/statement.ts';
import { type StatementPair, statementPair, USUAL_COSINE } from './statement-pair.ts';

/** Two statements that may speak of one thing, and the evidence in their words. */
export interface PromisingPair {
  readonly pair: StatementPair;
  /** Higher is likelier. */
  readonly promise: number;
}

/** The statements of two memories, the older one's first. */
export interface TwoMemories {
  readonly first: readonly Statement[];
  readonly second: readonly Statement[];
  /** Of the memories; 0 where there are no vectors. */
  readonly cosine: number;
}

/**
 * The statements of two memories that can be held against each other, the more promising pair first. There are two pairs at most:
 * both memories whole, and the two claims that most likely have one subject.
 */
export interface Promising<T> {
  readonly of: T;
  readonly pairs: readonly PromisingPair[];
}

/** Two statements with as many words in common that they may speak of one thing. */
class Alike {
  readonly a: Statement;
  readonly b: Statement;
  readonly overlap: Overlap;
  /** Its place among all pairs of statements; of equally promising ones the first is taken. */
  readonly place: number;
  /** How likely both have one subject. */
  readonly likeness: number;
  #clashes: readonly Clash[] | undefined;

  constructor({ a, b, overlap, place, likeness }: Pick<Alike, 'a' | 'b' | 'overlap' | 'place' | 'likeness'>) {
    this.a = a;
    this.b = b;
    this.overlap = overlap;
    this.place = place;
    this.likeness = likeness;
  }

  get clashes(): readonly Clash[] {
    this.#clashes ??= clashesOf(this.a, this.b, this.overlap);
    return this.#clashes;
  }

  /** Its promise if there is no veto. */
  get promiseAtMost(): number {
    return this.likeness + CLASH_PROMISES * (this.clashes[0]?.strength ?? 0);
  }
}

/** What a clash of full strength adds to the promise, and each veto takes off. */
const CLASH_PROMISES = 0.2;
const VETO_PROMISES = -0.1;
/** The pairs of words that are read in one step: a few ms. */
const WORD_PAIRS_PER_STEP = 50_000;

/** The pairs of statements of two memories; empty where no two of them may speak of one thing. */
export function promisingPairs(
  first: readonly Statement[],
  second: readonly Statement[],
  cosine: number,
): PromisingPair[] {
  const [found] = atOnce(mostPromising([{ of: null, first, second, cosine }], 1));
  return [...(found?.pairs ?? [])];
}

/**
 * The most promising pairs of memories, best first. Of a pair that cannot be among them any more only the words in common are read,
 * or what clashes too, not what speaks against it.
 */
export function* mostPromising<T>(
  memories: readonly (TwoMemories & { readonly of: T })[],
  most: number,
): Steps<Promising<T>[]> {
  const isStepFull = pace();
  const likely: { of: T; place: number; cosine: number; alike: readonly Alike[]; promiseAtMost: number }[] = [];
  for (const [place, { of, first, second, cosine: measured }] of memories.entries()) {
    const cosine = measured === 0 ? USUAL_COSINE : measured;
    const alike = yield* alikeIn({ first, second, cosine }, isStepFull);
    const [likeliest] = alike;
    if (likeliest) likely.push({ of, place, cosine, alike, promiseAtMost: likeliest.likeness + CLASH_PROMISES });
  }
  likely.sort((x, y) => y.promiseAtMost - x.promiseAtMost);
  let best: (Promising<T> & Placed)[] = [];
  for (const { of, place, cosine, alike, promiseAtMost } of likely) {
    const last = best[most - 1];
    if (last && promiseAtMost < last.promise) break;
    if (last && !(yield* canPromise(alike, last.promise, isStepFull))) continue;
    const pairs = yield* promisingPairsIn(alike, cosine, isStepFull);
    const found = { of, place, pairs, promise: pairs[0]?.promise ?? Number.NEGATIVE_INFINITY };
    best = [...best, found].sort(byPromise).slice(0, most);
  }
  return best;
}

type Pace = (a: Statement, b: Statement) => boolean;

/** Tells of each pair of statements that is read whether a step is full. */
function pace(): Pace {
  let read = 0;
  return (a, b) => {
    read += a.words.length * b.words.length;
    if (read < WORD_PAIRS_PER_STEP) return false;
    read = 0;
    return true;
  };
}

/** The pairs of statements that may speak of one thing, likeliest first. */
function* alikeIn({ first, second, cosine }: TwoMemories, isStepFull: Pace): Steps<Alike[]> {
  const alike: Alike[] = [];
  let place = 0;
  for (const a of first) {
    for (const b of second) {
      place++;
      if (isStepFull(a, b)) yield;
      const overlap = overlapOf(a, b);
      const least = areShortMessages(a, b) ? LEAST_OF_SHORT : LEAST;
      const likeness = likenessOf(a, b, { overlap, cosine, least });
      if (likeness >= least.likeness && !haveOneWording(a, b, overlap))
        alike.push(new Alike({ a, b, overlap, place, likeness }));
    }
  }
  return alike.sort((x, y) => y.likeness - x.likeness);
}

/** Whether any of these pairs can be as promising, by what clashes in it. @param alike likeliest first */
function* canPromise(alike: readonly Alike[], least: number, isStepFull: Pace): Steps<boolean> {
  for (const one of alike) {
    if (one.likeness + CLASH_PROMISES < least) return false;
    if (isStepFull(one.a, one.b)) yield;
    if (one.promiseAtMost >= least) return true;
  }
  return false;
}

function* promisingPairsIn(alike: readonly Alike[], cosine: number, isStepFull: Pace): Steps<PromisingPair[]> {
  let whole: PromisingPair | null = null;
  let claims: (PromisingPair & Pick<Alike, 'place'>) | null = null;
  for (const one of alike) {
    const isWhole = one.a.extent === 'whole' && one.b.extent === 'whole';
    if (!isWhole && claims && one.likeness + CLASH_PROMISES < claims.promise) continue;
    if (isStepFull(one.a, one.b)) yield;
    if (!isWhole && claims && one.promiseAtMost < claims.promise) continue;
    const pair = { ...promisingPair(one, cosine), place: one.place };
    // What stands in a list is held against what clashes with it alone: the model takes the rest of the list for denied.
    if (pair.pair.clash === null && [one.a, one.b].some(({ extent }) => extent === 'property')) continue;
    if (isWhole) whole = pair;
    else if (!claims || byPromise(pair, claims) < 0) claims = pair;
  }
  // Of a message that asks in the end the claims count: the question is about them.
  const isAsking = [whole?.pair.a, whole?.pair.b].some((statement) => statement?.text.endsWith('?'));
  return [isAsking && claims ? null : whole, claims]
    .filter((pair) => pair !== null)
    .sort((x, y) => y.promise - x.promise);
}

interface Placed {
  readonly promise: number;
  readonly place: number;
}

function byPromise(x: Placed, y: Placed): number {
  return y.promise - x.promise || x.place - y.place;
}

function promisingPair({ a, b, overlap, clashes, promiseAtMost }: Alike, cosine: number): PromisingPair {
  const pair = statementPair(a, b, { overlap, clashes, cosine });
  // Of two messages that repeat each other no less likely pair is looked for.
  const against = pair.vetoes.filter((veto) => veto !== 'repeated').length;
  return { pair, promise: promiseAtMost + VETO_PROMISES * against };
}

/** Whether two statements differ in capitals, articles and the full stop at most: the model may call such a pair contrary. */
function haveOneWording(a: Statement, b: Statement, { share }: Overlap): boolean {
  return a.text === b.text || (share >= 1 && wording(a) === wording(b));
}

function wording({ text }: Statement): string {
  return text
    .toLowerCase()
    .replace(/(?<!\S)(?:an?|the) /g, '')
    .replace(/\s+/g, ' ')
    .replace(/\.$/, '');
}

/** The evidence of a common subject that a pair needs; nine of ten labelled contradictions have it, also those in long messages. */
interface Least {
  /** Words in common; one seldom is a subject, unless it is most of a statement. */
  readonly shared: number;
  readonly likeness: number;
}

const LEAST: Least = { shared: 2, likeness: 0.55 };
/** A short statement names its subject once, and says the rest in its own words: "The offsite is in Porto", "The offsite will be in Rome". */
const LEAST_OF_SHORT: Least = { shared: 1, likeness: 0.5 };

/** Claims of a long message have a subject in what stands around them. */
function areShortMessages(a: Statement, b: Statement): boolean {
  return (
    areShort(a, b) && [a, b].every(({ extent }) => extent === 'whole' || extent === 'part' || extent === 'property')
  );
}

/** How likely two statements have one subject; 0 without any evidence. */
function likenessOf(
  a: Statement,
  b: Statement,
  { overlap: { shared, share, isAnchored }, cosine, least }: Pick<Alike, 'overlap'> & { cosine: number; least: Least },
): number {
  const isMostShared = share >= (isAnchored ? SHARED_WITH_NAME : SHARED_OF_FEW);
  const isEnough =
    (shared.length >= least.shared || isMostShared) && shared.some((stem) => isSubject(a, stem) && isSubject(b, stem));
  if (!isEnough && !nameTheSame(a.identifiers, b.identifiers)) return 0;
  const likeness = cosine + 0.5 * Math.min(1, share);
  // "The team stays with Jira" and "The team moves to Linear" have few words in common, and need no more.
  return least === LEAST_OF_SHORT && areOfTwoCourses(a, b) ? Math.max(likeness, least.likeness) : likeness;
}

/** The share in common that may be a subject by itself. */
const SHARED_WITH_NAME = 0.3;
const SHARED_OF_FEW = 0.5;

/** Whether a word may be what a statement is about: no verb that joins others ("takes"), and no part of its values ("two euros"). */
function isSubject({ words, terms, values }: Statement, stem: string): boolean {
  return (terms.get(stem) ?? []).some(
    (at) => !isLight(words[at]?.lower ?? '') && !values.some(({ from, to }) => at >= from && at <= to),
  );
}
