import type { ModelKind } from '../../embedding/text-embedding.ts';
import { recallText } from '../../memory/memory.ts';
import type { Candidate, Evidence, Retrieved } from '../evidence/evidence.ts';
import { bestOf } from '../evidence/top-scores.ts';
import { tellsRoughly } from '../question/asked-kind.ts';
import type { Question } from '../question/question.ts';
import { saysNothing } from './says-nothing.ts';
import { type AskedInWords, isToldByWords, isToldInReply, isToldThen } from './told-by-words.ts';
import { toldInRecord } from './told-in-record.ts';

/** high: almost surely about the question; medium: perhaps; low: no evidence, only the best of what there is. */
export type Relevance = 'high' | 'medium' | 'low';

export const MOST_RELEVANT_FIRST: readonly Relevance[] = ['high', 'medium', 'low'];

export function moreRelevant(a: Relevance, b: Relevance): Relevance {
  return MOST_RELEVANT_FIRST.indexOf(a) < MOST_RELEVANT_FIRST.indexOf(b) ? a : b;
}

interface Calibration {
  /** Weight of a cosine relative to shares of words. */
  readonly meaning: number;
  readonly medium: number;
  readonly high: number;
  /** The least evidence of the memory itself, however much the store knows about the question. */
  readonly own: number;
  /** A cosine that makes a memory medium without any words in common: a paraphrase. */
  readonly cosine: number;
  /** The promise that makes a memory medium by itself. */
  readonly promising: number;
}

/** How many of the best memories tell whether the store knows the words of the question. */
export const BEST_LOOKED_AT = 10;
/**
 * The promise of a memory is its fused score, and more for its meaning the fewer words of the question the store knows: so much
 * for each unit of cosine beyond the one that anything has. Words are foreign below a window share of the best memories.
 */
const FOREIGN_BELOW = 0.15;
const OF_FOREIGN_WORDS = 10;
const COSINE_OF_ANYTHING = 0.2;

/** Of a threshold that nothing reaches. */
const UNJUDGED = Number.POSITIVE_INFINITY;
/** The least evidence, as a share of that of the best memory: a memory far behind a good answer is seldom an answer. */
const SHARE_OF_BEST = 0.35;

/**
 * Of a memory whose thread keeps to one topic. Chosen, by the likeness to the subject, on questions that were asked of the wrong
 * conversation. At `medium`, four of five such questions find nothing, and 95 % of the evidence that the right questions find among the
 * first ten is kept. At `high`, one wrong question in a hundred finds anything, and nine of ten questions on a subject of the store that
 * nobody answered find nothing. `own` and the share of the best cost half a point of that evidence and halve the contexts of a store of
 * mixed subjects. `promising` is for one kind of model; the scores of the others have not been looked at.
 * Source: docs/benchmarks/recall.md, "Silence".
 */
const IN_THREAD: Readonly<Record<ModelKind, Calibration>> = {
  contextual: { meaning: 3, medium: 2.75, high: 5, own: 0.9, cosine: 0.45, promising: 1.5 },
  static: { meaning: 1, medium: 1.4, high: 2.2, own: 0.3, cosine: 0.6, promising: UNJUDGED },
  none: { meaning: 0, medium: 0.6, high: 1.1, own: 0.15, cosine: 1, promising: UNJUDGED },
};
/** The same of one that stands alone, such as a note: no words of neighbours tell what it is about, so its meaning has to. */
const ALONE: Readonly<Partial<Record<ModelKind, Calibration>>> = {
  static: { meaning: 5, medium: 4.45, high: 6.6, own: 1.3, cosine: 0.6, promising: UNJUDGED },
};
/** A question is so much less like its answer than it is like what speaks of its subject. */
const ANSWERS_LESS_ALIKE = 0.04;
/**
 * Nobody has answered the question where the memory nearest to the vector for answers is less near than this, and by a share of the
 * likeness of the memory nearest to the question itself, because so much of it comes from the common subject.
 */
const ANSWERED_FROM = 0.21;
const OWED_TO_SUBJECT = 0.3;
/** Nor where even the memory nearest to the question itself is less like it than this: the store does not know its subject. */
const SUBJECT_KNOWN_FROM = 0.27;
/** How much nearer it has to be where the question is about strangers: they may be known by another name, or by a tag. */
const OWED_FOR_STRANGERS = 0.2;
/** How much nearer it has to be where a value is asked for and that memory tells none. */
const OWED_FOR_VALUE = 0.06;
/** Where somebody has, less is asked of each memory. */
const MEDIUM_OF_ANSWERED = 2.5;

/** Characters in which a value is looked for. */
const VALUE_LOOKED_AT = 2_000;

type Measured = Pick<Candidate, 'evidence'>;

export interface Asked {
  readonly question: AskedInWords & Pick<Question, 'hasMeaning'>;
  readonly retrieved: Retrieved;
  /** Whether the question is about somebody of whom the store has never heard. */
  readonly isAboutStrangers: boolean;
  /** The vector of the question that lies near what answers it, and not near all of its subject; null where there is none. */
  readonly answerable: Float32Array | null;
}

/**
 * Tells the relevance of a candidate from absolute evidence and never from its rank: how much of the question it holds and how
 * close its meaning is, and the same for the best memory of the store. A store that knows nothing about a question answers with low
 * relevance. Where the question has no meaning to compare, only memories with its words are relevant; a memory that says nothing is not.
 * @param scores fused, by candidate
 * @returns the relevance by index of the candidate
 */
export function relevanceJudge(
  asked: Asked,
  scores: readonly number[],
  model: ModelKind,
): (index: number) => Relevance {
  const { question, retrieved } = asked;
  const judge = judgeByEvidence(asked, scores, model);
  const isComparable = (one: Candidate) => (question.hasMeaning ? !saysNothing(one) : one.evidence.turn > 0);
  return (index) => (isComparable(retrieved.candidates[index] as Candidate) ? judge(index) : 'low');
}

function judgeByEvidence(
  { question, retrieved, answerable, isAboutStrangers }: Asked,
  scores: readonly number[],
  model: ModelKind,
): (index: number) => Relevance {
  const { candidates } = retrieved;
  const compared = answerable ? candidates.map((one) => asAnswer(one, retrieved, answerable)) : candidates;
  const isToldInRecord = toldInRecord(question);
  const isTold = (index: number) => {
    const candidate = candidates[index] as Candidate;
    return (
      [isToldByWords, isToldInReply, isToldThen].some((told) => told(question, candidate)) || isToldInRecord(candidate)
    );
  };
  const owed = isAboutStrangers ? OWED_FOR_STRANGERS : 0;
  if (answerable && !isAnswered(question, candidates, compared, owed))
    return (index) => (isTold(index) ? 'medium' : 'low');

  const evidenceOf = (index: number) => (compared[index] as Measured).evidence;
  const [bestWindow, bestMeaning, bestBrought] = figuresOfRelevance(question, model).map((figure, number) =>
    compared.reduce((best, { evidence }) => Math.max(best, figure(evidence)), retrieved.leftOut?.figures[number] ?? 0),
  ) as [number, number, number];
  const windowsOfBest = bestOf(scores, BEST_LOOKED_AT).map((index) => evidenceOf(index).window);
  const foreign = OF_FOREIGN_WORDS * Math.max(0, 1 - Math.max(0, ...windowsOfBest) / FOREIGN_BELOW);
  const promise = (score: number, ofCosine: number) => score + foreign * (ofCosine - COSINE_OF_ANYTHING);
  const calibrationOf = calibrationsFor(question, model);
  const enough = Math.max(1, SHARE_OF_BEST * bestBrought);
  return (index) => {
    const evidence = evidenceOf(index);
    const { meaning, medium, high, own, cosine, promising } = calibrationOf(evidence);
    const brought = broughtBy(evidence, meaning);
    const isEnough = brought >= own * enough;
    const known = retrieved.bestTurn + bestWindow + meaning * bestMeaning + brought;
    if (isEnough && known >= high) return 'high';
    const isCompared = answerable && evidence.hasVector;
    const isKnown = isEnough && known >= (isCompared ? MEDIUM_OF_ANSWERED : medium);
    const isPromising = promise(scores[index] as number, evidence.cosine) >= promising;
    return isKnown || evidence.cosine >= cosine || isPromising || isTold(index) ? 'medium' : 'low';
  };
}

/**
 * A memory as what may answer the question: its own meaning is compared anew, and that of its neighbours is taken to change as much.
 * Of one without a vector there is nothing to compare.
 */
function asAnswer(candidate: Candidate, { cosineWith }: Retrieved, answerable: Float32Array): Measured {
  const { evidence } = candidate;
  if (!evidence.hasVector) return candidate;
  const cosine = cosineWith(answerable, candidate) + ANSWERS_LESS_ALIKE;
  return { evidence: { ...evidence, cosine, mixedCosine: evidence.mixedCosine + cosine - evidence.cosine } };
}

/** Whether any memory may answer the question; nothing is known of one without a vector. */
function isAnswered(
  { asked, owesValue }: Asked['question'],
  candidates: readonly Candidate[],
  compared: readonly Measured[],
  owed: number,
): boolean {
  if (!candidates.every(({ evidence }) => evidence.hasVector)) return true;
  const subject = cosineOf(candidates[nearest(candidates)]);
  if (subject < SUBJECT_KNOWN_FROM) return false;
  const answer = nearest(compared);
  const least = ANSWERED_FROM + OWED_TO_SUBJECT * subject + owed;
  const cosine = cosineOf(compared[answer]);
  if (cosine < least || cosine >= least + OWED_FOR_VALUE || !owesValue) return cosine >= least;
  const { stored, evidence } = candidates[answer] as Candidate;
  return tellsRoughly(asked, recallText(stored.memory).slice(0, VALUE_LOOKED_AT), evidence);
}

/** The index of the nearest one; -1 where there is none. */
function nearest(memories: readonly Measured[]): number {
  return memories.reduce((best, one, index) => (cosineOf(one) > cosineOf(memories[best]) ? index : best), -1);
}

function cosineOf(memory: Measured | undefined): number {
  return memory?.evidence.cosine ?? 0;
}

/** Figures of which relevance asks for the highest among all candidates. */
export function figuresOfRelevance(
  question: Pick<Question, 'telling'>,
  model: ModelKind,
): readonly ((evidence: Evidence) => number)[] {
  const calibrationOf = calibrationsFor(question, model);
  const ofLeast = (evidence: Evidence) => {
    const { meaning, own } = calibrationOf(evidence);
    return broughtBy(evidence, meaning) / own;
  };
  return [({ window }) => window, ({ mixedCosine }) => mixedCosine, ofLeast];
}

/**
 * The calibration for a memory: between both, by how far its thread keeps to one topic. "What was said in January?" has no word whose
 * meaning could tell more.
 */
function calibrationsFor(
  { telling }: Pick<Question, 'telling'>,
  model: ModelKind,
): (evidence: Pick<Evidence, 'coherence'>) => Calibration {
  const inThread = IN_THREAD[model];
  const alone = ALONE[model];
  if (alone === undefined || telling.length === 0) return () => inThread;
  return ({ coherence }) => {
    if (coherence === 1) return inThread;
    if (coherence === 0) return alone;
    const between = (figure: 'meaning' | 'medium' | 'high' | 'own') =>
      coherence * inThread[figure] + (1 - coherence) * alone[figure];
    return {
      ...inThread,
      meaning: between('meaning'),
      medium: between('medium'),
      high: between('high'),
      own: between('own'),
    };
  };
}

/** The evidence of a memory: how much of the question it holds by itself and with its window, and how close its meaning is. */
function broughtBy({ coherence: g, turn, window, cosine, mixedCosine }: Evidence, meaning: number): number {
  return turn + g * window + (1 - g) * turn + meaning * (g * mixedCosine + (1 - g) * cosine);
}
