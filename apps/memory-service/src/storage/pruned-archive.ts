import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { PrunedArchive, PrunedMemory } from '../domain/consolidation/consolidation-store.ts';
import type { Kept } from '../domain/memory-store.ts';
import { intactCheck, withCheck } from './disk/checked-line.ts';
import { syncDirectory } from './disk/directory-sync.ts';
import { diskFault } from './disk/disk-fault.ts';
import { readLines } from './disk/line-reader.ts';
import { memoryFromWire, memoryToWire, strengthFromWire, strengthToWire, type WireObject } from './disk/memory-line.ts';
import { TextFile } from './disk/text-file.ts';

const FOLDER = 'pruned';
const DAY_FILE = /^(\d{4}-\d\d-\d\d)\.ndjson$/;
/** For its owner alone, as the data directory. */
const MODE = 0o700;

/**
 * What was pruned, one file of NDJSON a day in the folder `pruned` of a data directory: a memory a line, whole, with the
 * check of its bytes. Everything that touches the files goes through one queue.
 */
export class PrunedFiles implements PrunedArchive {
  readonly #directory: string;
  /** Path of the file by the id of a memory in it. */
  readonly #paths = new Map<string, string>();
  #last: Promise<unknown> = Promise.resolve();

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /** @param dataDir whose lock is held */
  static async open(dataDir: string): Promise<PrunedFiles> {
    const files = new PrunedFiles(join(dataDir, FOLDER));
    for (const path of await files.#dayFiles()) {
      for await (const { memory } of prunedIn(path)) files.#paths.set(memory.id, path);
    }
    return files;
  }

  keep(pruned: readonly Kept[], nowMs: number): Promise<void> {
    return this.#inTurn(async () => {
      const path = join(this.#directory, `${new Date(nowMs).toISOString().slice(0, 10)}.ndjson`);
      if ((await mkdir(this.#directory, { recursive: true, mode: MODE })) !== undefined) {
        await syncDirectory(join(this.#directory, '..'));
      }
      const file = await open(path, 'a');
      try {
        // The line end before them closes a line that a crash has cut short.
        await file.appendFile(`\n${pruned.map((kept) => lineOf({ ...kept, prunedAt: nowMs })).join('')}`);
        await file.sync();
      } finally {
        await file.close();
      }
      await syncDirectory(this.#directory);
      for (const { memory } of pruned) this.#paths.set(memory.id, path);
    });
  }

  remove(ids: readonly string[]): Promise<string[]> {
    return this.#inTurn(async () => {
      const known = ids.filter((id) => this.#paths.has(id));
      const gone = new Set(known);
      for (const path of new Set(known.map((id) => this.#paths.get(id) as string))) {
        await this.#rewrite(path, ({ memory }) => !gone.has(memory.id));
      }
      for (const id of known) this.#paths.delete(id);
      return known;
    });
  }

  find(id: string): Promise<PrunedMemory | null> {
    return this.#inTurn(async () => {
      const path = this.#paths.get(id);
      if (path === undefined) return null;
      for await (const pruned of prunedIn(path)) if (pruned.memory.id === id) return pruned;
      return null;
    });
  }

  all(): Promise<readonly PrunedMemory[]> {
    return this.#inTurn(async () => {
      const all = new Map<string, PrunedMemory>();
      for (const path of await this.#dayFiles()) {
        for await (const pruned of prunedIn(path)) all.set(pruned.memory.id, pruned);
      }
      return [...all.values()].reverse();
    });
  }

  expire(beforeMs: number): Promise<number> {
    return this.#inTurn(async () => {
      const before = this.#paths.size;
      const lastDay = new Date(beforeMs).toISOString().slice(0, 10);
      for (const path of await this.#dayFiles()) {
        const day = DAY_FILE.exec(basename(path))?.[1] as string;
        if (day > lastDay) continue;
        if (day === lastDay) await this.#rewrite(path, ({ prunedAt }) => prunedAt >= beforeMs);
        else await rm(path, { force: true });
      }
      this.#paths.clear();
      for (const path of await this.#dayFiles()) {
        for await (const { memory } of prunedIn(path)) this.#paths.set(memory.id, path);
      }
      return before - this.#paths.size;
    });
  }

  /** Replaces a file by one of what stays; removes it when that is nothing. */
  async #rewrite(path: string, stays: (pruned: PrunedMemory) => boolean): Promise<void> {
    const temporary = `${path}.tmp`;
    let left = 0;
    await TextFile.write(temporary, async (text) => {
      for await (const pruned of prunedIn(path)) {
        if (!stays(pruned)) continue;
        left++;
        text.add(lineOf(pruned));
        if (text.isFull) await text.drain();
      }
    });
    if (left > 0) await rename(temporary, path);
    else {
      await rm(path, { force: true });
      await rm(temporary, { force: true });
    }
    await syncDirectory(this.#directory);
  }

  /** Oldest first. */
  async #dayFiles(): Promise<string[]> {
    try {
      const names = await readdir(this.#directory);
      return names
        .filter((name) => DAY_FILE.test(name))
        .sort()
        .map((name) => join(this.#directory, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work).catch((error) => {
      throw diskFault(error);
    });
    this.#last = done.catch(() => {});
    return done;
  }
}

/** Those of a file that can be read, in the order of pruning. */
async function* prunedIn(path: string): AsyncGenerator<PrunedMemory> {
  for await (const batch of readLines(path)) {
    for (const { bytes, ended } of batch) {
      if (!ended || intactCheck(bytes) === null) continue;
      const wire = JSON.parse(bytes.toString()) as WireObject;
      yield {
        memory: memoryFromWire(wire.memory as WireObject),
        strength: strengthFromWire(wire.strength as WireObject),
        prunedAt: Date.parse(wire.pruned_at as string),
      };
    }
  }
}

function lineOf({ memory, strength, prunedAt }: PrunedMemory): string {
  const wire = {
    pruned_at: new Date(prunedAt).toISOString(),
    memory: memoryToWire(memory),
    strength: strengthToWire(strength),
  };
  return `${withCheck(JSON.stringify(wire)).line}\n`;
}
