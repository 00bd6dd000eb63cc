import { toMicroseconds } from '../../domain/instant.ts';
import { type ListPosition, PAGE_BYTES, type Page, type PageRequest } from '../../domain/page.ts';
import type { SpaceDatabase } from './space-database.ts';

/** Rows read at once. */
const STEP_ROWS = 100;

/** Conditions of a WHERE behind `space = $1`, with their values from $2 on. */
export class Conditions {
  readonly values: unknown[] = [];
  text = '';

  /** @returns the placeholder */
  value(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length + 1}`;
  }

  /** Undefined does not filter. */
  equal(column: string, value: string | undefined): this {
    if (value !== undefined) this.text += ` AND ${column} = ${this.value(value)}`;
    return this;
  }

  /** isSeenIn (domain/whose.ts). */
  seenIn(project: string | null): this {
    if (project !== null) this.text += ` AND project IN ('', ${this.value(project)})`;
    return this;
  }

  between(column: string, sinceMs: number | undefined, untilMs: number | undefined): this {
    if (sinceMs !== undefined) this.text += ` AND ${column} >= ${this.value(toMicroseconds(sinceMs))}`;
    if (untilMs !== undefined) this.text += ` AND ${column} < ${this.value(toMicroseconds(untilMs))}`;
    return this;
  }

  and(text: string): this {
    this.text += ` AND ${text}`;
    return this;
  }
}

/** Rows that are listed by their time. */
interface TimedRows<Row> {
  readonly table: string;
  readonly columns: string;
  /** The column of the time. */
  readonly time: string;
  readonly timeOf: (row: Row) => number;
}

/** A page of rows, newest first; it ends early where the metadata is much. */
export async function newestFirst<Row extends { sequence: number; metadata: string | null }>(
  space: SpaceDatabase,
  { table, columns, time, timeOf }: TimedRows<Row>,
  { text, values }: Conditions,
  page: PageRequest,
): Promise<Page<Row>> {
  const position = (row: Row): ListPosition => ({ timeUs: timeOf(row), sequence: row.sequence });
  const rows: Row[] = [];
  let bytes = 0;
  for (let from = page.after; ; ) {
    const step = Math.min(page.limit + 1 - rows.length, STEP_ROWS);
    const next = values.length + 2;
    const below = from ? ` AND (${time}, ${table}.sequence) < ($${next}, $${next + 1})` : '';
    const found = await space.rows<Row>(
      `SELECT ${columns} FROM timing.${table} WHERE space = $1${text}${below}
       ORDER BY ${time} DESC, ${table}.sequence DESC LIMIT ${step}`,
      from ? [...values, from.timeUs, from.sequence] : values,
    );
    for (const row of found) {
      bytes += row.metadata?.length ?? 0;
      rows.push(row);
      if (bytes > PAGE_BYTES && rows.length <= page.limit) return { items: rows, next: position(row) };
    }
    const last = found.at(-1);
    if (rows.length > page.limit) {
      const items = rows.slice(0, page.limit);
      return { items, next: position(items.at(-1) as Row) };
    }
    if (!last || found.length < step) return { items: rows, next: null };
    from = position(last);
  }
}
