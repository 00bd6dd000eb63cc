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
  /** Whether both say the same but for what clashes, and nothing speaks against it. */
  readonly isPlain: boolean;
}

export interface Judgement {
  /** 0..1 */
  readonly score: number;
  readonly reason: Reason;
  readonly topic: string;
  readonly clash: { readonly a: readonly string[]; readonly b: readonly string[] };
}

/** From this score on, more than nine of ten are right on labelled pairs, and five of six in a scan of hard ones: docs/benchmarks.md. */
export const HIGH_CONFIDENCE = 0.7;

const TOPIC_WORDS = 4;

export function pairingOf(a: Statement, b: Statement, overlap = overlapOf(a, b)): Pairing {
  const clashes = clashesOf(a, b, overlap);
  const clash = clashes[0] ?? null;
  const vetoes = vetoesOf(a, b, { overlap, clashes });
  const unlike = [unlikeTerms(a, b, clash?.a), unlikeTerms(b, a, clash?.b)];
  const isPlain =
    clash !== null &&
    vetoes.length === 0 &&
    Math.min(...unlike) === 0 &&
    Math.max(...unlike) <= (PLAIN[clash.reason] ?? -1) &&
    otherNumbers(a, clash.a) === otherNumbers(b, clash.b);
  return { a, b, overlap, clash, vetoes, unlike: Math.min(...unlike), isPlain };
}

/**
 * Words beside the clash that one side may have more in a plain one; on labelled pairs four of five are right then. Of other
 * names and days both may hold: a library opens on Saturday and on Tuesday.
 */
const PLAIN: Readonly<Partial<Record<Reason, number>>> = {
  number: Number.POSITIVE_INFINITY,
  antonym: Number.POSITIVE_INFINITY,
  negation: 0,
  preference: 0,
};
/** A plain clash has at least this score: the model has seen few of them and does not always find them. */
const PLAIN_SCORE = 0.65;

/** What besides the clash has a digit: rack 4 is not rack 14. */
function otherNumbers({ words }: Statement, beside: readonly number[]): string {
  return words.flatMap(({ stem }, at) => (/\d/.test(stem) && !beside.includes(at) ? [stem] : [])).join(' ');
}

/** What speaks for and against a contradiction, as numbers that are weighed and added up. */
export type PairEvidence = Readonly<
  Record<'bias' | 'model' | 'value' | 'name' | 'unshared' | 'untold' | Exclude<Veto, 'question'>, number>
>;

/**
 * Weights of the evidence, fitted by logistic regression on pairs that the model had not learned from
 * (bench/memory/contradiction-weights.mjs); `bias` was lowered by 1.06 then, so that at the usual threshold of 0.6 nine of
 * ten reports are right on those.
 */
export const PAIR_WEIGHTS: PairEvidence = {
  bias: -0.26,
  model: 0.85,
  value: 0.55,
  name: 1.17,
  unshared: -1.73,
  conditional: -0.23,
  doubtful: -1.16,
  plan: -0.28,
  other_time: -0.35,
  rough: -0.81,
  additive: -0.78,
  other_identifier: -0.13,
  other_one: -0.3,
  // By hand: labelled pairs are no small talk, speak of one person, and stand alone.
  untold: -1.5,
  exclaimed: -3,
  other_speaker: -3,
  series: -3,
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
    reason: reasonOf(pairing),
    topic: topicOf(a, overlap),
    clash: { a: phrasesAt(a, mine), b: phrasesAt(b, theirs) },
  };
}

/** That one of several was taken, or that nothing beside it is. */
const CHOICE =
  /^(?:us(?:e[sd]?|ing)|cho(?:ose|oses|osing|se|sen|ice)|pick(?:ed|s)?|select(?:ed|s|ion)?|decid(?:e[sd]?|ing)|decision|settled|adopt(?:s|ed)?|standardi[sz]ed?|mandatory|exclusively|only|solely|sole|alone)$/i;

/** What clashes; where nothing typed does, a choice was made, and each side tells another, that choice. */
function reasonOf({ a, b, clash }: Pairing): Reason {
  if (clash) return clash.reason;
  const unlike = unlikeWords(a, b);
  const isChoice = [a, b].some(({ words }) => words.some(({ text }) => CHOICE.test(text)));
  const isOneForAnother = unlike.a.length > 0 && unlike.b.length > 0;
  return isChoice && isOneForAnother ? 'exclusive_choice' : 'state';
}

/** The surest that the model was of any of a thousand labelled pairs: a logit of 3.5. */
const SUREST = 0.97;

/** Whether a pairing can come up to a score at all, however sure the model is. */
export function canReach(pairing: Pairing, score: number): boolean {
  return scoreWithModel(pairing, SUREST) >= score;
}

/** @param probability of the model, both orders */
export function evidenceOf({ overlap, clash, vetoes }: Pairing, probability: number): PairEvidence {
  const inside = Math.min(Math.max(probability, LEAST), 1 - LEAST);
  const strengthOf = (...reasons: Reason[]) => (clash && reasons.includes(clash.reason) ? clash.strength : 0);
  const speaks = (veto: Veto) => (vetoes.includes(veto) ? 1 : 0);
  return {
    bias: 1,
    model: Math.log(inside / (1 - inside)),
    value: strengthOf('number', 'date', 'version'),
    name: strengthOf('name'),
    unshared: 1 - Math.min(1, overlap.share),
    // No name that both speak of, and no words that clash: the model alone says so.
    untold: overlap.isAnchored || clash ? 0 : 1,
    conditional: speaks('conditional'),
    doubtful: speaks('doubtful'),
    plan: speaks('plan'),
    other_time: speaks('other_time'),
    rough: speaks('rough'),
    additive: speaks('additive'),
    other_identifier: speaks('other_identifier'),
    other_one: speaks('other_one'),
    exclaimed: speaks('exclaimed'),
    other_speaker: speaks('other_speaker'),
    series: speaks('series'),
  };
}

/** So that a model that is quite sure can still be outweighed. */
const LEAST = 1e-3;

function scoreWithModel(pairing: Pairing, probability: number): number {
  const evidence = evidenceOf(pairing, probability);
  const kinds = Object.keys(PAIR_WEIGHTS) as (keyof PairEvidence)[];
  const score = sigmoid(kinds.reduce((sum, kind) => sum + PAIR_WEIGHTS[kind] * evidence[kind], 0));
  return pairing.isPlain ? Math.max(score, PLAIN_SCORE) : score;
}

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
