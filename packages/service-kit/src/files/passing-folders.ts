import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { isAlive } from '../process/is-alive.ts';

/** Of one whose process cannot be seen from here: in another container, or of a version that did not write it down. */
const LEFT_AFTER_MS = 3_600_000;

/**
 * Works in an empty folder for this user alone, which is removed afterwards. It is among the temporary files; a kill leaves it there.
 * @param kind begins its name
 */
export async function inPassingFolder<Result>(
  kind: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), `${kind}-${hostname()}-${process.pid}-`));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Removes the folders of these kinds that killed processes have left. For the start, before the first of its own. What cannot be
 * removed stays. @returns the names of those that are gone
 */
export async function removeLeftFolders(kinds: readonly string[], { now }: { now: number }): Promise<string[]> {
  const gone: string[] = [];
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const kind = kinds.find((kind) => name.startsWith(`${kind}-`));
    if (kind === undefined) continue;
    const path = join(tmpdir(), name);
    try {
      if (!(await isLeft(path, { owner: name.slice(kind.length + 1), now }))) continue;
      await rm(path, { recursive: true });
      gone.push(name);
    } catch {
      // Of another user, or gone already.
    }
  }
  return gone;
}

async function isLeft(path: string, { owner, now }: { owner: string; now: number }): Promise<boolean> {
  const [, host, pid] = /^(.+)-(\d+)-[^-]+$/.exec(owner) ?? [];
  // In a container the process has the number that the killed one had.
  if (host === hostname()) return Number(pid) === process.pid || !isAlive(Number(pid));
  return (await lstat(path)).mtimeMs < now - LEFT_AFTER_MS;
}
