import type { components } from '../api.gen.ts';
import type { Absence, Condition } from '../domain/recall/why-not.ts';
import { scoreView, whyView } from './score-view.ts';

type View = components['schemas']['Absence'];

/** The conditions by their names in the contract. */
const CONDITIONS: Readonly<Record<Condition, View['unmet'][number]>> = {
  authorAgentIds: 'agent_ids',
  kinds: 'kinds',
  tags: 'tags',
  scope: 'scope',
  leastSource: 'min_trust',
  sinceMs: 'since',
  untilMs: 'until',
  heldAtMs: 'as_of',
};

/** @param topK how many are recalled at most */
export function absenceView(memoryId: string, absence: Absence, topK: number): View {
  const { place, isRecalled, toldBy, own, leastScore } = absence;
  const unmet = absence.unmet.map((condition) => CONDITIONS[condition]);
  return {
    memory_id: memoryId,
    recalled: isRecalled,
    place,
    unmet,
    told_by: toldBy,
    score: own && scoreView(own.score),
    least_score: leastScore === null ? null : scoreView(leastScore),
    relevance: own?.relevance ?? null,
    ...(own?.why && { why: whyView(own.why, own.score) }),
    explanation: explanationOf(absence, { unmet, topK }),
  };
}

function explanationOf(
  { place, isRecalled, isLastTold, toldBy, own, leastScore, isSuperseded, hasEnded }: Absence,
  { unmet, topK }: { readonly unmet: readonly string[]; readonly topK: number },
): string {
  if (isRecalled) return `It is recalled, in place ${place}.`;
  if (unmet.length > 0) return `The request leaves it out: it does not meet ${unmet.join(', ')}.`;
  if (toldBy !== null) return 'A derived memory that tells it is recalled in its place.';
  if (own === null && isLastTold) return 'The question asks for what was told last, and this is not of it.';
  if (own === null) return 'Nothing speaks for it: it shares no words, names or meaning with the question.';
  const behind = isSuperseded ? 'what came in its place' : 'what still holds';
  const isBehind = !isLastTold && (isSuperseded || hasEnded) ? ` It also ranks behind ${behind}.` : '';
  const scores = `Its score is ${own.score.toFixed(2)}${leastScore === null ? '' : `, that of the last one that is recalled ${leastScore.toFixed(2)}`}.`;
  if (place === null) return `It is not among the first 100. ${scores}${isBehind}`;
  if (place <= topK)
    return `It comes in place ${place}, and scores less than the request asks for. ${scores}${isBehind}`;
  return `It comes in place ${place}, and the request takes ${topK}. ${scores}${isBehind}`;
}
