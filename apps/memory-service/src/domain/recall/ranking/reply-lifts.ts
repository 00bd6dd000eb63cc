import type { Candidate } from '../evidence/evidence.ts';
import { scoreAt } from '../evidence/top-scores.ts';
import { askedValue } from '../question/asked-value.ts';
import type { Question } from '../question/question.ts';
import { BEST_REPLIED, isLaterInSession, repliesToBest } from '../relevance/replies.ts';
import { type Thread, verdictOf } from '../replacement/verdict.ts';

/** The number of best answers whose replies are lifted, and the share of the way up to each. A verdict on a later one is lifted too. */
const BEST = 3;
const SHARE = 0.5;

export interface Replies {
  /** What replies to the best answers gain, by candidate; mostly 0. */
  readonly lifts: Float64Array;
  /** What those gain beside that which may be the verdict on what they reply to. */
  readonly verdictLifts: Float64Array;
  /** By the index of a reply that may be a verdict, what it decides on and what was said later in the session. */
  readonly verdicts: ReadonlyMap<number, Thread>;
}

/**
 * What the replies to the best answers gain, where one of these asks something itself, where the question asks for several things at
 * once, or where a reply may be the verdict on it for a question about the present: what came of something often stands in the next message of
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
  const verdictLifts = new Float64Array(candidates.length);
  const verdicts = new Map<number, Thread>();
  const asked = askedValue(text);
  // What somebody said is asked for, whatever others decided.
  const mayOverrule = asksPresent && speaker === null;
  const best = scoreAt(scores, BEST);
  const looked = mayOverrule ? BEST_REPLIED : BEST;
  for (const { reply, to, isAsked, isOfOther } of repliesToBest(candidates, scores, looked)) {
    const score = scores[to] as number;
    const lift = Math.max(0, SHARE * (score - (scores[reply] as number)));
    if (score >= best && (asksSeveral || isAsked)) lifts[reply] = Math.max(lifts[reply] as number, lift);
    if (!mayOverrule || !isOfOther) continue;
    const [proposal, answer] = [candidates[to] as Candidate, candidates[reply] as Candidate];
    const verdict = verdictOf(asked, answer, proposal);
    if (verdict === null) continue;
    if (!verdicts.has(reply)) {
      verdicts.set(reply, { proposal, verdict, later: candidates.filter((one) => isLaterInSession(answer, one)) });
    }
    verdictLifts[reply] = Math.max(verdictLifts[reply] as number, lift);
  }
  return { lifts, verdictLifts, verdicts };
}
