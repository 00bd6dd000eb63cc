import { isUtf8 } from 'node:buffer';
import { createInterface } from 'node:readline';
import { type Readable, Transform } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BrokenOffError, InvalidInputError } from '../problems/errors.ts';
import { inexactIntegers } from './inexact-integers.ts';
import { inspected } from './request-guards.ts';

/** The members of a JSON object, not validated yet. */
export type JsonFields = Readonly<Record<string, unknown>>;

/** Lines per turn of the event loop: a stream delivers 30,000 short lines at once, and refusing one costs 20 µs. */
export const LINES_PER_TURN = 128;

/** Some programs begin every file of UTF-8 with it; here each byte is a character. */
const BYTE_ORDER_MARK = '\xef\xbb\xbf';

export interface NdjsonLine {
  /** Starts at 1; blank lines are counted and skipped. */
  readonly number: number;
  /** Bytes of the line, as far as it was read. */
  readonly bytes: number;
  /** @throws InvalidInputError saying what is wrong with the line */
  readonly read: () => JsonFields;
}

/**
 * The lines of a stream, each parsed on demand, so that a bad line does not hide the next one. Yields to the event loop after a
 * number of lines. When the stream closes early, it ends too and drops the line that was cut; see `requireWhole`.
 * @param lineLimitBytes a longer line is not kept in memory, and parsing it fails
 */
export async function* ndjsonLines(
  input: Readable,
  { lineLimitBytes }: { readonly lineLimitBytes: number },
): AsyncGenerator<NdjsonLine> {
  // Read as bytes: as text, readline would also split at U+2028, which JSON does not escape, and replace broken UTF-8.
  const guard = lineGuard(lineLimitBytes);
  const lines = input.pipe(guard.transform).setEncoding('latin1');
  // An aborted request never emits 'end'; without this, readline waits for ever.
  if (input.closed) lines.end();
  else input.once('close', () => lines.end());
  let number = 0;
  for await (const line of createInterface({ input: lines, crlfDelay: Number.POSITIVE_INFINITY })) {
    number++;
    if (number % LINES_PER_TURN === 0) await nextTurn();
    if (line.trim() === '' || (input.readableAborted && number > guard.ended())) continue;
    const text = number === 1 && line.startsWith(BYTE_ORDER_MARK) ? line.slice(BYTE_ORDER_MARK.length) : line;
    yield { number, bytes: line.length, read: () => fieldsOf(text, lineLimitBytes) };
  }
}

/**
 * Call it after the last line.
 * @param lines that were received
 * @throws BrokenOffError when the stream was closed before its end
 */
export function requireWhole(input: Readable, { lines }: { readonly lines: number }): void {
  if (!input.readableAborted) return;
  throw new BrokenOffError(`The body broke off after ${lines} whole lines, which were processed: send it again.`, {
    extra: { lines },
  });
}

function fieldsOf(bytes: string, limitBytes: number): JsonFields {
  if (bytes.length > limitBytes) throw new InvalidInputError(`has more than ${limitBytes} bytes`);
  const value = json(decoded(bytes));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidInputError('is not a JSON object');
  }
  const [fault] = inspected(value, { inexactIntegers: inexactIntegers(bytes) }).faults;
  if (fault) throw new InvalidInputError(`${fault.where.replace(/^body\/?/, '')} ${fault.message}`.trim());
  return value as JsonFields;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidInputError('is not JSON');
  }
}

/** @throws InvalidInputError when the bytes, one in each character, are not UTF-8 */
function decoded(bytes: string): string {
  const line = Buffer.from(bytes, 'latin1');
  if (!isUtf8(line)) throw new InvalidInputError('is not UTF-8');
  return line.toString('utf8');
}

/** Cuts a line one byte after the limit, so that a long line does not fill the memory. */
function lineGuard(limitBytes: number): { readonly transform: Transform; readonly ended: () => number } {
  let length = 0;
  let ended = 0;
  const transform = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      // Handed on in as few parts as can be: a chunk may have 60,000 lines.
      let from = 0;
      for (let start = 0; start < chunk.length; ) {
        const lineFeed = chunk.indexOf(10, start);
        const end = lineFeed === -1 ? chunk.length : lineFeed;
        const kept = Math.min(end - start, limitBytes + 1 - length);
        if (start + kept < end) {
          this.push(chunk.subarray(from, start + kept));
          from = end;
        }
        length += kept;
        if (lineFeed !== -1) {
          length = 0;
          ended++;
        }
        start = end + 1;
      }
      if (from < chunk.length) this.push(chunk.subarray(from));
      done();
    },
  });
  return { transform, ended: () => ended };
}
