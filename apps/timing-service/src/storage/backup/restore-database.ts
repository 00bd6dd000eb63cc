import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isSpaceName } from '@agent-faculties/agent-identity';
import {
  BackupError,
  makeFolder,
  readTar,
  syncDirectory,
  type TarEntry,
  writeSynced,
} from '@agent-faculties/service-kit';
import { sumsPath } from '../page-sums/sums-file.ts';
import { realName, writerOf } from '../sqlite/database-file.ts';
import { isDamage } from '../sqlite/faults.ts';
import { spacesFolder } from '../sqlite/space-files.ts';
import { HOME_ENTRY, MANIFEST, SERVICE } from './archive-entries.ts';
import { added, contentsOf, type DatabaseContents, NOTHING } from './database-contents.ts';
import { lockedForNew } from './locked.ts';

/**
 * Makes the databases of a backup, completely or not at all. It never overwrites one.
 * @throws BackupError, TarError, or the error of the system
 */
export async function restoreDatabase(path: string, input: AsyncIterable<Uint8Array>): Promise<DatabaseContents> {
  makeFolder(dirname(path), { mode: 0o700 });
  const target = realName(path);
  const inUse = `${path} is in use by a timing-service: stop it first, then try again.`;
  const restored = async () => {
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
      for (const file of files) sum = added(sum, checkedContentsOf(join(staging, file)));
      await syncDirectory(join(staging, 'spaces'));
      if (files.length > 1) await rename(join(staging, 'spaces'), folder);
      await rename(join(staging, HOME_ENTRY), target);
      await syncDirectory(dirname(target));
      return sum;
    } finally {
      rmSync(staging, { recursive: true, force: true });
    }
  };
  return await lockedForNew(target, inUse, restored);
}

/** What SQLite cannot read is the fault of what came in, and not of the disk on which it was laid down. */
function checkedContentsOf(path: string): DatabaseContents {
  try {
    const writer = writerOf(path);
    if (writer === 'this service') return contentsOf(path);
    throw new BackupError(
      writer === 'another program'
        ? 'This is a database of another program, and no backup of timing-service: nothing was changed.'
        : 'This backup was made by a newer version of timing-service: restore it with that version. Nothing was changed.',
    );
  } catch (error) {
    if (!isDamage(error)) throw error;
    const { message } = error as Error;
    throw new BackupError(
      `This is not a backup of timing-service, or it is damaged (${message}): nothing was changed.`,
    );
  }
}

const MANIFEST_BYTES = 1024 ** 2;
const IN_SPACES = /^spaces\/([^/]+)\.db$/;

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
    return service === SERVICE ? String(files) : '';
  } catch {
    return '';
  }
}

/** Enough of a backup to see whether it is an archive: its first entry is that of the default space. */
const HEAD_BYTES = HOME_ENTRY.length;

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
