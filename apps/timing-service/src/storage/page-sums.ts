import {
  closeSync,
  existsSync,
  fdatasyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
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

/**
 * `<database>.sums`: a checksum for each page of the database, and how far its write-ahead log went. SQLite's own pages have none.
 *
 *   0  magic (16)   16 page size   20 flags   24 boot id (16)   48 committed (16)   64 summed (16)   80 pages   128 a checksum (8) a page
 *
 * A page changes in the database only by a checkpoint, and each checkpoint comes after the checksums of what it moves are on the
 * disk. So at any moment a page either has its checksum here or stands in the log, which has checksums of its own.
 */
const MAGIC = Buffer.from('TIME page sums 1');
const HEADER_BYTES = 128;
const SUM_BYTES = 8;
const AT = { pageSize: 16, flags: 20, bootId: 24, committed: 48, summed: 64, pages: 80 };
/** Every commit was synced, so even a power cut does not explain a loss. */
const SYNCED = 1;
/** A log may have begun that is not recorded yet. */
const BEGINNING = 2;

/** The end of the log at a commit. */
export interface Mark {
  readonly salts: readonly [number, number];
  readonly frames: number;
  /** Transactions in these frames. */
  readonly commits: number;
}

export interface SumsHeader {
  readonly pageSize: number;
  readonly isSynced: boolean;
  readonly isBeginning: boolean;
  /** The boot id of the machine at the last commit; null where it is unknown. */
  readonly bootId: string | null;
  /** After the last commit; without frames after a clean stop. */
  readonly committed: Mark;
  /** What the checksums tell of. */
  readonly summed: Mark;
}

export const NO_LOG: Mark = { salts: [0, 0], frames: 0, commits: 0 };

export const sumsPath = (path: string): string => `${path}.sums`;

/** The log is damaged. */
class DamagedLogError extends Error {
  override readonly name = 'DamagedLogError';
  readonly code = 'SQLITE_CORRUPT_LOG';
}

/** Null where the file does not exist. @throws Error when it is malformed */
export function readSums(
  path: string,
): { header: SumsHeader; count: number; sumOf: (page: number) => Checksum | null } | null {
  if (!existsSync(sumsPath(path))) return null;
  const bytes = readFileSync(sumsPath(path));
  if (bytes.length < HEADER_BYTES || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw new Error(`${sumsPath(path)} is not what timing-service writes`);
  }
  if (bytes.length < HEADER_BYTES + bytes.readUInt32LE(AT.pages) * SUM_BYTES) {
    throw new Error(`${sumsPath(path)} is cut short`);
  }
  const bootId = bytes.subarray(AT.bootId, AT.bootId + 16);
  const header = {
    pageSize: bytes.readUInt32LE(AT.pageSize),
    isSynced: (bytes.readUInt32LE(AT.flags) & SYNCED) !== 0,
    isBeginning: (bytes.readUInt32LE(AT.flags) & BEGINNING) !== 0,
    bootId: bootId.every((byte) => byte === 0) ? null : bootId.toString('hex'),
    committed: markOf(bytes, AT.committed),
    summed: markOf(bytes, AT.summed),
  };
  const sumOf = (page: number): Checksum | null => {
    const at = HEADER_BYTES + (page - 1) * SUM_BYTES;
    if (at + SUM_BYTES > bytes.length) return null;
    const sum = [bytes.readInt32LE(at), bytes.readInt32LE(at + 4)] as const;
    // A page that no checkpoint has written is free: SQLite never reads it.
    return sum[0] === 0 && sum[1] === 0 ? null : sum;
  };
  return { header, count: bytes.readUInt32LE(AT.pages), sumOf };
}

function markOf(bytes: Buffer, at: number): Mark {
  const word = (index: number) => bytes.readUInt32LE(at + index * 4);
  return { salts: [word(0), word(1)], frames: word(2), commits: word(3) };
}

function markBytes({ salts, frames, commits }: Mark): Buffer {
  return wordBytes(salts[0], salts[1], frames, commits);
}

function sumsBytes(sums: readonly Checksum[]): Buffer {
  const bytes = Buffer.alloc(sums.length * SUM_BYTES);
  for (const [index, [first, second]] of sums.entries()) {
    bytes.writeInt32LE(first, index * SUM_BYTES);
    bytes.writeInt32LE(second, index * SUM_BYTES + 4);
  }
  return bytes;
}

function wordBytes(...words: number[]): Buffer {
  const bytes = Buffer.alloc(words.length * 4);
  for (const [index, word] of words.entries()) bytes.writeUInt32LE(word >>> 0, index * 4);
  return bytes;
}

export function isSameLog({ salts: a }: Pick<Mark, 'salts'>, { salts: b }: Pick<Mark, 'salts'>): boolean {
  return a[0] === b[0] && a[1] === b[1];
}

/** The boot id of this machine; null where the system has none. */
export function bootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim().replaceAll('-', '');
  } catch {
    return null;
  }
}

/**
 * Makes checksums of all pages of a database that no process has open.
 * @param newPageSize of one that is not there yet
 */
export function makeSums(path: string, newPageSize: number): void {
  const unfinished = `${sumsPath(path)}.new`;
  const target = openSync(unfinished, 'w', 0o600);
  const source = existsSync(path) && statSync(path).size > 0 ? openSync(path, 'r') : null;
  try {
    const pageSize = source === null ? newPageSize : readPageSize(source);
    const sums = source === null ? [] : [...pageChecksums(source, pageSize)];
    const body = sumsBytes(sums);
    const header = Buffer.alloc(HEADER_BYTES);
    MAGIC.copy(header);
    header.writeUInt32LE(pageSize, AT.pageSize);
    header.writeUInt32LE(sums.length, AT.pages);
    writeFileSync(target, Buffer.concat([header, body]));
    fdatasyncSync(target);
    renameSync(unfinished, sumsPath(path));
  } finally {
    closeSync(target);
    if (source !== null) closeSync(source);
  }
}

/** As the head of a database says. @param file open for reading */
export function readPageSize(file: number): number {
  const head = Buffer.alloc(18);
  readSync(file, head, 0, head.length, 0);
  const size = head.readUInt16BE(16);
  return size === 1 ? 65_536 : size;
}

/** Before a database is opened of which no log goes on. */
export function beginSums(path: string): void {
  const file = openSync(sumsPath(path), 'r+');
  writeSync(file, wordBytes(BEGINNING), 0, 4, AT.flags);
  writeSync(file, markBytes(NO_LOG), 0, 16, AT.committed);
  closeSync(file);
}

/** Bytes read at once. */
const CHUNK_BYTES = 1024 * 1024;

/** Of each whole page of a file, from the first. */
export function* pageChecksums(file: number, pageSize: number): Generator<Checksum> {
  const chunk = Buffer.from(new ArrayBuffer(Math.max(CHUNK_BYTES, pageSize)));
  const words = pageSize / 4;
  for (let at = 0, page = 1; ; ) {
    const bytes = readSync(file, chunk, 0, chunk.length, at);
    const view = wordsOf(chunk);
    const count = Math.floor(bytes / pageSize);
    for (let index = 0; index < count; index++, page++) {
      yield pageChecksum(page, view, index * words, (index + 1) * words);
    }
    if (bytes < chunk.length) return;
    at += bytes;
  }
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
