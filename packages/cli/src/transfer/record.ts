import { createHash } from 'node:crypto';
import { isoInstant } from '@agent-faculties/service-kit/instant';
import { writtenDate } from './written-date.ts';

/** A memory for POST /merge. The service fills in absent fields, from `created_at` on, as for a new message. */
export interface MemoryRecord {
  readonly id: string;
  readonly content: string;
  readonly created_at: string;
  readonly updated_at?: string;
  readonly role?: 'user' | 'assistant' | 'system' | null;
  readonly name?: string | null;
  readonly session_id?: string | null;
  readonly tags?: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** A file to read. */
export interface SourceFile {
  /** Path relative to the argument of the user, with slashes; records keep it. */
  readonly path: string;
  readonly text: string;
  /** The time of records without one. */
  readonly modifiedAt: Date;
  /** What limits who sees its memories: the project, and of PRIVATE ones the agent, as far as they are named. */
  readonly visibility: readonly string[];
}

/** The memories of a file, and the parts that cannot be read. */
export interface Read {
  readonly records: readonly MemoryRecord[];
  readonly faults: readonly string[];
}

/** Names, tags and session ids are no longer than this. */
const NAME_LIMIT = 128;

/** The id of a memory of a file. The same key always gives the same id, and another one to those who do not see that memory. */
export function idOf({ visibility }: Pick<SourceFile, 'visibility'>, ...key: readonly string[]): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([...key, ...visibility]))
    .digest('hex');
  // A UUID of version 8, the one for custom formats (RFC 9562, 5.8).
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The text as a valid name, tag or session id; null when nothing is left. */
export function nameOf(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value)
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, NAME_LIMIT);
  // Half of a surrogate pair, which the cut may leave, is not a character.
  return text === '' ? null : Buffer.from(text, 'utf8').toString('utf8');
}

/** Tags from a list, or from a text with commas. */
export function tagsOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
  return [...new Set(list.flatMap((tag) => nameOf(tag) ?? []))].slice(0, 64);
}

/** A smaller number, in seconds before 1973, is a year or a day such as 20260102, and no instant. */
const SECONDS_FROM = 1e8;
const SECONDS_UNTIL = 1e11;

/** As git, Jekyll and others write it: 2026-01-20 10:00:00 +0100. */
const PLAIN_OFFSET = /(:\d{2}(?:\.\d+)?) ?([+-]\d{2}):?(\d{2})$/;

/**
 * An instant from ISO 8601, as the services read it: without an offset it is UTC, whatever the time zone of this machine, so that a
 * second import elsewhere has the same ids. Or from a date in words, or from seconds or milliseconds since 1970. Null for anything else.
 */
export function instantOf(value: unknown): string | null {
  const milliseconds = typeof value === 'number' ? millisecondsOf(value) : writtenInstant(String(value));
  const date = new Date(milliseconds ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** The first of some times that can be read; null where none is told. */
export function toldTime(times: readonly unknown[]): { readonly time: string | null } | { readonly fault: string } {
  const told = times.filter((time) => (time ?? '') !== '');
  const time = told.map(instantOf).find((instant) => instant !== null);
  if (time !== undefined || told.length === 0) return { time: time ?? null };
  // The time of the file would date it, and nobody would see that it was told at another one.
  const readable =
    'the whole day, such as 2026-01-20 or 20 January 2026, an instant of ISO 8601, or seconds or milliseconds since 1970';
  return { fault: `${JSON.stringify(told[0])} is no time: write ${readable}` };
}

function writtenInstant(text: string): number | null {
  return isoInstant(text.replace(PLAIN_OFFSET, '$1$2:$3')) ?? isoInstant(writtenDate(text) ?? '');
}

function millisecondsOf(number: number): number | null {
  if (number < SECONDS_FROM) return null;
  return number < SECONDS_UNTIL ? number * 1_000 : number;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The record without fields that are null, undefined or empty lists. */
export function filledFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  );
}
