import { UnavailableError } from '@agent-faculties/service-kit';
import type { ChangeAct } from '../memory/change-act.ts';
import { idsOfWords, type Memory } from '../memory/memory.ts';
import { type Audience, isChangeableBy, isVisibleTo, type Viewer } from '../memory/visibility.ts';
import { actNow, type EditDeps } from './edit-deps.ts';

/** A deletion; with `erase` it leaves nothing on the disk. */
export interface Deletion {
  /** An ETag list or `*`; null deletes any version. */
  readonly ifMatch: string | null;
  /** Whether to leave nothing of it in the history, the archive, the journal and later backups. */
  readonly erase: boolean;
}

/** Whether the viewer may delete a memory: it sees it, and the memory is of no project that only shares it. */
export function mayDelete(viewer: Viewer, memory: Audience): boolean {
  return isVisibleTo(viewer, memory) && isChangeableBy(viewer, memory);
}

export function deletingAct(deps: EditDeps, viewer: Viewer, { erase }: Pick<Deletion, 'erase'>): ChangeAct {
  return actNow(deps, viewer, erase ? 'erase' : 'delete');
}

/** Deletes memories that have expired, which are in no answer any more. Resolves to their ids, and of those that they absorbed. */
export async function removeExpired(
  { store }: EditDeps,
  viewer: Viewer,
  isWanted: (memory: Memory) => boolean,
): Promise<readonly string[]> {
  const isMeant = (memory: Memory) => isWanted(memory) && mayDelete(viewer, memory);
  return (await store.removeExpired({ isMeant })).flatMap(idsOfWords);
}

/** Removes deleted memories from the history and the archive, and saves, so that no file holds their words. */
export async function eraseFromDisk({ history, archive, saveNow }: EditDeps, ids: readonly string[]): Promise<void> {
  await history?.erase(ids);
  await archive?.remove(ids);
  try {
    await saveNow();
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    // Behind the first colon a fault of the disk says that nothing was changed, which is not so here.
    const [fault] = error.message.split(': ');
    throw new UnavailableError(
      `It is deleted and in no answer, but the files still hold its words: POST /save takes them off the disk, once this is mended: ${fault}.`,
      { code: 'erasure_incomplete', cause: error },
    );
  }
}

/** Removes deleted memories from working memory and schedules a save. */
export function forget({ workingMemory, saveAfterDelete }: EditDeps, removed: readonly string[]): void {
  for (const id of removed) workingMemory.forget(id);
  saveAfterDelete();
}
