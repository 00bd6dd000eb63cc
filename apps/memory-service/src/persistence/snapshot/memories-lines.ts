import { readingVersion } from '../../search/lexical/text-reading.ts';
import type { SnapshotRecord } from '../../store/records/snapshot-records.ts';
import { comparisonFromWire, comparisonToWire } from '../files/contradiction-line.ts';
import {
  memoryFromWire,
  memoryToWire,
  strengthFromWire,
  strengthToWire,
  type WireObject,
} from '../files/memory-line.ts';
import type { ReadingReader, ReadingWriter } from '../files/reading-line.ts';
import type { SavedVectors } from './saved-vectors.ts';

// One JSON document with a line end after the header and after each memory, so that it can be written and read as a stream:
//   {"check":"...","format":3,...,"memories":[
//   {"check":"...","id":"...",...},
//   ],"count":1,"check":"...","sha256":"..."}
// The footer holds the SHA-256 of all lines before it, so that checking a sound file costs little. Each line holds the check of its
// own bytes, which locates damage, and the footer holds a check over all of those.
// Format 1 had no sha256 and no readings. Format 2 is that of versions which knew fewer fields of a memory than the later ones of them.

/**
 * Its number grows with each field that a memory, its strength or what was compared gets: an earlier version would drop that field with its
 * first save, and refuses a higher number instead.
 */
export const FORMAT = 4;

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

export interface ReadHeader extends MemoriesHeader {
  /** Version of the rules by which the readings were made; undefined where the file has none. */
  readonly readings: string | undefined;
}

/** Another version of the service, or another program, wrote the file. */
export class MemoriesFormatError extends Error {}

export interface Footer {
  readonly count: number;
  readonly check: string;
  /** undefined in format 1. */
  readonly sha256: string | undefined;
}

const FOOTER = /^\],"count":(\d{1,15}),"check":"([0-9a-f]{64})"(?:,"sha256":"([0-9a-f]{64})")?\}$/;
const FORMAT_OF_LINE = /^\{"check":"[0-9a-f]{16}","format":(\d{1,9}),/;

export function refuseOtherFormats(line: Buffer): void {
  const format = FORMAT_OF_LINE.exec(line.toString('latin1', 0, 64))?.[1];
  if (format !== undefined && Number(format) > FORMAT) throw new MemoriesFormatError(`format ${format}`);
}

export function headerToJson(of: MemoriesHeader): string {
  const { generation, savedAt, sequence, vectors, entities, packed, versions, deleted } = of;
  const header = {
    format: FORMAT,
    generation,
    saved_at: savedAt,
    sequence,
    vectors,
    entities,
    packed,
    readings: readingVersion(),
    versions,
    deleted,
  };
  return `${JSON.stringify(header).slice(0, -1)},"memories":[`;
}

export function headerFromLine(line: Buffer): ReadHeader {
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

export function footerFromLine(line: Buffer): Footer | null {
  const [, count, check, sha256] = FOOTER.exec(line.toString('latin1')) ?? [];
  return count === undefined || check === undefined ? null : { count: Number(count), check, sha256 };
}

export function storedToJson(stored: SnapshotRecord, firstRow: number, readings: ReadingWriter): string {
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

export function storedFromWire(wire: WireObject, readings: ReadingReader | null): SnapshotRecord {
  const rows = wire.vectors as readonly [first: number, count: number] | null;
  return {
    memory: memoryFromWire(wire),
    strength: strengthFromWire(wire.strength as WireObject),
    rows: rows && { first: rows[0], count: rows[1] },
    comparison: comparisonFromWire(wire.comparison as WireObject | undefined),
    reading: readings?.fromWire(wire.reading),
  };
}
