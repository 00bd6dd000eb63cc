import type { Dirent } from 'node:fs';
import { lstat, readdir, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { DEFAULT_SPACE, isSpaceName } from '@agent-faculties/agent-identity';
import type { Engine, SpaceAtRest } from '../../domain/space/engine.ts';
import type { StoredSpace } from '../../domain/space/stored-space.ts';
import { spaceBytesWhenOpen } from '../../store/space-bytes.ts';
import { DataDirectoryError } from '../files/data-directory-error.ts';
import { diskFault, whyNoWrites } from '../files/disk-fault.ts';
import { FAISS_FILE, LOCK_FILE, MEMORIES_FILE, PACKED_FILE, SPACES_FOLDER } from '../files/file-names.ts';
import { isFolder } from '../files/is-folder.ts';
import { systemCode } from '../files/system-code.ts';
import { openEmpty, openStore, quiet, type StoreOptions } from '../open-store.ts';
import { RUN_LOG_FILE, readRunLog } from './run-log-file.ts';

/**
 * Each space in a data directory of its own: the default one in `dataDir` itself, the others in its folder `spaces`. Without a data
 * directory they live as long as this process.
 */
export async function openSpaceFolders(options: StoreOptions): Promise<Engine> {
  const empty = await openEmpty(options);
  return options.dataDir === null
    ? inMemory(empty, { ofDefault: options, ofOthers: quiet(options) })
    : inFolders(empty, { ...options, dataDir: options.dataDir });
}

function inMemory(empty: StoredSpace, { ofDefault, ofOthers }: Record<'ofDefault' | 'ofOthers', StoreOptions>): Engine {
  const names = new Set([DEFAULT_SPACE]);
  return {
    keeps: false,
    empty,
    exists: async (name) => names.has(name),
    names: async () => [...names],
    open: async (name) => {
      const opened = await openStore(name === DEFAULT_SPACE ? ofDefault : ofOthers);
      names.add(name);
      return opened;
    },
    bytesWhenOpen: async () => 0,
    atRest: async () => ({ lastNight: null, isWritten: false, hasChanged: false, isTaken: false }),
  };
}

function inFolders(empty: StoredSpace, { dataDir, ...options }: StoreOptions & { dataDir: string }): Engine {
  const folderOf = (name: string) => pathOfSpace(dataDir, name);
  return {
    keeps: true,
    empty,
    exists: async (name) => await isFolder(folderOf(name)),
    names: async () => await namesOfSpaces(dataDir),
    open: async (name) => {
      const folder = await folderOfSpace(dataDir, name);
      try {
        return await openStore({ ...options, dataDir: folder });
      } catch (error) {
        const { cause } = error as Error;
        // Who asks for another space can do something about the disk; at the start, which opens the default one, it is the operator.
        throw name !== DEFAULT_SPACE && whyNoWrites(cause) !== null ? diskFault(cause) : error;
      }
    },
    remove: async (name) => await rm(folderOf(name), { recursive: true, force: true }),
    bytesWhenOpen: async (name) => await bytesWhenOpen(folderOf(name)),
    atRest: async (name) => await atRest(folderOf(name)),
  };
}

/**
 * The data directory of a space, which may not be there yet.
 * @throws DataDirectoryError where a link stands in its place: what it leads to may be another space, or in use by another service
 */
export async function folderOfSpace(dataDir: string, name: string): Promise<string> {
  const path = pathOfSpace(dataDir, name);
  const isLink = name !== DEFAULT_SPACE && ((await lstat(path).catch(() => null))?.isSymbolicLink() ?? false);
  if (!isLink) return path;
  throw new DataDirectoryError(
    `${path} is a symbolic link, and the folder of a space must not be one: move the folder itself there, or mount its disk there.`,
  );
}

function pathOfSpace(dataDir: string, name: string): string {
  return name === DEFAULT_SPACE ? dataDir : join(dataDir, SPACES_FOLDER, name);
}

/** The spaces of a data directory, the default one first; links too, so that whoever opens them hears of it. */
export async function namesOfSpaces(dataDir: string): Promise<readonly string[]> {
  const entries = await readdir(join(dataDir, SPACES_FOLDER), { withFileTypes: true }).catch(nothingThere);
  const names = entries.flatMap((entry) => (isOfSpace(entry) ? [entry.name] : []));
  return [DEFAULT_SPACE, ...names.filter((name) => name !== DEFAULT_SPACE).sort()];
}

/** Those of the spaces but the default one, below a data directory. */
export async function foldersOfOthers(dataDir: string): Promise<string[]> {
  const names = (await namesOfSpaces(dataDir)).filter((name) => name !== DEFAULT_SPACE);
  return await Promise.all(names.map(async (name) => relative(dataDir, await folderOfSpace(dataDir, name))));
}

function isOfSpace(entry: Dirent): boolean {
  return (entry.isDirectory() || entry.isSymbolicLink()) && isSpaceName(entry.name);
}

async function bytesWhenOpen(folder: string): Promise<number> {
  const bytesOf = async (name: string) => (await stat(join(folder, name)).catch(() => null))?.size ?? 0;
  return spaceBytesWhenOpen({
    memoriesFile: await bytesOf(MEMORIES_FILE),
    packedFile: await bytesOf(PACKED_FILE),
    vectorsFile: await bytesOf(FAISS_FILE),
  });
}

async function atRest(folder: string): Promise<SpaceAtRest> {
  const { lastNight } = await readRunLog(join(folder, RUN_LOG_FILE));
  const notedAt = await modifiedAt(join(folder, RUN_LOG_FILE));
  const names = await readdir(folder).catch(nothingThere);
  const ofMemories = names.filter((name) => !name.startsWith(LOCK_FILE) && !name.startsWith(RUN_LOG_FILE));
  const times = await Promise.all(ofMemories.map((name) => modifiedAt(join(folder, name))));
  return { lastNight, isWritten: times.length > 0, hasChanged: Math.max(0, ...times) > notedAt, isTaken: false };
}

/** Epoch milliseconds; 0 for a file that is not there. */
async function modifiedAt(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.mtimeMs ?? 0;
}

function nothingThere(error: unknown): never[] {
  if (systemCode(error) === 'ENOENT') return [];
  throw error;
}
