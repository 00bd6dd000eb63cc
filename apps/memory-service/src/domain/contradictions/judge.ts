import {
  type Clash,
  clashesOf,
  type Overlap,
  overlapOf,
  phrasesAt,
  type Reason,
  unlikeTerms,
  unlikeWords,
} from './clash.ts';
import type { Statement } from './statements/statement.ts';
import { type Veto, vetoesOf } from './veto.ts';

/** Two statements and what their words say, before any model has seen them. */
export interface Pairing {
  readonly a: Statement;
  readonly b: Statement;
  readonly overlap: Overlap;
  readonly clash: Clash | null;
  readonly vetoes: readonly Veto[];
  /** Content words that only one side has, beside those that clash; of the side that has fewer of them. */
  readonly unlike: number;
}

export interface Judgement {
  /** 0..1 */
  readonly score: number;
  readonly reason: Reason;
  readonly topic: string;
  readonly clash: { readonly a: readonly string[]; readonly b: readonly string[] };
}

/** From this score on, nine of ten are right on pairs that nobody looked at: docs/benchmarks.md, "Contradictions". */
export const HIGH_CONFIDENCE = 0.75;

const TOPIC_WORDS = 4;

export function pairingOf(a: Statement, b: Statement): Pairing {
  const overlap = overlapOf(a, b);
  const clashes = clashesOf(a, b, overlap);
  const clash = clashes[0] ?? null;
  const unlike = Math.min(unlikeTerms(a, b, clash?.a), unlikeTerms(b, a, clash?.b));
  return { a, b, overlap, clash, vetoes: vetoesOf(a, b, { overlap, clashes }), unlike };
}

/**
 * Weights of the score, fitted by logistic regression on probabilities of pairs that the model had not learned from;
 * docs/decisions/0013 tells how.
 */
const WITH_MODEL = {
  bias: -0.6,
  /** Times the logit of the model's probability. */
  model: 0.9,
  clash: 0.5,
  vetoes: {
    question: -1,
    conditional: -0.8,
    doubtful: -0.5,
    plan: 0,
    other_time: -0.5,
    rough: -1,
    additive: -0.3,
    other_identifier: -1.5,
  } as Readonly<Record<Veto, number>>,
};

/**
 * Scores by the words alone, where nothing else is unlike and nothing speaks against it. On pairs that nobody looked at a
 * differing number or an opposite is right nearly always then, a denial hardly more often than not: it is found in "no reason
 * to doubt" too.
 */
const BY_RULES: Readonly<Record<Reason, number>> = {
  number: 0.8,
  antonym: 0.8,
  version: 0.8,
  name: 0.7,
  date: 0.65,
  preference: 0.5,
  negation: 0.5,
  exclusive_choice: 0,
  state: 0,
};
/** For each word that is unlike beside the clash. */
const UNLIKE_FACTOR = 0.75;
const LEAST_SHARE = 0.5;

/** @param probability of the model, both orders; null where there is none */
export function judge(pairing: Pairing, probability: number | null): Judgement {
  const { a, b, overlap, clash } = pairing;
  const { a: mine, b: theirs } = clash ?? unlikeWords(a, b);
  return {
    score: round(probability === null ? scoreByRules(pairing) : scoreWithModel(pairing, probability)),
    reason: clash?.reason ?? 'state',
    topic: topicOf(a, overlap),
    clash: { a: phrasesAt(a, mine), b: phrasesAt(b, theirs) },
  };
}

function scoreWithModel({ clash, vetoes }: Pairing, probability: number): number {
  const inside = Math.min(Math.max(probability, LEAST), 1 - LEAST);
  const logit = Math.log(inside / (1 - inside));
  const against = vetoes.reduce((sum, veto) => sum + WITH_MODEL.vetoes[veto], 0);
  return sigmoid(WITH_MODEL.bias + WITH_MODEL.model * logit + WITH_MODEL.clash * (clash?.strength ?? 0) + against);
}

const LEAST = 1e-4;

function scoreByRules({ overlap, clash, vetoes, unlike }: Pairing): number {
  if (!clash || vetoes.length > 0 || overlap.share < LEAST_SHARE) return 0;
  return BY_RULES[clash.reason] * UNLIKE_FACTOR ** unlike;
}

function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

/** Names first, then what else both say, as the older one spells it. */
function topicOf(a: Statement, { shared }: Overlap): string {
  const names = shared.filter((stem) => a.names.has(stem));
  const others = shared.filter((stem) => !a.names.has(stem));
  const chosen = new Set([...names, ...others].slice(0, TOPIC_WORDS));
  const places = [...chosen].map((stem) => (a.terms.get(stem) as readonly number[])[0] as number).sort((x, y) => x - y);
  return places.map((at) => a.words[at]?.text).join(' ');
}

function round(score: number): number {
  return Math.round(score * 1e4) / 1e4;
}
