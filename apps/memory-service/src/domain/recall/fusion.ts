import { crowdingOf } from './crowding.ts';
import type { Evidence, Gathered } from './evidence.ts';
import type { Question } from './question.ts';
import type { TimePeriod } from './time-expressions.ts';

/**
 * How well the vectors of a store tell meanings apart: a model that reads words in their context, one that adds up fixed
 * word vectors, or none. It belongs to the model and decides how much the other evidence has to carry.
 */
export type ModelKind = 'contextual' | 'static' | 'none';

export interface Weights {
  readonly turn: number;
  readonly window: number;
  readonly thread: number;
  readonly meaning: number;
  readonly speaker: number;
  readonly isQuestion: number;
  readonly tellsTime: number;
  readonly period: number;
  readonly length: number;
  readonly askedBefore: number;
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
  isQuestion: 0.18,
  tellsTime: 0.35,
  period: 0.35,
  length: 0.05,
  askedBefore: 0.3,
  crowding: 0.3,
};

export const WEIGHTS: Readonly<Record<ModelKind, Weights>> = {
  contextual: WITH_VECTORS,
  static: { ...WITH_VECTORS, meaning: 1 },
  none: {
    turn: 1.1,
    window: 1.4,
    thread: 0.4,
    meaning: 0,
    speaker: 0.05,
    isQuestion: 0.1,
    tellsTime: 0.13,
    period: 0.1,
    length: 0.02,
    askedBefore: 0.55,
    crowding: 0,
  },
};

/** Where the asked words occur nowhere, meaning decides: words count by this power of the best turn share. */
const TRUST_EXPONENT = 0.25;
const DAY_MS = 86_400_000;
/** Days over which nearness to a named day fades. */
const DAY_FADES_OVER = 7;
/** People tell of a month a little after it. */
const MONTH_ECHO_DAYS = 10;
const MONTH_ECHO = 0.5;

/** Scores every candidate; comparable within one question only. Source: docs/benchmarks.md, "Recall". */
export function fuse(question: Question, gathered: Gathered, weights: Weights): number[] {
  const trust = Math.min(gathered.bestTurn, 1) ** TRUST_EXPONENT;
  const scores = gathered.candidates.map((evidence) => scoreOf(evidence, { question, weights, trust }));
  if (weights.crowding === 0 || !gathered.hasVectors) return scores;
  const crowding = crowdingOf(gathered, scores);
  return scores.map((score, index) => score - weights.crowding * (crowding[index] as number));
}

function scoreOf(evidence: Evidence, about: { question: Question; weights: Weights; trust: number }): number {
  const { question, weights, trust } = about;
  const { coherence: g, turn } = evidence;
  const words =
    weights.turn * turn +
    weights.window * (g * evidence.window + (1 - g) * turn) +
    weights.thread * (g * evidence.thread + (1 - g) * turn);
  const meaning = g * evidence.mixedCosine + (1 - g) * evidence.cosine;
  return (
    trust * words +
    weights.meaning * meaning +
    weights.speaker * evidence.speaker -
    weights.isQuestion * Number(evidence.isQuestion) +
    weights.tellsTime * Number(question.asksWhen && evidence.tellsTime) +
    weights.period * nearness(evidence.createdAt, question.period) +
    weights.length * Math.log(1 + evidence.words) +
    weights.askedBefore * g * (evidence.askedBeforeTurn + evidence.askedBeforeCosine)
  );
}

/** 0..1: how well a moment fits the time that the question names; 0 when it names none. */
function nearness(instant: number, period: TimePeriod | null): number {
  if (!period) return 0;
  if (instant >= period.from && instant < period.until) return 1;
  const days = Math.max(period.from - instant, instant - period.until) / DAY_MS;
  if (period.unit === 'day' || period.unit === 'week') return Math.exp(-days / DAY_FADES_OVER);
  return period.unit === 'month' && instant >= period.until && days <= MONTH_ECHO_DAYS ? MONTH_ECHO : 0;
}
