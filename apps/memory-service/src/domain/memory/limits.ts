/// <reference lib="es2024.string" />

import { DAY_MS, InvalidInputError } from '@agent-faculties/service-kit';

/** Characters of a message without the blanks at both ends. */
const MAX_CONTENT_CHARACTERS = 200_000;
/** Of metadata as JSON: room for whatever belongs to a message, and no file store. */
const MAX_METADATA_BYTES = 64 * 1024;
/** Clocks of machines differ; what is said to be of the day after tomorrow is a mistake. */
const MAX_AHEAD_MS = DAY_MS;

/** The text without the blanks at both ends, and without halves of surrogate pairs, which no file could give back. @throws InvalidInputError */
export function trimmedText(text: string, where: string): string {
  const trimmed = text.trim().toWellFormed();
  if (trimmed === '') reject(where, 'is blank: send words');
  if (trimmed.length > MAX_CONTENT_CHARACTERS && [...trimmed].length > MAX_CONTENT_CHARACTERS) {
    reject(where, `has more than ${MAX_CONTENT_CHARACTERS} characters: send it in parts`);
  }
  return trimmed;
}

/** @throws InvalidInputError when it is too large */
export function checkedMetadata(
  metadata: Readonly<Record<string, unknown>>,
  where: string,
): Readonly<Record<string, unknown>> {
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  if (bytes > MAX_METADATA_BYTES) reject(where, `has ${bytes} bytes as JSON: send at most ${MAX_METADATA_BYTES}`);
  return metadata;
}

/** Whole milliseconds of when something was. @throws InvalidInputError before 1970 and more than a day ahead */
export function checkedTimestamp(timestampMs: number, { nowMs, where }: { nowMs: number; where: string }): number {
  if (timestampMs < 0) reject(where, 'lies before 1970: send when it was');
  if (timestampMs > nowMs + MAX_AHEAD_MS) reject(where, 'lies more than a day ahead: send when it was');
  return Math.floor(timestampMs);
}

function reject(where: string, message: string): never {
  throw new InvalidInputError(`${where} ${message}.`, { faults: [{ where, message }] });
}
