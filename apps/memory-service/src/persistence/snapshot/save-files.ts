import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from '@agent-faculties/service-kit';
import {
  COMMITTED_FILE,
  ENTITIES_FILE,
  FAISS_FILE,
  HISTORY_FILE,
  MEMORIES_FILE,
  PACKED_FILE,
  temporary,
} from '../files/file-names.ts';

/** What a save writes beside memories.json, which is renamed last. */
const OTHERS = [FAISS_FILE, ENTITIES_FILE, HISTORY_FILE, PACKED_FILE];

// A save writes its files under temporary names and syncs them. It is committed when the temporary memories.json is renamed to
// memories.json.next: a start that finds that name completes the renaming.

/** Commits the temporary files, which are synced, and renames them to the files of the directory. */
export async function commitSave(directory: string): Promise<void> {
  // The files are on disk; this syncs their names.
  await syncDirectory(directory);
  await rename(join(directory, temporary(MEMORIES_FILE)), join(directory, COMMITTED_FILE));
  await syncDirectory(directory);
  await settleSave(directory);
}

/**
 * The current name of each of the files, for a caller that may not rename: after a save that was committed and not completed
 * it is not the final name.
 */
export function savedName(name: string, names: ReadonlySet<string>): string {
  if (!names.has(COMMITTED_FILE)) return name;
  if (name === MEMORIES_FILE) return COMMITTED_FILE;
  return names.has(temporary(name)) ? temporary(name) : name;
}

/** Completes a committed save, or removes the files of one that was not committed. @returns whether it completed one */
export async function settleSave(directory: string): Promise<boolean> {
  const names = new Set(await readdir(directory));
  if (!names.has(COMMITTED_FILE)) {
    for (const name of [MEMORIES_FILE, ...OTHERS]) {
      if (names.has(temporary(name))) await rm(join(directory, temporary(name)), { force: true });
    }
    return false;
  }
  for (const name of OTHERS) {
    if (names.has(temporary(name))) await rename(join(directory, temporary(name)), join(directory, name));
  }
  // Synced before memories.json, because that one says what the others hold.
  await syncDirectory(directory);
  await rename(join(directory, COMMITTED_FILE), join(directory, MEMORIES_FILE));
  return true;
}
