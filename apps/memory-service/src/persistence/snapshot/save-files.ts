import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from '@agent-faculties/service-kit';
import { COMMITTED_FILE, ENTITIES_FILE, FAISS_FILE, MEMORIES_FILE, temporary } from '../files/file-names.ts';

// A save writes its three files under temporary names and syncs them. Renaming the temporary memories.json to
// memories.json.next is the moment at which the save has happened: whoever finds that name has only to rename on.

/** Makes the three temporary files, which are synced, those of the directory. */
export async function commitSave(directory: string): Promise<void> {
  // The files are on disk; this is for their names.
  await syncDirectory(directory);
  await rename(join(directory, temporary(MEMORIES_FILE)), join(directory, COMMITTED_FILE));
  await syncDirectory(directory);
  await settleSave(directory);
}

/**
 * Under which name each of the three files is found: after a save that was committed and not finished, not under its own.
 * For who may not rename.
 */
export function savedName(name: string, names: ReadonlySet<string>): string {
  if (!names.has(COMMITTED_FILE)) return name;
  if (name === MEMORIES_FILE) return COMMITTED_FILE;
  return names.has(temporary(name)) ? temporary(name) : name;
}

/** Finishes a save that was committed, or removes what one that was not has left. @returns whether it finished one */
export async function settleSave(directory: string): Promise<boolean> {
  const names = new Set(await readdir(directory));
  if (!names.has(COMMITTED_FILE)) {
    for (const name of [MEMORIES_FILE, ENTITIES_FILE, FAISS_FILE]) {
      if (names.has(temporary(name))) await rm(join(directory, temporary(name)), { force: true });
    }
    return false;
  }
  for (const name of [FAISS_FILE, ENTITIES_FILE]) {
    if (names.has(temporary(name))) await rename(join(directory, temporary(name)), join(directory, name));
  }
  // On disk before memories.json is, because it says what the others hold.
  await syncDirectory(directory);
  await rename(join(directory, COMMITTED_FILE), join(directory, MEMORIES_FILE));
  return true;
}
