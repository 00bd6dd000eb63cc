import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { readingVersion } from '../../search/lexical/text-reading.ts';
import type { SnapshotRecord, SnapshotRecords } from '../../store/records/snapshot-records.ts';
import { intactCheck, withCheck } from '../files/checked-line.ts';
import { sha256OfFirst } from '../files/file-sums.ts';
import { LineRanges } from '../files/line-ranges.ts';
import { type Line, readLines } from '../files/line-reader.ts';
import type { WireObject } from '../files/memory-line.ts';
import { ReadingReader, ReadingWriter } from '../files/reading-line.ts';
import { TextFile } from '../files/text-file.ts';
import {
  type Footer,
  footerFromLine,
  headerFromLine,
  headerToJson,
  type MemoriesHeader,
  refuseOtherFormats,
  storedFromWire,
  storedToJson,
} from './memories-lines.ts';

/** Writes memories.json and syncs it. Numbers the vectors in the order of the memories. @returns its size */
export async function writeMemories(
  path: string,
  header: MemoriesHeader,
  memories: SnapshotRecords,
): Promise<{ bytes: number }> {
  return TextFile.write(path, async (text) => {
    const all = createHash('sha256');
    const readings = new ReadingWriter();
    const add = (json: string, end: string) => {
      const { line, check } = withCheck(json);
      all.update(check);
      text.add(line);
      text.add(end);
    };
    add(headerToJson(header), '\n');
    let left = memories.length;
    let row = 0;
    for (const stored of memories) {
      left -= 1;
      add(storedToJson(stored, row, readings), left > 0 ? ',\n' : '\n');
      row += stored.rows?.count ?? 0;
      if (text.isFull) await text.drain();
    }
    const sha256 = await text.sha256();
    text.add(`],"count":${memories.length},"check":"${all.digest('hex')}","sha256":"${sha256}"}\n`);
  });
}

/** Receives the content of memories.json, in order. */
export interface MemoriesReader {
  /** Called before the first memory; null when the header cannot be read and `damage` has returned. */
  header(header: MemoriesHeader | null): Promise<void>;
  memory(stored: SnapshotRecord): void;
  /** Called for each place that cannot be read; reading continues when it returns. */
  damage(what: string): void;
}

/** Reads the first line; null where it cannot be read. @throws MemoriesFormatError; errors of the file system */
export async function readMemoriesHeader(path: string): Promise<MemoriesHeader | null> {
  for await (const [first] of readLines(path)) {
    if (!first?.ended) return null;
    refuseOtherFormats(first.bytes);
    return intactCheck(first.bytes) === null ? null : headerFromLine(first.bytes);
  }
  return null;
}

/** Reads the file. @throws MemoriesFormatError; what `reader` throws; errors of the file system */
export async function readMemories(path: string, reader: MemoriesReader): Promise<void> {
  const reading = new MemoriesReading(reader, { isIntact: await isWholeFileIntact(path) });
  for await (const batch of readLines(path)) {
    for (const line of batch) {
      if (line.number === 1) await reading.first(line);
      else reading.next(line);
    }
  }
  await reading.end();
}

/** Tells a reader what each line of one file says. */
class MemoriesReading {
  readonly #reader: MemoriesReader;
  readonly #isIntact: boolean;
  readonly #checks = createHash('sha256');
  readonly #unreadable = new LineRanges();
  /** Null where other rules made the readings, and after a line that cannot be read, to whose terms later readings may refer. */
  #readings: ReadingReader | null = null;
  #memories = 0;
  #lines = 0;
  #footer: Footer | null = null;

  /** @param about.isIntact whether the whole file is known to be as it was written: then no line has to be checked */
  constructor(reader: MemoriesReader, { isIntact }: { isIntact: boolean }) {
    this.#reader = reader;
    this.#isIntact = isIntact;
  }

  async first({ bytes, ended }: Line): Promise<void> {
    this.#lines = 1;
    const line = withoutComma(bytes);
    refuseOtherFormats(line);
    const isSound = ended && this.#isSound(line);
    if (!isSound) this.#reader.damage('its first line cannot be read');
    const header = isSound ? headerFromLine(line) : null;
    if (header?.readings === readingVersion()) this.#readings = new ReadingReader();
    await this.#reader.header(header);
  }

  next({ bytes, number, ended }: Line): void {
    this.#lines = number;
    const line = withoutComma(bytes);
    const mayBeRead = ended && this.#footer === null;
    if (mayBeRead && this.#isSound(line)) {
      this.#memories += 1;
      this.#reader.memory(storedFromWire(JSON.parse(line.toString()) as WireObject, this.#readings));
      return;
    }
    const footer = mayBeRead ? footerFromLine(line) : null;
    if (footer) this.#footer = footer;
    else {
      this.#unreadable.add(number);
      this.#readings = null;
    }
  }

  async end(): Promise<void> {
    if (this.#lines === 0) {
      this.#reader.damage('it is empty');
      await this.#reader.header(null);
      return;
    }
    for (const range of this.#unreadable) this.#reader.damage(`${range} cannot be read`);
    if (this.#footer === null) this.#reader.damage(`its end is missing after line ${this.#lines}`);
    else if (!this.#isIntact && this.#unreadable.isEmpty) this.#compare(this.#footer);
  }

  #compare({ count, check }: Footer): void {
    if (count === this.#memories && check === this.#checks.digest('hex')) return;
    this.#reader.damage(`its last line counts ${count} memories, and the file holds ${this.#memories}, or other ones`);
  }

  /** Adds the check of a sound line to the check of all lines, where these are compared. */
  #isSound(line: Buffer): boolean {
    if (this.#isIntact) return line[0] === BRACE;
    const check = intactCheck(line);
    if (check !== null) this.#checks.update(check);
    return check !== null;
  }
}

function withoutComma(bytes: Buffer): Buffer {
  return bytes.at(-1) === COMMA ? bytes.subarray(0, -1) : bytes;
}

/** Whether the footer proves that the bytes are those that were written; false for format 1, which has no proof. */
export async function isWholeFileIntact(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const end = Buffer.alloc(Math.min(size, FOOTER_BYTES));
    await file.read(end, 0, end.byteLength, size - end.byteLength);
    const start = end.lastIndexOf(NEWLINE, -2) + 1;
    const footer = end.at(-1) === NEWLINE && start > 0 ? footerFromLine(end.subarray(start, -1)) : null;
    if (!footer?.sha256) return false;
    const sha256 = await sha256OfFirst(file, size - end.byteLength + start);
    return sha256?.toString('hex') === footer.sha256;
  } finally {
    await file.close();
  }
}

/** Longer than any footer. */
const FOOTER_BYTES = 256;
const COMMA = 0x2c;
const BRACE = 0x7b;
const NEWLINE = 0x0a;
