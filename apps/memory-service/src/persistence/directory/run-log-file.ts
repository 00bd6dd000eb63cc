import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Report, Undoers } from '../../domain/consolidation/report.ts';
import type { Night, RunLog } from '../../domain/consolidation/run-log.ts';
import { diskFault } from '../files/disk-fault.ts';
import { EMPTY_RUN_LOG, type RunLogState, runLogFromJson, runLogToJson } from '../files/run-log-json.ts';
import { TextFile } from '../files/text-file.ts';
import type { DataDirectory } from './data-directory.ts';

export const RUN_LOG_FILE = 'consolidation.json';

type Directory = Pick<DataDirectory, 'path' | 'writable'>;

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

  get undoers(): Undoers | null {
    return this.#noted.undoers;
  }

  /** Nobody else writes to the directory. */
  async refresh(): Promise<void> {}

  note(report: Report): Promise<void> {
    return this.#change({ last: report });
  }

  noteNight(night: Night): Promise<void> {
    return this.#change({ lastNight: night });
  }

  noteUndoers(undoers: Undoers): Promise<void> {
    return this.#change({ undoers });
  }

  #change(change: Partial<RunLogState>): Promise<void> {
    this.#noted = { ...this.#noted, ...change };
    const json = runLogToJson(this.#noted);
    this.#written = this.#written.catch(() => {}).then(() => this.#write(json));
    return this.#written;
  }

  async #write(json: string): Promise<void> {
    try {
      await this.#directory.writable();
      await TextFile.replace(join(this.#directory.path, RUN_LOG_FILE), `${json}\n`);
    } catch (error) {
      throw diskFault(error);
    }
  }
}

/** Nothing where it cannot be read. */
export async function readRunLog(path: string): Promise<RunLogState> {
  try {
    return runLogFromJson(await readFile(path, 'utf8'));
  } catch {
    return EMPTY_RUN_LOG;
  }
}
