import type { Reason } from '../clashes/clash.ts';
import { isDenial, OUTRIGHT } from '../clashes/negation-clash.ts';
import { unlikeTerms } from '../statements/overlap.ts';
import { areShort, type Statement } from '../statements/statement.ts';
import { VETOES, type Veto } from '../vetoes/veto.ts';
import type { StatementPair } from './statement-pair.ts';

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

/** About the cosine of labelled contradictions; two texts that only share a few words lie below it. */
const LIKELY_COSINE = 0.6;

/** Limit of the probability on either side, so that other evidence can outweigh a model that is quite sure. */
const LEAST = 1e-3;

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
