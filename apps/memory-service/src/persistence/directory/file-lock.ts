import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '@agent-faculties/service-kit';
import { DataDirectoryError } from '../files/data-directory-error.ts';
import { systemCode } from '../files/system-code.ts';
import { type LockHolder, lockHolder, type ProcessName, stateOf } from './lock-holder.ts';

/** How often the holder touches its lock, for processes that cannot see it. */
const BEAT_MS = 3_000;
/** A lock of a process that cannot be seen is stale when it was not touched for this long: three beats and a slow disk. */
const SILENCE_MS = 12_000;
/** Attempts; each further one means that others took or released the lock in between. */
const MAX_ATTEMPTS = 100;

export interface FileLockOptions {
  readonly path: string;
  readonly process: ProcessName;
  readonly clock: Clock;
  /** Resolves after this many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** A lock file, which names the process that may write to a folder. */
export class FileLock {
  readonly #options: FileLockOptions;
  readonly #self: LockHolder;
  /** A lock that was not touched while this process waited, so that the next attempt need not wait again. */
  #silent: Mark | null = null;
  #beat: NodeJS.Timeout | null = null;

  private constructor(options: FileLockOptions, self: LockHolder) {
    this.#options = options;
    this.#self = self;
  }

  /** Does not take the lock yet. */
  static async of(options: FileLockOptions): Promise<FileLock> {
    return new FileLock(options, await lockHolder(options.process));
  }

  /**
   * Takes the lock, also a stale one of a dead process. May be called again after an error.
   *
   * The lock file is written under another name and then linked, so it is never seen half written. A stale lock is replaced under a
   * lock of its own, so that only one of several processes takes it over.
   * @throws DataDirectoryError when another process holds it; what the file system throws when it takes no lock
   */
  async take(): Promise<void> {
    const { path, clock } = this.#options;
    await this.#take(path);
    this.#beat = setInterval(() => void touch(path, clock.now()), BEAT_MS);
    this.#beat.unref();
  }

  /** Does nothing where the lock was not taken. */
  async release(): Promise<void> {
    const { path } = this.#options;
    if (this.#beat === null) return;
    clearInterval(this.#beat);
    this.#beat = null;
    if ((await read(path)) === JSON.stringify(this.#self)) await rm(path, { force: true });
  }

  async #take(path: string): Promise<void> {
    const self = this.#self;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      // Reads the lock before it writes: on a full disk the holder can still be found.
      const found = await read(path);
      if (found === null) {
        if (await create(path, self)) return;
        continue;
      }
      await this.#refuseUnlessLeftOver(path, found);
      const takeover = `${path}.takeover`;
      await this.#take(takeover);
      try {
        // A process that took over before may have replaced it since.
        if ((await read(path)) !== found) continue;
        await replace(path, self);
        return;
      } finally {
        await rm(takeover, { force: true });
      }
    }
    throw new DataDirectoryError(`${path} changes all the time: stop the other processes, or delete it.`);
  }

  /** @param found the content of the lock file */
  async #refuseUnlessLeftOver(path: string, found: string): Promise<void> {
    const holder = parsed(found);
    const state = holder ? await stateOf(holder, this.#self) : 'elsewhere';
    if (state === 'dead') return;
    if (state === 'elsewhere' && (await this.#isSilent(path, found))) return;
    const who = holder
      ? `process ${holder.pid}${state === 'elsewhere' ? ` on host ${holder.hostname}` : ''}`
      : 'a process';
    throw new DataDirectoryError(
      `${dirname(path)} is in use by ${who}: stop that one, or choose another folder with --data-dir.`,
    );
  }

  async #isSilent(path: string, found: string): Promise<boolean> {
    const mark = { path, found, touchedAt: await touchedAt(path) };
    if (isDeepStrictEqual(mark, this.#silent)) return true;
    await this.#options.pause(SILENCE_MS);
    if ((await touchedAt(path)) !== mark.touchedAt) return false;
    this.#silent = mark;
    return true;
  }
}

interface Mark {
  readonly path: string;
  readonly found: string;
  readonly touchedAt: number;
}

/** @returns false when the lock file exists already */
async function create(path: string, self: LockHolder): Promise<boolean> {
  const temporary = temporaryOf(path, self);
  try {
    await writeFile(temporary, JSON.stringify(self));
    await link(temporary, path);
    return true;
  } catch (error) {
    // ENOENT: two attempts of this process run at once, and the other one has removed the temporary file of both.
    if (systemCode(error) === 'EEXIST' || systemCode(error) === 'ENOENT') return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function replace(path: string, self: LockHolder): Promise<void> {
  const temporary = temporaryOf(path, self);
  try {
    await writeFile(temporary, JSON.stringify(self));
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

function temporaryOf(path: string, { hostname, pid, startTicks }: LockHolder): string {
  return `${path}.${hostname}-${pid}-${startTicks ?? 0}`;
}

/** null for a lock file that a power cut has left incomplete. */
function parsed(found: string): LockHolder | null {
  try {
    const holder = JSON.parse(found) as LockHolder | null;
    return typeof holder?.pid === 'number' ? holder : null;
  } catch {
    return null;
  }
}

/** null when the file is gone. */
async function read(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** When the file was last touched, epoch milliseconds; 0 when it is gone. */
async function touchedAt(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

/** Touches the lock; a disk that refuses shows elsewhere. */
async function touch(path: string, nowMs: number): Promise<void> {
  await utimes(path, nowMs / 1_000, nowMs / 1_000).catch(() => {});
}
