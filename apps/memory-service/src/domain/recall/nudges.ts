/** What else speaks for a memory, each 0..1. */
export interface Leanings {
  /** How much of it is left after decay. */
  readonly retention: number;
  readonly importance: number;
  /** How much what was just talked about is linked to it. */
  readonly priming: number;
}

/** The most that each can add to a fused score. */
export const NUDGE_LIMITS: Readonly<Leanings> = { retention: 0.02, importance: 0.02, priming: 0.04 };

/** All nudges together: a match that is better by more than this stays ahead, whatever the leanings. */
export const NUDGE_LIMIT = NUDGE_LIMITS.retention + NUDGE_LIMITS.importance + NUDGE_LIMITS.priming;

/** The parts that are added to a fused score; leanings out of range count as the nearest in it. */
export function nudgesFor(leanings: Leanings): Leanings {
  return {
    retention: NUDGE_LIMITS.retention * inRange(leanings.retention),
    importance: NUDGE_LIMITS.importance * inRange(leanings.importance),
    priming: NUDGE_LIMITS.priming * inRange(leanings.priming),
  };
}

/** A fused score with its nudges: between the score and the score + NUDGE_LIMIT. */
export function nudged(score: number, leanings: Leanings): number {
  const { retention, importance, priming } = nudgesFor(leanings);
  return score + retention + importance + priming;
}

function inRange(leaning: number): number {
  return leaning > 0 ? Math.min(leaning, 1) : 0;
}
