import { createHash, type Hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { READING_VERSION } from '../../search/lexical/text-reading.ts';
import type { SnapshotRecord, SnapshotRecords } from '../../store/stored-memory.ts';
import { intactCheck, withCheck } from '../files/checked-line.ts';
import { comparisonFromWire, comparisonToWire } from '../files/contradiction-line.ts';
import { readLines } from '../files/line-reader.ts';
import {
  memoryFromWire,
  memoryToWire,
  strengthFromWire,
  strengthToWire,
  type WireObject,
} from '../files/memory-line.ts';
import { ReadingReader, ReadingWriter } from '../files/reading-line.ts';
import { TextFile } from '../files/text-file.ts';

// One JSON document with a line end after the header and after each memory, so that it can be written and read as a stream:
//   {"check":"...","format":2,...,"memories":[
//   {"check":"...","id":"...",...},
//   ],"count":1,"check":"...","sha256":"..."}
// The footer holds the SHA-256 of all lines before it, so that checking a sound file costs little. Each line holds the check of its
// own bytes, which locates damage, and the footer holds a check over all of those.
// Format 1 had no sha256 and no readings.

const FORMAT = 2;

/** In place of the SHA-256 of faiss.index, with a number: the vectors are in this table of the database. */
const TABLE = /^table (\d{1,15})$/;

/** Says of saved vectors that they are in a table of the database. */
export function tableMark(number: number): string {
  return `table ${number}`;
}

/** The number of the table in the database that has the vectors of a save; null: faiss.index has them, or there are none. */
export function tableOf(saved: SavedVectors | null): number | null {
  const [, number] = TABLE.exec(saved?.sha256 ?? '') ?? [];
  return number === undefined ? null : Number(number);
}

/** The vectors of a save: in faiss.index, or in a table of the database. */
export interface SavedVectors {
  readonly model: string;
  readonly dimension: number;
  readonly rows: number;
  /** Of faiss.index, or the mark of the table. */
  readonly sha256: string;
}

export interface MemoriesHeader {
  /** The number of the save. */
  readonly generation: number;
  /** When the save was made, UTC in ISO 8601. */
  readonly savedAt: string;
  /** Number of the last change of the journal that is in the file. */
  readonly sequence: number;
  /** null without embeddings. */
  readonly vectors: SavedVectors | null;
  /** null: there is no entities.json. */
  readonly entities: { readonly sha256: string } | null;
  /** SHA-256 of what memories.packed holds; undefined: an earlier version of the service wrote this. */
  readonly packed?: string | undefined;
  /** How many versions history.ndjson holds; null: there is no such file; undefined: an earlier version of the service wrote this. */
  readonly versions?: number | null | undefined;
  /** Ids of memories that were deleted, oldest first. */
  readonly deleted: readonly string[];
}

interface ReadHeader extends MemoriesHeader {
  /** Version of the rules by which the readings were made; undefined where the file has none. */
  readonly readings: string | undefined;
}

/** Another version of the service, or another program, wrote the file. */
export class MemoriesFormatError extends Error {}

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
  const isIntact = await isWholeFileIntact(path);
  const all = createHash('sha256');
  const unreadable = new LineRanges();
  let readings: ReadingReader | null = null;
  let memories = 0;
  let lines = 0;
  let footer: Footer | null = null;
  for await (const batch of readLines(path)) {
    for (const { bytes, number, ended } of batch) {
      lines = number;
      const line = bytes.at(-1) === COMMA ? bytes.subarray(0, -1) : bytes;
      if (number === 1) refuseOtherFormats(line);
      const isSound = ended && footer === null && (isIntact ? line[0] === BRACE : isSoundLine(line, all));
      if (number === 1) {
        if (!isSound) reader.damage('its first line cannot be read');
        const header = isSound ? headerFromLine(line) : null;
        if (header?.readings === READING_VERSION) readings = new ReadingReader();
        await reader.header(header);
      } else if (isSound) {
        memories += 1;
        reader.memory(storedFromWire(JSON.parse(line.toString()) as WireObject, readings));
      } else {
        const found: Footer | null = ended && footer === null ? footerFromLine(line) : null;
        if (found) footer = found;
        else {
          unreadable.add(number);
          readings = null; // later readings may refer to terms of this line
        }
      }
    }
  }
  if (lines === 0) {
    reader.damage('it is empty');
    await reader.header(null);
    return;
  }
  for (const range of unreadable) reader.damage(`${range} cannot be read`);
  if (footer === null) reader.damage(`its end is missing after line ${lines}`);
  else if (!isIntact && unreadable.isEmpty && (footer.count !== memories || footer.check !== all.digest('hex'))) {
    reader.damage(`its last line counts ${footer.count} memories, and the file holds ${memories}, or other ones`);
  }
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
    const hash = createHash('sha256');
    const chunk = Buffer.allocUnsafe(HASHED_BYTES);
    for (let left = size - end.byteLength + start; left > 0; ) {
      const { bytesRead } = await file.read(chunk, 0, Math.min(chunk.byteLength, left), null);
      if (bytesRead === 0) return false;
      hash.update(chunk.subarray(0, bytesRead));
      left -= bytesRead;
    }
    return hash.digest('hex') === footer.sha256;
  } finally {
    await file.close();
  }
}

/** Adds the check of a sound line to the check of all lines. */
function isSoundLine(line: Buffer, all: Hash): boolean {
  const check = intactCheck(line);
  if (check !== null) all.update(check);
  return check !== null;
}

interface Footer {
  readonly count: number;
  readonly check: string;
  /** undefined in format 1. */
  readonly sha256: string | undefined;
}

/** Longer than any footer. */
const FOOTER_BYTES = 256;
/** The bytes that are read and hashed at a time, in 1 ms. */
const HASHED_BYTES = 1024 * 1024;
const COMMA = 0x2c;
const BRACE = 0x7b;
const NEWLINE = 0x0a;
const FOOTER = /^\],"count":(\d{1,15}),"check":"([0-9a-f]{64})"(?:,"sha256":"([0-9a-f]{64})")?\}$/;
const FORMAT_OF_LINE = /^\{"check":"[0-9a-f]{16}","format":(\d{1,9}),/;

function refuseOtherFormats(line: Buffer): void {
  const format = FORMAT_OF_LINE.exec(line.toString('latin1', 0, 64))?.[1];
  if (format !== undefined && Number(format) > FORMAT) throw new MemoriesFormatError(`format ${format}`);
}

function headerToJson(of: MemoriesHeader): string {
  const { generation, savedAt, sequence, vectors, entities, packed, versions, deleted } = of;
  const header = {
    format: FORMAT,
    generation,
    saved_at: savedAt,
    sequence,
    vectors,
    entities,
    packed,
    readings: READING_VERSION,
    versions,
    deleted,
  };
  return `${JSON.stringify(header).slice(0, -1)},"memories":[`;
}

function headerFromLine(line: Buffer): ReadHeader {
  const header = JSON.parse(`${line.toString()}]}`) as WireObject;
  return {
    generation: header.generation as number,
    savedAt: header.saved_at as string,
    sequence: header.sequence as number,
    vectors: header.vectors as SavedVectors | null,
    entities: header.entities as MemoriesHeader['entities'],
    packed: header.packed as string | undefined,
    readings: header.readings as string | undefined,
    versions: header.versions as number | null | undefined,
    // Files of earlier versions have no readings.
    deleted: (header.deleted as string[] | undefined) ?? [],
  };
}

function footerFromLine(line: Buffer): Footer | null {
  const [, count, check, sha256] = FOOTER.exec(line.toString('latin1')) ?? [];
  return count === undefined || check === undefined ? null : { count: Number(count), check, sha256 };
}

function storedToJson(stored: SnapshotRecord, firstRow: number, readings: ReadingWriter): string {
  const { memory, strength, rows, reading } = stored;
  const compared = comparisonToWire(stored.comparison);
  // Joined as text, because copying the members of a new object takes as long as writing it.
  return [
    JSON.stringify(memoryToWire(memory)).slice(0, -1),
    `,"strength":${JSON.stringify(strengthToWire(strength))}`,
    `,"vectors":${rows ? `[${firstRow},${rows.count}]` : 'null'}`,
    compared ? `,"comparison":${JSON.stringify(compared)}` : '',
    reading ? `,"reading":${readings.toJson(reading)}` : '',
    '}',
  ].join('');
}

function storedFromWire(wire: WireObject, readings: ReadingReader | null): SnapshotRecord {
  const rows = wire.vectors as readonly [first: number, count: number] | null;
  return {
    memory: memoryFromWire(wire),
    strength: strengthFromWire(wire.strength as WireObject),
    rows: rows && { first: rows[0], count: rows[1] },
    comparison: comparisonFromWire(wire.comparison as WireObject | undefined),
    reading: readings?.fromWire(wire.reading),
  };
}

/** Line numbers, with successive ones joined into ranges. */
class LineRanges {
  readonly #ranges: { first: number; last: number }[] = [];

  get isEmpty(): boolean {
    return this.#ranges.length === 0;
  }

  add(number: number): void {
    const range = this.#ranges.at(-1);
    if (range && range.last === number - 1) range.last = number;
    else this.#ranges.push({ first: number, last: number });
  }

  *[Symbol.iterator](): Generator<string> {
    for (const { first, last } of this.#ranges) yield first === last ? `line ${first}` : `lines ${first} to ${last}`;
  }
}
