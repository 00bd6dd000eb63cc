import { existsSync, rmSync } from 'node:fs';
import { BackupError } from '@agent-faculties/service-kit';
import { DatabaseOpenError, lockFile, lockPath } from '../sqlite/database-file.ts';

/** Works while no other process has the lock of a file. @throws BackupError with the words `whenTaken` where one has it */
export async function locked<Result>(path: string, whenTaken: string, work: () => Promise<Result>): Promise<Result> {
  const lock = lockOrExplain(path, whenTaken);
  try {
    return await work();
  } finally {
    lock.close();
  }
}

/** The same for a file that the work makes: where it fails, no lock is left beside a file that is not there. */
export async function lockedForNew<Result>(
  path: string,
  whenTaken: string,
  work: () => Promise<Result>,
): Promise<Result> {
  return await locked(path, whenTaken, async () => {
    try {
      return await work();
    } finally {
      // While it is still held: who opened it before is refused, and not given a lock that nobody else sees.
      if (!existsSync(path)) rmSync(lockPath(path), { force: true });
    }
  });
}

function lockOrExplain(path: string, whenTaken: string) {
  try {
    return lockFile(path);
  } catch (error) {
    throw error instanceof DatabaseOpenError ? new BackupError(whenTaken, { cause: error }) : error;
  }
}
