import { open, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { DataDirectoryError } from '../files/data-directory-error.ts';
import type { Segment } from '../files/file-names.ts';
import { readLines } from '../files/line-reader.ts';
import { changeFromWire, type ReadChange, UnknownChangeError } from './change-line.ts';
import { type JournalLine, readJournalLine } from './journal-line.ts';

export interface ReplayOptions {
  /** Names of the segments, in order. */
  readonly segments: readonly Segment[];
  /** Number of the last change that the saved files hold; null when damage hides it. */
  readonly savedSequence: number | null;
  readonly apply: (change: ReadChange) => void;
  /** Whether to continue after damage instead of throwing. */
  readonly keepReading: boolean;
  /** Whether to sync the segments: the data that is read may be only in the cache of the system, and the next segment relies on it. */
  readonly sync: boolean;
}

export interface Replay {
  /** Number of the last change. */
  readonly sequence: number;
  readonly applied: number;
  /** The unreadable end that a crash leaves; null where there is none. */
  readonly torn: TornEnd | null;
  /** The lost changes; empty unless reading continues after damage. */
  readonly losses: readonly string[];
  readonly segments: readonly { readonly path: string; readonly bytes: number }[];
}

export interface TornEnd {
  /** The place of its first line, such as 'journal-0.ndjson, line 3'. */
  readonly where: string;
  readonly lines: number;
  readonly bytes: number;
  /** Whether the file stops in the middle of a line. */
  readonly isCut: boolean;
}

/**
 * Applies the changes that the saved files do not hold, in order.
 *
 * A line that cannot be read is the unfinished end of a crash when nothing shows that it was synced: no later line says so, and no
 * later segment continues after it. Then it is dropped, with everything after it. Otherwise an answered change is damaged.
 * @throws DataDirectoryError
 */
export async function replayJournal(options: ReplayOptions): Promise<Replay> {
  const { segments } = options;
  const reading = new JournalReading(options);
  for (const [index, segment] of segments.entries()) {
    await reading.read(segment, { end: segments[index + 1]?.after ?? Number.POSITIVE_INFINITY });
  }
  return reading.replay;
}

/** How far a journal was read. */
class JournalReading {
  readonly #options: ReplayOptions;
  readonly #losses: string[] = [];
  readonly #sizes: { path: string; bytes: number }[] = [];
  /** Number of the last change that was read. */
  #sequence: number;
  #applied = 0;
  /** The unreadable lines since the last readable change. */
  #unreadable: TornEnd | null = null;

  constructor(options: ReplayOptions) {
    this.#options = options;
    this.#sequence = options.savedSequence ?? options.segments[0]?.after ?? 0;
  }

  get replay(): Replay {
    return {
      sequence: this.#sequence,
      applied: this.#applied,
      torn: this.#unreadable,
      losses: this.#losses,
      segments: this.#sizes,
    };
  }

  /** @param options.end number of the change that the next segment continues after */
  async read(segment: Segment, { end }: { end: number }): Promise<void> {
    const { path, after } = segment;
    const name = basename(path);
    this.#sizes.push({ path, bytes: await (this.#options.sync ? syncedSize : sizeOf)(path) });
    if (after > this.#sequence) this.#lose(segment, { upTo: after, where: this.#unreadable?.where ?? name });
    this.#unreadable = null;
    for await (const { line, number, bytes, ended } of journalLines(path)) {
      // The next segment does not continue after this change, so its request was refused.
      if (line && line.sequence > end) break;
      if (line === null || mayFollowTornPart(line, this.#sequence)) {
        this.#unreadable = withLine(this.#unreadable, { where: `${name}, line ${number}`, bytes, ended });
      } else if (line.sequence > this.#sequence) this.#apply(segment, line, number);
    }
  }

  #apply(segment: Segment, line: JournalLine, number: number): void {
    const name = basename(segment.path);
    if (line.sequence > this.#sequence + 1) {
      const where = this.#unreadable?.where ?? `${name}, before line ${number}`;
      this.#lose(segment, { upTo: line.sequence - 1, where });
    }
    applyLine(line, { apply: this.#options.apply, where: `${name}, line ${number}` });
    this.#sequence = line.sequence;
    this.#applied += 1;
    this.#unreadable = null;
  }

  /** @throws DataDirectoryError unless reading continues after damage */
  #lose(segment: Segment, { upTo, where }: { upTo: number; where: string }): void {
    const loss = `${where}: ${changes(this.#sequence + 1, upTo)} cannot be read`;
    if (!this.#options.keepReading) throw new DataDirectoryError(damaged(loss, dirname(segment.path)));
    this.#losses.push(loss);
    this.#sequence = upTo;
  }
}

/**
 * Whether changes before this line are missing of which it does not say that they were synced: then a crash may have lost them, and
 * nobody was answered.
 * @param known number of the last change that was read
 */
function mayFollowTornPart({ sequence, synced }: JournalLine, known: number): boolean {
  return sequence > known + 1 && synced <= known;
}

/** An unreadable end, longer by one line. */
function withLine(
  end: TornEnd | null,
  { where, bytes, ended }: { where: string; bytes: number; ended: boolean },
): TornEnd {
  return {
    where: end?.where ?? where,
    lines: (end?.lines ?? 0) + 1,
    bytes: (end?.bytes ?? 0) + bytes,
    isCut: !ended,
  };
}

/** @yields null for a line that cannot be read */
async function* journalLines(
  path: string,
): AsyncGenerator<{ line: JournalLine | null; number: number; bytes: number; ended: boolean }> {
  for await (const batch of readLines(path)) {
    for (const { bytes, number, ended } of batch) {
      yield { line: ended ? readJournalLine(bytes) : null, number, bytes: bytes.length, ended };
    }
  }
}

function applyLine(line: JournalLine, { apply, where }: { apply: (change: ReadChange) => void; where: string }): void {
  try {
    apply(changeFromWire(line.wire));
  } catch (error) {
    if (!(error instanceof UnknownChangeError)) throw error;
    throw new DataDirectoryError(
      `${where} holds ${error.message}, which this version of memory-service does not know: start the newer version that wrote it. Nothing was changed.`,
    );
  }
}

/** Syncs a segment. @returns its size in bytes */
export async function syncedSize(path: string): Promise<number> {
  // Opened for writing, because Windows syncs no other files.
  const file = await open(path, 'r+');
  try {
    await file.sync();
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path)).size;
}

function changes(first: number, last: number): string {
  return first === last ? `change ${first}` : `changes ${first} to ${last}`;
}

function damaged(loss: string, directory: string): string {
  return `The journal in ${directory} is damaged: ${loss}, though that was answered. Restore the data directory from a backup, or start with --repair to keep what can be read. Nothing was changed.`;
}
