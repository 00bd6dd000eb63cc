import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from '@agent-faculties/service-kit';
import type { Report } from '../domain/consolidation/report.ts';
import type { Night, RunLog } from '../domain/consolidation/run-log.ts';
import type { DataDirectory } from './data-directory.ts';
import { diskFault } from './files/disk-fault.ts';
import { TextFile } from './files/text-file.ts';

export const RUN_LOG_FILE = 'consolidation.json';

/** For a service without a data directory. */
export class VolatileRunLog implements RunLog {
  last: Report | null = null;
  lastNight: Night | null = null;

  async note(report: Report): Promise<void> {
    this.last = report;
  }

  async noteNight(night: Night): Promise<void> {
    this.lastNight = night;
  }
}

type Directory = Pick<DataDirectory, 'path' | 'writable'>;

/** What is remembered of runs. */
export interface RunLogState {
  readonly last: Report | null;
  readonly lastNight: Night | null;
}

/** `consolidation.json` in a data directory, from the first run on. It holds ids and times of runs; losing it loses no memory. */
export class RunLogFile implements RunLog {
  readonly #directory: Directory;
  #noted: RunLogState;
  #written: Promise<void> = Promise.resolve();

  private constructor(directory: Directory, noted: RunLogState) {
    this.#directory = directory;
    this.#noted = noted;
  }

  static async open(directory: Directory): Promise<RunLogFile> {
    return new RunLogFile(directory, await readRunLog(join(directory.path, RUN_LOG_FILE)));
  }

  get last(): Report | null {
    return this.#noted.last;
  }

  get lastNight(): Night | null {
    return this.#noted.lastNight;
  }

  note(report: Report): Promise<void> {
    return this.#change({ last: report });
  }

  noteNight(night: Night): Promise<void> {
    return this.#change({ lastNight: night });
  }

  #change(change: Partial<RunLogState>): Promise<void> {
    this.#noted = { ...this.#noted, ...change };
    const json = runLogToJson(this.#noted);
    this.#written = this.#written.catch(() => {}).then(() => this.#write(json));
    return this.#written;
  }

  async #write(json: string): Promise<void> {
    const { path: folder } = this.#directory;
    const path = join(folder, RUN_LOG_FILE);
    try {
      await this.#directory.writable();
      await TextFile.write(`${path}.tmp`, async (text) => text.add(`${json}\n`));
      await rename(`${path}.tmp`, path);
      await syncDirectory(folder);
    } catch (error) {
      throw diskFault(error);
    }
  }
}

/** Owners of earlier versions have no project. */
function completed(key: string, value: unknown): unknown {
  return key === 'owner' ? { project: null, ...(value as object) } : value;
}

export function runLogToJson({ last, lastNight }: RunLogState): string {
  return JSON.stringify({
    last_night: lastNight && { started_at: lastNight.startedAt, whole: lastNight.isWhole },
    last_report: last,
  });
}

export function runLogFromJson(json: string): RunLogState {
  const { last_report: last, last_night: night } = JSON.parse(json, completed);
  return {
    // Files of earlier versions have neither ids nor problems nor nights.
    last: last ? { id: null, problem: null, ...last } : null,
    lastNight: night ? { startedAt: night.started_at, isWhole: night.whole } : null,
  };
}

/** Nothing where it cannot be read. */
export async function readRunLog(path: string): Promise<RunLogState> {
  try {
    return runLogFromJson(await readFile(path, 'utf8'));
  } catch {
    return { last: null, lastNight: null };
  }
}
