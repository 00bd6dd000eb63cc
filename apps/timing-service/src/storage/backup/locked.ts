import { BackupError } from '@agent-faculties/service-kit';
import { DatabaseOpenError, lockFile } from '../sqlite/database-file.ts';

/** Works while no other process has the lock of a file. @throws BackupError with the words `whenTaken` where one has it */
export async function locked<Result>(path: string, whenTaken: string, work: () => Promise<Result>): Promise<Result> {
  const lock = lockOrExplain(path, whenTaken);
  try {
    return await work();
  } finally {
    lock.close();
  }
}

function lockOrExplain(path: string, whenTaken: string) {
  try {
    return lockFile(path);
  } catch (error) {
    throw error instanceof DatabaseOpenError ? new BackupError(whenTaken, { cause: error }) : error;
  }
}
