import { type Memory, recallText } from '../../memory/memory.ts';
import { byTime, isBefore } from '../../memory/order-of-time.ts';
import type { Candidate, Evidence } from '../evidence/evidence.ts';
import { bestOf } from '../evidence/top-scores.ts';
import { saysNothing } from './says-nothing.ts';

/** To how many of the best replies are looked for: a context shows few more. */
export const BEST_REPLIED = 10;
/** The most words of what is replied to; a longer text that ends in a question holds statements too. */
const MOST_WORDS_ASKED = 40;
/** The most words of a reply; a longer one stands by its own words. */
const MOST_WORDS = 120;

/** What a user asks of an assistant, without a question mark at the end: "I would like to order the same mugs again." */
const REQUEST = /[?？؟]|\b(?:please|(?:can|could|will|would) you|I(?:['’]d| would) like|I need)\b/i;
/** Characters in which it is looked for. */
const LOOKED_AT = 500;

type Speaker = Pick<Memory, 'name' | 'role' | 'agentId'>;

/** Indexes of candidates. */
export interface Reply {
  readonly reply: number;
  readonly to: number;
  /** Whether that one asked for it: by a question, or as a user who requests something of an assistant. */
  readonly isAsked: boolean;
  /** Whether it is known that somebody else says it. */
  readonly isOfOther: boolean;
}

/** The next message of the session behind each of the best candidates, where it is among the candidates and short. */
export function repliesToBest(candidates: readonly Candidate[], scores: readonly number[], best: number): Reply[] {
  return bestOf(scores, best).flatMap((to) => {
    const reply = nextOf(candidates[to] as Candidate, candidates);
    if (reply === null || (candidates[reply] as Candidate).evidence.words > MOST_WORDS) return [];
    const [first, second] = [candidates[to] as Candidate, candidates[reply] as Candidate];
    return {
      reply,
      to,
      isAsked: isAsked(first, second),
      isOfOther: isOfOther(first.stored.memory, second.stored.memory),
    };
  });
}

/** "Got it!" tells nothing behind what a user requested; behind a question, "Yes." does. */
function isAsked({ evidence: first, stored }: Candidate, candidate: Candidate): boolean {
  const { evidence: reply } = candidate;
  if (first.words > MOST_WORDS_ASKED || reply.isQuestion || isOfSameSpeaker(stored.memory, candidate.stored.memory))
    return false;
  if (first.isQuestion || first.role !== 'user' || reply.role !== 'assistant') return first.isQuestion;
  return REQUEST.test(recallText(stored.memory).slice(0, LOOKED_AT)) && !saysNothing(candidate);
}

/** Who asks and goes on does not answer. Without names and roles nothing tells who speaks. */
function isOfSameSpeaker(one: Speaker, other: Speaker): boolean {
  if (one.name !== other.name) return false;
  return one.name !== null || (one.role !== null && one.role === other.role && one.agentId === other.agentId);
}

function isOfOther(one: Speaker, other: Speaker): boolean {
  return one.name !== other.name || one.role !== other.role || one.agentId !== other.agentId;
}

/** Index of the next message of the same session; null where there is none among the candidates. */
function nextOf(first: Candidate, candidates: readonly Candidate[]): number | null {
  if (first.stored.memory.sessionId === null) return null;
  let next: number | null = null;
  // An iterator would allocate an object for each candidate.
  for (let index = 0; index < candidates.length; index++) {
    const candidate = candidates[index] as Candidate;
    if (!isRightBehind(first.evidence, candidate.evidence) || !isLaterInSession(first, candidate)) continue;
    const { memory } = candidate.stored;
    if (next === null || byTime(memory, (candidates[next] as Candidate).stored.memory) < 0) next = index;
  }
  return next;
}

/** Whether neither author said anything between the two: a filter may leave the next message out. Hardly any are. */
function isRightBehind({ createdAt: saidAt, saidAfter }: Evidence, { createdAt, saidBefore }: Evidence): boolean {
  return createdAt >= saidAt && createdAt <= (saidAfter ?? createdAt) && (saidBefore ?? saidAt) <= saidAt;
}

/** The sessions of two projects may have the same name. */
export function isLaterInSession(
  { stored: { memory: before } }: Candidate,
  { stored: { memory } }: Candidate,
): boolean {
  return before.sessionId === memory.sessionId && before.project === memory.project && isBefore(before, memory);
}
