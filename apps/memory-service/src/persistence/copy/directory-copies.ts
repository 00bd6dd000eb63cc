import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Clock, type Logger, writeSynced } from '@agent-faculties/service-kit';
import type { PrunedMemory } from '../../domain/memory/memory.ts';
import type { StoredMemory } from '../../domain/memory/memory-store.ts';
import { PrunedFiles } from '../archive/pruned-files.ts';
import { captureDirectory, type DirectoryCapture } from '../backup/backup-files.ts';
import { type DataDirectory, openDataDirectory } from '../directory/data-directory.ts';
import type { ProcessName } from '../directory/lock-holder.ts';
import { RunLogFile } from '../directory/run-log-file.ts';
import { folderOfSpace, namesOfSpaces } from '../directory/space-folders.ts';
import { storedModel } from '../directory/stored-model.ts';
import { MEMORIES_FILE, segmentsAmong } from '../files/file-names.ts';
import { isFolder } from '../files/is-folder.ts';
import { TextFile } from '../files/text-file.ts';
import { openStore } from '../open-store.ts';
import { inFolder } from '../postgres/checkpoint/passing-folder.ts';
import { readMemoriesHeader } from '../snapshot/memories-file.ts';
import { settleSave } from '../snapshot/save-files.ts';
import { type Copied, CopyError, type CopySource, type CopyTarget } from './copy-spaces.ts';
import { contentsOf, MOST_MEMORIES, writeContents } from './store-contents.ts';

export interface CopyMachine {
  readonly clock: Clock;
  readonly process: ProcessName;
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly log: Logger;
}

/** In the folder of a copy: what it is a copy of. */
const COPY_FILE = 'copy.json';

/** The data directory of a service, which may be running. */
export function copyFromDirectory(dataDir: string, machine: CopyMachine): CopySource {
  const captured = async <Result>(space: string, use: (capture: DirectoryCapture) => Promise<Result>) => {
    const capture = await captureDirectory(await folderOfSpace(dataDir, space), machine.pause);
    try {
      return await use(capture);
    } finally {
      await capture.close();
    }
  };
  return {
    name: dataDir,
    spaces: () => namesOfSpaces(dataDir),
    position: async (space) => {
      if (!(await isFolder(await folderOfSpace(dataDir, space)))) return null;
      return await captured(space, async ({ files }) => (files.length === 0 ? null : fingerprint(files)));
    },
    read: async (space, use) =>
      await inFolder(async (folder) => {
        await captured(space, (capture) => unpack(capture, folder));
        const model = (await storedModel(folder))?.model ?? null;
        const { clock, process, log } = machine;
        const options = { dataDir: folder, model, maxMemories: MOST_MEMORIES, repair: false, clock, log, process };
        const store = await openStore(options);
        try {
          return await use(await contentsOf(store, { sequence: store.sequence(), model, folder }));
        } finally {
          await store.close();
        }
      }),
  };
}

function fingerprint(files: DirectoryCapture['files']): string {
  const hash = createHash('sha256');
  for (const { name, size, modifiedMs } of files) hash.update(`${name} ${size} ${modifiedMs}\n`);
  return hash.digest('hex');
}

async function unpack({ files }: DirectoryCapture, folder: string): Promise<void> {
  for (const { name, read } of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true, mode: 0o700 });
    await writeSynced(join(folder, name), read());
  }
}

/** A data directory that no service uses. */
export function copyToDirectory(dataDir: string, machine: CopyMachine): CopyTarget {
  const locked = async <Result>(space: string, use: (directory: DataDirectory) => Promise<Result>) => {
    const directory = await openDataDirectory({ ...machine, path: await folderOfSpace(dataDir, space) });
    try {
      return await use(directory);
    } finally {
      await directory.release();
    }
  };
  return {
    name: dataDir,
    copied: async (space) => {
      if (!(await isFolder(await folderOfSpace(dataDir, space)))) return null;
      return await locked(space, ({ path }) => copyIn(path));
    },
    write: async (space, contents, copy) =>
      await locked(space, async (directory) => {
        const { path } = directory;
        await settleSave(path);
        const generation = (await headerIn(path))?.generation ?? 0;
        await noteCopy(path, { source: copy.source, position: null, generation });
        await writeContents(contents, { directory, generation, savedAtMs: Math.floor(machine.clock.now()) });
        await writePruned(await PrunedFiles.open(directory), contents.pruned);
        const runLog = await RunLogFile.open(directory);
        const { last, lastNight, undoers } = contents.noted;
        if (last) await runLog.note(last);
        if (lastNight) await runLog.noteNight(lastNight);
        if (undoers) await runLog.noteUndoers(undoers);
        await noteCopy(path, { ...copy, generation: generation + 1 });
      }),
  };
}

interface NotedCopy extends Copied {
  /** That of the files when this was noted. */
  readonly generation: number;
}

async function copyIn(folder: string): Promise<Copied | null> {
  const names = await readdir(folder);
  const header = await headerIn(folder);
  const noted = names.includes(COPY_FILE)
    ? (JSON.parse(await readFile(join(folder, COPY_FILE), 'utf8')) as NotedCopy)
    : null;
  const isEmpty = !header && segmentsAmong(folder, names).length === 0;
  if (isEmpty && !noted) return null;
  const generation = header?.generation ?? 0;
  // A kill may have come after the files were written and before that was noted.
  const isOurs = noted && (generation === noted.generation || generation === noted.generation + 1);
  if (isOurs && segmentsAmong(folder, names).length === 0) {
    return { source: noted.source, position: generation === noted.generation ? noted.position : null };
  }
  throw new CopyError(
    `${folder} holds memories ${noted ? 'that came after it was copied' : 'already'}: name a folder that is not there, or empty this one.`,
  );
}

async function headerIn(folder: string) {
  return (await readdir(folder)).includes(MEMORIES_FILE) ? await readMemoriesHeader(join(folder, MEMORIES_FILE)) : null;
}

async function noteCopy(folder: string, noted: NotedCopy): Promise<void> {
  await TextFile.replace(join(folder, COPY_FILE), `${JSON.stringify(noted)}\n`);
}

/** Makes an archive hold these memories and no others. */
async function writePruned(archive: PrunedFiles, pruned: readonly PrunedMemory[]): Promise<void> {
  const wanted = new Map(pruned.map((one) => [one.memory.id, one.prunedAt]));
  const there = await archive.entries();
  await archive.remove(there.flatMap(({ id, prunedAt }) => (wanted.get(id) === prunedAt ? [] : [id])));
  const kept = new Set((await archive.entries()).map(({ id }) => id));
  const byMoment = new Map<number, StoredMemory[]>();
  for (const { memory, strength, prunedAt } of pruned) {
    if (!kept.has(memory.id)) byMoment.set(prunedAt, [...(byMoment.get(prunedAt) ?? []), { memory, strength }]);
  }
  for (const [prunedAt, those] of byMoment) await archive.keep(those, prunedAt);
}
