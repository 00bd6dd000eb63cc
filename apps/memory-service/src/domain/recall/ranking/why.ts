import type { ScoreParts } from '../evidence/fusion.ts';
import type { Leanings } from './boosts.ts';

/** The explanation of a recall: what each reason adds to the score of a memory, or takes off. Together they are the score. */
export interface Why extends ScoreParts {
  /** 0 or below: what is taken off where many memories are alike. */
  readonly crowding: number;
  /** Lifts a statement above an older one that it seems to replace; mostly 0 */
  readonly update: number;
  readonly recency: number;
  readonly importance: number;
  readonly priming: number;
  /** What keeps the score within 0 and 1; mostly 0 */
  readonly limit: number;
}

/** What adds to a fused score. */
export interface Adding {
  readonly parts: ScoreParts;
  /** What a reply gains and what names the asked number, and what asks the same or does not fit the circumstance loses. */
  readonly lift: number;
  /** What is taken off for a crowd; 0 and above. */
  readonly crowding: number;
  readonly boosts: Leanings;
  /** What it gains by being moved before an older statement. */
  readonly update: number;
}

/** @param shareOf a fused score as a share of the best, which may lie below 0 and above 1 */
export function whyOf(
  { parts: { vector, lexical, entity, circumstance }, lift, crowding, boosts, update }: Adding,
  shareOf: (fused: number) => number,
): Why {
  const unlimited = {
    vector: shareOf(vector),
    lexical: shareOf(lexical),
    entity: shareOf(entity),
    circumstance: shareOf(circumstance + lift),
    crowding: shareOf(0 - crowding),
    update: shareOf(update),
    recency: shareOf(boosts.retention),
    importance: shareOf(boosts.importance),
    priming: shareOf(boosts.priming),
  };
  const sum = Object.values(unlimited).reduce((total, part) => total + part, 0);
  return { ...unlimited, limit: Math.min(Math.max(sum, 0), 1) - sum };
}
