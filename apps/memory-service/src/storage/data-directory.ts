import { mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '@agent-faculties/service-kit';
import { DataDirectoryError } from './data-directory-error.ts';
import { syncDirectory } from './disk/directory-sync.ts';
import { lockFile } from './disk/file-lock.ts';
import { LOCK_FILE } from './disk/file-names.ts';
import { systemCode } from './disk/system-code.ts';

export { DataDirectoryError };

/** For its owner alone: memories may be private. */
const MODE = 0o700;

export interface DataDirectoryOptions {
  readonly path: string;
  readonly process: { readonly pid: number; readonly hostname: string };
  readonly clock: Clock;
}

/** A folder that this process alone writes to, until it releases it. */
export interface DataDirectory {
  /** Its real path. */
  readonly path: string;
  release(): Promise<void>;
}

/**
 * Creates the folder where it is missing, and locks it.
 * @throws DataDirectoryError when another process has it, or it cannot be written to
 */
export async function openDataDirectory({ path, process, clock }: DataDirectoryOptions): Promise<DataDirectory> {
  try {
    await makeFolder(resolve(path));
    // By its real name: through a link it would still be the same folder, and messages should name it.
    const directory = await realpath(path);
    const lock = await lockFile({ path: join(directory, LOCK_FILE), process, clock, pause });
    return { path: directory, release: () => lock.release() };
  } catch (error) {
    if (error instanceof DataDirectoryError) throw error;
    throw new DataDirectoryError(
      `${path} cannot be used as data directory (${(error as Error).message}): check that it is a folder and that this user may write there.`,
      { cause: error },
    );
  }
}

/**
 * Folder by folder: Node's own way of making the parents too never ends where a parent is there and takes no folder (/proc).
 * What is in a folder is only as safe as the name of the folder.
 */
async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent);
  await mkdir(path, { mode: MODE }).catch(async (error) => {
    // Another process may have been faster.
    if (!(await isFolder(path))) throw error;
  });
  await syncDirectory(parent);
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}
