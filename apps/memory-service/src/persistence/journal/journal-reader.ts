import { open, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { DataDirectoryError } from '../files/data-directory-error.ts';
import type { Segment } from '../files/file-names.ts';
import { readLines } from '../files/line-reader.ts';
import { changeFromWire, type ReadChange, UnknownChangeError } from './change-line.ts';
import { type JournalLine, readJournalLine } from './journal-line.ts';

export interface ReplayOptions {
  /** In order. */
  readonly segments: readonly Segment[];
  /** Number of the last change that the saved files hold; null when damage hides it. */
  readonly savedSequence: number | null;
  readonly apply: (change: ReadChange) => void;
  /** Goes on after damage instead of throwing. */
  readonly keepReading: boolean;
  /** Whether to sync the segments: what is read may be in the cache of the system only, and the next segment relies on it. */
  readonly sync: boolean;
}

export interface Replay {
  /** Number of the last change. */
  readonly sequence: number;
  readonly applied: number;
  /** The end that cannot be read, as a crash leaves it; null where there is none. */
  readonly torn: TornEnd | null;
  /** Changes that were lost; empty unless told to keep reading. */
  readonly losses: readonly string[];
  readonly segments: readonly { readonly path: string; readonly bytes: number }[];
}

export interface TornEnd {
  /** Of its first line, such as 'journal-0.ndjson, line 3'. */
  readonly where: string;
  readonly lines: number;
  readonly bytes: number;
  /** Whether the file stops in the middle of the last one. */
  readonly isCut: boolean;
}

/**
 * Applies the changes that the saved files do not hold, in order.
 *
 * A line that cannot be read is the unfinished end of a crash when nothing shows that it had been synced: no later line says
 * so, no later segment goes on after it. It is dropped then, with what follows it. Otherwise a change that was answered is
 * damaged.
 * @throws DataDirectoryError
 */
export async function replayJournal({
  segments,
  savedSequence,
  apply,
  keepReading,
  sync,
}: ReplayOptions): Promise<Replay> {
  const losses: string[] = [];
  const sizes: { path: string; bytes: number }[] = [];
  let sequence = savedSequence ?? segments[0]?.after ?? 0;
  let applied = 0;

  const lose = (upTo: number, where: string) => {
    const loss = `${where}: ${changes(sequence + 1, upTo)} cannot be read`;
    if (!keepReading) throw new DataDirectoryError(damaged(loss, dirname(segments[0]?.path ?? '')));
    losses.push(loss);
    sequence = upTo;
  };

  /** The lines that could not be read since the last change that could. */
  let unreadable: TornEnd | null = null;
  for (const [index, segment] of segments.entries()) {
    const name = basename(segment.path);
    sizes.push({ path: segment.path, bytes: await (sync ? syncedSize : sizeOf)(segment.path) });
    // What the next segment does not go on after was refused to whoever sent it.
    const end = segments[index + 1]?.after ?? Number.POSITIVE_INFINITY;
    if (segment.after > sequence) lose(segment.after, unreadable?.where ?? name);
    unreadable = null;
    for await (const { line, number, bytes, ended } of journalLines(segment.path)) {
      if (sequence >= end || (line && line.sequence > end)) break;
      const isNext = line?.sequence === sequence + 1;
      if (line === null || (!isNext && line.synced <= sequence && line.sequence > sequence)) {
        unreadable ??= { where: `${name}, line ${number}`, lines: 0, bytes: 0, isCut: false };
        unreadable = { ...unreadable, lines: unreadable.lines + 1, bytes: unreadable.bytes + bytes, isCut: !ended };
        continue;
      }
      if (line.sequence <= sequence) continue;
      if (!isNext) lose(line.sequence - 1, unreadable?.where ?? `${name}, before line ${number}`);
      applyLine(line, { apply, where: `${name}, line ${number}` });
      sequence = line.sequence;
      applied += 1;
      unreadable = null;
    }
  }
  return { sequence, applied, torn: unreadable, losses, segments: sizes };
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
      `${where} holds ${error.message}, which this version of memory-service does not know: start the newer version that wrote it. Nothing was touched.`,
    );
  }
}

/** @returns its bytes */
export async function syncedSize(path: string): Promise<number> {
  // For writing, because Windows syncs nothing else.
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
  return `The journal in ${directory} is damaged: ${loss}, though it was answered for. Restore the data directory from a backup, or start with --repair to keep what can be read. Nothing was touched.`;
}
