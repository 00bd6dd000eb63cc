import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunLog, RunNotes } from '../domain/consolidation/run-log.ts';
import { syncDirectory } from './disk/directory-sync.ts';
import { diskFault } from './disk/disk-fault.ts';
import { TextFile } from './disk/text-file.ts';

const FILE = 'consolidation.json';

/** For a service without a data directory. */
export class VolatileRunLog implements RunLog {
  notes: RunNotes = { lastReport: null, nextRunAt: null };

  async note(notes: Partial<RunNotes>): Promise<void> {
    this.notes = { ...this.notes, ...notes };
  }
}

/** `consolidation.json` in a data directory. It holds ids and times, and nothing that is missed when it is gone. */
export class RunLogFile implements RunLog {
  notes: RunNotes;
  readonly #directory: string;
  #last: Promise<void> = Promise.resolve();

  private constructor(directory: string, notes: RunNotes) {
    this.#directory = directory;
    this.notes = notes;
  }

  static async open(dataDir: string): Promise<RunLogFile> {
    return new RunLogFile(dataDir, await readNotes(join(dataDir, FILE)));
  }

  note(notes: Partial<RunNotes>): Promise<void> {
    this.notes = { ...this.notes, ...notes };
    const json = JSON.stringify(this.notes);
    this.#last = this.#last.catch(() => {}).then(() => this.#write(json));
    return this.#last;
  }

  async #write(json: string): Promise<void> {
    const path = join(this.#directory, FILE);
    try {
      await TextFile.write(`${path}.tmp`, async (text) => text.add(`${json}\n`));
      await rename(`${path}.tmp`, path);
      await syncDirectory(this.#directory);
    } catch (error) {
      throw diskFault(error);
    }
  }
}

async function readNotes(path: string): Promise<RunNotes> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as RunNotes;
  } catch {
    return { lastReport: null, nextRunAt: null };
  }
}
