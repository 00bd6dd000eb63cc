import { constants } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DataDirectoryError } from '../files/data-directory-error.ts';
import {
  ENTITIES_FILE,
  FAISS_FILE,
  HISTORY_FILE,
  MEMORIES_FILE,
  PACKED_FILE,
  segmentsAmong,
} from '../files/file-names.ts';

/** What of a data directory cannot be read. Only a repair may lose it. */
export class Losses {
  readonly #told: string[] = [];
  readonly #path: string;
  readonly #isRepair: boolean;

  constructor(path: string, { isRepair }: { isRepair: boolean }) {
    this.#path = path;
    this.#isRepair = isRepair;
  }

  /** In words for the operator; empty without a repair. */
  get all(): readonly string[] {
    return this.#told;
  }

  /** @throws DataDirectoryError unless a repair was asked for */
  note(...losses: readonly string[]): void {
    const [first] = losses;
    if (first !== undefined && !this.#isRepair) {
      throw new DataDirectoryError(
        `${this.#path} is damaged (${first}). Restore it from a backup, or start with --repair to keep what can be read. Nothing was changed.`,
      );
    }
    this.#told.push(...losses);
  }
}

/** Copies damaged files to a second name, because the next save replaces them. */
export async function keepOriginals(directory: string, names: readonly string[], nowMs: number): Promise<void> {
  const time = new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-');
  const files = [MEMORIES_FILE, FAISS_FILE, ENTITIES_FILE, HISTORY_FILE, PACKED_FILE].filter((name) =>
    names.includes(name),
  );
  for (const name of [...files, ...segmentsAmong(directory, names).map(({ path }) => basename(path))]) {
    await copyFile(join(directory, name), join(directory, `${name}.damaged-${time}`), constants.COPYFILE_EXCL);
  }
}
