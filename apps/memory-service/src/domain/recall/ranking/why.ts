import type { ScoreParts } from '../evidence/fusion.ts';
import type { Leanings } from './boosts.ts';

/** The explanation of a recall: how much each reason adds to the fused score of a memory. */
export interface Why extends ScoreParts {
  /** Lifts a statement above an older one that it seems to replace; mostly 0 */
  readonly update: number;
  readonly recency: number;
  readonly importance: number;
  readonly priming: number;
}

/** @param about.lift what a reply gains; see `replyLifts` */
export function whyOf(
  { vector, lexical, entity, circumstance }: ScoreParts,
  { lift, ...boosts }: Leanings & { readonly lift: number },
): Why {
  return {
    vector,
    lexical,
    entity,
    circumstance: circumstance + lift,
    update: 0,
    recency: boosts.retention,
    importance: boosts.importance,
    priming: boosts.priming,
  };
}
