import { scoreAt } from '../evidence/top-scores.ts';

/** Further evidence for a memory, each 0..1. */
export interface Leanings {
  /** The share of the memory that is left. */
  readonly retention: number;
  readonly importance: number;
  /** How strongly the memory is linked to what the session just mentioned. */
  readonly priming: number;
}

/** The most that each boost adds to a fused score. */
const BOOST_LIMITS: Readonly<Leanings> = { retention: 0.02, importance: 0.02, priming: 0.04 };

/** The sum of all boosts: a memory that is better by more than this stays ahead. */
export const BOOST_LIMIT = BOOST_LIMITS.retention + BOOST_LIMITS.importance + BOOST_LIMITS.priming;

/** The boosts of a memory; leanings out of range are clamped. */
export function boostsFor(leanings: Leanings): Leanings {
  return {
    retention: BOOST_LIMITS.retention * inRange(leanings.retention),
    importance: BOOST_LIMITS.importance * inRange(leanings.importance),
    priming: BOOST_LIMITS.priming * inRange(leanings.priming),
  };
}

/** A fused score with its boosts, from the score to the score + BOOST_LIMIT. */
export function boosted(score: number, leanings: Leanings): number {
  const { retention, importance, priming } = boostsFor(leanings);
  return score + retention + importance + priming;
}

/**
 * Indexes of the scores that boosts could lift among the best `places`, in order; the leanings of other memories are not needed.
 * @complexity O(n log n) in the number of scores
 */
export function withinReach(scores: readonly number[], places: number): number[] {
  const last = scoreAt(scores, places);
  const indexes: number[] = [];
  scores.forEach((score, index) => {
    if (score + BOOST_LIMIT >= last) indexes.push(index);
  });
  return indexes;
}

function inRange(leaning: number): number {
  return leaning > 0 ? Math.min(leaning, 1) : 0;
}
