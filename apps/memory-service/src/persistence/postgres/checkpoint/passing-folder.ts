import { inPassingFolder } from '@agent-faculties/service-kit';
import type { DataDirectory } from '../../directory/data-directory.ts';

/** Kind of the folders that the files of a space pass through. */
export const CHECKPOINT_FOLDER = 'memory-checkpoint';

/** Works in an empty folder for this user alone, which is removed afterwards. */
export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  return await inPassingFolder(CHECKPOINT_FOLDER, work);
}

/** A folder that no other process knows needs no lock. */
export function directoryOf(folder: string): DataDirectory {
  return { path: folder, refusal: null, writable: async () => {}, release: async () => {} };
}
