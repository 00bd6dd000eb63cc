import { setImmediate as nextTurn } from 'node:timers/promises';
import { and, desc, gte, lt, type SQL, sql } from 'drizzle-orm';
import { toMicroseconds } from '../../domain/instant.ts';
import { type ListPosition, PAGE_BYTES, type Page, type PageRequest } from '../../domain/page.ts';
import { events, tasks } from '../tables/schema.ts';
import type { Db } from './faults.ts';

/** Rows that one step may read: 2,000 take about 2 ms (measured), then other requests can run. */
const WINDOW_ROWS = 2_000;
/** Rows read at once, and in one turn of the event loop: about 2 ms. A dashboard asks for several pages of 1,000 at a time. */
const STEP_ROWS = 100;

const TABLES = {
  events: { table: events, time: events.timestampUs, sequence: events.sequence },
  tasks: { table: tasks, time: tasks.startedUs, sequence: tasks.sequence },
};

export interface ListQuery {
  /** The condition that an index (condition, time) serves. */
  readonly indexed: SQL | undefined;
  /** A further condition, which is tested row by row; undefined: there is none. */
  readonly residual: SQL | undefined;
  /** Epoch milliseconds; absent: from the first one on. */
  readonly sinceMs?: number | undefined;
  /** Up to but without this; absent: to the last one. */
  readonly untilMs?: number | undefined;
}

type Name = keyof typeof TABLES;
type Row<N extends Name> = (typeof TABLES)[N]['table']['$inferSelect'];

/**
 * A page of rows, newest first. One statement that searches a million rows for a rare match would block all requests, so it reads
 * the index in windows, and yields to the event loop between them and between the steps of a large page.
 */
export async function newestFirst<N extends Name>(
  db: Db,
  name: N,
  query: ListQuery,
  page: PageRequest,
): Promise<Page<Row<N>>> {
  const index = new TimeIndex(db, name, query);
  const rows: Row<N>[] = [];
  let bytes = 0;
  let from = page.after;
  let end = query.residual ? index.windowEnd(from) : null;
  for (;;) {
    // No turn of its own for the one row that tells whether there are more.
    const rest = page.limit + 1 - rows.length;
    const step = rest <= STEP_ROWS + 1 ? rest : STEP_ROWS;
    const found = index.read({ from, end, limit: step });
    for (const row of found) {
      bytes += row.metadata?.length ?? 0;
      rows.push(row);
      if (bytes > PAGE_BYTES && rows.length <= page.limit) return { items: rows, next: positionOf(row) };
    }
    if (rows.length > page.limit) break;
    const last = found.at(-1);
    if (found.length === step && last) {
      from = positionOf(last);
      await nextTurn();
      continue;
    }
    if (end === null) return { items: rows, next: null };
    from = end;
    await nextTurn();
    end = index.windowEnd(from);
  }
  const items = rows.slice(0, page.limit);
  return { items, next: positionOf(items.at(-1) as Row<N>) };
}

/** The rows of one query in the order of time, newest first. */
class TimeIndex<N extends Name> {
  readonly #db: Db;
  readonly #columns: (typeof TABLES)[N];
  readonly #residual: SQL | undefined;
  readonly #bounds: SQL | undefined;

  constructor(db: Db, name: N, { indexed, residual, sinceMs, untilMs }: ListQuery) {
    const { time } = TABLES[name];
    this.#db = db;
    this.#columns = TABLES[name];
    this.#residual = residual;
    this.#bounds = and(
      indexed,
      sinceMs === undefined ? undefined : gte(time, toMicroseconds(sinceMs)),
      untilMs === undefined ? undefined : lt(time, toMicroseconds(untilMs)),
    );
  }

  /** The last row of the window that begins below `from`; null: the window reaches to the end. */
  windowEnd(from: ListPosition | null): ListPosition | null {
    const { table, time, sequence } = this.#columns;
    return (
      this.#db
        .select({ timeUs: time, sequence })
        .from(table)
        .where(and(this.#bounds, this.#below(from)))
        .orderBy(desc(time), desc(sequence))
        .limit(1)
        .offset(WINDOW_ROWS - 1)
        .get() ?? null
    );
  }

  /** The next rows below `from` and down to `end`. Null: from the newest row, to the oldest. */
  read({ from, end, limit }: { from: ListPosition | null; end: ListPosition | null; limit: number }): Row<N>[] {
    const { table, time, sequence } = this.#columns;
    const aboveEnd = end ? sql`(${time}, ${sequence}) >= (${end.timeUs}, ${end.sequence})` : undefined;
    return this.#db
      .select()
      .from(table)
      .where(and(this.#bounds, this.#below(from), this.#residual, aboveEnd))
      .orderBy(desc(time), desc(sequence))
      .limit(limit)
      .all() as Row<N>[];
  }

  #below(from: ListPosition | null): SQL | undefined {
    const { time, sequence } = this.#columns;
    return from ? sql`(${time}, ${sequence}) < (${from.timeUs}, ${from.sequence})` : undefined;
  }
}

function positionOf(row: Row<Name>): ListPosition {
  const timeUs = 'timestampUs' in row ? row.timestampUs : row.startedUs;
  return { timeUs, sequence: row.sequence };
}
