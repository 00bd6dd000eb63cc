import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Syncs cost nothing in memory, and these tests make thousands of them. */
const IN_MEMORY = '/dev/shm';

/** A new empty folder and how to be rid of it. */
export function scratchFolder(): { path: string; removeScratch: () => void } {
  const path = mkdtempSync(join(isWritable(IN_MEMORY) ? IN_MEMORY : tmpdir(), 'memory-store-'));
  return { path, removeScratch: () => rmSync(path, { recursive: true, force: true }) };
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** A data directory that may be written to. */
export const directoryOf = (path: string) => ({ path, writable: async () => {} });
