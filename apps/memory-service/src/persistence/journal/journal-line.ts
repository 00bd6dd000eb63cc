import { checkOf } from '../files/checked-line.ts';
import type { WireObject } from '../files/memory-line.ts';

// {"check":"0123456789abcdef","sequence":12,"synced":11,"op":"add",...}
const LINE = /^\{"check":"([0-9a-f]{16})","sequence":(\d{1,15}),"synced":(\d{1,15}),/;
/** Longer than any prefix that the pattern matches. */
const START_BYTES = 128;

/** The part of a line that does not depend on its number, so that a long text is hashed in the turn of the caller that appends it. */
export interface LineBody {
  /** JSON without the opening brace, and with a line end. */
  readonly bytes: Buffer;
  readonly check: string;
}

export interface JournalLine {
  /** Number of the change. */
  readonly sequence: number;
  /** Number of the last change that was on disk, and may have been answered, when this line was written. */
  readonly synced: number;
  readonly wire: WireObject;
}

/** @param json an object that is not empty */
export function lineBody(json: string): LineBody {
  const bytes = Buffer.from(`${json.slice(1)}\n`);
  return { bytes, check: checkOf(bytes.subarray(0, -1)) };
}

/** The prefix of a line. */
export function lineStart({ check }: LineBody, sequence: number, synced: number): Buffer {
  return Buffer.from(
    `{"check":"${checkOf(`${sequence} ${synced} ${check}`)}","sequence":${sequence},"synced":${synced},`,
  );
}

/** The line; null where the bytes do not agree with the check. @param bytes without the line end */
export function readJournalLine(bytes: Buffer): JournalLine | null {
  const start = LINE.exec(bytes.toString('latin1', 0, START_BYTES));
  if (!start) return null;
  const [prefix, check, sequence, synced] = start as unknown as [string, string, string, string];
  if (checkOf(`${sequence} ${synced} ${checkOf(bytes.subarray(prefix.length))}`) !== check) return null;
  return { sequence: Number(sequence), synced: Number(synced), wire: JSON.parse(bytes.toString()) as WireObject };
}
