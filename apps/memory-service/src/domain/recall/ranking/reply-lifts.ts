import type { Candidate } from '../evidence/evidence.ts';
import type { Question } from '../question/question.ts';
import { repliesToBest } from '../relevance/replies.ts';

/** The number of best answers whose replies are lifted, and the share of the way up to the answer. */
const BEST = 3;
const SHARE = 0.5;

/**
 * What the replies to the best answers gain, where one of these asks something itself, or where the question asks for several things at
 * once: what came of something often stands in the next message of the session, in words that the question does not have. Chosen in
 * coarse steps; docs/benchmarks/recall.md.
 * @param scores by candidate
 * @returns by candidate, mostly 0
 * @complexity O(candidates)
 */
export function replyLifts(
  { asksSeveral }: Pick<Question, 'asksSeveral'>,
  candidates: readonly Candidate[],
  scores: readonly number[],
): Float64Array {
  const lifts = new Float64Array(candidates.length);
  for (const { reply, to, isAsked } of repliesToBest(candidates, scores, BEST)) {
    if (!asksSeveral && !isAsked) continue;
    const lift = SHARE * ((scores[to] as number) - (scores[reply] as number));
    lifts[reply] = Math.max(lifts[reply] as number, lift);
  }
  return lifts;
}
