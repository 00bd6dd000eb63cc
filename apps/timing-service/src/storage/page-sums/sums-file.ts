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
import { type Checksum, pageChecksum, wordsOf } from './checksum.ts';

/**
 * `<database>.sums`: a checksum for each page of the database, and how far its write-ahead log went. SQLite's own pages have none.
 *
 *   0  magic (16)   16 page size   20 flags   24 boot id (16)   48 committed (16)   64 summed (16)   80 pages   128 a checksum (8) a page
 *
 * A page changes in the database only by a checkpoint, and each checkpoint comes after the checksums of what it moves are on the
 * disk. So at any moment a page either has its checksum here or stands in the log, which has checksums of its own.
 */
const MAGIC = Buffer.from('TIME page sums 1');
export const HEADER_BYTES = 128;
export const SUM_BYTES = 8;
export const AT = { pageSize: 16, flags: 20, bootId: 24, committed: 48, summed: 64, pages: 80 };
/** Every commit was synced, so even a power cut does not explain a loss. */
export const SYNCED = 1;
/** A log may have begun that is not recorded yet. */
export const BEGINNING = 2;

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

export function markBytes({ salts, frames, commits }: Mark): Buffer {
  return wordBytes(salts[0], salts[1], frames, commits);
}

export function sumsBytes(sums: readonly Checksum[]): Buffer {
  const bytes = Buffer.alloc(sums.length * SUM_BYTES);
  for (const [index, [first, second]] of sums.entries()) {
    bytes.writeInt32LE(first, index * SUM_BYTES);
    bytes.writeInt32LE(second, index * SUM_BYTES + 4);
  }
  return bytes;
}

export function wordBytes(...words: number[]): Buffer {
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

/** The checksum of each whole page of a file, from the first. */
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
