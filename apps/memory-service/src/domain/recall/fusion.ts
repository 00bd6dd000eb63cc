import { DAY_MS } from '@agent-faculties/service-kit';
import type { ModelKind } from '../embedding/text-embedding.ts';
import type { TimePeriod } from '../text/time-expressions.ts';
import { crowdingOf } from './crowding.ts';
import type { Evidence, Retrieved } from './evidence.ts';
import type { Question } from './question.ts';

export interface Weights {
  readonly turn: number;
  readonly window: number;
  readonly thread: number;
  readonly meaning: number;
  /** For a bit that the name of the one who spoke tells. */
  readonly speaker: number;
  /** For what the user or the assistant said, where the question asks one of them for their own words. */
  readonly role: number;
  readonly isQuestion: number;
  readonly tellsTime: number;
  readonly period: number;
  readonly length: number;
  /** Taken off a long text, by the logarithm of how often it holds the length of a turn. */
  readonly long: number;
  readonly askedBefore: number;
  readonly entity: number;
  /** Taken off for what many other candidates say as well. */
  readonly crowding: number;
}

/** Set by hand on five conversations in coarse steps, checked on five others; docs/benchmarks.md, "Recall". */
const WITH_VECTORS: Weights = {
  turn: 1.1,
  window: 1.5,
  thread: 0.65,
  meaning: 1.25,
  speaker: 0.1,
  role: 0.2,
  isQuestion: 0.18,
  tellsTime: 0.35,
  period: 0.7,
  length: 0.05,
  long: 0.2,
  askedBefore: 0.3,
  entity: 0.05,
  crowding: 0.3,
};

export const FUSION_WEIGHTS: Readonly<Record<ModelKind, Weights>> = {
  contextual: WITH_VECTORS,
  static: { ...WITH_VECTORS, meaning: 1 },
  none: {
    turn: 1.1,
    window: 1.4,
    thread: 0.4,
    meaning: 0,
    speaker: 0.05,
    role: 0.1,
    isQuestion: 0.1,
    tellsTime: 0.13,
    period: 0.3,
    length: 0.02,
    long: 0.2,
    askedBefore: 0.55,
    entity: 0.02,
    crowding: 0,
  },
};

/** Where the asked words occur nowhere, meaning decides: words count by this power of the best turn share. */
const TRUST_EXPONENT = 0.25;
/** Days over which nearness to a named day fades. */
const DAY_FADES_OVER = 7;
/** People tell of a month a little after it. */
const MONTH_ECHO_DAYS = 10;
const MONTH_ECHO = 0.5;
/** "In June" mostly is the last June; in a store whose memories are older, it is one of theirs. */
const ANOTHER_YEAR = 0.5;

/** Words of a long turn of conversation. Up to there a longer text tells more; from there it only holds more words by chance. */
const LONG_WORDS = 80;
/** A text of more words that ends in a question has told something before. */
const QUESTION_WORDS = 40;

/** More would filter: a question may name the wrong one, or what others said about them. */
const MOST_BITS = 3;

/** What each kind of evidence gives to a score. */
export interface ScoreParts {
  /** Meaning: cosines. */
  readonly vector: number;
  /** The question's words in turn, window and thread. */
  readonly lexical: number;
  /** What it names. */
  readonly entity: number;
  /** Who said it, when, and in what form. */
  readonly circumstance: number;
}

/** Scores every candidate; comparable within one question only. Source: docs/benchmarks.md, "Recall". */
export function fuse(question: Question, retrieved: Retrieved, weights: Weights): number[] {
  const scores = retrieved.candidates.map(({ evidence }) => {
    const { vector, lexical, entity, circumstance } = scoreParts(evidence, { question, retrieved, weights });
    return vector + lexical + entity + circumstance;
  });
  if (weights.crowding === 0 || !retrieved.hasVectors) return scores;
  const crowding = crowdingOf(retrieved, scores);
  return scores.map((score, index) => score - weights.crowding * (crowding[index] as number));
}

/** A fused score as it is shown: 0..1 of what words and meaning together could give. */
export function shownScore(score: number, weights: Weights): number {
  const { turn, window, thread, meaning } = weights;
  return Math.min(Math.max(score / (turn + window + thread + meaning), 0), 1);
}

/** The parts of a score, before what is taken off for crowding. */
export function scoreParts(
  evidence: Evidence,
  about: { question: Question; retrieved: Retrieved; weights: Weights },
): ScoreParts {
  const { question, weights } = about;
  const { coherence: g, turn } = evidence;
  const trust = Math.min(about.retrieved.bestTurn, 1) ** TRUST_EXPONENT;
  const words =
    weights.turn * turn +
    weights.window * (g * evidence.window + (1 - g) * turn) +
    weights.thread * (g * evidence.thread + (1 - g) * turn);
  const meaning = g * evidence.mixedCosine + (1 - g) * evidence.cosine;
  const answers = evidence.askedBeforeWords <= QUESTION_WORDS ? weights.askedBefore * g : 0;
  return {
    vector: weights.meaning * meaning + answers * evidence.askedBeforeCosine,
    lexical: trust * words + answers * evidence.askedBeforeTurn,
    entity: weights.entity * evidence.entity,
    circumstance:
      weights.speaker * tells(about.retrieved.speakerShare) * evidence.speaker +
      weights.role * roleFits(evidence, question) -
      weights.isQuestion * Number(evidence.isQuestion && evidence.words <= QUESTION_WORDS) +
      weights.tellsTime * Number(question.asksWhen && evidence.tellsTime) +
      weights.period * nearness(evidence.createdAt, question.period) +
      weights.length * Math.log(1 + Math.min(evidence.words, LONG_WORDS)) -
      weights.long * Math.log(Math.max(evidence.words, LONG_WORDS) / LONG_WORDS),
  };
}

/** Bits that a name tells: where two talk, who is meant tells little; among ten it is most of what there is. */
function tells(speakerShare: number): number {
  return Math.min(-Math.log2(speakerShare), MOST_BITS);
}

/** 1 where the one spoke who is asked for, the user ("my") or the assistant ("did you"), -1 where the other did. */
function roleFits({ role }: Evidence, { saidBy }: Question): number {
  if (saidBy === null || role === null || role === 'system') return 0;
  return role === saidBy ? 1 : -1;
}

/** 0..1: how well a moment fits the time that the question names; 0 when it names none. */
function nearness(instant: number, period: TimePeriod | null): number {
  if (!period) return 0;
  const asIs = nearnessTo(instant, period);
  if (!period.ofAnyYear || instant >= period.from || asIs > 0.5) return asIs;
  const inItsYear = new Date(instant).setUTCFullYear(new Date(period.from).getUTCFullYear());
  return Math.max(asIs, ANOTHER_YEAR * nearnessTo(inItsYear, period));
}

function nearnessTo(instant: number, period: TimePeriod): number {
  if (instant >= period.from && instant < period.until) return 1;
  const days = Math.max(period.from - instant, instant - period.until) / DAY_MS;
  if (period.unit === 'day' || period.unit === 'week') return Math.exp(-days / DAY_FADES_OVER);
  return period.unit === 'month' && instant >= period.until && days <= MONTH_ECHO_DAYS ? MONTH_ECHO : 0;
}
