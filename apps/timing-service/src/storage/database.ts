import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UnavailableError } from '@agent-faculties/service-kit';
import SqliteDatabase from 'better-sqlite3';
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';

/** "TIME" in ASCII: marks a file as ours (PRAGMA application_id), so that no other program's database is migrated. */
const APPLICATION_ID = 0x54494d45;
/** Other processes (a backup, a shell) may hold the write lock for a moment. */
const BUSY_TIMEOUT_MS = 5_000;
/** Index pages of a million tasks stay warm; beyond it the page cache of the system serves. */
const CACHE_KIB = 32 * 1024;

/**
 * Pages in the write-ahead log before they go into the file: 8 MiB. The start and the end of a task write 27, mostly the same
 * ones as the task before. SQLite's default of 1,000 would write those into the file, and sync the disk, every 37 tasks; many
 * more would take room that a small disk does not have.
 */
const CHECKPOINT_PAGES = 2_000;

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

export type Db = BetterSQLite3Database & { readonly $client: SqliteDatabase.Database };

export interface Database {
  readonly db: Db;
  /** Throws UnavailableError when the file cannot be read. */
  check(): void;
  /** Of the file and of the write-ahead log beside it, in bytes. */
  sizes(): { readonly file: number; readonly log: number };
  /** Why the last write was refused; null when it was not. */
  refusal(): UnavailableError | null;
  close(): void;
}

/** Why a database cannot be opened, in words for the operator. */
export class DatabaseOpenError extends Error {}

export interface DatabaseOptions {
  /** `:memory:` keeps nothing. */
  readonly path: string;
  readonly synchronous: 'normal' | 'full';
}

/**
 * Opens, locks and migrates the file. A file that is not ours or of a newer version is refused before anything is written.
 * @throws DatabaseOpenError
 */
export function openDatabase({ path, synchronous }: DatabaseOptions): Database {
  const inMemory = path === ':memory:';
  try {
    if (!inMemory && existsSync(path)) inspect(path);
    // By its real name: through a link it would get a second lock, and a second process.
    const lock = inMemory ? null : lockFile(realName(path));
    try {
      return open(path, synchronous, () => lock?.close());
    } catch (error) {
      lock?.close();
      throw error;
    }
  } catch (error) {
    throw openError(path, error);
  }
}

/** The path of a file without links in it; the file need not be there. */
export function realName(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path));
}

function open(path: string, synchronous: 'normal' | 'full', unlock: () => void): Database {
  const client = new SqliteDatabase(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    client.pragma('journal_mode = WAL');
    client.pragma(`synchronous = ${synchronous}`);
    client.pragma(`cache_size = -${CACHE_KIB}`);
    client.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    // Written once: a start on a full disk has no room for it, and serves reads.
    if (client.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
      client.pragma(`application_id = ${APPLICATION_ID}`);
    }
    const db = drizzle(client);
    migrate(db, { migrationsFolder: MIGRATIONS });
    const probe = client.prepare('SELECT max(sequence) FROM events');
    const firstPages = path === ':memory:' ? 0 : statSync(path).size;
    return {
      db,
      check: () => {
        try {
          // What SQLite has in its cache it would go on reading from a file that is gone or cut short.
          if (path !== ':memory:' && statSync(path).size < firstPages) throw new Error(`${path} has been cut short`);
          probe.get();
        } catch (cause) {
          throw new UnavailableError('The database cannot be read: check the disk and the file.', {
            code: 'database_unavailable',
            cause,
          });
        }
      },
      sizes: () => ({ file: sizeOf(path), log: sizeOf(`${path}-wal`) }),
      refusal: () => refusals.get(db) ?? null,
      close: () => {
        client.close();
        unlock();
      },
    };
  } catch (error) {
    client.close();
    throw error;
  }
}

/**
 * Looks at a file without writing to it. SQLite makes files of its own beside it, even to read, and only a connection that may
 * write takes them away again; with something in them, though, that one would move it into the file.
 */
export function inspect(path: string): void {
  const hasUnfinished = ['-wal', '-journal'].some((suffix) => isFilled(path + suffix));
  const client = new SqliteDatabase(path, { readonly: hasUnfinished, timeout: BUSY_TIMEOUT_MS });
  try {
    const tables = client.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
    if (tables.length === 0) return;
    if (client.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
      throw new DatabaseOpenError(
        `${path} is a database of another program: choose another file with --db-path. It was not touched.`,
      );
    }
    const applied = client.prepare('SELECT max(created_at) FROM __drizzle_migrations').pluck().get() as number | null;
    if (Number(applied ?? 0) > newestMigration()) {
      throw new DatabaseOpenError(
        `${path} was written by a newer version of timing-service: start that version, or choose another file with --db-path. It was not touched.`,
      );
    }
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

/**
 * One process serves a file, because the samples in its memory must see every write. The lock is an exclusive
 * transaction on a small SQLite file beside it: the system releases it however the process ends, kill -9 included.
 */
export function lockFile(path: string): SqliteDatabase.Database {
  const lock = new SqliteDatabase(`${path}.lock`, { timeout: 0 });
  try {
    // A journal of its own would need room, and nothing is ever written to the file.
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

/** What SQLite says where it finds no room: for the file or its log, or for the index of the log. */
const ROOM_IS_MISSING = /^SQLITE_(FULL|IOERR_SHMSIZE|IOERR_WRITE)/;

function openError(path: string, error: unknown): DatabaseOpenError {
  if (error instanceof DatabaseOpenError) return error;
  const code = isSqliteError(error) ? error.code : '';
  const reason = error instanceof Error || isSqliteError(error) ? error.message : String(error);
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) {
    return new DatabaseOpenError(
      `${path} is not a readable SQLite database (${reason}): choose another file with --db-path, or restore a backup. It was not touched.`,
    );
  }
  if (isSqliteError(error) && ROOM_IS_MISSING.test(error.code)) {
    return new DatabaseOpenError(
      `${path} cannot be opened (${reason}): the disk may be full. Make room and start it again.`,
    );
  }
  return new DatabaseOpenError(
    `${path} cannot be opened (${reason}): check that its folder exists and that this user may write there.`,
  );
}

/** What SQLite says when the disk or the file, not the request, is at fault. */
const UNAVAILABLE: Record<string, string> = {
  SQLITE_FULL: 'The disk is full: nothing was written. Make room and send it again; reads still work.',
  SQLITE_READONLY: 'The database is read-only: nothing was written. Make the file writable and send it again.',
  SQLITE_IOERR: 'The database file cannot be read or written: nothing was written. Check the disk and send it again.',
  SQLITE_BUSY: 'The database is locked by another program: nothing was written. Send it again.',
  SQLITE_CANTOPEN: 'The database file cannot be opened: nothing was written. Check the disk and send it again.',
  SQLITE_CORRUPT: 'The database is damaged: restore a backup.',
};

/** By name: the native addon keeps the class of whoever loaded it first in the process, which need not be the one seen here. */
function isSqliteError(error: unknown): error is Error & { code: string } {
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown };
  return name === 'SqliteError' && typeof code === 'string';
}

/** Runs a database operation; a fault of the disk becomes an UnavailableError (503). */
export function guarded<Result>(operation: () => Result): Result {
  try {
    return operation();
  } catch (error) {
    throw translated(error);
  }
}

/** 0 where there is none. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Databases whose last write was refused. */
const refusals = new WeakMap<Db, UnavailableError>();

/** Runs operations as transactions that take the write lock at once; Drizzle would prepare each of them anew. */
export function transactions(db: Db): <Result>(operation: () => Result) => Result {
  const { immediate } = db.$client.transaction((operation: () => unknown) => operation());
  return <Result>(operation: () => Result) => {
    try {
      const result = guarded(() => immediate(operation) as Result);
      refusals.delete(db);
      return result;
    } catch (error) {
      if (error instanceof UnavailableError) refusals.set(db, error);
      throw error;
    }
  };
}

/** As `guarded`, for an operation that pauses between statements. */
export async function guardedAsync<Result>(operation: () => Promise<Result>): Promise<Result> {
  try {
    return await operation();
  } catch (error) {
    throw translated(error);
  }
}

function translated(error: unknown): unknown {
  const wrapped = (error as { cause?: unknown } | null)?.cause;
  const cause = isSqliteError(wrapped) ? wrapped : error;
  if (!isSqliteError(cause)) return error;
  const kind = Object.keys(UNAVAILABLE).find((code) => cause.code.startsWith(code));
  // Drizzle's own error holds what was to be written, and would take it into the log.
  return kind ? new UnavailableError(UNAVAILABLE[kind] as string, { code: 'database_unavailable', cause }) : cause;
}
