import { closeSync, fdatasyncSync, openSync, readSync, writeSync } from 'node:fs';
import { type Checksum, isSame, pageChecksum, wordsOf } from './checksum.ts';
import {
  FRAME_HEADER_BYTES,
  frameChecksum,
  LOG_HEADER_BYTES,
  type LogHeader,
  logHeader,
  offsetOf,
  type UnprovenFrame,
  unproven,
} from './log-file.ts';
import {
  AT,
  BEGINNING,
  bootId,
  HEADER_BYTES,
  isSameLog,
  type Mark,
  markBytes,
  NO_LOG,
  SUM_BYTES,
  SYNCED,
  sumsBytes,
  sumsPath,
  wordBytes,
} from './sums-file.ts';

/** The log is damaged. */
class DamagedLogError extends Error {
  override readonly name = 'DamagedLogError';
  readonly code = 'SQLITE_CORRUPT_LOG';
}

/** How far the checksums tell of the log. */
export interface Summed extends Mark {
  /** Of the last frame, which the next one goes on from. */
  readonly checksum: Checksum;
  /** The highest page that has one. */
  readonly pages: number;
}

/** Files of an open database, as numbers that every thread of the process may use. */
export interface LogFiles {
  readonly sums: number;
  readonly log: number;
  /** SQLite's index of the log. Closing it would drop SQLite's locks, so it stays open until the database is closed. */
  readonly index: number;
}

/** The page sums of an open database; they follow its log. */
export class PageSums {
  readonly files: LogFiles;
  readonly #flags: number;
  #committed: Mark;
  #summed: Summed;

  /** @param path of a database that is open and has a log @param log what was in that before it was opened */
  constructor(path: string, { isSynced, log = NO_LOG }: { isSynced: boolean; log?: Mark | undefined }) {
    const sums = openSync(sumsPath(path), 'r+');
    this.files = { sums, log: openSync(`${path}-wal`, 'r'), index: openSync(`${path}-shm`, 'r') };
    const header = Buffer.alloc(HEADER_BYTES);
    readSync(sums, header, 0, HEADER_BYTES, 0);
    this.#committed = log;
    this.#summed = { ...NO_LOG, checksum: [0, 0], pages: header.readUInt32LE(AT.pages) };
    this.#flags = isSynced ? SYNCED : 0;
    writeSync(sums, Buffer.from(bootId() ?? '0'.repeat(32), 'hex'), 0, 16, AT.bootId);
    writeSync(sums, wordBytes(log.frames === 0 ? this.#flags | BEGINNING : this.#flags), 0, 4, AT.flags);
    this.committed();
  }

  /** The log as far as it is recorded. */
  get mark(): Mark {
    return this.#committed;
  }

  get summed(): Summed {
    return this.#summed;
  }

  /** After a commit: records the end of the log, so that a log which has lost frames is recognized. */
  committed(): void {
    const { salts, frames } = readLogIndex(this.files.index);
    const before = this.#committed;
    const isSame = isSameLog(before, { salts });
    if (frames === 0 || (isSame && before.frames === frames)) return;
    this.#committed = { salts, frames, commits: (isSame ? before.commits : 0) + 1 };
    writeSync(this.files.sums, markBytes(this.#committed), 0, 16, AT.committed);
    if (before.frames === 0) writeSync(this.files.sums, wordBytes(this.#flags), 0, 4, AT.flags);
  }

  /** Before a checkpoint: writes the checksums of all pages in the log to the disk.
   * @throws DamagedLogError when the log is damaged
   */
  follow(): void {
    this.committed();
    this.adopt(sumLog(this.files, this.#summed, { mark: this.#committed, upTo: this.#committed.frames }));
  }

  /** Another thread has followed the log. */
  adopt(summed: Summed): void {
    this.#summed = summed;
  }

  /** After the database is closed. @param isClean whether SQLite has moved the whole log into it and deleted it */
  close({ isClean }: { isClean: boolean }): void {
    const { sums, log, index } = this.files;
    if (isClean) {
      writeSync(sums, markBytes(NO_LOG), 0, 16, AT.committed);
      fdatasyncSync(sums);
    }
    for (const file of [sums, log, index]) closeSync(file);
  }
}

/** Out of SQLite's index of the log: https://www.sqlite.org/walformat.html#the_wal_index_header @param index open for reading */
export function readLogIndex(index: number): Pick<Mark, 'salts' | 'frames'> {
  const bytes = Buffer.from(new ArrayBuffer(48));
  readSync(index, bytes, 0, bytes.length, 0);
  // Numbers in the byte order of the machine, salts as in the log.
  const frames = new Uint32Array(bytes.buffer, 16, 1)[0] as number;
  return { salts: [bytes.readUInt32BE(32), bytes.readUInt32BE(36)], frames };
}

/**
 * Writes the checksums of the pages in a log to the disk.
 * @param from how far they tell of it @param to `upTo` frames, of which `mark` is recorded already
 * @throws DamagedLogError when the log is damaged
 */
export function sumLog(files: LogFiles, from: Summed, { mark, upTo }: { mark: Mark; upTo: number }): Summed {
  if (upTo === 0 || (isSameLog(from, mark) && from.frames >= upTo)) return from;
  const header = headerOf(files.log, mark);
  const start = isSameLog(from, mark) ? from : { ...from, ...NO_LOG, checksum: header.checksum };
  const { latest, last, commits } = latestFrames(files.log, header, { from: start, mark, upTo });
  // Sync the log first: after a power cut there must be no checksum of lost frames.
  fdatasyncSync(files.log);
  const bytes = Buffer.from(new ArrayBuffer(FRAME_HEADER_BYTES + header.pageSize));
  for (const [page, frame] of latest) {
    writeSync(files.sums, sumsBytes([sumOf(frame, { file: files.log, header, bytes })]), 0, SUM_BYTES, sumAt(page));
  }
  const pages = [...latest.keys()].reduce((most, page) => Math.max(most, page), from.pages);
  const to = { salts: mark.salts, frames: upTo, commits };
  writeSync(files.sums, Buffer.concat([markBytes(to), wordBytes(pages)]), 0, 20, AT.summed);
  fdatasyncSync(files.sums);
  return { ...to, checksum: last, pages };
}

const sumAt = (page: number): number => HEADER_BYTES + (page - 1) * SUM_BYTES;

function headerOf(log: number, mark: Mark): LogHeader {
  const bytes = Buffer.alloc(LOG_HEADER_BYTES);
  readSync(log, bytes, 0, LOG_HEADER_BYTES, 0);
  const header = logHeader(bytes);
  if (!header || !isSameLog(header, mark)) throw new DamagedLogError('The head of the log is damaged');
  return header;
}

/** The last frame of each page after the summed ones; older frames of a page are not read any more. */
function latestFrames(
  log: number,
  header: LogHeader,
  { from, mark, upTo }: { from: Omit<Summed, 'pages'>; mark: Mark; upTo: number },
): { latest: Map<number, UnprovenFrame>; last: Checksum; commits: number } {
  const latest = new Map<number, UnprovenFrame>();
  let last = from.checksum;
  let count = from.frames;
  let { commits } = mark;
  for (const { words: _, ...frame } of unproven(log, header, { from: from.frames + 1, after: last, to: upTo })) {
    if (!frame.isOfThisLog) throw new DamagedLogError(`Frame ${frame.number} of the log is damaged`);
    latest.set(frame.page, frame);
    last = frame.checksum;
    count = frame.number;
    if (frame.number > mark.frames && frame.commitPages > 0) commits++;
  }
  if (count < upTo) throw new DamagedLogError(`The log has ${count} of ${upTo} frames`);
  return { latest, last, commits };
}

/** @param bytes room for a frame */
function sumOf(
  { number, page, after, checksum }: UnprovenFrame,
  { file, header, bytes }: { file: number; header: LogHeader; bytes: Buffer },
): Checksum {
  readSync(file, bytes, 0, bytes.length, offsetOf(header, number));
  if (!isSame(frameChecksum(wordsOf(bytes, header.order), after, 0, header), checksum)) {
    throw new DamagedLogError(`Frame ${number} of the log is damaged`);
  }
  return pageChecksum(page, wordsOf(bytes), FRAME_HEADER_BYTES / 4);
}
