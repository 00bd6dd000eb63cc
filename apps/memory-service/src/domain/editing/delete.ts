import { PreconditionFailedError } from '@agent-faculties/service-kit';
import { STALE, untilTaken } from '../concurrency/until-taken.ts';
import { versionOf } from '../memory/decision.ts';
import { idsOfWords } from '../memory/memory.ts';
import type { Viewer } from '../memory/visibility.ts';
import { type Deletion, deletingAct, eraseFromDisk, forget, mayDelete, removeExpired } from './deletion.ts';
import { type EditDeps, rederivingAfter } from './edit-deps.ts';
import { checkVersion } from './precondition.ts';
import { readMemory } from './read.ts';
import { standingByItself } from './standing-by-itself.ts';

type Which = Pick<Deletion, 'ifMatch'> & { readonly id: string };

/**
 * Deletes a memory, those that it absorbed, and its copies in the archive. Of a memory that another agent's absorbed, it deletes
 * only that memory. An erasure also removes the rest of a memory that was deleted before.
 * @throws NotFoundError, PreconditionFailedError, UnavailableError where the disk refuses to forget it
 */
export async function deleteMemory(deps: EditDeps, viewer: Viewer, deletion: Deletion & { id: string }): Promise<void> {
  const work = () => deleteIn(deps, viewer, deletion);
  // A revert could bring back what is erased while the history still has it: the two wait for one another in this process.
  await (deletion.erase ? deps.locks.run(deletion.id, work) : work());
}

async function deleteIn(
  deps: EditDeps,
  viewer: Viewer,
  { id, ifMatch, erase }: Deletion & { id: string },
): Promise<void> {
  const { store, archive, history } = deps;
  const tryToDelete = async () => {
    if (await deletePruned(deps, viewer, { id, ifMatch })) return [id];
    const left = erase ? await leftOf(deps, viewer, { id, ifMatch }) : [];
    if (left.length > 0) return left;
    const whose = await standingByItself(deps, viewer, { id, ifMatch });
    const stored = await readMemory(deps, viewer, whose.id);
    checkVersion(stored, whose.ifMatch);
    const { memory } = stored;
    const changes = [{ op: 'delete', ids: [memory.id] }] as const;
    const decision = { expected: [versionOf(memory)], changes, act: deletingAct(deps, viewer, { erase }) };
    const isTaken = await rederivingAfter(deps, [memory.id], () => store.changeTogether(decision));
    if (!isTaken) return STALE;
    // An interrupted consolidation may have left it in the archive too.
    await archive?.remove([memory.id]);
    return idsOfWords(memory);
  };
  const gone = await untilTaken(tryToDelete);
  forget(deps, gone);
  if (!erase) return;
  await history?.erase(gone);
  // What another replica brought back until then is deleted too; from then on none can.
  for (const one of gone) {
    if ((await store.find(one)) !== null) await deleteIn(deps, viewer, { id: one, ifMatch: null, erase });
  }
  await eraseFromDisk(deps, gone);
}

/** Of a memory that is in no answer any more: takes it, or what absorbed it, out of the store where it has expired; resolves to the ids to be erased. */
async function leftOf(deps: EditDeps, viewer: Viewer, { id, ifMatch }: Which): Promise<readonly string[]> {
  const expired = await removeExpired(deps, viewer, (memory) => idsOfWords(memory).includes(id));
  if (expired.length > 0 || !(await isOnlyInHistory(deps, viewer, id))) return expired;
  checkAnyVersion(id, ifMatch);
  return [id];
}

async function isOnlyInHistory({ store, history }: EditDeps, viewer: Viewer, id: string): Promise<boolean> {
  if ((await store.find(id)) !== null) return false;
  const last = (await history?.versionsOf(id))?.findLast(({ before }) => before !== null)?.before?.memory;
  return last !== undefined && mayDelete(viewer, last);
}

/** Deletes a memory from the archive; resolves to whether it was there and nowhere else. */
async function deletePruned({ store, archive }: EditDeps, viewer: Viewer, { id, ifMatch }: Which): Promise<boolean> {
  const pruned = await archive?.find(id);
  if (!archive || !pruned || !mayDelete(viewer, pruned)) return false;
  if ((await store.find(id)) === null) checkAnyVersion(id, ifMatch);
  await archive.remove([id]);
  return (await store.find(id)) === null;
}

/** @throws PreconditionFailedError where a version is asked for of what is in no answer any more, and has none */
function checkAnyVersion(id: string, ifMatch: string | null): void {
  if (ifMatch === null) return;
  throw new PreconditionFailedError(
    `Memory '${id}' is gone since that version was read: leave If-Match out to delete what is left of it.`,
  );
}
