import { checkOf } from '../files/checked-line.ts';
import type { WireObject } from '../files/memory-line.ts';

// {"check":"0123456789abcdef","sequence":12,"synced":11,"op":"add",...}
const LINE = /^\{"check":"([0-9a-f]{16})","sequence":(\d{1,15}),"synced":(\d{1,15}),/;
/** Longer than any beginning that the pattern matches. */
const START_BYTES = 128;

/** What stands in a line before its number is known: hashing a long text is done in the turn of whoever appends it. */
export interface LineBody {
  /** JSON without the opening brace, and a line end. */
  readonly bytes: Buffer;
  readonly check: string;
}

export interface JournalLine {
  /** Number of the change. */
  readonly sequence: number;
  /** Up to which change everything was on disk, and so might have been answered, when this line was written. */
  readonly synced: number;
  readonly wire: WireObject;
}

/** @param json of an object with members */
export function lineBody(json: string): LineBody {
  const bytes = Buffer.from(`${json.slice(1)}\n`);
  return { bytes, check: checkOf(bytes.subarray(0, -1)) };
}

/** What goes before a body. */
export function lineStart({ check }: LineBody, sequence: number, synced: number): Buffer {
  return Buffer.from(
    `{"check":"${checkOf(`${sequence} ${synced} ${check}`)}","sequence":${sequence},"synced":${synced},`,
  );
}

/** The line, or null where its bytes do not agree with its check. @param bytes without the line end */
export function readJournalLine(bytes: Buffer): JournalLine | null {
  const start = LINE.exec(bytes.toString('latin1', 0, START_BYTES));
  if (!start) return null;
  const [prefix, check, sequence, synced] = start as unknown as [string, string, string, string];
  if (checkOf(`${sequence} ${synced} ${checkOf(bytes.subarray(prefix.length))}`) !== check) return null;
  return { sequence: Number(sequence), synced: Number(synced), wire: JSON.parse(bytes.toString()) as WireObject };
}
