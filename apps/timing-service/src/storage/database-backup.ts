import { closeSync, createReadStream, existsSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DEFAULT_SPACE, isSpaceName } from '@agent-faculties/agent-identity';
import {
  BackupError,
  type BinaryOutput,
  readTar,
  syncDirectory,
  TAR_END,
  type TarEntry,
  tarHeader,
  tarPadding,
  writeSynced,
} from '@agent-faculties/service-kit';
import SqliteDatabase from 'better-sqlite3';
import { DatabaseOpenError, inspect, lockFile, realName } from './database-file.ts';
import { examine } from './examine.ts';
import { spaceNames, spacePath, spacesFolder } from './sqlite-spaces.ts';
import { sumsPath } from './sums-file.ts';

/** What a backup holds. */
export interface DatabaseContents {
  readonly spaces: number;
  readonly events: number;
  readonly tasks: number;
  readonly bytes: number;
}

const HOME_ENTRY = 'default.db';
/** Enough of a backup to see whether it is an archive: its first entry is that of the default space. */
const HEAD_BYTES = HOME_ENTRY.length;
/** The last file of an archive: one that was cut short has none. */
const MANIFEST = 'backup.json';
const MANIFEST_BYTES = 1024 ** 2;
const IN_SPACES = /^spaces\/([^/]+)\.db$/;

/**
 * Writes a copy of every space to `output`, also while a service uses them. Where there is the default space alone, it is an SQLite
 * file; else a tar archive of one for each space. A copy is of one moment, with every write that was answered before it was begun,
 * and is checked before its first byte is written. Until it is written it needs as much disk as its database. A damaged space is left
 * out, so that the others have their backup: the error that says so comes at the end.
 * @throws BackupError, DatabaseOpenError, or the error of the system
 */
export async function backUpDatabase(path: string, output: BinaryOutput): Promise<DatabaseContents> {
  if (!existsSync(path)) throw new BackupError(`${path} is not there: name the database with --db-path.`);
  const copy = `${realName(path)}.backup`;
  return await locked(copy, `another backup of ${path} is at work: wait for it, then try again.`, async () => {
    const names = spaceNames(path);
    const isArchive = names.length > 1;
    const held: string[] = [];
    const leftOut: string[] = [];
    let sum = NOTHING;
    for (const name of names) {
      // Made for a request that was refused, and removed since.
      if (!existsSync(spacePath(path, name))) continue;
      rmSync(copy, { force: true }); // of a backup that was cut short
      try {
        const fault = faultOfCopying(spacePath(path, name), copy);
        if (fault) {
          if (name === DEFAULT_SPACE) throw fault;
          leftOut.push(fault.message);
          continue;
        }
        held.push(name);
        sum = added(sum, contentsOf(copy));
        const { size, mtimeMs: modifiedMs } = statSync(copy);
        if (isArchive) await output(tarHeader({ name: entryOf(name), size, modifiedMs }));
        for await (const chunk of createReadStream(copy)) await output(chunk as Buffer);
        if (isArchive) await output(tarPadding(size));
      } finally {
        rmSync(copy, { force: true });
      }
    }
    if (isArchive) await output(manifestOf(held));
    if (leftOut.length > 0) {
      throw new BackupError(`${leftOut.join('\n')}\nThe backup is complete without that, and can be restored.`);
    }
    return sum;
  });
}

const NOTHING: DatabaseContents = { spaces: 0, events: 0, tasks: 0, bytes: 0 };

function added(one: DatabaseContents, other: DatabaseContents): DatabaseContents {
  return {
    spaces: one.spaces + other.spaces,
    events: one.events + other.events,
    tasks: one.tasks + other.tasks,
    bytes: one.bytes + other.bytes,
  };
}

function entryOf(name: string): string {
  return name === DEFAULT_SPACE ? HOME_ENTRY : `spaces/${name}.db`;
}

function manifestOf(names: readonly string[]): Buffer {
  const content = Buffer.from(`${JSON.stringify({ service: 'timing-service', files: names.map(entryOf) })}\n`);
  const size = content.byteLength;
  return Buffer.concat([tarHeader({ name: MANIFEST, size, modifiedMs: 0 }), content, tarPadding(size), TAR_END]);
}

/**
 * Makes the databases of a backup, completely or not at all. It never overwrites one.
 * @throws BackupError, DatabaseOpenError, TarError, or the error of the system
 */
export async function restoreDatabase(path: string, input: AsyncIterable<Uint8Array>): Promise<DatabaseContents> {
  const target = realName(path);
  const inUse = `${path} is in use by a timing-service: stop it first, then try again.`;
  return await locked(target, inUse, async () => {
    const folder = spacesFolder(target);
    const present = [target, `${target}-wal`, `${target}-journal`, sumsPath(target), folder].find((file) =>
      existsSync(file),
    );
    if (present) {
      throw new BackupError(`${present} is there: a restore overwrites nothing. Move it away first, then try again.`);
    }
    const staging = `${target}.restore`;
    rmSync(staging, { recursive: true, force: true }); // of a restore that was cut short
    try {
      mkdirSync(join(staging, 'spaces'), { recursive: true, mode: 0o700 });
      const files = await unpack(input, staging);
      let sum = NOTHING;
      for (const file of files) {
        inspect(join(staging, file));
        sum = added(sum, contentsOf(join(staging, file)));
      }
      await syncDirectory(join(staging, 'spaces'));
      if (files.length > 1) await rename(join(staging, 'spaces'), folder);
      await rename(join(staging, HOME_ENTRY), target);
      await syncDirectory(dirname(target));
      return sum;
    } finally {
      rmSync(staging, { recursive: true, force: true });
    }
  });
}

/** @returns the files of the databases, below the folder */
async function unpack(input: AsyncIterable<Uint8Array>, folder: string): Promise<string[]> {
  const { isArchive, bytes } = await peeked(input);
  if (!isArchive) {
    await writeSynced(join(folder, HOME_ENTRY), bytes);
    return [HOME_ENTRY];
  }
  const found: string[] = [];
  for await (const entry of readTar(bytes)) {
    if (entry.name === MANIFEST) {
      if ((await filesOf(entry)) !== found.join()) throw new BackupError('The backup is damaged: take another one.');
      return found;
    }
    const [, space] = IN_SPACES.exec(entry.name) ?? [];
    if (entry.name !== HOME_ENTRY && !(space !== undefined && isSpaceName(space))) {
      throw new BackupError(`This is not a backup of timing-service (${entry.name}): nothing was changed.`);
    }
    await writeSynced(join(folder, entry.name), entry.content);
    found.push(entry.name);
  }
  throw new BackupError('This is not a backup of timing-service, or it is cut short: nothing was changed.');
}

/** The names that a manifest lists, with commas between them. */
async function filesOf({ size, content }: TarEntry): Promise<string> {
  if (size > MANIFEST_BYTES) throw new BackupError('The backup is damaged: take another one.');
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  try {
    const { service, files } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
    return service === 'timing-service' ? String(files) : '';
  } catch {
    return '';
  }
}

/** Looks at the first bytes. What is no archive is left to SQLite, which says what is wrong with it. */
async function peeked(input: AsyncIterable<Uint8Array>) {
  const iterator = input[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < HEAD_BYTES) {
    const next = await iterator.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield head;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  }
  return { isArchive: head.toString('latin1').startsWith(HOME_ENTRY), bytes: whole() };
}

/** @returns why a database cannot be copied; null when it was */
function faultOfCopying(path: string, copy: string): Error | null {
  try {
    vacuumInto(path, copy);
    return null;
  } catch (error) {
    if (error instanceof BackupError || error instanceof DatabaseOpenError) return error;
    throw error;
  }
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
    if (damage !== null) throw damaged(path, damage);
    reader.exec('COMMIT');
    reader.prepare('VACUUM INTO ?').run(copy);
  } catch (error) {
    throw (error as { code?: unknown }).code === 'SQLITE_NOTADB' ? damaged(path, (error as Error).message) : error;
  } finally {
    reader.close();
    closeSync(file);
  }
}

function damaged(path: string, damage: string): BackupError {
  return new BackupError(
    `${path} is damaged: ${damage}. It was not backed up. Restore a backup, or save what can be read with timing-service repair.`,
  );
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
    return { spaces: 1, events: count('events'), tasks: count('tasks'), bytes };
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
