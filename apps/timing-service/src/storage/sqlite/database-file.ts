import { accessSync, constants, existsSync, readFileSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Steps } from '@agent-faculties/service-kit';
import SqliteDatabase from 'better-sqlite3';
import { type Examination, examination } from '../page-sums/examine.ts';
import { beginSums, makeSums } from '../page-sums/sums-file.ts';
import { isDamage, isSqliteError } from './faults.ts';

/** In place of the path of a file: what is kept is gone when the process ends. */
export const IN_MEMORY = ':memory:';

/** "TIME" in ASCII: marks a file as ours (PRAGMA application_id), so that no other program's database is migrated. */
export const APPLICATION_ID = 0x54494d45;
/** Other processes (a backup, a shell) may hold the write lock for a moment. */
export const BUSY_TIMEOUT_MS = 5_000;
/** SQLite's default, and the page sums rely on it for a new file. */
export const PAGE_SIZE = 4_096;

export const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url));

/** Why a database cannot be opened, in words for the operator. */
export class DatabaseOpenError extends Error {
  /** What the disk lacks, where that is the reason. */
  readonly lacks: 'room' | 'writes' | null;

  constructor(message: string, { lacks = null }: { readonly lacks?: DatabaseOpenError['lacks'] } = {}) {
    super(message);
    this.lacks = lacks;
  }
}

/** Marks a repair that was cut short after it had saved everything: see database-repair.ts. */
export const repairedPath = (path: string): string => `${path}.repaired`;

/** Refuses a hard link: the log would lie beside one name and be missing beside the other. */
export function refuseSecondName(path: string): void {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (entry?.isFile() && entry.nlink > 1) {
    throw new DatabaseOpenError(
      `${path} has another name (a hard link), under which a second process could open it: remove that name, or make a copy instead.`,
    );
  }
}

export interface Examined extends Examination {
  /** Whether the disk refuses writes. */
  readonly isReadOnly?: boolean;
}

/**
 * @returns the examination of the files, with new page sums where there were none
 * @throws DatabaseOpenError when the files are damaged; nothing was written then
 */
export function* examined(path: string): Steps<Examined> {
  if (existsSync(repairedPath(path))) {
    throw new DatabaseOpenError(`A repair of ${path} was cut short: run timing-service repair again.`);
  }
  const found = yield* examination(path);
  if (found.damage !== null) throw damagedFile(path, found.damage);
  const isThere = existsSync(path) && statSync(path).size > 0;
  if (isThere) inspect(path);
  const isAdopted = isThere && !found.hasSums;
  if (isAdopted) quickCheck(path);
  try {
    if (!found.hasSums) makeSums(path, PAGE_SIZE);
    if (!found.log?.frames) beginSums(path);
  } catch (error) {
    // The database is read-only there too, and can be read.
    if (isThere && (error as NodeJS.ErrnoException).code === 'EROFS') return { ...found, isReadOnly: true };
    throw error;
  }
  return isAdopted ? { ...found, warnings: [...found.warnings, ADOPTED] } : found;
}

const ADOPTED =
  'The database had no page sums beside it (.sums): they were made. Its structure is sound; whether a value was changed before is unknown.';

/** SQLite's own check takes 8 s for a million tasks, so it runs only where there are no page sums. */
export function quickCheck(path: string): void {
  const client = new SqliteDatabase(path, { readonly: true });
  try {
    const verdict = client.pragma('quick_check(1)', { simple: true }) as string;
    if (verdict !== 'ok') throw damagedFile(path, verdict.replaceAll('\n', ' '));
  } finally {
    client.close();
  }
}

function damagedFile(path: string, what: string): DatabaseOpenError {
  return new DatabaseOpenError(
    `${path} is damaged: ${what}. Nothing was written. Restore a backup, or save what can be read with: timing-service repair --db-path ${path}`,
  );
}

/** The path of a file with links resolved; the file need not exist, its folder must. */
export function realName(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path));
}

/** Refuses the file of another program or of a newer version, and writes nothing to it. @throws DatabaseOpenError */
export function inspect(path: string): void {
  const writer = writerOf(path);
  if (writer === 'this service') return;
  throw new DatabaseOpenError(
    writer === 'another program'
      ? `${path} is a database of another program: choose another file with --db-path. It was not touched.`
      : `${path} was written by a newer version of timing-service: start that version, or choose another file with --db-path. It was not touched.`,
  );
}

/**
 * Who has written a database; one without tables is anybody's. SQLite creates files beside it even for reading, and only a connection that
 * may write removes them; but that one would also checkpoint a log that has content.
 */
export function writerOf(path: string): 'this service' | 'another program' | 'a newer version' {
  const hasUnfinished = ['-wal', '-journal'].some((suffix) => isFilled(path + suffix));
  const client = new SqliteDatabase(path, { readonly: hasUnfinished, timeout: BUSY_TIMEOUT_MS });
  try {
    const tables = client.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
    if (tables.length === 0) return 'this service';
    if (client.pragma('application_id', { simple: true }) !== APPLICATION_ID) return 'another program';
    const applied = client.prepare('SELECT max(created_at) FROM __drizzle_migrations').pluck().get() as number | null;
    return Number(applied ?? 0) > newestMigration() ? 'a newer version' : 'this service';
  } finally {
    client.close();
  }
}

function isFilled(path: string): boolean {
  return existsSync(path) && statSync(path).size > 0;
}

function newestMigration(): number {
  const journal = JSON.parse(readFileSync(`${MIGRATIONS}/meta/_journal.json`, 'utf8')) as {
    entries: { when: number }[];
  };
  return Math.max(...journal.entries.map((entry) => entry.when));
}

export const lockPath = (path: string): string => `${path}.lock`;

/**
 * One process serves a file, because the samples in its memory must see every write. The lock is an exclusive
 * transaction on a small SQLite file beside it: the system releases it however the process ends, kill -9 included.
 */
export function lockFile(path: string): SqliteDatabase.Database {
  const lock = new SqliteDatabase(lockPath(path), { timeout: 0 });
  try {
    // Nothing is ever written to this file, so it needs no journal, which would take room.
    lock.pragma('journal_mode = MEMORY');
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if (isSqliteError(error) && error.code.startsWith('SQLITE_BUSY')) {
      throw new DatabaseOpenError(
        `${path} is in use by another timing-service: stop that one, or choose another file with --db-path.`,
      );
    }
    throw error;
  }
}

/** SQLite's errors for a full disk: for the file or its log, or for the index of the log. */
const ROOM_IS_MISSING = /^(ENOSPC|SQLITE_(FULL|IOERR_SHMSIZE|IOERR_WRITE))/;

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** The error of an opening, in words for the operator. */
export function openError(path: string, error: unknown): DatabaseOpenError {
  if (error instanceof DatabaseOpenError) return error;
  if (isFolder(path)) {
    return new DatabaseOpenError(`${path} is a folder: name a file in it, such as ${join(path, 'timing.db')}.`);
  }
  const reason = error instanceof Error || isSqliteError(error) ? error.message : String(error);
  if (isDamage(error)) {
    return new DatabaseOpenError(
      `${path} is not a readable SQLite database (${reason}): choose another file with --db-path, restore a backup, or save what can be read with timing-service repair. It was not touched.`,
    );
  }
  if (ROOM_IS_MISSING.test(String((error as { code?: unknown } | null)?.code))) {
    return new DatabaseOpenError(
      `${path} cannot be opened (${reason}): the disk may be full. Make room and start it again.`,
      { lacks: 'room' },
    );
  }
  if ((error as { code?: unknown } | null)?.code === 'ERR_DLOPEN_FAILED') {
    return new DatabaseOpenError(
      `SQLite's module does not load in Node ${process.versions.node} (${reason.split('\n')[0]}): agent-faculties start, or npm start in a clone, makes it fit.`,
    );
  }
  return new DatabaseOpenError(
    `${path} cannot be opened (${reason}): check that its folder exists and that this user may write there.`,
    { lacks: isReadOnly(dirname(path)) ? 'writes' : null },
  );
}

function isReadOnly(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS';
  }
}

/** Whether the disk has no room for another page. */
export function isFull(path: string): boolean {
  const { bsize, bfree, bavail } = statfsSync(dirname(path));
  return bsize * (process.getuid?.() === 0 ? bfree : bavail) < PAGE_SIZE;
}
