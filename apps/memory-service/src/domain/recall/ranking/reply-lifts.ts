import { byTime, isBefore } from '../../memory/order-of-time.ts';
import type { Candidate } from '../evidence/evidence.ts';
import { bestOf } from '../evidence/top-scores.ts';
import type { Question } from '../question/question.ts';

/** The number of best answers whose replies are lifted, and the share of the way up to the answer. */
const BEST = 3;
const SHARE = 0.5;
/** The most words of a reply; a longer one stands by its own words. */
const MOST_WORDS = 120;

/**
 * What the replies to the best answers gain, where a question asks for several things at once: what came of something often stands
 * in the next message of the session, in words that the question does not have. Chosen in coarse steps; docs/benchmarks/recall.md.
 * @param scores by candidate
 * @returns by candidate, mostly 0
 * @complexity O(candidates)
 */
export function replyLifts(
  { asksSeveral }: Question,
  candidates: readonly Candidate[],
  scores: readonly number[],
): Float64Array {
  const lifts = new Float64Array(candidates.length);
  if (!asksSeveral) return lifts;
  for (const best of bestOf(scores, BEST)) {
    const reply = replyTo(candidates[best] as Candidate, candidates);
    if (reply === null || (candidates[reply] as Candidate).evidence.words > MOST_WORDS) continue;
    const lift = SHARE * ((scores[best] as number) - (scores[reply] as number));
    lifts[reply] = Math.max(lifts[reply] as number, lift);
  }
  return lifts;
}

/** Index of the next message of the same session; null where there is none among the candidates. */
function replyTo({ stored: { memory } }: Candidate, candidates: readonly Candidate[]): number | null {
  if (memory.sessionId === null) return null;
  let next: number | null = null;
  for (const [index, { stored }] of candidates.entries()) {
    if (stored.memory.sessionId !== memory.sessionId || !isBefore(memory, stored.memory)) continue;
    if (next === null || byTime(stored.memory, (candidates[next] as Candidate).stored.memory) < 0) next = index;
  }
  return next;
}
