import { ConflictError, ForbiddenError } from '@agent-faculties/service-kit';
import type { MemoryHistory } from './history.ts';
import { type Memory, NOT_SUPERSEDED } from './memory.ts';
import type { MemoryStore } from './memory-store.ts';
import { isChangeableBy, isSeenByAllWhoSee, type Viewer } from './visibility.ts';

type Succession = Pick<Memory, 'supersededBy' | 'supersession'>;
type Find = (id: string) => Promise<Memory | undefined>;

/** The reason of a supersession by what had taken the place of a successor that is gone. */
const INHERITED = 'what replaced it was replaced';
/** The most successors that are followed; a real history has fewer. */
export const LONGEST_CHAIN = 1_000;

/**
 * Checks that a memory may take the place of another one.
 * @throws ForbiddenError for one that another project shares; ConflictError where some who see the loser would not see the winner, or the
 *   winner would supersede itself in the end
 */
export async function checkSuccession(
  store: Pick<MemoryStore, 'find'>,
  viewer: Viewer,
  { winner, loser }: { winner: Memory; loser: Memory },
): Promise<void> {
  if (!isChangeableBy(viewer, loser)) {
    throw new ForbiddenError(
      `Memory '${loser.id}' belongs to project '${loser.project}', which shares it: only in that project it can be superseded.`,
      { code: 'other_project' },
    );
  }
  if (winner.scope === 'PRIVATE' && loser.scope !== 'PRIVATE') {
    throw new ConflictError(
      `A PRIVATE memory must not supersede '${loser.id}', which others see: make it TEAM, or edit the other one.`,
      { code: 'private_winner' },
    );
  }
  if (!isSeenByAllWhoSee(loser, winner)) {
    throw new ConflictError(
      `Memory '${loser.id}' is seen in projects that do not see what would supersede it: make that one SHARED.`,
      { code: 'project_winner' },
    );
  }
  // If the loser supersedes the winner now, that ends.
  if (winner.supersededBy !== loser.id && (await leadsTo(findIn(store), winner, (id) => id === loser.id))) {
    throw new ConflictError(
      `Memory '${winner.id}' was itself superseded, in the end by '${loser.id}': take that back first.`,
      { code: 'superseded_in_a_circle' },
    );
  }
}

/** Whether one of these came in the place of a memory, at once or after others; so too where these are more than can be followed. */
export async function isSucceededBy(
  store: Pick<MemoryStore, 'find'>,
  memory: Memory,
  ids: ReadonlySet<string>,
): Promise<boolean> {
  return ids.size > 0 && ((await leadsTo(findIn(store), memory, (id) => ids.has(id))) ?? true);
}

/** What is in the place of a memory in the end: the last of its successors that is there, or itself. */
export async function lastInPlaceOf(find: Find, memory: Memory): Promise<Memory> {
  let last = memory;
  for (let step = 0; last.supersededBy !== null && step < LONGEST_CHAIN; step++) {
    const next = await find(last.supersededBy);
    if (!next) break;
    last = next;
  }
  return last;
}

/** Where to look for successors. */
export interface Successors {
  readonly store: Pick<MemoryStore, 'find'>;
  /** null: nothing is known of memories that are gone. */
  readonly history: Pick<MemoryHistory, 'versionsOf'> | null;
}

/**
 * What a memory that comes back says of its successor: nothing other, where that is still there, is seen by all who see the memory and
 * does not lead back to it. Else what had superseded that one takes its place, as it would have with the memory there; else it has none.
 * @param present the memory that it takes the place of; null: it is gone
 */
export async function successionOf(
  { store, history }: Successors,
  memory: Memory,
  present: Memory | null = null,
): Promise<Partial<Succession>> {
  const find = findIn(store);
  let link: Succession = memory;
  const passed = new Set([memory.id]);
  while (link.supersededBy !== null && !passed.has(link.supersededBy)) {
    passed.add(link.supersededBy);
    const successor: Memory | undefined = await find(link.supersededBy);
    if (successor && isSeenByAllWhoSee(memory, successor)) {
      if (successor.id === memory.id || (await leadsTo(find, successor, (id) => id === memory.id))) break;
      return link === memory ? {} : link;
    }
    const next: Succession | null = successor ?? (await lastVersionOf(history, link.supersededBy)) ?? leftTo(present);
    if (next === null) break;
    link = inherited(next);
  }
  return memory.supersededBy === null ? {} : NOT_SUPERSEDED;
}

/** The succession of a memory whose successor is gone: that of the successor. */
export function inherited({ supersededBy, supersession }: Succession): Succession {
  return { supersededBy, supersession: supersession && { ...supersession, reason: INHERITED } };
}

/** What a memory was when it was deleted. */
async function lastVersionOf(history: Successors['history'], id: string): Promise<Memory | null> {
  const versions = (await history?.versionsOf(id)) ?? [];
  const isGone = versions.at(-1)?.after === null;
  return (isGone && versions.findLast(({ before }) => before !== null)?.before?.memory) || null;
}

/** What took the place of a successor that has left no version, as one that has expired. */
function leftTo(present: Memory | null): Succession | null {
  return present?.supersession?.reason === INHERITED ? present : null;
}

/**
 * Whether one of the successors of a memory, at once or after others, is one of these, or has absorbed one that is named as such.
 * @returns null where they are more than can be followed
 */
async function leadsTo(find: Find, memory: Memory, isOne: (id: string) => boolean): Promise<boolean | null> {
  let id = memory.supersededBy;
  for (let step = 0; id !== null && step < LONGEST_CHAIN; step++) {
    if (isOne(id)) return true;
    const successor = await find(id);
    if (successor && isOne(successor.id)) return true;
    id = successor?.supersededBy ?? null;
  }
  return id === null ? false : null;
}

function findIn(store: Pick<MemoryStore, 'find'>): Find {
  return async (id) => (await store.find(id))?.memory;
}
