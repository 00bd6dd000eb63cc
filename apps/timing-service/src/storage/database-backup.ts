import { closeSync, createReadStream, existsSync, openSync, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BackupError, type BinaryOutput, syncDirectory, writeSynced } from '@agent-faculties/service-kit';
import SqliteDatabase from 'better-sqlite3';
import { DatabaseOpenError, inspect, lockFile, realName } from './database.ts';
import { examine } from './examine.ts';
import { sumsPath } from './page-sums.ts';

/** What a database holds. */
export interface DatabaseContents {
  readonly events: number;
  readonly tasks: number;
  readonly bytes: number;
}

/**
 * Writes a copy of a database to `output`, also while a service uses it: an SQLite file of one moment, with every write that was
 * answered before the call. The copy is checked before its first byte is written. Until the end it needs as much disk as the
 * database.
 * @throws BackupError, DatabaseOpenError, or the error of the system
 */
export async function backUpDatabase(path: string, output: BinaryOutput): Promise<DatabaseContents> {
  if (!existsSync(path)) throw new BackupError(`${path} is not there: name the database with --db-path.`);
  const copy = `${realName(path)}.backup`;
  return await locked(copy, `another backup of ${path} is at work: wait for it, then try again.`, async () => {
    rmSync(copy, { force: true }); // of a backup that was cut short
    try {
      vacuumInto(path, copy);
      const contents = contentsOf(copy);
      for await (const chunk of createReadStream(copy)) await output(chunk as Buffer);
      return contents;
    } finally {
      rmSync(copy, { force: true });
    }
  });
}

/**
 * Makes a database of a backup, completely or not at all. It never overwrites a database.
 * @throws BackupError, DatabaseOpenError, or the error of the system
 */
export async function restoreDatabase(path: string, input: AsyncIterable<Uint8Array>): Promise<DatabaseContents> {
  const target = realName(path);
  const inUse = `${path} is in use by a timing-service: stop it first, then try again.`;
  return await locked(target, inUse, async () => {
    const present = [target, `${target}-wal`, `${target}-journal`, sumsPath(target)].find((file) => existsSync(file));
    if (present) {
      throw new BackupError(`${present} is there: a restore overwrites nothing. Move it away first, then try again.`);
    }
    const copy = `${target}.restore`;
    rmSync(copy, { force: true }); // of a restore that was cut short
    try {
      await writeSynced(copy, input);
      inspect(copy);
      const contents = contentsOf(copy);
      await rename(copy, target);
      await syncDirectory(dirname(target));
      return contents;
    } finally {
      rmSync(copy, { force: true });
    }
  });
}

/**
 * VACUUM INTO is one read transaction, so that writers go on; SQLite's backup would restart with each of their writes. A second read
 * transaction keeps the pages unchanged while their checksums are checked.
 */
function vacuumInto(path: string, copy: string): void {
  const file = openSync(path, 'r');
  const reader = new SqliteDatabase(path, { readonly: true });
  try {
    inspect(path);
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM sqlite_schema').get();
    const { damage } = examine(realName(path), { file });
    if (damage !== null) {
      throw new BackupError(
        `${path} is damaged: ${damage}. It was not backed up. Restore a backup, or save what can be read with timing-service repair.`,
      );
    }
    reader.exec('COMMIT');
    reader.prepare('VACUUM INTO ?').run(copy);
  } finally {
    reader.close();
    closeSync(file);
  }
}

/** @throws BackupError unless it is sound, and ours */
function contentsOf(path: string): DatabaseContents {
  const database = new SqliteDatabase(path, { readonly: true });
  try {
    const verdict = database.pragma('integrity_check', { simple: true }) as string;
    if (verdict !== 'ok') {
      throw new BackupError(`The copy is damaged (${verdict.replaceAll('\n', ' ')}): nothing was changed.`);
    }
    const ours = database.prepare("SELECT count(*) FROM sqlite_schema WHERE name IN ('events', 'tasks')").pluck().get();
    if (ours !== 2) throw new BackupError('This is not a backup of timing-service: nothing was changed.');
    const count = (table: string) => database.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
    const pages = database.pragma('page_count', { simple: true }) as number;
    const bytes = pages * (database.pragma('page_size', { simple: true }) as number);
    return { events: count('events'), tasks: count('tasks'), bytes };
  } finally {
    database.close();
  }
}

async function locked<Result>(path: string, whenTaken: string, work: () => Promise<Result>): Promise<Result> {
  const lock = lockOrExplain(path, whenTaken);
  try {
    return await work();
  } finally {
    lock.close();
  }
}

function lockOrExplain(path: string, whenTaken: string) {
  try {
    return lockFile(path);
  } catch (error) {
    throw error instanceof DatabaseOpenError ? new BackupError(whenTaken, { cause: error }) : error;
  }
}
