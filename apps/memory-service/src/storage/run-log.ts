import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Report } from '../domain/consolidation/report.ts';
import type { RunLog } from '../domain/consolidation/run-log.ts';
import { syncDirectory } from './disk/directory-sync.ts';
import { diskFault } from './disk/disk-fault.ts';
import { TextFile } from './disk/text-file.ts';

const FILE = 'consolidation.json';

/** For a service without a data directory. */
export class VolatileRunLog implements RunLog {
  last: Report | null = null;

  async note(report: Report): Promise<void> {
    this.last = report;
  }
}

/** `consolidation.json` in a data directory, from the first run on. It holds ids and times: where it is gone, nothing is lost. */
export class RunLogFile implements RunLog {
  last: Report | null;
  readonly #directory: string;
  #written: Promise<void> = Promise.resolve();

  private constructor(directory: string, last: Report | null) {
    this.#directory = directory;
    this.last = last;
  }

  static async open(dataDir: string): Promise<RunLogFile> {
    return new RunLogFile(dataDir, await readLast(join(dataDir, FILE)));
  }

  note(report: Report): Promise<void> {
    this.last = report;
    const json = JSON.stringify({ last_report: report });
    this.#written = this.#written.catch(() => {}).then(() => this.#write(json));
    return this.#written;
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

async function readLast(path: string): Promise<Report | null> {
  try {
    return (JSON.parse(await readFile(path, 'utf8')) as { last_report: Report }).last_report;
  } catch {
    return null;
  }
}
