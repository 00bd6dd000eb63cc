import { stat } from 'node:fs/promises';
import { systemCode } from './system-code.ts';

/** Whether there is a folder; false for what is not there. @throws what the system says of a path that it cannot look at */
export async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}
