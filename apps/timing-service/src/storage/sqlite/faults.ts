import { UnavailableError } from '@agent-faculties/service-kit';
import type SqliteDatabase from 'better-sqlite3';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';

export type Db = BetterSQLite3Database & { readonly $client: SqliteDatabase.Database };

/** SQLite's errors for faults of the disk or the file. */
const UNAVAILABLE = {
  SQLITE_FULL: 'The disk is full: nothing was written. Make room and send it again; reads still work.',
  SQLITE_READONLY: 'The database is read-only: nothing was written. Make the file writable and send it again.',
  SQLITE_IOERR: 'The database file cannot be read or written: nothing was written. Check the disk and send it again.',
  SQLITE_BUSY: 'The database is locked by another program: nothing was written. Send it again.',
  SQLITE_CANTOPEN: 'The database file cannot be opened: nothing was written. Check the disk and send it again.',
  GONE: 'The database file was moved or deleted: nothing was written. Put it back and start the service again.',
  LOG_GONE:
    "The database's log (-wal) was moved or deleted: nothing was written. Stop the service by SIGTERM, which writes what it has into the file, and start it again.",
};

const KINDS = Object.keys(UNAVAILABLE) as (keyof typeof UNAVAILABLE)[];

export function unavailable(kind: keyof typeof UNAVAILABLE, cause?: unknown): UnavailableError {
  return new UnavailableError(UNAVAILABLE[kind], { code: 'database_unavailable', cause });
}

const OPENED_FOR_READING =
  'The database was opened on a disk that refuses writes: nothing was written. Make the disk writable and start the service again; reads still work.';

/** Errors of SQLite and of the page sums for damaged files. */
const DAMAGED = ['SQLITE_CORRUPT', 'SQLITE_NOTADB'];

/** Keeps the last fault of a database, and runs the work after each write. */
export interface Condition {
  /** Why the last write was refused; null when it was not. */
  refusal: UnavailableError | null;
  /** Set once; no write is accepted afterwards. */
  damage: UnavailableError | null;
  readonly onDamage: (cause: unknown) => void;
  /**
   * Which file was moved or deleted, also where another one has its name: SQLite would go on writing to what ends with the process. Null
   * where both are there.
   */
  readonly missing: () => 'GONE' | 'LOG_GONE' | null;
  /** Also after a write that was refused. */
  readonly afterWrite: (outcome: { readonly foundRoom: boolean }) => void;
  /** Whether the file was opened on a disk that refuses writes: no write is accepted until the next start. */
  readonly isForReading: boolean;
}

const conditions = new WeakMap<Db, Condition>();

/** @param afterWrite runs after each transaction; a damage that it throws counts as one of the database */
export function watch(db: Db, events: Omit<Condition, 'refusal' | 'damage'>): Condition {
  const condition = { refusal: null, damage: null, ...events };
  conditions.set(db, condition);
  return condition;
}

/** Runs a database operation; a fault of the disk becomes an UnavailableError (503). */
export function guarded<Result>(db: Db, operation: () => Result): Result {
  try {
    return operation();
  } catch (error) {
    throw translated(db, error);
  }
}

/** As `guarded`, for an operation that pauses between statements. */
export async function guardedAsync<Result>(db: Db, operation: () => Promise<Result>): Promise<Result> {
  try {
    return await operation();
  } catch (error) {
    throw translated(db, error);
  }
}

/** Runs operations as transactions that take the write lock at once; Drizzle would prepare the statements each time. */
export function transactions(db: Db): <Result>(operation: () => Result) => Result {
  const { immediate } = db.$client.transaction((operation: () => unknown) => operation());
  return <Result>(operation: () => Result) => {
    const condition = conditions.get(db);
    if (condition?.damage) throw condition.damage;
    try {
      const missing = condition?.missing() ?? null;
      if (missing) throw unavailable(missing);
      const result = guarded(db, () => immediate(operation) as Result);
      if (condition) condition.refusal = null;
      return result;
    } catch (error) {
      if (condition && error instanceof UnavailableError) condition.refusal = error;
      throw error;
    } finally {
      afterWrite(db, condition);
    }
  };
}

/** A commit is answered as done, even when damage is found right after it. */
function afterWrite(db: Db, condition: Condition | undefined): void {
  try {
    condition?.afterWrite({ foundRoom: !isFullDisk(condition.refusal?.cause) });
  } catch (error) {
    noteFault(db, error);
  }
}

const isFullDisk = (error: unknown): boolean => isSqliteError(error) && error.code === 'SQLITE_FULL';

/** After a fault that no request asked for: a damage stops all writes. */
export function noteFault(db: Db, error: unknown): void {
  translated(db, error);
}

/** SQLite's own error, out of that of Drizzle; undefined where it is another. */
export function faultOfSqlite(error: unknown): (Error & { code: string }) | undefined {
  const wrapped = (error as { cause?: unknown } | null)?.cause;
  return [wrapped, error].find(isSqliteError);
}

/** Notes a damage of the database. */
function translated(db: Db, error: unknown): unknown {
  const cause = faultOfSqlite(error);
  if (!cause) return error;
  if (isDamage(cause)) return damaged(conditions.get(db), cause);
  const kind = KINDS.find((code) => cause.code.startsWith(code));
  if (kind === 'SQLITE_READONLY' && conditions.get(db)?.isForReading) {
    return new UnavailableError(OPENED_FOR_READING, { code: 'database_unavailable', cause });
  }
  // Drizzle's own error holds the values of the statement, which must not reach the log.
  return kind ? unavailable(kind, cause) : cause;
}

export function isDamage(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && DAMAGED.some((kind) => code.startsWith(kind));
}

function damaged(condition: Condition | undefined, cause: unknown): UnavailableError {
  const damage = new UnavailableError(
    'The database is damaged: nothing is written to it any more. Stop the service; then restore a backup, or save what can be read with timing-service repair.',
    { code: 'database_damaged', cause },
  );
  if (!condition) return damage;
  if (!condition.damage) {
    condition.damage = damage;
    condition.onDamage(cause);
  }
  return condition.damage;
}

/** Compares names: the native addon keeps the class of the module that loaded it first, which may be another copy. */
export function isSqliteError(error: unknown): error is Error & { code: string } {
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown };
  return (name === 'SqliteError' || name === 'DamagedLogError') && typeof code === 'string';
}
