import { createHash, type Hash } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { BackupError, readTar, syncDirectory, type TarEntry, writeSynced } from '@agent-faculties/service-kit';
import { MemoryIndexes } from '../../store/indexes/memory-indexes.ts';
import { type DataDirectoryOptions, openDataDirectory } from '../directory/data-directory.ts';
import { loadStore } from '../directory/load-store.ts';
import { foldersOfOthers } from '../directory/space-folders.ts';
import { DataDirectoryError } from '../files/data-directory-error.ts';
import { MANIFEST, type Manifest, type ManifestFile, readManifest } from './manifest.ts';

/** Names of files in a backup: in the data directory or one folder below it, or the same in the folder of a space. */
const SAFE_NAME = /^(?:spaces\/[a-z0-9-]+\/)?\w[\w.-]*(\/\w[\w.-]*)?$/;

export interface RestoreReport {
  readonly memories: number;
  /** How many changes came from the journal. */
  readonly replayed: number;
  readonly madeAt: string;
  /** Spaces, other than the default one, that are as the backup has them, but which a service cannot open; with the reason. */
  readonly damaged: readonly { readonly space: string; readonly reason: string }[];
}

/**
 * Makes a data directory from a backup, whole or not at all: it is checked as at a start of the service before it gets its name. A
 * space that was damaged when the backup was made is damaged again, and the report says so.
 * Never writes to a directory that is not empty.
 * @throws one of EXPLAINED_ERRORS, or the error of the system
 */
export async function restoreDirectory(
  dataDir: string,
  { input, ...options }: Omit<DataDirectoryOptions, 'path'> & { readonly input: AsyncIterable<Uint8Array> },
): Promise<RestoreReport> {
  const directory = await openDataDirectory({ ...options, path: dataDir });
  const target = directory.path;
  const staging = `${target}.restore`;
  try {
    const present = (await readdir(target)).find((name) => !name.startsWith('lock'));
    if (present) {
      throw new BackupError(
        `${join(target, present)} exists, and restore never overwrites anything. Empty the folder or choose another, then try again.`,
      );
    }
    await rm(staging, { recursive: true, force: true }); // left by an interrupted restore
    await mkdir(staging, { mode: 0o700 });
    const { made_at } = await unpack(input, staging);
    const checked = await checkSpaces(staging, { ...options, target });
    await directory.release();
    await rename(staging, target); // succeeds only where the target is missing or empty
    await syncDirectory(dirname(target));
    return { ...checked, madeAt: made_at };
  } finally {
    await rm(staging, { recursive: true, force: true });
    await directory.release();
  }
}

/** Reads each space as a start does. @param of.target the name that the folder will have @throws DataDirectoryError for the default one */
async function checkSpaces(
  folder: string,
  { target, ...options }: Omit<DataDirectoryOptions, 'path'> & { readonly target: string },
): Promise<Omit<RestoreReport, 'madeAt'>> {
  const others = await foldersOfOthers(folder);
  let { memories, replayed } = await readAsAStart(folder, options);
  const damaged: { space: string; reason: string }[] = [];
  for (const other of others) {
    try {
      const counts = await readAsAStart(join(folder, other), options);
      memories += counts.memories;
      replayed += counts.replayed;
    } catch (error) {
      // As in a service, a damaged space is no reason to do without the others.
      if (!(error instanceof DataDirectoryError)) throw error;
      damaged.push({ space: basename(other), reason: error.message.replaceAll(folder, target) });
    }
  }
  return { memories, replayed, damaged };
}

/** @throws BackupError unless every file is as the manifest says */
async function unpack(input: AsyncIterable<Uint8Array>, folder: string): Promise<Manifest> {
  const unpacked = new Map<string, string>();
  for await (const entry of readTar(input)) {
    if (entry.name === MANIFEST) {
      const manifest = await readManifest(entry);
      const broken = manifest.files.find(({ name, size, sha256 }) => unpacked.get(name) !== `${size} ${sha256}`);
      if (broken) throw new BackupError(`The backup is damaged (${broken.name}): take another one.`);
      for (const name of foldersOf(manifest.files)) await syncDirectory(join(folder, name));
      await syncDirectory(folder);
      return manifest;
    }
    if (!SAFE_NAME.test(entry.name)) throw new BackupError(`This is not a backup of memory-service (${entry.name}).`);
    unpacked.set(entry.name, await writeEntry(entry, join(folder, entry.name)));
  }
  throw new BackupError(`This is not a backup of memory-service, or it is cut short (${MANIFEST} is missing).`);
}

/** Writes an entry to a file. @returns its size and SHA-256 */
async function writeEntry({ size, content }: TarEntry, path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const hash = createHash('sha256');
  await writeSynced(path, hashed(content, hash));
  return `${size} ${hash.digest('hex')}`;
}

async function* hashed(content: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
}

/** Each folder after those in it. */
function foldersOf(files: readonly ManifestFile[]): Set<string> {
  const folders = new Set<string>();
  for (const { name } of files) for (let at = dirname(name); at !== '.'; at = dirname(at)) folders.add(at);
  return new Set([...folders].sort((one, other) => other.length - one.length));
}

/** Reads the directory as a start does; only completes an interrupted save. @throws DataDirectoryError when the service would not start on it */
async function readAsAStart(
  folder: string,
  options: Omit<DataDirectoryOptions, 'path'>,
): Promise<Pick<RestoreReport, 'memories' | 'replayed'>> {
  const directory = await openDataDirectory({ ...options, path: folder });
  try {
    const indexes = new MemoryIndexes({ vectors: null });
    const log = { info: () => {}, warn: () => {} };
    const { journal, replayed } = await loadStore({ directory, sink: indexes, vectors: null, repair: null, log });
    await journal.close();
    return { memories: indexes.records.size, replayed };
  } finally {
    await directory.release();
  }
}
