import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { atOnce, inTurns, makeFolder, type Steps, UnavailableError } from '@agent-faculties/service-kit';
import SqliteDatabase from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import type { CheckpointThread } from '../page-sums/checkpoint-thread.ts';
import { Checkpoints } from '../page-sums/checkpoints.ts';
import { PageSums } from '../page-sums/page-sums.ts';
import {
  APPLICATION_ID,
  BUSY_TIMEOUT_MS,
  type Examined,
  examined,
  IN_MEMORY,
  inspect,
  isFull,
  lockFile,
  MIGRATIONS,
  openError,
  PAGE_SIZE,
  realName,
  refuseSecondName,
} from './database-file.ts';
import {
  type Condition,
  type Db,
  guarded,
  isSqliteError,
  noteFault,
  transactions,
  unavailable,
  watch,
} from './faults.ts';

/** Room for the index pages of a million tasks; beyond it, the page cache of the system serves. */
const CACHE_KIB = 32 * 1024;

/** Smallest size of SQLite's index of the log, in bytes. */
const INDEX_BYTES = 32_768;

export interface Database {
  readonly db: Db;
  /** Throws UnavailableError when the file cannot be read, or was found to be damaged. */
  check(): void;
  /** Of the file and of the write-ahead log beside it, in bytes. */
  sizes(): { readonly file: number; readonly log: number };
  /** Why the last write was refused; null when it was not. */
  refusal(): UnavailableError | null;
  /** The damage that stops all writes; null while none is known. */
  damage(): UnavailableError | null;
  /** Calls the listener once, when damage is found. */
  onDamage(listener: (cause: unknown) => void): void;
  /** Messages about the files at the start, for the log. */
  readonly warnings: readonly string[];
  close(): void;
}

export interface DatabaseOptions {
  /** IN_MEMORY keeps nothing. */
  readonly path: string;
  readonly synchronous: 'normal' | 'full';
  /** Most that SQLite keeps of the file in memory. */
  readonly cacheKiB?: number;
  /** Runs checkpoints; without it they run within a write. */
  readonly checkpointThread?: CheckpointThread | undefined;
}

/**
 * Opens, locks and migrates the file. One that is not ours, of a newer version or damaged is refused before anything is written.
 * @throws DatabaseOpenError
 */
export function openDatabase(options: DatabaseOptions): Database {
  return atOnce(opening(options));
}

/** The same beside other requests: a large file is examined in many turns. */
export async function openDatabaseInTurns(options: DatabaseOptions): Promise<Database> {
  return await inTurns(opening(options));
}

function* opening({ path, ...options }: DatabaseOptions): Steps<Database> {
  try {
    if (path === IN_MEMORY) return open(path, options, { unlock: () => {}, examination: null });
    makeFolder(dirname(path), { mode: 0o700 });
    refuseSecondName(path);
    if (existsSync(path) && !examinationCanTell(path)) inspect(path);
    // Resolve links: a second name would get a second lock, and allow a second process.
    const name = realName(path);
    const lock = lockFile(name);
    const unlock = () => void lock.close();
    try {
      return open(name, options, { unlock, examination: yield* examined(name) });
    } catch (error) {
      unlock();
      throw error;
    }
  } catch (error) {
    throw openError(path, error);
  }
}

const examinationCanTell = (path: string): boolean => existsSync(`${realName(path)}.sums`);

/** Of the file that has this name now, which may be another one than before; null where there is none. */
function inodeOf(path: string): bigint | null {
  try {
    return statSync(path, { bigint: true }).ino;
  } catch {
    return null;
  }
}

/** To be called with an open database: its log is there then, unless the disk refused it. */
function missingOf(path: string): Condition['missing'] {
  if (path === IN_MEMORY) return () => null;
  const log = `${path}-wal`;
  const [opened, openedLog] = [inodeOf(path), inodeOf(log)];
  return () => {
    if (inodeOf(path) !== opened) return 'GONE';
    return openedLog !== null && inodeOf(log) !== openedLog ? 'LOG_GONE' : null;
  };
}

interface Opening {
  readonly unlock: () => void;
  /** Null for a database in memory. */
  readonly examination: Examined | null;
}

function open(
  path: string,
  { synchronous, cacheKiB = CACHE_KIB, checkpointThread: thread }: Omit<DatabaseOptions, 'path'>,
  { unlock, examination }: Opening,
): Database {
  const client = new SqliteDatabase(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    configure(client, { synchronous, cacheKiB });
    const db = drizzle(client);
    migrateAll(db, path);
    const sums = examination && pageSums(path, synchronous, examination);
    // SQLite opened the file read-only, and page sums are missing: the next start makes them once the disk accepts writes.
    const isForReading = examination !== null && !sums;
    if (isForReading) client.pragma('query_only = 1');
    const onFault = (error: unknown) => noteFault(db, error);
    const checkpoints = sums && new Checkpoints({ path, client, sums, thread, onFault });
    const listeners: ((cause: unknown) => void)[] = [];
    const condition = watch(db, {
      onDamage: (cause) => {
        for (const listener of listeners) listener(cause);
      },
      missing: missingOf(path),
      afterWrite: (outcome) => checkpoints?.afterWrite(outcome),
      isForReading,
    });
    if (examination) tryWrite(db, path, condition);
    return {
      db,
      check: fileCheck(path, db, condition),
      sizes: () => ({ file: sizeOf(path), log: sizeOf(`${path}-wal`) }),
      refusal: () => condition.refusal,
      damage: () => condition.damage,
      onDamage: (listener) => void listeners.push(listener),
      warnings: examination?.warnings ?? [],
      close: () => {
        checkpoints?.settle();
        if (sums) closeWith(sums, client, path, condition);
        else client.close();
        unlock();
      },
    };
  } catch (error) {
    closeUnmoved(client, path);
    throw error;
  }
}

/** Where the disk is full SQLite has taken the migration back by itself, and Drizzle tells only that nothing was left to take back. */
function migrateAll(db: Db, path: string): void {
  try {
    migrate(db, { migrationsFolder: MIGRATIONS });
  } catch (cause) {
    if (path === IN_MEMORY || !isFull(path)) throw cause;
    throw Object.assign(new Error('database or disk is full', { cause }), { code: 'SQLITE_FULL' });
  }
}

function configure(
  client: SqliteDatabase.Database,
  { synchronous, cacheKiB }: Required<Pick<DatabaseOptions, 'synchronous' | 'cacheKiB'>>,
): void {
  client.pragma(`page_size = ${PAGE_SIZE}`);
  client.pragma('journal_mode = WAL');
  client.pragma(`synchronous = ${synchronous}`);
  client.pragma(`cache_size = -${cacheKiB}`);
  // Page sums must be on the disk before a checkpoint.
  client.pragma('wal_autocheckpoint = 0');
  // Written only when missing: a start on a full disk has no room for it, and still serves reads.
  if (client.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
    client.pragma(`application_id = ${APPLICATION_ID}`);
  }
}

/** Null on a disk that refuses writes. */
function pageSums(path: string, synchronous: 'normal' | 'full', { isReadOnly, log }: Examined): PageSums | null {
  if (isReadOnly) return null;
  try {
    return new PageSums(path, { isSynced: synchronous === 'full', log });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EROFS') return null;
    throw error;
  }
}

/** Tries a write, so that readiness is right from the start. */
function tryWrite(db: Db, path: string, condition: Condition): void {
  try {
    transactions(db)(() => db.$client.pragma('user_version = 0'));
    // One page may still fit into the log of the last process.
    if (isFull(path)) condition.refusal = unavailable('SQLITE_FULL');
  } catch (error) {
    // The condition keeps the error as its refusal.
    if (!(error instanceof UnavailableError)) throw error;
  }
}

function fileCheck(path: string, db: Db, condition: Condition): () => void {
  const probe = db.$client.prepare('SELECT max(sequence) FROM events');
  const firstPages = path === IN_MEMORY ? 0 : statSync(path).size;
  return () => {
    if (condition.damage) throw condition.damage;
    try {
      // SQLite would go on serving its cache when the file is gone or cut short.
      if (path !== IN_MEMORY && statSync(path).size < firstPages) throw new Error(`${path} has been cut short`);
      guarded(db, () => probe.get());
    } catch (cause) {
      if (condition.damage) throw condition.damage;
      throw new UnavailableError('The database cannot be read: check the disk and the file.', {
        code: 'database_unavailable',
        cause,
      });
    }
  };
}

function closeWith(sums: PageSums, client: SqliteDatabase.Database, path: string, condition: Condition): void {
  try {
    if (condition.damage) throw condition.damage;
    sums.follow();
    client.close();
  } catch {
    closeUnmoved(client, path);
  }
  const isClean = !existsSync(`${path}-wal`);
  sums.close({ isClean });
  if (isClean) leaveForNextStart(path);
}

/**
 * An empty log and the room for its index. SQLite takes them over, and cannot even read without: so the next start serves reads on a disk
 * that is full or read-only by then.
 */
function leaveForNextStart(path: string): void {
  const { mode } = statSync(path);
  const [log, index] = [`${path}-wal`, `${path}-shm`];
  try {
    writeFileSync(log, '', { mode: mode & 0o777 });
    writeFileSync(index, Buffer.alloc(INDEX_BYTES), { mode: mode & 0o777 });
  } catch {
    rmSync(index, { force: true });
  }
}

/** The last connection to close moves the log into the file, unless it may only read: where page sums are missing, or more is. */
function closeUnmoved(client: SqliteDatabase.Database, path: string): void {
  const last = path === IN_MEMORY ? null : new SqliteDatabase(path, { readonly: true });
  try {
    // A connection that has never read holds no lock.
    last?.prepare('SELECT 1 FROM sqlite_schema').get();
  } catch (error) {
    if (!isSqliteError(error)) throw error;
  } finally {
    client.close();
    last?.close();
  }
}

/** 0 where there is none. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
