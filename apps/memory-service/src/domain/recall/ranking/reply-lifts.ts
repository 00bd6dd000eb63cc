import type { Candidate } from '../evidence/evidence.ts';
import { scoreAt } from '../evidence/top-scores.ts';
import { askedValue } from '../question/asked-value.ts';
import type { Question } from '../question/question.ts';
import { BEST_REPLIED, isLaterInSession, repliesToBest } from '../relevance/replies.ts';
import { mayDecide, type Thread } from '../succession/decision.ts';

/** The number of best answers whose replies are lifted, and the share of the way up to each. A decision on a later one is lifted too. */
const BEST = 3;
const SHARE = 0.5;

export interface Replies {
  /** What replies to the best answers gain, by candidate; mostly 0. */
  readonly lifts: Float64Array;
  /** What those gain beside that which may decide on what they reply to. */
  readonly decisionLifts: Float64Array;
  /** By the index of a reply that may decide on what it replies to, that and what was said later in the session. */
  readonly decidesOn: ReadonlyMap<number, Thread>;
}

/**
 * What the replies to the best answers gain, where one of these asks something itself, where the question asks for several things at
 * once, or where a reply may decide on it for a question about the present: what came of something often stands in the next message of
 * the session, in words that the question does not have. Chosen in coarse steps; docs/benchmarks/recall.md.
 * @param scores by candidate
 * @complexity O(candidates)
 */
export function replyLifts(
  { asksSeveral, asksPresent, speaker, text }: Pick<Question, 'asksSeveral' | 'asksPresent' | 'speaker' | 'text'>,
  candidates: readonly Candidate[],
  scores: readonly number[],
): Replies {
  const lifts = new Float64Array(candidates.length);
  const decisionLifts = new Float64Array(candidates.length);
  const decidesOn = new Map<number, Thread>();
  const asked = askedValue(text);
  // What somebody said is asked for, whatever others decided.
  const mayDecideOn = asksPresent && speaker === null;
  const best = scoreAt(scores, BEST);
  for (const { reply, to, isAsked, isOfOther } of repliesToBest(candidates, scores, BEST_REPLIED)) {
    const score = scores[to] as number;
    const lift = Math.max(0, SHARE * (score - (scores[reply] as number)));
    if (score >= best && (asksSeveral || isAsked)) lifts[reply] = Math.max(lifts[reply] as number, lift);
    const [proposal, decision] = [candidates[to] as Candidate, candidates[reply] as Candidate];
    if (!mayDecideOn || !isOfOther || !mayDecide(asked, decision, proposal)) continue;
    if (!decidesOn.has(reply)) {
      decidesOn.set(reply, { proposal, later: candidates.filter((one) => isLaterInSession(decision, one)) });
    }
    decisionLifts[reply] = Math.max(decisionLifts[reply] as number, lift);
  }
  return { lifts, decisionLifts, decidesOn };
}
