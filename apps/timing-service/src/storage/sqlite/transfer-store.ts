import { setImmediate as nextTurn } from 'node:timers/promises';
import { and, asc, count, eq, gt, lte, sql } from 'drizzle-orm';
import { toMicroseconds } from '../../domain/instant.ts';
import { PAGE_BYTES } from '../../domain/page.ts';
import { STOPWATCHES_PER_AGENT, type Stopwatch } from '../../domain/stopwatch.ts';
import type { Task } from '../../domain/task.ts';
import type { TransferItem, TransferOutcome, TransferStore } from '../../domain/transfer.ts';
import type { Whose } from '../../domain/whose.ts';
import { contradicts } from '../tables/import-conflict.ts';
import { eventOf, stopwatchOf, type TaskRow, taskColumns, taskOf } from '../tables/rows.ts';
import { events, stopwatches, tasks } from '../tables/schema.ts';
import { columnsByField, driverStatement, named, namedAll } from './driver-statement.ts';
import { type EventWriter, eventWriter } from './event-writer.ts';
import { type Db, guarded, transactions } from './faults.ts';
import type { SqliteSamples } from './samples.ts';
import { seenIn } from './seen-in.ts';

/** Rows read in one turn of the event loop, unless they have more metadata than `PAGE_BYTES`. */
const EXPORT_BATCH = 500;
/** Rows read before their metadata is counted: at most 3 MiB of it, about 15 ms. */
const STEP_ROWS = 50;
/** Rows that one statement may read in search of an agent's or a project's: about 2 ms. Without a bound, a rare one would block all requests. */
const EXPORT_WINDOW = 5_000;

type ExportedTable = typeof events | typeof tasks | typeof stopwatches;

/** By sequences; `upTo` is null where the rest is one window. */
interface Window {
  readonly after: number;
  readonly upTo: number | null;
}

interface Imported {
  readonly outcome: TransferOutcome;
  /** Updates the samples after the commit. */
  readonly committed?: () => void;
}

export class SqliteTransferStore implements TransferStore {
  readonly #db: Db;
  readonly #inTransaction: ReturnType<typeof transactions>;
  readonly #samples: SqliteSamples;
  readonly #writer: EventWriter;
  readonly #statements;

  constructor(db: Db, samples: SqliteSamples) {
    this.#db = db;
    this.#inTransaction = transactions(db);
    this.#samples = samples;
    this.#writer = eventWriter(db);
    this.#statements = prepare(db);
  }

  async *export(whose: Whose): AsyncIterable<TransferItem[]> {
    const tables = [
      { table: events, item: (row: never): TransferItem => ({ kind: 'event', event: eventOf(row) }) },
      { table: tasks, item: (row: never): TransferItem => ({ kind: 'task', task: taskOf(row) }) },
      { table: stopwatches, item: (row: never): TransferItem => ({ kind: 'stopwatch', stopwatch: stopwatchOf(row) }) },
    ];
    for (const { table, item } of tables) {
      // With nothing to look for, the size of the batch is limit enough.
      const isAll = whose.agentId === null && whose.project === null;
      const windowEnd = (after: number) => (isAll ? null : this.#windowEnd(table, after));
      let after = 0;
      let upTo = windowEnd(after);
      for (;;) {
        const { rows, next } = this.#batch(table, whose, { after, upTo });
        yield rows.map((row) => item(row as never));
        await nextTurn();
        if (next !== null) {
          after = next;
          continue;
        }
        if (upTo === null) break;
        after = upTo;
        upTo = windowEnd(after);
      }
    }
  }

  /** The last sequence of the next window; null when the rest fits into one. */
  #windowEnd(table: ExportedTable, after: number): number | null {
    const end = this.#db
      .select({ sequence: table.sequence })
      .from(table)
      .where(gt(table.sequence, after))
      .orderBy(asc(table.sequence))
      .limit(1)
      .offset(EXPORT_WINDOW - 1);
    return guarded(this.#db, () => end.get())?.sequence ?? null;
  }

  /** @returns as `next` the last sequence of the batch, where it ended before the window does */
  #batch(table: ExportedTable, whose: Whose, { after, upTo }: Window) {
    const rows: (typeof table.$inferSelect)[] = [];
    let bytes = 0;
    for (let next = after; ; ) {
      const step = this.#rows(table, whose, { after: next, upTo });
      rows.push(...step);
      if (step.length < STEP_ROWS) return { rows, next: null };
      next = (step.at(-1) as { sequence: number }).sequence;
      for (const row of step) bytes += ('metadata' in row && row.metadata?.length) || 0;
      if (rows.length >= EXPORT_BATCH || bytes > PAGE_BYTES) return { rows, next };
    }
  }

  #rows(table: ExportedTable, { agentId, project }: Whose, { after, upTo }: Window) {
    const rows = this.#db
      .select()
      .from(table)
      .where(
        and(
          gt(table.sequence, after),
          upTo === null ? undefined : lte(table.sequence, upTo),
          // The unary plus keeps to the order of writing instead of sorting an agent's whole index.
          agentId === null ? undefined : sql`+${table.agentId} = ${agentId}`,
          seenIn(table.project, project),
        ),
      )
      .orderBy(asc(table.sequence))
      .limit(STEP_ROWS);
    return guarded(this.#db, () => rows.all());
  }

  async import(items: TransferItem[]): Promise<TransferOutcome[]> {
    const imported = this.#inTransaction(() => items.map((item) => this.#importItem(item)));
    for (const { committed } of imported) committed?.();
    return imported.map(({ outcome }) => outcome);
  }

  #importItem(item: TransferItem): Imported {
    if (item.kind === 'task') return this.#importTask(item.task);
    if (item.kind === 'event') return { outcome: this.#writer.writeOnce(item.event) ? 'imported' : 'duplicate' };
    return { outcome: this.#importStopwatch(item.stopwatch) };
  }

  #importStopwatch({ agentId, project, name, startedMs, stoppedMs }: Stopwatch): TransferOutcome {
    const key = { agentId, name, project: project ?? '' };
    if (this.#statements.stopwatch.get(key)) return 'duplicate';
    const others = this.#statements.stopwatchCount.get({ agentId });
    if ((others?.count ?? 0) >= STOPWATCHES_PER_AGENT) return 'full';
    const stoppedUs = stoppedMs === null ? null : toMicroseconds(stoppedMs);
    this.#statements.insertStopwatch.run({ ...key, startedUs: toMicroseconds(startedMs), stoppedUs });
    this.#writer.rememberNames({ agentId, taskType: null, project });
    return 'imported';
  }

  #importTask(task: Task): Imported {
    const known = this.#statements.task.get({ correlationId: task.correlationId });
    if (known && contradicts(known, task)) return { outcome: 'conflict' };
    if (known && (known.state === 'ended' || task.state !== 'ended')) return { outcome: 'duplicate' };
    const endSequence = task.state === 'ended' ? this.#samples.nextEndSequence() : null;
    if (!known) {
      this.#statements.insertTask.run({ endSequence, ...taskColumns(task) });
      this.#writer.rememberNames(task);
      return { outcome: 'imported', committed: () => this.#added(task, endSequence) };
    }
    const { state, outcome, endedUs, durationUs, endEventId } = taskColumns(task);
    const { sequence } = known;
    this.#statements.endTask.run({ sequence, state, outcome, endedUs, durationUs, endEventId, endSequence });
    const ended = { ...taskOf(known), outcome, durationSeconds: task.durationSeconds };
    const before = known.state === 'abandoned' ? ('abandoned' as const) : ('active' as const);
    return {
      outcome: 'updated',
      committed: () => this.#samples.ended(ended, { before, endSequence: endSequence as number }),
    };
  }

  #added(task: Task, endSequence: number | null): void {
    if (endSequence !== null) this.#samples.ended(task, { before: null, endSequence });
    else if (task.state === 'active') this.#samples.started(task);
    else this.#samples.abandoned(task);
  }
}

/** Once, and not for each line: with Drizzle a statement takes longer to make than to run. */
function prepare(db: Db) {
  const { agentId, name, project } = stopwatches;
  return {
    task: driverStatement<TaskRow>(
      db,
      db
        .select(columnsByField(tasks))
        .from(tasks)
        .where(eq(tasks.correlationId, named('correlationId'))),
    ),
    insertTask: driverStatement(
      db,
      db
        .insert(tasks)
        .values(
          namedAll(
            'correlationId',
            'agentId',
            'taskType',
            'state',
            'outcome',
            'startedUs',
            'endedUs',
            'durationUs',
            'estimatedSeconds',
            'metadata',
            'endEventId',
            'endSequence',
            'project',
          ),
        ),
    ),
    endTask: driverStatement(
      db,
      db
        .update(tasks)
        .set(namedAll('state', 'outcome', 'endedUs', 'durationUs', 'endEventId', 'endSequence'))
        .where(eq(tasks.sequence, named('sequence'))),
    ),
    stopwatch: driverStatement(
      db,
      db
        .select({ sequence: stopwatches.sequence })
        .from(stopwatches)
        .where(and(eq(agentId, named('agentId')), eq(name, named('name')), eq(project, named('project')))),
    ),
    stopwatchCount: driverStatement<{ count: number }>(
      db,
      db
        .select({ count: count().as('count') })
        .from(stopwatches)
        .where(eq(agentId, named('agentId'))),
    ),
    insertStopwatch: driverStatement(
      db,
      db.insert(stopwatches).values(namedAll('agentId', 'name', 'project', 'startedUs', 'stoppedUs')),
    ),
  };
}
