import { ConflictError, ForbiddenError } from '@agent-faculties/service-kit';
import { type Memory, NOT_SUPERSEDED } from './memory.ts';
import type { MemoryStore } from './memory-store.ts';
import { isChangeableBy, isSeenByAllWhoSee, type Viewer } from './visibility.ts';

/** The most successors that are followed; a real history has fewer. */
const LONGEST_CHAIN = 1_000;

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
  let successor = winner.supersededBy === loser.id ? null : winner.supersededBy;
  for (let step = 0; successor !== null && step < LONGEST_CHAIN; step++) {
    if (successor === loser.id) {
      throw new ConflictError(
        `Memory '${winner.id}' was itself superseded, in the end by '${loser.id}': take that back first.`,
        { code: 'superseded_in_a_circle' },
      );
    }
    successor = (await store.find(successor))?.memory.supersededBy ?? null;
  }
}

/** What is in the place of a memory in the end: the last of its successors that is there, or itself. */
export async function lastInPlaceOf(
  find: (id: string) => Promise<Memory | undefined>,
  memory: Memory,
): Promise<Memory> {
  let last = memory;
  for (let step = 0; last.supersededBy !== null && step < LONGEST_CHAIN; step++) {
    const next = await find(last.supersededBy);
    if (!next) break;
    last = next;
  }
  return last;
}

/**
 * What a memory that comes back says of its successor: nothing other, where that is still there, is seen by all who see the memory and
 * does not lead back to it; else that it has none.
 */
export async function successionOf(
  store: Pick<MemoryStore, 'find'>,
  memory: Memory,
): Promise<Partial<typeof NOT_SUPERSEDED>> {
  if (memory.supersededBy === null) return {};
  let id: string | null = memory.supersededBy;
  for (let step = 0; id !== null && step < LONGEST_CHAIN; step++) {
    const successor: Memory | undefined = (await store.find(id))?.memory;
    if (step === 0 && (!successor || !isSeenByAllWhoSee(memory, successor))) return NOT_SUPERSEDED;
    if (id === memory.id || successor?.id === memory.id) return NOT_SUPERSEDED;
    id = successor?.supersededBy ?? null;
  }
  return {};
}
