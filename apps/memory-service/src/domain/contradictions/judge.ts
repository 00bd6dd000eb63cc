import { hasVerb } from '../text/clauses.ts';
import type { Word } from '../text/words.ts';
import { type Clash, type Reason, SURE } from './clashes/clash.ts';
import { areAgreed, clashesOf } from './clashes/clashes-of.ts';
import { OF_ONE_ENTRY } from './clashes/entry-clash.ts';
import { DENIAL, OUTRIGHT } from './clashes/negation-clash.ts';
import { isPartOfSame, type Overlap, overlapOf, unlikeTerms, unlikeWords } from './overlap.ts';
import { saidByClash } from './said-by-clash.ts';
import { isLight } from './statements/light.ts';
import { areShort, phrasesAt, type Statement } from './statements/statement.ts';
import { HIGH_CONFIDENCE } from './thresholds.ts';
import { topicOf } from './topic.ts';
import { VETOES, type Veto, vetoesOf } from './veto.ts';

/** Two statements and the evidence in their words, before a model scores them. */
export interface StatementPair {
  readonly a: Statement;
  readonly b: Statement;
  readonly overlap: Overlap;
  /** Cosine of the memories' vectors, their nearest chunks. */
  readonly cosine: number;
  readonly clash: Clash | null;
  readonly vetoes: readonly Veto[];
  /** How many content words only one side has, without the clashing ones; the smaller number of both sides. */
  readonly unlike: number;
  /** Whether nothing clashes, and both name the same value or deny the same word. */
  readonly isAgreed: boolean;
  /** Whether both say the same except for the clash, with no veto. */
  readonly isPlain: boolean;
}

export interface Judgement {
  /** 0..1 */
  readonly score: number;
  readonly reason: Reason;
  readonly topic: string;
  readonly clash: { readonly a: readonly string[]; readonly b: readonly string[] };
}

/** Stands in for the cosine without vectors: the usual one of two memories that share words. */
export const USUAL_COSINE = 0.45;

export function statementPair(
  a: Statement,
  b: Statement,
  { overlap = overlapOf(a, b), cosine = USUAL_COSINE }: { readonly overlap?: Overlap; readonly cosine?: number } = {},
): StatementPair {
  const clashes = clashesOf(a, b, overlap);
  const clash = clashes[0] ?? null;
  const vetoes = vetoesOf(a, b, { overlap, clashes });
  const said = clash ? saidByClash(a, b, clash) : { a: [], b: [] };
  const unlike = [unlikeTerms(a, b, said.a), unlikeTerms(b, a, said.b)];
  const isPlain =
    clash !== null &&
    vetoes.length === 0 &&
    (isOfOneEntry(clash) ||
      ((Math.min(...unlike) === 0 || differInLightWords(a, b, said, clash)) &&
        mayBePlain(a, b, overlap, clash) &&
        Math.max(...unlike) <= mostUnlike(a, b, clash) &&
        otherNumbers(a, clash.a, b) === otherNumbers(b, clash.b, a)));
  return {
    a,
    b,
    overlap,
    cosine,
    clash,
    vetoes,
    unlike: Math.min(...unlike),
    isPlain,
    isAgreed: clash === null && Math.min(...unlike) === 0 && areAgreed(a, b),
  };
}

/**
 * A long statement has numbers, days and denials of more than one thing. A denial is of something else where it is weak, or where one word is
 * shared alone: "no puddle, then" denies not all that is told of puddles.
 */
function mayBePlain(a: Statement, b: Statement, { shared }: Overlap, clash: Clash): boolean {
  if (clash.reason === 'antonym') return true;
  if (!areShort(a, b)) return false;
  return clash.reason !== 'negation' || (isDenial(clash) && shared.length > 1);
}

/** Whether beside two values only verbs differ that say little: "the backup runs at 2", "the backup starts at 4". */
function differInLightWords(a: Statement, b: Statement, said: Pick<Clash, 'a' | 'b'>, { reason }: Clash): boolean {
  const only = (one: Statement, other: Statement, beside: readonly number[]) =>
    [...one.terms].flatMap(([stem, at]) =>
      other.terms.has(stem) || at.some((place) => beside.includes(place)) ? [] : at,
    );
  const isLightAt = ({ words }: Statement, at: number) => isLight(words[at]?.lower ?? '');
  return (
    OF_VALUES.has(reason) &&
    only(a, b, said.a).every((at) => isLightAt(a, at)) &&
    only(b, a, said.b).every((at) => isLightAt(b, at))
  );
}

const OF_VALUES: ReadonlySet<Reason> = new Set(['number', 'date', 'version']);

/** What one says of another weekday may be of another thing as soon as it says more: "rehearsals on Friday", "rehearsals of the small choir on Monday". */
function mostUnlike(a: Statement, b: Statement, { reason }: Clash): number {
  const isOfWeekday = [a, b].some(({ values }) => values.some(({ kind }) => kind === 'weekday'));
  return reason === 'date' && isOfWeekday ? 1 : (PLAIN[reason] ?? -1);
}

function isDenial({ reason, strength }: Clash): boolean {
  return reason === 'negation' && strength >= DENIAL;
}

/** Whether both sides only give different values to one entry, and say nothing else. */
function isOfOneEntry({ reason, strength }: Clash): boolean {
  return (reason === 'name' || reason === 'exclusive_choice' || reason === 'state') && strength >= OF_ONE_ENTRY;
}

/**
 * For each reason, the words beside the clash that one side of a plain clash may have more than the other; four of five such
 * labelled pairs are right. Of different names both may hold.
 */
const PLAIN: Readonly<Partial<Record<Reason, number>>> = {
  number: Number.POSITIVE_INFINITY,
  date: Number.POSITIVE_INFINITY,
  version: Number.POSITIVE_INFINITY,
  antonym: Number.POSITIVE_INFINITY,
  negation: 2,
  preference: 0,
};
/** The least score of a plain clash: the model has seen few of them and misses some. */
const PLAIN_SCORE = 0.65;
/** Where the model gives less, only half of the plain clashes are right: "I weigh 71 kilos" and "My brother weighs 84". */
const PLAIN_PROBABILITY = 0.1;
/**
 * The same for two places of one thing, which the model seldom holds against each other ("meets in room 204", "meets in the cafeteria"),
 * and for two sentences of the same words with another number ("kept for 30 days", "kept for 90 days": it gives 0.08 to 0.2).
 */
const SURE_PROBABILITY = 0.05;

/** The words with digits beside the clash, and letters that tell which: rack 4 is not rack 14, and sample A not sample B. */
function otherNumbers({ words }: Statement, beside: readonly number[], other: Statement): string {
  return words
    .filter((word, at) => !beside.includes(at) && (/\d/.test(word.stem) || isLetterOf(words[at - 1], word)))
    .flatMap(({ stem }) => (other.terms.has(stem) || !isPartOfSame(stem, other) ? [stem] : []))
    .join(' ');
}

function isLetterOf(noun: Word | undefined, { text, startsSentence }: Word): boolean {
  return !startsSentence && /^\p{Lu}$/u.test(text) && text !== 'I' && noun?.isContent === true;
}

/** The stems of the words, but for those at some positions. */
function stemsBut({ words }: Statement, positions: readonly number[]): string[] {
  return words.flatMap(({ stem }, at) => (positions.includes(at) ? [] : [stem]));
}

/** The evidence for and against a contradiction: numbers that are multiplied by weights and added up. */
export type PairEvidence = Readonly<
  Record<
    | 'bias'
    | 'model'
    | 'value'
    | 'name'
    | 'denial'
    | 'near'
    | 'unshared'
    | 'agreed'
    | 'untyped'
    | Exclude<Veto, 'question'>,
    number
  >
>;

/**
 * Weights of the evidence: what bench/memory/contradiction-weights.mjs prints, a logistic regression on pairs that the model had not
 * learned from and on what a scan brings together that belongs to different pairs. It then lowers `bias` until, on the hardest of
 * its sets, eight of ten reports are right at the usual threshold of 0.6. HIGH_CONFIDENCE is chosen after that.
 */
export const PAIR_WEIGHTS: PairEvidence = {
  bias: -0.33,
  model: 0.71,
  value: 0.88,
  name: 2.7,
  denial: 0.59,
  near: 3.87,
  unshared: -1.25,
  agreed: -1.34,
  conditional: -0.13,
  doubtful: -0.84,
  plan: -0.41,
  other_time: -1.19,
  rough: -0.99,
  additive: -0.83,
  other_identifier: -0.67,
  other_one: -0.04,
  intent: -1.77,
  // By hand, in whole steps: labelled pairs are no small talk, speak of one person and one ticket, stand alone, are of two agents,
  // calculate nothing, and hardly repeat each other.
  exclaimed: -3,
  other_speaker: -3,
  series: -5,
  other_subject: -6,
  own_words: -2,
  answer: -3,
  calculation: -3,
  repeated: -4,
  told_change: -3,
  crowded: -3,
  // By hand, on plain statements: see areNearlyOne.
  untyped: -8,
};

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

/** @param probability of the model, both orders */
export function evidenceOf(pair: StatementPair, probability: number): PairEvidence {
  const { a, b, overlap, cosine, clash, vetoes, isAgreed } = pair;
  const inside = Math.min(Math.max(probability, LEAST), 1 - LEAST);
  const strengthOf = (...reasons: Reason[]) => (clash && reasons.includes(clash.reason) ? clash.strength : 0);
  const ofVetoes = Object.fromEntries(VETOES.map((veto) => [veto, Number(vetoes.includes(veto))])) as Record<
    Veto,
    number
  >;
  return {
    bias: 1,
    model: Math.log(inside / (1 - inside)),
    value: strengthOf('number', 'date', 'version'),
    name: strengthOf('name', 'exclusive_choice', 'state'),
    denial: clash !== null && isDenial(clash) && vetoes.length === 0 ? clash.strength / OUTRIGHT : 0,
    near: cosine - LIKELY_COSINE,
    unshared: 1 - Math.min(1, overlap.share),
    agreed: Number(isAgreed),
    untyped: clash === null && areNearlyOne(a, b) ? Math.max(0, cosine - VERY_NEAR) : 0,
    ...ofVetoes,
  };
}

/**
 * Whether two short statements differ in one word or two, and neither repeats the other. Where nothing clashes, their vectors tell
 * best whether they say the same: of the surest answers of the model, three of four are right below VERY_NEAR, and fewer than half
 * above it ("the bill is paid", "the bill: settled").
 */
function areNearlyOne(a: Statement, b: Statement): boolean {
  const unlike = [unlikeTerms(a, b), unlikeTerms(b, a)];
  return areShort(a, b) && Math.min(...unlike) > 0 && Math.max(...unlike) <= NEARLY_ONE;
}

const NEARLY_ONE = 2;
/** A cosine. */
const VERY_NEAR = 0.7;

/** About the cosine of labelled contradictions; two texts that only share a few words lie below it. */
const LIKELY_COSINE = 0.6;

/** Limit of the probability on either side, so that other evidence can outweigh a model that is quite sure. */
const LEAST = 1e-3;

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

function scoreByRules({ overlap, clash, vetoes, unlike, isPlain }: StatementPair): number {
  // A pair can be plain in spite of a veto: both fill in the form of a series for the same case.
  if (!clash || (vetoes.length > 0 && !isPlain) || overlap.share < LEAST_SHARE) return 0;
  return BY_RULES[clash.reason] * UNLIKE_FACTOR ** unlike;
}

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

/** Whether both say in a sentence where one thing is. */
function isPlaced({ a, b, clash }: StatementPair): boolean {
  return clash?.reason === 'state' && isOfOneEntry(clash) && hasVerb(a.text) && hasVerb(b.text);
}

function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

function round(score: number): number {
  return Math.round(score * 1e4) / 1e4;
}
