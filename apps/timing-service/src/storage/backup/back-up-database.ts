import { closeSync, createReadStream, existsSync, openSync, rmSync, statSync } from 'node:fs';
import { DEFAULT_SPACE } from '@agent-faculties/agent-identity';
import { BackupError, type BinaryOutput, TAR_END, tarHeader, tarPadding } from '@agent-faculties/service-kit';
import SqliteDatabase from 'better-sqlite3';
import { examine } from '../page-sums/examine.ts';
import { DatabaseOpenError, inspect, realName } from '../sqlite/database-file.ts';
import { spaceNames, spacePath } from '../sqlite/space-files.ts';
import { entryOf, MANIFEST, SERVICE } from './archive-entries.ts';
import { added, contentsOf, type DatabaseContents, NOTHING } from './database-contents.ts';
import { locked } from './locked.ts';

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
  const whenTaken = `another backup of ${path} is at work: wait for it, then try again.`;
  return await locked(copy, whenTaken, () => writeBackup(path, copy, output));
}

/** @param copy where a database lies while it is written to the output */
async function writeBackup(path: string, copy: string, output: BinaryOutput): Promise<DatabaseContents> {
  const names = spaceNames(path);
  const isArchive = names.length > 1;
  const held: string[] = [];
  const leftOut: string[] = [];
  let sum = NOTHING;
  for (const name of names) {
    const file = spacePath(path, name);
    // Made for a request that was refused, and removed since.
    if (!existsSync(file)) continue;
    rmSync(copy, { force: true }); // of a backup that was cut short
    try {
      const fault = faultOfCopying(file, copy);
      if (fault && name === DEFAULT_SPACE) throw fault;
      if (fault) {
        leftOut.push(fault.message);
        continue;
      }
      held.push(name);
      sum = added(sum, contentsOf(copy));
      await writeCopy(copy, { entry: isArchive ? entryOf(name) : null, output });
    } finally {
      rmSync(copy, { force: true });
    }
  }
  if (isArchive) await output(manifestOf(held));
  if (leftOut.length > 0) {
    throw new BackupError(`${leftOut.join('\n')}\nThe backup is complete without that, and can be restored.`);
  }
  return sum;
}

/** @param options.entry under which it stands in an archive; null where it is the whole backup */
async function writeCopy(
  copy: string,
  { entry, output }: { readonly entry: string | null; readonly output: BinaryOutput },
): Promise<void> {
  const { size, mtimeMs: modifiedMs } = statSync(copy);
  if (entry !== null) await output(tarHeader({ name: entry, size, modifiedMs }));
  for await (const chunk of createReadStream(copy)) await output(chunk as Buffer);
  if (entry !== null) await output(tarPadding(size));
}

function manifestOf(names: readonly string[]): Buffer {
  const content = Buffer.from(`${JSON.stringify({ service: SERVICE, files: names.map(entryOf) })}\n`);
  const size = content.byteLength;
  return Buffer.concat([tarHeader({ name: MANIFEST, size, modifiedMs: 0 }), content, tarPadding(size), TAR_END]);
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
