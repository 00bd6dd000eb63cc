import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { syncDirectory, utcDay } from '@agent-faculties/service-kit';
import { untilTaken } from '../../domain/concurrency/until-taken.ts';
import type { PrunedArchive, PrunedEntry } from '../../domain/consolidation/pruning/pruned-archive.ts';
import type { PrunedMemory } from '../../domain/memory/memory.ts';
import type { StoredMemory } from '../../domain/memory/memory-store.ts';
import type { DataDirectory } from '../directory/data-directory.ts';
import { intactCheck, withCheck } from '../files/checked-line.ts';
import { diskFault } from '../files/disk-fault.ts';
import { temporary } from '../files/file-names.ts';
import { readLines } from '../files/line-reader.ts';
import type { WireObject } from '../files/memory-line.ts';
import { TextFile } from '../files/text-file.ts';
import { prunedFromWire, prunedToWire } from './pruned-line.ts';

const FOLDER = 'pruned';
const EXTENSION = '.ndjson';
const DAY_FILE = /^\d{4}-\d\d-\d\d\.ndjson$/;
const TEMPORARY = /\.ndjson\.tmp$/;
/** File mode: for the owner alone, as the data directory. */
const MODE = 0o700;

/** The number of memories that are handed out at a time. */
const TAKEN_AT_ONCE = 50;

interface FiledEntry extends PrunedEntry {
  /** The files that hold the memory; more than one where a crash came between archive and store and the memory was pruned again. */
  readonly paths: Set<string>;
}

/**
 * The archive of pruned memories: one NDJSON file for each day in the folder `pruned` of a data directory, with one whole memory
 * and the check of its bytes in each line. One queue orders all work on the files.
 */
export class PrunedFiles implements PrunedArchive {
  readonly #directory: string;
  readonly #writable: () => Promise<void>;
  readonly #entries = new Map<string, FiledEntry>();
  #last: Promise<unknown> = Promise.resolve();

  private constructor(dataDirectory: Pick<DataDirectory, 'path' | 'writable'>) {
    this.#directory = join(dataDirectory.path, FOLDER);
    this.#writable = () => dataDirectory.writable();
  }

  static async open(dataDirectory: Pick<DataDirectory, 'path' | 'writable'>): Promise<PrunedFiles> {
    const files = new PrunedFiles(dataDirectory);
    for (const path of await files.#files(DAY_FILE)) await files.#noteAll(path);
    return files;
  }

  keep(pruned: readonly StoredMemory[], nowMs: number): Promise<void> {
    return this.#writing(async () => {
      const path = join(this.#directory, `${utcDay(nowMs)}.ndjson`);
      if ((await mkdir(this.#directory, { recursive: true, mode: MODE })) !== undefined) {
        await syncDirectory(join(this.#directory, '..'));
      }
      const stored = pruned.map((one) => ({ ...one, prunedAt: nowMs }));
      // The line end before them ends a line that a crash cut short.
      await this.#append(path, `\n${stored.map(lineOf).join('')}`);
      for (const one of stored) this.#note(one, path);
    });
  }

  /** Adds them first: a memory in both places is found in the store; a memory in neither would be lost. */
  async move(...[pruned, nowMs, change]: Parameters<PrunedArchive['move']>): Promise<boolean> {
    await this.keep(pruned, nowMs);
    if (await change({})) return true;
    await this.remove(pruned.map(({ memory }) => memory.id));
    return false;
  }

  remove(ids: readonly string[]): Promise<string[]> {
    return this.#writing(() => this.#remove(ids));
  }

  find(id: string): Promise<PrunedEntry | null> {
    return this.#inTurn(async () => this.#entries.get(id) ?? null);
  }

  entries(): Promise<readonly PrunedEntry[]> {
    return this.#inTurn(async () => [...this.#entries.values()].sort(latestFirst));
  }

  read(ids: readonly string[]): Promise<readonly PrunedMemory[]> {
    return this.#inTurn(() => this.#read(ids));
  }

  take(...[ids, use]: Parameters<PrunedArchive['take']>): Promise<void> {
    return this.#writing(async () => {
      const pruned = await this.#read(ids);
      const taken: string[] = [];
      try {
        for (let start = 0; start < pruned.length; start += TAKEN_AT_ONCE) {
          const batch = pruned.slice(start, start + TAKEN_AT_ONCE);
          await untilTaken(() => use(batch, {}));
          taken.push(...batch.map(({ memory }) => memory.id));
        }
      } finally {
        await this.#remove(taken);
      }
    });
  }

  expire(beforeMs: number): Promise<readonly PrunedEntry[]> {
    return this.#writing(async () => {
      const lastDay = utcDay(beforeMs);
      for (const path of await this.#files(DAY_FILE)) {
        const day = basename(path, EXTENSION);
        if (day < lastDay) await this.#removeFile(path);
        else if (day === lastDay) await this.#rewrite(path, ({ prunedAt }) => prunedAt >= beforeMs);
      }
      const expired = [...this.#entries.values()].filter(({ prunedAt }) => prunedAt < beforeMs);
      for (const { id } of expired) this.#entries.delete(id);
      return expired;
    });
  }

  /** Removes the temporary files of an interrupted rewrite. */
  removeTemporary(): Promise<void> {
    return this.#writing(async () => {
      for (const path of await this.#files(TEMPORARY)) await rm(path, { force: true });
    });
  }

  /** Reads the oldest file first, so that of two copies of a memory the latest is kept. */
  async #read(ids: readonly string[]): Promise<PrunedMemory[]> {
    const wanted = new Set(ids);
    const read = new Map<string, PrunedMemory>();
    for (const path of this.#pathsOf(ids)) {
      for await (const pruned of prunedIn(path)) if (wanted.has(pruned.memory.id)) read.set(pruned.memory.id, pruned);
    }
    return ids.flatMap((id) => read.get(id) ?? []);
  }

  async #remove(ids: readonly string[]): Promise<string[]> {
    const known = new Set(ids.filter((id) => this.#entries.has(id)));
    for (const path of this.#pathsOf(known)) await this.#rewrite(path, ({ memory }) => !known.has(memory.id));
    for (const id of known) this.#entries.delete(id);
    return [...known];
  }

  #pathsOf(ids: Iterable<string>): string[] {
    return [...new Set([...ids].flatMap((id) => [...(this.#entries.get(id)?.paths ?? [])]))].sort();
  }

  /** Appends all lines or none: after a failure the file has its old length. */
  async #append(path: string, lines: string): Promise<void> {
    const file = await open(path, 'a');
    try {
      const { size } = await file.stat();
      try {
        await file.appendFile(lines);
        await file.sync();
        await syncDirectory(this.#directory);
      } catch (error) {
        // The lines could not be taken back, so a later delete has to find them.
        await file.truncate(size).catch(() => this.#noteAll(path));
        throw error;
      }
    } finally {
      await file.close();
    }
  }

  async #noteAll(path: string): Promise<void> {
    for await (const pruned of prunedIn(path)) this.#note(pruned, path);
  }

  #note({ memory: { id, scope, agentId, project }, prunedAt }: PrunedMemory, path: string): void {
    const paths = this.#entries.get(id)?.paths ?? new Set();
    this.#entries.set(id, { id, scope, agentId, project, prunedAt, paths: paths.add(path) });
  }

  /** Rewrites a file with the lines that stay; removes it when none stays. */
  async #rewrite(path: string, stays: (pruned: PrunedMemory) => boolean): Promise<void> {
    let left = 0;
    await TextFile.write(temporary(path), async (text) => {
      for await (const pruned of prunedIn(path)) {
        if (!stays(pruned)) continue;
        left++;
        text.add(lineOf(pruned));
        if (text.isFull) await text.drain();
      }
    });
    if (left > 0) await rename(temporary(path), path);
    else {
      await this.#removeFile(path);
      await rm(temporary(path), { force: true });
    }
    await syncDirectory(this.#directory);
  }

  async #removeFile(path: string): Promise<void> {
    await rm(path, { force: true });
    for (const { paths } of this.#entries.values()) paths.delete(path);
  }

  /** The files of the archive, oldest first. */
  async #files(name: RegExp): Promise<string[]> {
    try {
      const names = await readdir(this.#directory);
      return names
        .filter((found) => name.test(found))
        .sort()
        .map((found) => join(this.#directory, found));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  #writing<T>(work: () => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      await this.#writable();
      return await work();
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work).catch((error) => {
      throw diskFault(error);
    });
    this.#last = done.catch(() => {});
    return done;
  }
}

function latestFirst(a: PrunedEntry, b: PrunedEntry): number {
  return b.prunedAt - a.prunedAt || (a.id < b.id ? 1 : -1);
}

/** The readable lines of a file, in the order of pruning. */
async function* prunedIn(path: string): AsyncGenerator<PrunedMemory> {
  for await (const batch of readLines(path)) {
    for (const { bytes, ended } of batch) {
      if (!ended || intactCheck(bytes) === null) continue;
      yield prunedFromWire(JSON.parse(bytes.toString()) as WireObject);
    }
  }
}

function lineOf(pruned: PrunedMemory): string {
  return `${withCheck(JSON.stringify(prunedToWire(pruned))).line}\n`;
}
