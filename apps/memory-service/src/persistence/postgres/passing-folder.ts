import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataDirectory } from '../data-directory.ts';

/** Works in an empty folder for this user alone, which is removed afterwards. */
export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'memory-checkpoint-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A folder that no other process knows needs no lock. */
export function directoryOf(folder: string): DataDirectory {
  return { path: folder, refusal: null, writable: async () => {}, release: async () => {} };
}
