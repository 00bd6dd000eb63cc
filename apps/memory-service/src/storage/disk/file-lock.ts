import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '@agent-faculties/service-kit';
import { DataDirectoryError } from '../data-directory-error.ts';
import { type LockHolder, lockHolder, stateOf } from './lock-holder.ts';
import { systemCode } from './system-code.ts';

/** The holder touches its lock so often, for those who cannot see its process. */
const BEAT_MS = 3_000;
/** A lock that was not touched for so long, by a process that cannot be seen, is left over: three beats and a slow disk. */
const SILENCE_MS = 12_000;
/** Each further one means that others took or left the lock in between. */
const MAX_ATTEMPTS = 100;

export interface FileLockOptions {
  readonly path: string;
  readonly process: Pick<LockHolder, 'pid' | 'hostname'>;
  readonly clock: Clock;
  /** Resolves after so many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** A file that names the process that may write to a folder. */
export interface FileLock {
  release(): Promise<void>;
}

/**
 * Takes the lock, also one that a dead process left behind.
 *
 * The file appears whole, because it is written beside and linked. One that is left over is replaced under a lock of its own,
 * so that of several processes that find it one only takes it.
 * @throws DataDirectoryError when another process holds it
 */
export async function lockFile({ path, process, clock, pause }: FileLockOptions): Promise<FileLock> {
  const self = await lockHolder(process);
  await take(path, { self, pause });
  const beat = setInterval(() => void touch(path, clock.now()), BEAT_MS);
  beat.unref();
  return {
    async release() {
      clearInterval(beat);
      if ((await read(path)) === JSON.stringify(self)) await rm(path, { force: true });
    },
  };
}

interface Taking {
  readonly self: LockHolder;
  readonly pause: (milliseconds: number) => Promise<void>;
}

async function take(path: string, taking: Taking): Promise<void> {
  const { self } = taking;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (await create(path, self)) return;
    const found = await read(path);
    if (found === null) continue;
    await refuseUnlessLeftOver(path, found, taking);
    const takeover = `${path}.takeover`;
    await take(takeover, taking);
    try {
      // Whoever had the takeover before may have replaced it since.
      if ((await read(path)) !== found) continue;
      await writeFile(temporaryOf(path, self), JSON.stringify(self));
      await rename(temporaryOf(path, self), path);
      return;
    } finally {
      await rm(takeover, { force: true });
    }
  }
  throw new DataDirectoryError(`${path} changes hands all the time: stop the other processes, or delete it.`);
}

/** @returns false when there is one already */
async function create(path: string, self: LockHolder): Promise<boolean> {
  const temporary = temporaryOf(path, self);
  await writeFile(temporary, JSON.stringify(self));
  try {
    await link(temporary, path);
    return true;
  } catch (error) {
    // ENOENT: this process tries twice at a time, and the other try has removed what both have written.
    if (systemCode(error) === 'EEXIST' || systemCode(error) === 'ENOENT') return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

function temporaryOf(path: string, { hostname, pid, startTicks }: LockHolder): string {
  return `${path}.${hostname}-${pid}-${startTicks ?? 0}`;
}

/** @param found what the lock says */
async function refuseUnlessLeftOver(path: string, found: string, { self, pause }: Taking): Promise<void> {
  const holder = parsed(found);
  const state = holder ? await stateOf(holder, self) : 'elsewhere';
  if (state === 'dead') return;
  if (state === 'elsewhere') {
    const before = await touchedAt(path);
    await pause(SILENCE_MS);
    if ((await touchedAt(path)) === before) return;
  }
  const who = holder
    ? `process ${holder.pid}${state === 'elsewhere' ? ` on host ${holder.hostname}` : ''}`
    : 'a process';
  throw new DataDirectoryError(
    `${dirname(path)} is in use by ${who}: stop that one, or choose another folder with --data-dir.`,
  );
}

/** Null for what a power cut has left of a lock. */
function parsed(found: string): LockHolder | null {
  try {
    const holder = JSON.parse(found) as LockHolder | null;
    return typeof holder?.pid === 'number' ? holder : null;
  } catch {
    return null;
  }
}

/** Null when it is gone. */
async function read(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Epoch milliseconds; 0 when it is gone. */
async function touchedAt(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

/** A disk that refuses has worse consequences elsewhere. */
async function touch(path: string, nowMs: number): Promise<void> {
  await utimes(path, nowMs / 1_000, nowMs / 1_000).catch(() => {});
}
