import { createHash } from 'node:crypto';
import type { StoredMemories, StoredMemory } from '../stored-memory.ts';
import { intactCheck, withCheck } from './checked-line.ts';
import { comparisonFromWire, comparisonToWire } from './contradiction-line.ts';
import { readLines } from './line-reader.ts';
import { memoryFromWire, memoryToWire, strengthFromWire, strengthToWire, type WireObject } from './memory-line.ts';
import { TextFile } from './text-file.ts';

// One JSON document with a line end after the header and after each memory, so that it is written and read as a stream:
//   {"check":"...","format":1,...,"memories":[
//   {"check":"...","id":"...",...},
//   ],"count":1,"check":"..."}
// Each line has the check of its own bytes, so that damage is found where it is; the footer has one over all of those.

const FORMAT = 1;

export interface MemoriesHeader {
  /** Counts the saves. */
  readonly generation: number;
  /** UTC, ISO 8601. */
  readonly savedAt: string;
  /** Number of the last change of the journal that is in the file. */
  readonly sequence: number;
  /** What faiss.index holds; null without embeddings. */
  readonly vectors: {
    readonly model: string;
    readonly dimension: number;
    readonly rows: number;
    readonly sha256: string;
  } | null;
  readonly entities: { readonly sha256: string };
  /** Ids of memories that were deleted, oldest first. */
  readonly deleted: readonly string[];
}

/** Another version of the service wrote the file, or another program. */
export class MemoriesFormatError extends Error {}

/** Writes memories.json whole and syncs it. Vectors are numbered anew, in the order of the memories. @returns its size */
export async function writeMemories(
  path: string,
  header: MemoriesHeader,
  memories: StoredMemories,
): Promise<{ bytes: number }> {
  return TextFile.write(path, async (text) => {
    const all = createHash('sha256');
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
      add(storedToJson(stored, row), left > 0 ? ',\n' : '\n');
      row += stored.rows?.count ?? 0;
      if (text.isFull) await text.drain();
    }
    text.add(`],"count":${memories.length},"check":"${all.digest('hex')}"}\n`);
  });
}

/** Takes what memories.json holds, in order. */
export interface MemoriesReader {
  /** Before the first memory. Null when it cannot be read and `damage` has returned. */
  header(header: MemoriesHeader | null): Promise<void>;
  memory(stored: StoredMemory): void;
  /** Told of each place that cannot be read; reading goes on after it returns. */
  damage(what: string): void;
}

/** What the first line says; null where it cannot be read. @throws MemoriesFormatError; what the file system throws */
export async function readMemoriesHeader(path: string): Promise<MemoriesHeader | null> {
  for await (const [first] of readLines(path)) {
    if (!first?.ended) return null;
    refuseOtherFormats(first.bytes);
    return intactCheck(first.bytes) === null ? null : headerFromLine(first.bytes);
  }
  return null;
}

/** @throws MemoriesFormatError; what `reader` throws; what the file system throws */
export async function readMemories(path: string, reader: MemoriesReader): Promise<void> {
  const all = createHash('sha256');
  const unreadable = new LineRanges();
  let memories = 0;
  let lines = 0;
  let footer: Footer | null = null;
  for await (const batch of readLines(path)) {
    for (const { bytes, number, ended } of batch) {
      lines = number;
      const line = bytes.at(-1) === COMMA ? bytes.subarray(0, -1) : bytes;
      const check = ended && footer === null ? intactCheck(line) : null;
      if (check !== null) all.update(check);
      if (number === 1) {
        refuseOtherFormats(line);
        if (check === null) reader.damage('its first line cannot be read');
        await reader.header(check === null ? null : headerFromLine(line));
      } else if (check !== null) {
        memories += 1;
        reader.memory(storedFromWire(JSON.parse(line.toString()) as WireObject));
      } else {
        const found: Footer | null = ended && footer === null ? footerFromLine(line) : null;
        if (found) footer = found;
        else unreadable.add(number);
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
  else if (unreadable.isEmpty && (footer.count !== memories || footer.check !== all.digest('hex'))) {
    reader.damage(`its last line was written for ${footer.count} memories, and there are ${memories} or others`);
  }
}

interface Footer {
  readonly count: number;
  readonly check: string;
}

const COMMA = 0x2c;
const FOOTER = /^\],"count":(\d{1,15}),"check":"([0-9a-f]{64})"\}$/;
const FORMAT_OF_LINE = /^\{"check":"[0-9a-f]{16}","format":(\d{1,9}),/;

function refuseOtherFormats(line: Buffer): void {
  const format = FORMAT_OF_LINE.exec(line.toString('latin1', 0, 64))?.[1];
  if (format !== undefined && Number(format) > FORMAT) throw new MemoriesFormatError(`format ${format}`);
}

function headerToJson({ generation, savedAt, sequence, vectors, entities, deleted }: MemoriesHeader): string {
  const header = { format: FORMAT, generation, saved_at: savedAt, sequence, vectors, entities, deleted };
  return `${JSON.stringify(header).slice(0, -1)},"memories":[`;
}

function headerFromLine(line: Buffer): MemoriesHeader {
  const header = JSON.parse(`${line.toString()}]}`) as WireObject;
  return {
    generation: header.generation as number,
    savedAt: header.saved_at as string,
    sequence: header.sequence as number,
    vectors: header.vectors as MemoriesHeader['vectors'],
    entities: header.entities as MemoriesHeader['entities'],
    // Files of earlier versions have none.
    deleted: (header.deleted as string[] | undefined) ?? [],
  };
}

function footerFromLine(line: Buffer): Footer | null {
  const [, count, check] = FOOTER.exec(line.toString('latin1')) ?? [];
  return count === undefined || check === undefined ? null : { count: Number(count), check };
}

function storedToJson({ memory, strength, rows, comparison }: StoredMemory, firstRow: number): string {
  const compared = comparisonToWire(comparison);
  const vectors = rows ? `[${firstRow},${rows.count}]` : 'null';
  // Joined as text: copying the members of an object that was just made takes as long as writing it.
  return `${JSON.stringify(memoryToWire(memory)).slice(0, -1)},"strength":${JSON.stringify(strengthToWire(strength))},"vectors":${vectors}${compared ? `,"comparison":${JSON.stringify(compared)}` : ''}}`;
}

function storedFromWire(wire: WireObject): StoredMemory {
  const rows = wire.vectors as readonly [first: number, count: number] | null;
  return {
    memory: memoryFromWire(wire),
    strength: strengthFromWire(wire.strength as WireObject),
    rows: rows && { first: rows[0], count: rows[1] },
    comparison: comparisonFromWire(wire.comparison as WireObject | undefined),
  };
}

/** Numbers of lines, those behind one another together. */
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
