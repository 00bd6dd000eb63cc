import { existsSync, readFileSync, realpathSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UnavailableError } from '@agent-faculties/service-kit';
import SqliteDatabase from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import type { CheckpointThread } from './checkpoint-thread.ts';
import { Checkpoints } from './checkpoints.ts';
import { type Examination, examination } from './examine.ts';
import {
  type Condition,
  type Db,
  guarded,
  isDamage,
  isSqliteError,
  noteFault,
  transactions,
  unavailable,
  watch,
} from './faults.ts';
import { beginSums, makeSums, PageSums } from './page-sums.ts';
import { atOnce, inTurns, type Steps } from './steps.ts';

/** "TIME" in ASCII: marks a file as ours (PRAGMA application_id), so that no other program's database is migrated. */
const APPLICATION_ID = 0x54494d45;
/** Other processes (a backup, a shell) may hold the write lock for a moment. */
const BUSY_TIMEOUT_MS = 5_000;
/** Room for the index pages of a million tasks; beyond it, the page cache of the system serves. */
const CACHE_KIB = 32 * 1024;

/** SQLite's default, and the page sums rely on it for a new file. */
const PAGE_SIZE = 4_096;

/** Smallest size of SQLite's index of the log, in bytes. */
const INDEX_BYTES = 32_768;

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

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

/** Why a database cannot be opened, in words for the operator. */
export class DatabaseOpenError extends Error {}

export interface DatabaseOptions {
  /** `:memory:` keeps nothing. */
  readonly path: string;
  readonly synchronous: 'normal' | 'full';
  /** Most that SQLite keeps of the file in memory. */
  readonly cacheKiB?: number;
  /** Runs checkpoints; without it they run within a write. */
  readonly checkpointThread?: CheckpointThread | undefined;
}

/** Marks a repair that was cut short after it had saved everything: see database-repair.ts. */
export const repairedPath = (path: string): string => `${path}.repaired`;

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
    if (path === ':memory:') return open(path, options, { unlock: () => {}, examination: null });
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

/** Refuses a hard link: the log would lie beside one name and be missing beside the other. */
function refuseSecondName(path: string): void {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (entry?.isFile() && entry.nlink > 1) {
    throw new DatabaseOpenError(
      `${path} has another name (a hard link), under which a second process could open it: remove that name, or make a copy instead.`,
    );
  }
}

const examinationCanTell = (path: string): boolean => existsSync(`${realName(path)}.sums`);

/**
 * @returns the examination of the files, with new page sums where there were none
 * @throws DatabaseOpenError when the files are damaged; nothing was written then
 */
function* examined(path: string): Steps<Examined> {
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

/** Of the file that has this name now, which may be another one than before; null where there is none. */
function inodeOf(path: string): bigint | null {
  try {
    return statSync(path, { bigint: true }).ino;
  } catch {
    return null;
  }
}

/** The path of a file with links resolved; the file need not exist. */
export function realName(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path));
}

interface Examined extends Examination {
  /** Whether the disk refuses writes. */
  readonly isReadOnly?: boolean;
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
    const db = drizzle(client);
    migrate(db, { migrationsFolder: MIGRATIONS });
    const sums = examination && pageSums(path, synchronous, examination);
    // SQLite opened the file read-only, and page sums are missing: the next start makes them once the disk accepts writes.
    const isForReading = examination !== null && !sums;
    if (isForReading) client.pragma('query_only = 1');
    const onFault = (error: unknown) => noteFault(db, error);
    const checkpoints = sums && new Checkpoints({ path, client, sums, thread, onFault });
    const listeners: ((cause: unknown) => void)[] = [];
    const opened = inodeOf(path);
    const condition = watch(db, {
      onDamage: (cause) => {
        for (const listener of listeners) listener(cause);
      },
      isThere: () => path === ':memory:' || inodeOf(path) === opened,
      afterWrite: () => checkpoints?.afterWrite(),
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

/** Whether the disk has no room for another page. */
function isFull(path: string): boolean {
  const { bsize, bfree, bavail } = statfsSync(dirname(path));
  return bsize * (process.getuid?.() === 0 ? bfree : bavail) < PAGE_SIZE;
}

function fileCheck(path: string, db: Db, condition: Condition): () => void {
  const probe = db.$client.prepare('SELECT max(sequence) FROM events');
  const firstPages = path === ':memory:' ? 0 : statSync(path).size;
  return () => {
    if (condition.damage) throw condition.damage;
    try {
      // SQLite would go on serving its cache when the file is gone or cut short.
      if (path !== ':memory:' && statSync(path).size < firstPages) throw new Error(`${path} has been cut short`);
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
  if (isClean) keepRoomForIndex(path);
}

/** SQLite takes it over, and without it cannot even read: so the next start serves reads on a disk that is full by then. */
function keepRoomForIndex(path: string): void {
  const index = `${path}-shm`;
  try {
    writeFileSync(index, Buffer.alloc(INDEX_BYTES), { mode: statSync(path).mode & 0o777 });
  } catch {
    rmSync(index, { force: true });
  }
}

/** The last connection to close moves the log into the file, unless it may only read: where page sums are missing, or more is. */
function closeUnmoved(client: SqliteDatabase.Database, path: string): void {
  const last = path === ':memory:' ? null : new SqliteDatabase(path, { readonly: true });
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

/**
 * Checks a file without writing to it. SQLite creates files beside it even for reading, and only a connection that may write removes
 * them; but that one would also checkpoint a log that has content.
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

function openError(path: string, error: unknown): DatabaseOpenError {
  if (error instanceof DatabaseOpenError) return error;
  const reason = error instanceof Error || isSqliteError(error) ? error.message : String(error);
  if (isDamage(error)) {
    return new DatabaseOpenError(
      `${path} is not a readable SQLite database (${reason}): choose another file with --db-path, restore a backup, or save what can be read with timing-service repair. It was not touched.`,
    );
  }
  if (ROOM_IS_MISSING.test(String((error as { code?: unknown } | null)?.code))) {
    return new DatabaseOpenError(
      `${path} cannot be opened (${reason}): the disk may be full. Make room and start it again.`,
    );
  }
  return new DatabaseOpenError(
    `${path} cannot be opened (${reason}): check that its folder exists and that this user may write there.`,
  );
}

/** 0 where there is none. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
