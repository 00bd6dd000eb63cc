import { DAY_MS } from '@agent-faculties/service-kit';
import type { ModelKind } from '../../embedding/text-embedding.ts';
import { inYearOf, type TimePeriod } from '../../text/times/time-period.ts';
import type { Question } from '../question/question.ts';
import { crowdingOf } from './crowding.ts';
import type { Evidence, Retrieved } from './evidence.ts';

export interface Weights {
  readonly turn: number;
  readonly window: number;
  readonly thread: number;
  readonly meaning: number;
  /** For words of similar meaning. */
  readonly near: number;
  /** For each bit of information in the name of the speaker. */
  readonly speaker: number;
  /** For a memory of the user or the assistant, where the question asks for the words of that one. */
  readonly role: number;
  readonly isQuestion: number;
  readonly tellsTime: number;
  readonly period: number;
  readonly length: number;
  /** Taken off a long text, times the logarithm of its length in turns. */
  readonly long: number;
  readonly askedBefore: number;
  /** For a question that asks for several things of a kind. They stand in different threads, so a memory counts more by itself. */
  readonly ofLists: Pick<Weights, 'turn' | 'thread' | 'askedBefore'>;
  readonly entity: number;
  /** Taken off a candidate that many others resemble. */
  readonly crowding: number;
}

/** Chosen by hand in coarse steps on five conversations and checked on five others; docs/benchmarks/recall.md. */
const WITH_VECTORS: Weights = {
  turn: 1.1,
  window: 1.5,
  thread: 0.65,
  meaning: 1.25,
  near: 0.5,
  speaker: 0.1,
  role: 0.2,
  isQuestion: 0.18,
  tellsTime: 0.35,
  period: 0.7,
  length: 0.05,
  long: 0.2,
  askedBefore: 0.3,
  ofLists: { turn: 1.35, thread: 0.4, askedBefore: 0.1 },
  entity: 0.05,
  crowding: 0.3,
};

export const FUSION_WEIGHTS: Readonly<Record<ModelKind, Weights>> = {
  contextual: WITH_VECTORS,
  static: { ...WITH_VECTORS, meaning: 1, near: 0.25 },
  none: {
    turn: 1.1,
    window: 1.4,
    thread: 0.4,
    meaning: 0,
    near: 0.5,
    speaker: 0.05,
    role: 0.1,
    isQuestion: 0.1,
    tellsTime: 0.13,
    period: 0.3,
    length: 0.02,
    long: 0.2,
    askedBefore: 0.55,
    ofLists: { turn: 1.1, thread: 0.4, askedBefore: 0.55 },
    entity: 0.02,
    crowding: 0,
  },
};

/** The weight of words is multiplied by this power of the best turn share: if the asked words occur nowhere, meaning decides. */
const TRUST_EXPONENT = 0.25;
/**
 * The best turn share below which the words of a question are foreign to the store: it is a paraphrase of its answer, if there is
 * one. Then meaning counts up to so much more, as a share of its weight and by the memory alone, because the window of an answer is
 * no closer to a paraphrase than other windows; and so does what many say alike, which is close to any question.
 */
const FOREIGN_BELOW = 0.1;
/** A question of more terms has a low share for its length: each of many words is in few memories. */
const MOST_FOREIGN_TERMS = 12;
const OF_FOREIGN_WORDS = { meaning: 0.6, crowding: 0.9 };
/** Days after which nearness to a named day has fallen to 1/e. */
const DAY_FADES_OVER = 7;
/** Nearness in the days after a named month, because people tell about a month a little later. */
const MONTH_ECHO_DAYS = 10;
const MONTH_ECHO = 0.5;
/** Nearness of a memory that was said before the time which it names, where that is over: a plan tells less of it than a report. */
const PLANNED = 0.5;
/** Nearness of the same month in another year: "in June" mostly means the last June, and in an old store an earlier one. */
const ANOTHER_YEAR = 0.5;

/** Words of a long turn of conversation. Up to this length a longer text tells more; beyond it, it holds more words by chance. */
const LONG_WORDS = 80;
/** A text of more words that ends in a question also holds statements. */
const QUESTION_WORDS = 40;

/** The most bits that count. More would exclude other speakers, and a question may name the wrong one, or be about what others said. */
const MOST_BITS = 3;

/** The contribution of each kind of evidence to a score. */
export interface ScoreParts {
  /** Meaning: cosines. */
  readonly vector: number;
  /** The question's words in turn, window and thread, and words of similar meaning. */
  readonly lexical: number;
  /** Entities. */
  readonly entity: number;
  /** Speaker, time and form, and what it replies to. */
  readonly circumstance: number;
}

export interface Fused {
  /** The scores of all candidates; comparable within one question only. */
  readonly scores: readonly number[];
  /** What is taken off each for a crowd, in its score already; 0 and above. */
  readonly crowding: ArrayLike<number>;
  /** The most that one which was left out may score; -Infinity where none was. */
  readonly leftOut: number;
}

/** Source: docs/benchmarks/recall.md. */
export function fuse(question: Question, retrieved: Retrieved, weights: Weights): Fused {
  const partsOf = scorer({ question, retrieved, weights });
  const scores = retrieved.candidates.map(({ evidence }) => sumOf(partsOf(evidence)));
  const leftOut = retrieved.leftOut?.score ?? Number.NEGATIVE_INFINITY;
  if (weights.crowding === 0 || !retrieved.hasVectors) return { scores, crowding: scores.map(() => 0), leftOut };
  const { crowding: crowds, ofOthers } = crowdingOf(retrieved, scores);
  const weight = weights.crowding * (1 + OF_FOREIGN_WORDS.crowding * foreignness(question, retrieved));
  const crowding = crowds.map((crowd) => weight * crowd);
  return {
    scores: scores.map((score, index) => score - (crowding[index] as number)),
    crowding,
    leftOut: leftOut - weight * ofOthers,
  };
}

/** A score before anything is taken off for a crowd. */
export function sumOf({ vector, lexical, entity, circumstance }: ScoreParts): number {
  return vector + lexical + entity + circumstance;
}

/** A fused score, or what adds to it, as a share of what words and meaning could give at best. */
export function shareOfBest(score: number, { turn, window, thread, meaning }: Weights): number {
  return score / (turn + window + thread + meaning);
}

/** A fused score as answers show it: its share, 0..1. */
export function shownScore(score: number, weights: Weights): number {
  return Math.min(Math.max(shareOfBest(score, weights), 0), 1);
}

/** A function that computes the parts of a candidate's score, without the deduction for crowding. What all candidates share is computed once. */
export function scorer({
  question,
  retrieved,
  weights,
}: {
  question: Question;
  retrieved: Pick<Retrieved, 'bestTurn' | 'speakerShare'>;
  weights: Weights;
}): (evidence: Evidence) => ScoreParts {
  const trust = Math.min(retrieved.bestTurn, 1) ** TRUST_EXPONENT;
  const ofForeign = OF_FOREIGN_WORDS.meaning * foreignness(question, retrieved);
  const ofPlace = question.asksList ? weights.ofLists : weights;
  const ofSpeaker = weights.speaker * tells(retrieved.speakerShare);
  const circumstanceOf = (evidence: Evidence) =>
    ofSpeaker * evidence.speaker +
    weights.role * roleFits(evidence, question) -
    weights.isQuestion * Number(evidence.isQuestion && evidence.words <= QUESTION_WORDS) +
    weights.tellsTime * Number(question.asksWhen && evidence.tellsTime) +
    weights.period * ofTime(evidence, question) +
    weights.length * Math.log(1 + Math.min(evidence.words, LONG_WORDS)) -
    weights.long * Math.log(Math.max(evidence.words, LONG_WORDS) / LONG_WORDS);
  return (evidence) => {
    const { coherence: g, turn } = evidence;
    const words =
      ofPlace.turn * turn +
      weights.window * (g * evidence.window + (1 - g) * turn) +
      ofPlace.thread * (g * evidence.thread + (1 - g) * turn);
    const meaning = g * evidence.mixedCosine + (1 - g) * evidence.cosine;
    const answers = evidence.askedBeforeWords <= QUESTION_WORDS ? ofPlace.askedBefore * g : 0;
    return {
      vector: weights.meaning * (meaning + ofForeign * evidence.cosine) + answers * evidence.askedBeforeCosine,
      lexical: trust * words + weights.near * evidence.near + answers * evidence.askedBeforeTurn,
      entity: weights.entity * evidence.entity,
      circumstance: circumstanceOf(evidence),
    };
  };
}

/** How foreign the words of a question are to the store, 0..1; 1 where it knows none of few. */
function foreignness({ terms }: Question, { bestTurn }: Pick<Retrieved, 'bestTurn'>): number {
  if (terms.length > MOST_FOREIGN_TERMS) return 0;
  return Math.max(0, 1 - bestTurn / FOREIGN_BELOW);
}

/** The bits of information in a name: few between two speakers, many among ten. */
function tells(speakerShare: number): number {
  return Math.min(-Math.log2(speakerShare), MOST_BITS);
}

/** 1 where the role that the question asks for spoke, the user ("my") or the assistant ("did you"); -1 where the other did. */
function roleFits({ role, isNote, isOfUser }: Evidence, { saidBy }: Question): number {
  if (saidBy === null || role === null || role === 'system') return 0;
  if (isNote) return 0;
  if (isOfUser && saidBy === 'user') return 1;
  return role === saidBy ? 1 : -1;
}

/** How well a memory fits the time in the question, 0..1: by when it was said, or by the days that it names. */
function ofTime({ namesDay, createdAt }: Evidence, { period, asksAhead }: Question): number {
  const asSaid = nearness(createdAt, period);
  if (!namesDay) return asSaid;
  const isPlan = !asksAhead && period !== null && createdAt < period.from;
  return Math.max(asSaid, isPlan ? PLANNED : 1);
}

/** How well a moment fits the time in the question, 0..1; 0 when it names none. */
function nearness(instant: number, period: TimePeriod | null): number {
  if (!period) return 0;
  const asIs = nearnessTo(instant, period);
  if (!period.ofAnyYear || instant >= period.from || asIs > 0.5) return asIs;
  return Math.max(asIs, ANOTHER_YEAR * nearnessTo(inYearOf(period, instant), period));
}

function nearnessTo(instant: number, period: TimePeriod): number {
  if (instant >= period.from && instant < period.until) return 1;
  const days = Math.max(period.from - instant, instant - period.until) / DAY_MS;
  if (period.unit === 'day' || period.unit === 'week') return Math.exp(-days / DAY_FADES_OVER);
  return period.unit === 'month' && instant >= period.until && days <= MONTH_ECHO_DAYS ? MONTH_ECHO : 0;
}
