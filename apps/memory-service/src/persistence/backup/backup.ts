import { createHash, type Hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { DEFAULT_SPACE } from '@agent-faculties/agent-identity';
import {
  BackupError,
  type BinaryOutput,
  readTar,
  syncDirectory,
  TAR_END,
  type TarEntry,
  TarError,
  tarHeader,
  tarPadding,
  writeSynced,
} from '@agent-faculties/service-kit';
import { MemoryIndexes } from '../../store/memory-indexes.ts';
import { type DataDirectoryOptions, openDataDirectory } from '../directory/data-directory.ts';
import { loadStore } from '../directory/load-store.ts';
import { folderOfSpace, namesOfSpaces } from '../directory/space-folders.ts';
import { DataDirectoryError } from '../files/data-directory-error.ts';
import { LOCK_FILE } from '../files/file-names.ts';
import { systemCode } from '../files/system-code.ts';
import { captureDirectory, type DirectoryCapture, RestlessDirectoryError } from './backup-files.ts';

/** The last file of the archive: an archive that was cut short has none. */
const MANIFEST = 'backup.json';
const FORMAT = 1;
/** Names of files in a backup: in the data directory or one folder below it, or the same in the folder of a space. */
const SAFE_NAME = /^(?:spaces\/[a-z0-9-]+\/)?\w[\w.-]*(\/\w[\w.-]*)?$/;
const MANIFEST_BYTES = 16 * 1024 ** 2;

interface ManifestFile {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

interface Manifest {
  readonly format: number;
  readonly service: string;
  /** Version of the service that made the backup. */
  readonly version: string;
  readonly made_at: string;
  readonly files: readonly ManifestFile[];
}

export interface BackupReport {
  readonly files: number;
  readonly bytes: number;
}

export interface RestoreReport {
  readonly memories: number;
  /** How many changes came from the journal. */
  readonly replayed: number;
  readonly madeAt: string;
  /** Spaces, other than the default one, that are as the backup has them, but which a service cannot open; with the reason. */
  readonly damaged: readonly { readonly space: string; readonly reason: string }[];
}

/** The errors whose message tells the operator what to do. */
export const EXPLAINED_ERRORS = [BackupError, TarError, DataDirectoryError, RestlessDirectoryError];

/**
 * Writes a tar archive of a data directory with all its spaces, which a service may be using. The archive shows each space at one
 * moment, holds everything that was acknowledged before the call, and has the SHA-256 of each file.
 * @throws one of EXPLAINED_ERRORS, or the error of the system
 */
export async function backUpDirectory(
  dataDir: string,
  {
    output,
    version,
    nowMs,
    pause,
  }: {
    readonly output: BinaryOutput;
    readonly version: string;
    readonly nowMs: number;
    readonly pause: (milliseconds: number) => Promise<void>;
  },
): Promise<BackupReport> {
  if (!existsSync(dataDir)) {
    throw new BackupError(`${dataDir} is not there: name the folder of a memory-service with --data-dir.`);
  }
  const files: ManifestFile[] = [];
  const spaces = await spaceFolders(dataDir);
  for (const folder of ['', ...spaces]) {
    const capture = await captureDirectory(join(dataDir, folder), pause).catch((error) => {
      // A space that was made for a request that was refused, and removed since.
      if (folder !== '' && systemCode(error) === 'ENOENT') return null;
      throw error;
    });
    if (!capture) continue;
    try {
      const isEmpty = folder === '' && capture.files.length === 0 && spaces.length === 0;
      if (isEmpty && !(await readdir(dataDir)).includes(LOCK_FILE)) {
        throw new BackupError(`${dataDir} holds no memories: name the folder of a memory-service with --data-dir.`);
      }
      files.push(...(await writeFiles(folder, capture, output)));
    } finally {
      await capture.close();
    }
  }
  const made_at = new Date(nowMs).toISOString();
  const manifest: Manifest = { format: FORMAT, service: 'memory-service', version, made_at, files };
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`);
  await output(tarHeader({ name: MANIFEST, size: bytes.byteLength, modifiedMs: nowMs }));
  await output(Buffer.concat([bytes, tarPadding(bytes.byteLength), TAR_END]));
  return { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) };
}

/** Those of the spaces but the default one, below a data directory. */
async function spaceFolders(dataDir: string): Promise<string[]> {
  const names = (await namesOfSpaces(dataDir)).filter((name) => name !== DEFAULT_SPACE);
  return await Promise.all(names.map(async (name) => relative(dataDir, await folderOfSpace(dataDir, name))));
}

async function writeFiles(folder: string, capture: DirectoryCapture, output: BinaryOutput): Promise<ManifestFile[]> {
  const files: ManifestFile[] = [];
  for (const { name: inFolder, size, modifiedMs, read } of capture.files) {
    const name = folder === '' ? inFolder : `${folder}/${inFolder}`;
    const hash = createHash('sha256');
    await output(tarHeader({ name, size, modifiedMs }));
    for await (const chunk of read()) {
      hash.update(chunk);
      await output(chunk);
    }
    await output(tarPadding(size));
    files.push({ name, size, sha256: hash.digest('hex') });
  }
  return files;
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
    let [memories, replayed] = [0, 0];
    const damaged: { space: string; reason: string }[] = [];
    for (const folder of ['', ...(await spaceFolders(staging))]) {
      try {
        const counts = await readAsAStart(join(staging, folder), options);
        memories += counts.memories;
        replayed += counts.replayed;
      } catch (error) {
        // As in a service, a damaged space is no reason to do without the others.
        if (folder === '' || !(error instanceof DataDirectoryError)) throw error;
        damaged.push({ space: basename(folder), reason: error.message.replaceAll(staging, target) });
      }
    }
    await directory.release();
    await rename(staging, target); // succeeds only where the target is missing or empty
    await syncDirectory(dirname(target));
    return { memories, replayed, madeAt: made_at, damaged };
  } finally {
    await rm(staging, { recursive: true, force: true });
    await directory.release();
  }
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

async function readManifest({ size, content }: TarEntry): Promise<Manifest> {
  if (size > MANIFEST_BYTES) throw new BackupError('The backup is damaged: take another one.');
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  const manifest = parsed(Buffer.concat(chunks).toString('utf8')) as Partial<Manifest> | null;
  if (manifest?.service !== 'memory-service' || !Array.isArray(manifest.files)) {
    throw new BackupError('This is not a backup of memory-service.');
  }
  if (manifest.format !== FORMAT) {
    throw new BackupError(
      `The backup was made by a newer version (${manifest.version}): restore it with that version. Nothing was changed.`,
    );
  }
  return manifest as Manifest;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
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
