import { mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Clock, syncDirectory, UnavailableError } from '@agent-faculties/service-kit';
import { DataDirectoryError } from '../files/data-directory-error.ts';
import { diskFault, whyNoWrites } from '../files/disk-fault.ts';
import { LOCK_FILE, SPACES_FOLDER } from '../files/file-names.ts';
import { isFolder } from '../files/is-folder.ts';
import { FileLock } from './file-lock.ts';
import type { ProcessName } from './lock-holder.ts';

/** Folder mode: for the owner alone, because memories may be private. */
const MODE = 0o700;

export interface DataDirectoryOptions {
  readonly path: string;
  readonly process: ProcessName;
  readonly clock: Clock;
}

/** A folder that only this process writes to, until it releases it. */
export interface DataDirectory {
  /** The real path of the folder. */
  readonly path: string;
  /** Why this process may only read: the disk refused the lock. null once this process has the lock. */
  readonly refusal: string | null;
  /**
   * Resolves when this process has the lock; call it before each write. Where the disk refused the lock at the start, it tries
   * again.
   * @throws UnavailableError while the disk refuses the lock; nothing may be written then
   */
  writable(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Creates the folder if it is missing, and locks it.
 * @throws DataDirectoryError when another process has it, or it cannot be written to
 */
export async function openDataDirectory(options: DataDirectoryOptions): Promise<DataDirectory> {
  return await inWords(options.path, async () => {
    const { lock, path } = await prepare(options);
    await lock.take();
    return new OwnDirectory(path, lock);
  });
}

/**
 * Like `openDataDirectory`, but a folder on a full or read-only disk, which takes no lock, can be read. Nothing is written before
 * the lock is taken. If another process has written meanwhile, the data that was read is stale, and `onLost` is called.
 * @throws DataDirectoryError when another process has it, or it cannot be read
 */
export async function openForReading(
  options: DataDirectoryOptions & { readonly onLost: (why: DataDirectoryError) => void },
): Promise<DataDirectory> {
  return await inWords(options.path, async () => {
    const { lock, path } = await prepare(options);
    try {
      await lock.take();
      return new OwnDirectory(path, lock);
    } catch (error) {
      if (whyNoWrites(error) === null) throw error;
      return new UnlockedDirectory({ path, lock, refusal: error, seen: await listing(path), onLost: options.onLost });
    }
  });
}

async function prepare({ path, ...options }: DataDirectoryOptions): Promise<{ lock: FileLock; path: string }> {
  await makeFolder(resolve(path));
  // The real path, because a link leads to the same folder, and messages should name that.
  const directory = await realpath(path);
  return { lock: await FileLock.of({ ...options, path: join(directory, LOCK_FILE), pause }), path: directory };
}

class OwnDirectory implements DataDirectory {
  readonly refusal = null;
  readonly path: string;
  readonly #lock: FileLock;

  constructor(path: string, lock: FileLock) {
    this.path = path;
    this.#lock = lock;
  }

  async writable(): Promise<void> {}

  async release(): Promise<void> {
    await this.#lock.release();
  }
}

interface UnlockedOptions {
  readonly path: string;
  readonly lock: FileLock;
  /** The error of the file system that refused the lock. */
  readonly refusal: unknown;
  /** The state of the files before they were read. */
  readonly seen: Listing;
  readonly onLost: (why: DataDirectoryError) => void;
}

class UnlockedDirectory implements DataDirectory {
  readonly path: string;
  readonly #options: UnlockedOptions;
  #refusal: UnavailableError | null;
  #isLost = false;
  #trying: Promise<void> | null = null;

  constructor(options: UnlockedOptions) {
    this.path = options.path;
    this.#options = options;
    this.#refusal = unavailable(options.refusal);
  }

  get refusal(): string | null {
    return this.#refusal?.message ?? null;
  }

  async writable(): Promise<void> {
    if (this.#refusal === null) return;
    if (this.#isLost) throw this.#refusal;
    this.#trying ??= this.#try().finally(() => {
      this.#trying = null;
    });
    await this.#trying;
  }

  async release(): Promise<void> {
    await this.#trying?.catch(() => {});
    await this.#options.lock.release();
  }

  async #try(): Promise<void> {
    const { path, lock, seen } = this.#options;
    try {
      await lock.take();
    } catch (error) {
      this.#refusal = unavailable(error);
      if (error instanceof DataDirectoryError) this.#lose(error);
      throw this.#refusal;
    }
    if (!isDeepStrictEqual(await listing(path), seen)) {
      await lock.release();
      const why = `Another process changed ${path} while the disk refused the lock: restart this one.`;
      this.#refusal = new UnavailableError(why, { code: 'storage_unavailable' });
      this.#lose(new DataDirectoryError(why));
      throw this.#refusal;
    }
    this.#refusal = null;
  }

  #lose(why: DataDirectoryError): void {
    this.#isLost = true;
    this.#options.onLost(why);
  }
}

function unavailable(error: unknown): UnavailableError {
  const fault = diskFault(error);
  if (fault instanceof UnavailableError) return fault;
  return new UnavailableError((error as Error).message, { code: 'storage_unavailable', cause: error });
}

/** For each file except the lock and those of other spaces, everything that changes when the file is written or replaced. */
type Listing = readonly (readonly [name: string, inode: number, bytes: number, modifiedMs: number])[];

async function listing(directory: string): Promise<Listing> {
  const names = (await readdir(directory, { recursive: true }))
    .filter((name) => !name.startsWith(LOCK_FILE) && !name.startsWith(SPACES_FOLDER))
    .sort();
  return await Promise.all(
    names.map(async (name) => {
      // A file that vanishes shows that another process is writing.
      const found = await stat(join(directory, name)).catch(() => null);
      return [name, found?.ino ?? 0, found?.size ?? 0, found?.mtimeMs ?? 0] as const;
    }),
  );
}

async function inWords<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DataDirectoryError) throw error;
    const why = whyNoWrites(error) ?? 'check that it is a folder and that this user may write there.';
    throw new DataDirectoryError(`${path} cannot be used as data directory (${(error as Error).message}): ${why}`, {
      cause: error,
    });
  }
}

/**
 * Creates the parents one by one, because Node's recursive mkdir never ends where an existing parent takes no folder (/proc).
 * Syncs each parent: the content of a folder is only as safe as the folder's name.
 */
async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent);
  await mkdir(path, { mode: MODE }).catch(async (error) => {
    // Another process may have created it first.
    if (!(await isFolder(path))) throw error;
  });
  await syncDirectory(parent);
}
