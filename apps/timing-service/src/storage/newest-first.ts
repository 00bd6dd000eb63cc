import { setImmediate as nextTurn } from 'node:timers/promises';
import { and, desc, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { ListPosition, Page, PageRequest } from '../domain/page.ts';
import type { Db } from './faults.ts';
import { events, tasks } from './schema.ts';

/** Rows that one step may read: 2,000 take about 2 ms (measured), then other requests can run. */
const WINDOW_ROWS = 2_000;
/** Rows read at once. */
const STEP_ROWS = 100;
/** A page with more metadata than this ends early: parsing and sending 64 MiB would block all requests for a second. */
export const PAGE_BYTES = 1024 * 1024;

const TABLES = {
  events: { table: events, time: events.timestampUs, sequence: events.sequence },
  tasks: { table: tasks, time: tasks.startedUs, sequence: tasks.sequence },
};

export interface ListQuery {
  /** The condition that an index (condition, time) serves. */
  readonly indexed: SQL | undefined;
  /** What is tested row by row; undefined when `indexed` says it all. */
  readonly residual: SQL | undefined;
  readonly sinceUs: number | undefined;
  readonly untilUs: number | undefined;
}

/**
 * A page of rows, newest first. One statement that searches a million rows for a rare match would block all requests, so it reads
 * the index in windows and yields to the event loop between them.
 */
export async function newestFirst<Name extends keyof typeof TABLES>(
  db: Db,
  name: Name,
  query: ListQuery,
  page: PageRequest,
): Promise<Page<(typeof TABLES)[Name]['table']['$inferSelect']>> {
  type Row = (typeof TABLES)[Name]['table']['$inferSelect'];
  const { table, time, sequence } = TABLES[name];
  const position = (row: Row): ListPosition =>
    'timestampUs' in row
      ? { timeUs: row.timestampUs, sequence: row.sequence }
      : { timeUs: (row as typeof tasks.$inferSelect).startedUs, sequence: row.sequence };
  const bounds = and(
    query.indexed,
    query.sinceUs === undefined ? undefined : gte(time, query.sinceUs),
    query.untilUs === undefined ? undefined : lt(time, query.untilUs),
  );
  const below = (from: ListPosition | null): SQL | undefined =>
    from ? sql`(${time}, ${sequence}) < (${from.timeUs}, ${from.sequence})` : undefined;
  const windowEnd = (from: ListPosition | null): ListPosition | null =>
    db
      .select({ timeUs: time, sequence })
      .from(table)
      .where(and(bounds, below(from)))
      .orderBy(desc(time), desc(sequence))
      .limit(1)
      .offset(WINDOW_ROWS - 1)
      .get() ?? null;

  const rows: Row[] = [];
  let bytes = 0;
  let from = page.after;
  let end = query.residual ? windowEnd(from) : null;
  for (;;) {
    const step = Math.min(page.limit + 1 - rows.length, STEP_ROWS);
    const found = db
      .select()
      .from(table)
      .where(
        and(
          bounds,
          below(from),
          query.residual,
          end ? sql`(${time}, ${sequence}) >= (${end.timeUs}, ${end.sequence})` : undefined,
        ),
      )
      .orderBy(desc(time), desc(sequence))
      .limit(step)
      .all() as Row[];
    for (const row of found) {
      bytes += row.metadata?.length ?? 0;
      rows.push(row);
      if (bytes > PAGE_BYTES && rows.length <= page.limit) return { items: rows, next: position(row) };
    }
    if (rows.length > page.limit) break;
    const last = found.at(-1);
    if (found.length === step && last) {
      from = position(last);
      continue;
    }
    if (end === null) return { items: rows, next: null };
    from = end;
    await nextTurn();
    end = windowEnd(from);
  }
  const items = rows.slice(0, page.limit);
  return { items, next: position(items.at(-1) as Row) };
}
