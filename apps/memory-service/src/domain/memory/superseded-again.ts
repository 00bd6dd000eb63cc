import { ConflictError, ForbiddenError } from '@agent-faculties/service-kit';
import type { ChangeAct } from './change-act.ts';
import type { PastVersion } from './history.ts';
import { type Memory, recallText } from './memory.ts';
import { checkSuccession, type Successors } from './supersession.ts';
import type { Viewer } from './visibility.ts';

/** A memory that stopped being superseded when its successor went or became another, and when, epoch milliseconds. */
export interface Released {
  readonly id: string;
  readonly at: number;
}

/** The memories that one superseded no longer from the end of a version on. */
export function releasedBy({ released, at }: Pick<PastVersion, 'released' | 'at'>): Released[] {
  return released.map((id) => ({ id, at }));
}

/** Of the memories that a successor has released, those that it may supersede again: with the same text, and nobody has decided about them since. */
export async function losersAgain(
  deps: Successors,
  winner: Memory,
  { viewer, released }: { viewer: Viewer; released: readonly Released[] },
): Promise<Memory[]> {
  const losers = new Map<string, Memory>();
  for (const { id, at } of released) {
    const loser = (await deps.store.find(id))?.memory;
    if (loser?.id !== id || !isFreeFor(winner, loser) || !(await hasStood(deps, { loser, winner, since: at })))
      continue;
    if (await maySucceed(deps.store, viewer, { winner, loser })) losers.set(id, loser);
  }
  return [...losers.values()];
}

/** The change that puts a memory back in the place of one that it had superseded. */
export function supersededAgain(loser: Memory, { id }: Memory, { agentId, at }: ChangeAct) {
  const supersession = { agentId: agentId as string, at, reason: 'what replaced it was brought back' };
  const updatedAt = Math.max(at, loser.updatedAt + 1);
  return { op: 'update', memory: { ...loser, supersededBy: id, supersession, updatedAt } } as const;
}

/** Whether nothing is in the place of a memory but what came there when the winner went, as it had superseded the winner. */
function isFreeFor(winner: Memory, { supersededBy }: Memory): boolean {
  return supersededBy === null || supersededBy === winner.supersededBy;
}

interface Standing {
  readonly loser: Memory;
  readonly winner: Memory;
  /** Epoch milliseconds. */
  readonly since: number;
}

/** Whether nothing was said about a memory since a moment that made its successor another matter. */
async function hasStood({ history }: Successors, { loser, winner, since }: Standing): Promise<boolean> {
  const versions = ((await history?.versionsOf(loser.id)) ?? []).filter(({ at }) => at >= since);
  return versions.every(
    ({ before }) => before && isFreeFor(winner, before.memory) && recallText(before.memory) === recallText(loser),
  );
}

async function maySucceed(...about: Parameters<typeof checkSuccession>): Promise<boolean> {
  try {
    await checkSuccession(...about);
    return true;
  } catch (error) {
    if (error instanceof ConflictError || error instanceof ForbiddenError) return false;
    throw error;
  }
}
