/// <reference lib="es2024.string" />

import { ConflictError, DAY_MS, InvalidInputError } from '@agent-faculties/service-kit';

/** Characters of a message without the blanks at both ends. */
const MAX_CONTENT_CHARACTERS = 200_000;
/** Bytes of metadata as JSON: enough for facts about a message, too few for files. */
const MAX_METADATA_BYTES = 64 * 1024;
/** Tags of one memory, as the contract says. */
export const MOST_TAGS = 64;
/** Entities of one memory: a message that names more is a list, and would link everything with everything. */
export const MOST_ENTITIES = 32;
/** How far ahead a timestamp may lie. Clocks of machines differ; a later time is a mistake. */
const MAX_AHEAD_MS = DAY_MS;

/** The text without blanks at both ends, and with U+FFFD for halves of surrogate pairs, which UTF-8 cannot hold. @throws InvalidInputError */
export function trimmedText(text: string, where: string): string {
  const trimmed = text.trim().toWellFormed();
  if (trimmed === '') throw InvalidInputError.at(where, 'is blank: send words');
  if (trimmed.length > MAX_CONTENT_CHARACTERS && [...trimmed].length > MAX_CONTENT_CHARACTERS) {
    throw InvalidInputError.at(where, `has more than ${MAX_CONTENT_CHARACTERS} characters: send it in parts`);
  }
  return trimmed;
}

/** @throws InvalidInputError when it is too large */
export function checkedMetadata(
  metadata: Readonly<Record<string, unknown>>,
  where: string,
): Readonly<Record<string, unknown>> {
  const bytes = bytesOf(metadata);
  if (bytes > MAX_METADATA_BYTES)
    throw InvalidInputError.at(where, `has ${bytes} bytes as JSON: send at most ${MAX_METADATA_BYTES}`);
  return metadata;
}

export function fitsMetadata(metadata: Readonly<Record<string, unknown>>): boolean {
  return bytesOf(metadata) <= MAX_METADATA_BYTES;
}

function bytesOf(metadata: Readonly<Record<string, unknown>>): number {
  return Buffer.byteLength(JSON.stringify(metadata));
}

/** The timestamp in whole milliseconds. @throws InvalidInputError before 1970 and more than a day ahead */
export function checkedTimestamp(timestampMs: number, { nowMs, where }: { nowMs: number; where: string }): number {
  if (timestampMs < 0) throw InvalidInputError.at(where, 'lies before 1970: send when it was');
  if (timestampMs > nowMs + MAX_AHEAD_MS)
    throw InvalidInputError.at(where, 'lies more than a day ahead: send when it was');
  return Math.floor(timestampMs);
}

/** The refusal of a memory beyond the limit. It does not tell the limit: minus the visible memories, that would count PRIVATE ones. */
export function storeIsFull(): ConflictError {
  return new ConflictError('The server holds as many memories as it may: delete some, or raise --max-memories.', {
    code: 'memory_limit_reached',
  });
}
