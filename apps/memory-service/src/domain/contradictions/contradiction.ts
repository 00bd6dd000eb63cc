import { createHash } from 'node:crypto';
import type { Memory } from '../memory/memory.ts';
import { isVisibleTo } from '../memory/visibility.ts';
import type { Reason } from './clashes/clash.ts';
import { DEFAULT_THRESHOLD } from './pairs/thresholds.ts';

/** Open until somebody decides. Resolved: one of the memories holds. Dismissed: both may stand. */
export const CONTRADICTION_STATES = ['open', 'resolved', 'dismissed'] as const;
export type ContradictionState = (typeof CONTRADICTION_STATES)[number];

/** A decision about a contradiction. */
export interface Decision {
  /** Id of the memory that holds; null where the contradiction was dismissed. */
  readonly winner: string | null;
  readonly agentId: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly note: string | null;
}

/** What somebody who was asked said about a doubtful pair, mostly a language model of a caller. It is a source and not the truth. */
export interface Opinion {
  readonly says: 'contradiction' | 'compatible';
  /** Who said it, such as the name of the model. */
  readonly judge: string;
  /** The agent that handed it in. */
  readonly agentId: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly note: string | null;
}

/** Two memories that cannot both be true. Never changed in place. */
export interface Contradiction {
  /** Derived from the ids of its memories, so that the same contradiction always has the same id. */
  readonly id: string;
  /** Id of the older memory. */
  readonly a: string;
  /** Id of the newer memory. */
  readonly b: string;
  /** How sure the finding is, 0..1. */
  readonly score: number;
  readonly reason: Reason;
  /** The common subject, in words of the memories. */
  readonly topic: string;
  /** The clashing words of each memory. */
  readonly clash: { readonly a: readonly string[]; readonly b: readonly string[] };
  /** Names the scorer; a finding of another scorer is scored again. */
  readonly by: string;
  /** Epoch milliseconds. */
  readonly foundAt: number;
  /** null while it is open. */
  readonly decision: Decision | null;
  /** null: there is none. */
  readonly opinion: Opinion | null;
}

export function stateOf({ decision }: Pick<Contradiction, 'decision'>): ContradictionState {
  if (decision === null) return 'open';
  return decision.winner === null ? 'dismissed' : 'resolved';
}

/** Whether this memory lost by the decision, which is therefore void once nothing supersedes the memory any more. */
export function isLostBy(memoryId: string, { decision }: Pick<Contradiction, 'decision'>): boolean {
  return decision !== null && decision.winner !== null && decision.winner !== memoryId;
}

/** The score with the opinion: whoever calls a doubtful pair a contradiction makes it one that counts. */
export function standingOf({ score, opinion }: Pick<Contradiction, 'score' | 'opinion'>): number {
  return opinion?.says === 'contradiction' ? Math.max(score, DEFAULT_THRESHOLD) : score;
}

/** Whether it is worth asking somebody: it may be one, and nobody has said anything about it. */
export function isDoubtful({ score, opinion, decision }: Contradiction): boolean {
  return score < DEFAULT_THRESHOLD && opinion === null && decision === null;
}

/** The id of the contradiction of two memories, the same in either order. */
export function contradictionId(one: string, other: string): string {
  const [first, second] = one < other ? [one, other] : [other, one];
  const hash = createHash('sha256').update(`${first} ${second}`).digest('hex');
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

/** Whether a memory is compared. Derived and absorbed ones only repeat others, and a superseded one no longer holds. */
export function isComparable(memory: Pick<Memory, 'kind' | 'consolidatedInto' | 'supersededBy'>): boolean {
  return memory.kind === 'episodic' && memory.consolidatedInto === null && memory.supersededBy === null;
}

/**
 * Whether two memories may be compared with each other: a PRIVATE one only with memories of its agent, and only what somebody sees
 * together in one of their projects.
 */
export function mayBeCompared(one: Memory, other: Memory): boolean {
  const isForAgents =
    isVisibleTo({ agentId: one.agentId, project: null }, other) &&
    isVisibleTo({ agentId: other.agentId, project: null }, one);
  return isForAgents && (isVisibleTo(one, other) || isVisibleTo(other, one));
}

/** An answer longer than this advises and explains, whether its session is known or not. */
const LONGEST_NOTE = 320;

/**
 * Whether what two memories say is independent. An assistant's answer repeats, advises and plays through what its user brings up:
 * it is held against what other agents say elsewhere, not against the question it answers, its own thread or its agent's other
 * answers. A short note that an assistant keeps outside of a session is no answer.
 */
export function areIndependent(one: Memory, other: Memory): boolean {
  if (!isAnswer(one) && !isAnswer(other)) return true;
  return one.agentId !== other.agentId && (one.sessionId === null || one.sessionId !== other.sessionId);
}

function isAnswer({ role, sessionId, content }: Memory): boolean {
  return role === 'assistant' && (sessionId !== null || content.length > LONGEST_NOTE);
}

/** The older one first; of the same moment, the one with the smaller id. */
export function inOrder(one: Memory, other: Memory): readonly [Memory, Memory] {
  const isFirst = one.createdAt === other.createdAt ? one.id < other.id : one.createdAt < other.createdAt;
  return isFirst ? [one, other] : [other, one];
}
