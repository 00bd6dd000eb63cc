import { scoreAt } from './best-of.ts';

/** What else speaks for a memory, each 0..1. */
export interface Leanings {
  /** How much of it is left after decay. */
  readonly retention: number;
  readonly importance: number;
  /** How much what was just talked about is linked to it. */
  readonly priming: number;
}

/** The most that each can add to a fused score. */
const BOOST_LIMITS: Readonly<Leanings> = { retention: 0.02, importance: 0.02, priming: 0.04 };

/** All boosts together: a match that is better by more than this stays ahead, whatever the leanings. */
export const BOOST_LIMIT = BOOST_LIMITS.retention + BOOST_LIMITS.importance + BOOST_LIMITS.priming;

/** The parts that are added to a fused score; leanings out of range count as the nearest in it. */
export function boostsFor(leanings: Leanings): Leanings {
  return {
    retention: BOOST_LIMITS.retention * inRange(leanings.retention),
    importance: BOOST_LIMITS.importance * inRange(leanings.importance),
    priming: BOOST_LIMITS.priming * inRange(leanings.priming),
  };
}

/** A fused score with its boosts: between the score and the score + BOOST_LIMIT. */
export function boosted(score: number, leanings: Leanings): number {
  const { retention, importance, priming } = boostsFor(leanings);
  return score + retention + importance + priming;
}

/**
 * Indexes of the scores that boosts could bring among the best `places`; in order. Leanings of the others need not be known.
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
