import { hasVerb } from '../../text/sentences/clauses.ts';
import { type Reason, SURE } from '../clashes/clash.ts';
import { isOfOneEntry } from '../clashes/entry-clash.ts';
import { unlikeWords } from '../statements/overlap.ts';
import { areShort, phrasesAt, type Statement } from '../statements/statement.ts';
import { evidenceOf, PAIR_WEIGHTS, type PairEvidence } from './pair-evidence.ts';
import type { StatementPair } from './statement-pair.ts';
import { HIGH_CONFIDENCE } from './thresholds.ts';
import { topicOf } from './topic.ts';

export interface Judgement {
  /** 0..1 */
  readonly score: number;
  readonly reason: Reason;
  readonly topic: string;
  readonly clash: { readonly a: readonly string[]; readonly b: readonly string[] };
}

/**
 * @param probability that the model gives to a contradiction, the mean of both orders; null without a model
 * @param weights others are for fitting
 */
export function judge(
  pair: StatementPair,
  probability: number | null,
  weights: PairEvidence = PAIR_WEIGHTS,
): Judgement {
  const { a, b, overlap, clash } = pair;
  const { a: mine, b: theirs } = clash ?? unlikeWords(a, b);
  const score = probability === null ? scoreByRules(pair) : scoreWithModel(pair, probability, weights);
  return {
    score: round(isShort(a) && isShort(b) ? score : Math.min(score, LONG_SCORE)),
    reason: reasonOf(pair),
    topic: topicOf(a, overlap, clash?.a ?? []),
    clash: { a: phrasesAt(a, mine), b: phrasesAt(b, theirs) },
  };
}

/** The most for a pair with a long claim: no high confidence, because much in it may speak of something else. */
const LONG_SCORE = HIGH_CONFIDENCE - 0.01;
/** Characters, three lines of text. */
const SHORT_CLAIM = 240;

function isShort({ text }: Statement): boolean {
  return text.length <= SHORT_CLAIM;
}

/** Words for a choice of one among several. */
const CHOICE =
  /^(?:us(?:e[sd]?|ing)|cho(?:ose|oses|osing|se|sen|ice)|pick(?:ed|s)?|select(?:ed|s|ion)?|decid(?:e[sd]?|ing)|decision|settled|adopt(?:s|ed)?|standardi[sz]ed?|mandatory|exclusively|only|solely|sole|alone)$/i;

/**
 * The reason of the clash. Without a clash, or with one of two states, it is an exclusive choice if a side has a word for a choice and
 * both sides differ, else a state.
 */
function reasonOf({ a, b, clash }: StatementPair): Reason {
  if (clash && clash.reason !== 'state') return clash.reason;
  const unlike = unlikeWords(a, b);
  const isChoice = [a, b].some(({ words }) => words.some(({ text }) => CHOICE.test(text)));
  const isOneForAnother = unlike.a.length > 0 && unlike.b.length > 0;
  return isChoice && isOneForAnother ? 'exclusive_choice' : 'state';
}

/** The highest probability that the model gave to any of a thousand labelled pairs: a logit of 3.5. */
const SUREST = 0.97;

/** Whether a pair can reach a score if the model is as sure as it ever is. */
export function canReach(pair: StatementPair, score: number): boolean {
  return scoreWithModel(pair, SUREST, PAIR_WEIGHTS) >= score;
}

function scoreWithModel(pair: StatementPair, probability: number, weights: PairEvidence): number {
  const evidence = evidenceOf(pair, probability);
  const kinds = Object.keys(weights) as (keyof PairEvidence)[];
  const score = sigmoid(kinds.reduce((sum, kind) => sum + weights[kind] * evidence[kind], 0));
  const { isPlain, clash } = pair;
  const isLikely =
    probability >= PLAIN_PROBABILITY ||
    clash?.reason === 'name' ||
    clash?.strength === SURE ||
    ((isPlaced(pair) || isOfOneNumber(pair)) && probability >= SURE_PROBABILITY);
  return (isPlain && isLikely) || isOtherName(pair, probability) ? Math.max(score, PLAIN_SCORE) : score;
}

/** The least score of a plain clash: the model has seen few of them and misses some. */
const PLAIN_SCORE = 0.65;
/** Where the model gives less, only half of the plain clashes are right: "I weigh 71 kilos" and "My brother weighs 84". */
const PLAIN_PROBABILITY = 0.1;
/**
 * The same for two places of one thing, which the model seldom holds against each other ("meets in room 204", "meets in the cafeteria"),
 * and for two sentences of the same words with another number ("kept for 30 days", "kept for 90 days": it gives 0.08 to 0.2).
 */
const SURE_PROBABILITY = 0.05;

/**
 * Whether two short statements differ in a name, nothing speaks against it, and the model is near to calling them contrary: of the
 * labelled pairs that this alone makes a finding all nine contradict. Of two numbers and of denials so found more are wrong.
 */
function isOtherName({ a, b, clash, vetoes, cosine }: StatementPair, probability: number): boolean {
  return (
    clash?.reason === 'name' &&
    vetoes.length === 0 &&
    areShort(a, b) &&
    probability >= NAME_PROBABILITY &&
    cosine >= NAME_COSINE
  );
}

const NAME_PROBABILITY = 0.4;
const NAME_COSINE = 0.5;

/** Whether both say the same but for a number: word for word, or turned around ("we keep logs", "logs are kept"). */
function isOfOneNumber({ a, b, clash }: StatementPair): boolean {
  if (clash?.reason !== 'number') return false;
  const [mine, theirs] = [stemsBut(a, clash.a), stemsBut(b, clash.b)];
  return mine.join(' ') === theirs.join(' ') || isTurnedAround(mine, theirs);
}

/** Whether one side is the passive of the other: it has the same words, but for who does it and the form of "be". */
function isTurnedAround(mine: readonly string[], theirs: readonly string[]): boolean {
  const only = (all: readonly string[], others: readonly string[]) => all.filter((stem) => !others.includes(stem));
  const beside = [only(mine, theirs), only(theirs, mine)];
  return beside.some((be) => BE.test(be.join(' '))) && beside.some((who) => WHO_DOES_IT.test(who.join(' ')));
}

const BE = /^(?:is|ar|be)$/;
const WHO_DOES_IT = /^(?:we|thei|i|you)?$/;

/** The stems of the words, but for those at some positions. */
function stemsBut({ words }: Statement, positions: readonly number[]): string[] {
  return words.flatMap(({ stem }, at) => (positions.includes(at) ? [] : [stem]));
}

/** Whether both say in a sentence where one thing is. */
function isPlaced({ a, b, clash }: StatementPair): boolean {
  return clash?.reason === 'state' && isOfOneEntry(clash) && hasVerb(a.text) && hasVerb(b.text);
}

/**
 * Scores by rules alone, where no other words differ and there is no veto. On unseen pairs, different numbers and opposites are
 * then nearly always right; negations are right just over half the time, because "no reason to doubt" looks like one too.
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
/** Factor for each word beside the clash that only one side has. */
const UNLIKE_FACTOR = 0.75;
const LEAST_SHARE = 0.5;

function scoreByRules({ overlap, clash, vetoes, unlike, isPlain }: StatementPair): number {
  // One of a series can be plain in spite of that veto: both fill in the form for the same case.
  if (!clash || (vetoes.length > 0 && !isPlain) || overlap.share < LEAST_SHARE) return 0;
  return BY_RULES[clash.reason] * UNLIKE_FACTOR ** unlike;
}

function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

function round(score: number): number {
  return Math.round(score * 1e4) / 1e4;
}
