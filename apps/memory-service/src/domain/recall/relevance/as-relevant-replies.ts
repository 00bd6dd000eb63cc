import type { Candidate } from '../evidence/evidence.ts';
import { moreRelevant, type Relevance } from './relevance.ts';
import { BEST_REPLIED, repliesToBest } from './replies.ts';

/**
 * Makes the reply to what somebody asked at least as relevant as that: a context with the question alone tells nothing, and a reply
 * seldom repeats what it answers.
 * @param judged the relevance by index of the candidate, by evidence
 */
export function asRelevantReplies(
  candidates: readonly Candidate[],
  { scores, judged }: { readonly scores: readonly number[]; readonly judged: (index: number) => Relevance },
): (index: number) => Relevance {
  const askedBy = new Map(
    repliesToBest(candidates, scores, BEST_REPLIED).flatMap(({ reply, to, isAsked }) =>
      isAsked ? [[reply, to] as const] : [],
    ),
  );
  return (index) => {
    const asking = askedBy.get(index);
    return asking === undefined ? judged(index) : moreRelevant(judged(index), judged(asking));
  };
}
