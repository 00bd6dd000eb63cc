import { setImmediate as nextTurn } from 'node:timers/promises';
import { toMicroseconds } from '../../domain/instant.ts';
import { PAGE_BYTES } from '../../domain/page.ts';
import { STOPWATCHES_PER_AGENT, type Stopwatch } from '../../domain/stopwatch.ts';
import type { Task } from '../../domain/task.ts';
import type { TransferItem, TransferOutcome, TransferStore } from '../../domain/transfer.ts';
import type { Whose } from '../../domain/whose.ts';
import { contradicts } from '../tables/import-conflict.ts';
import {
  type EventRow,
  eventOf,
  type StopwatchRow,
  stopwatchOf,
  type TaskRow,
  taskColumns,
  taskOf,
} from '../tables/rows.ts';
import { EVENT_COLUMNS, STOPWATCH_COLUMNS, TASK_COLUMNS } from './columns.ts';
import { eventValues } from './event-store.ts';
import { Conditions } from './newest-first.ts';
import type { SpaceDatabase, SpaceTransaction } from './space-database.ts';

/** Rows read at once. */
const EXPORT_BATCH = 500;

const TABLES = [
  {
    table: 'event',
    columns: EVENT_COLUMNS,
    item: (row: EventRow): TransferItem => ({ kind: 'event', event: eventOf(row) }),
  },
  { table: 'task', columns: TASK_COLUMNS, item: (row: TaskRow): TransferItem => ({ kind: 'task', task: taskOf(row) }) },
  {
    table: 'stopwatch',
    columns: STOPWATCH_COLUMNS,
    item: (row: StopwatchRow): TransferItem => ({ kind: 'stopwatch', stopwatch: stopwatchOf(row) }),
  },
] as const;

/** Parts with little more than `PAGE_BYTES` of metadata, each of which is parsed in one turn of the event loop. */
function* inParts<Row extends { readonly metadata?: string | null }>(rows: readonly Row[]): Generator<Row[]> {
  let part: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    part.push(row);
    bytes += row.metadata?.length ?? 0;
    if (bytes < PAGE_BYTES) continue;
    yield part;
    part = [];
    bytes = 0;
  }
  yield part;
}

export class PostgresTransferStore implements TransferStore {
  readonly #space: SpaceDatabase;

  constructor(space: SpaceDatabase) {
    this.#space = space;
  }

  async *export({ agentId, project }: Whose): AsyncIterable<TransferItem[]> {
    for (const { table, columns, item } of TABLES) {
      for (let after = 0; ; ) {
        const where = new Conditions().equal('agent_id', agentId ?? undefined).seenIn(project);
        const from = where.value(after);
        const rows = await this.#space.rows<{ sequence: number; metadata?: string | null }>(
          `SELECT ${columns} FROM timing.${table} WHERE space = $1 AND sequence > ${from}${where.text}
           ORDER BY ${table}.sequence LIMIT ${EXPORT_BATCH}`,
          where.values,
        );
        for (const part of inParts(rows)) {
          yield part.map((row) => item(row as never));
          await nextTurn();
        }
        const last = rows.at(-1);
        if (!last || rows.length < EXPORT_BATCH) break;
        after = last.sequence;
      }
    }
  }

  async import(items: TransferItem[]): Promise<TransferOutcome[]> {
    if (items.length === 0) return [];
    return await this.#space.transaction(async (space) => {
      const ids = items.flatMap((item) => (item.kind === 'task' ? [item.task.correlationId] : []));
      const rows = await space.rows<TaskRow>(
        `SELECT ${TASK_COLUMNS} FROM timing.task WHERE space = $1 AND correlation_id = ANY($2) ORDER BY correlation_id FOR UPDATE`,
        [ids],
      );
      // From here on nobody else writes to the space, so that what is not there stays so.
      const first = (await space.takeNumbers(items.length + 1)) - items.length;
      // What was started by another replica between the two statements is there now.
      const late = await space.rows<TaskRow>(
        `SELECT ${TASK_COLUMNS} FROM timing.task WHERE space = $1 AND correlation_id = ANY($2) AND NOT correlation_id = ANY($3)`,
        [ids, rows.map(({ correlationId }) => correlationId)],
      );
      const known = new Map([...rows, ...late].map((row) => [row.correlationId, row]));
      const outcomes: TransferOutcome[] = [];
      for (const [index, item] of items.entries()) outcomes.push(await importItem(space, item, first + index, known));
      const isChanged = outcomes.some((outcome) => outcome === 'imported' || outcome === 'updated');
      if (isChanged) await space.tell(first + items.length, [{ kind: 'reset' }]);
      return outcomes;
    });
  }
}

async function importItem(
  space: SpaceTransaction,
  item: TransferItem,
  number: number,
  known: Map<string, TaskRow>,
): Promise<TransferOutcome> {
  if (item.kind === 'task') return await importTask(space, item.task, number, known);
  if (item.kind === 'event') {
    const written = await space.rows(
      `INSERT INTO timing.event (space, sequence, id, agent_id, event_type, task_type, timestamp_us, metadata, correlation_id, project)
       SELECT $1, $10::bigint, $2, $3, $4, $5, $6::bigint, $7, $8, $9
       WHERE NOT EXISTS (SELECT 1 FROM timing.event WHERE space = $1 AND id = $2) RETURNING id`,
      [...eventValues(item.event), number],
    );
    if (written.length === 0) return 'duplicate';
    await rememberNames(space, item.event);
    return 'imported';
  }
  return await importStopwatch(space, item.stopwatch, number);
}

async function importStopwatch(
  space: SpaceTransaction,
  { agentId, name, project, startedMs, stoppedMs }: Stopwatch,
  number: number,
): Promise<TransferOutcome> {
  const key = [agentId, name, project ?? ''];
  const [there] = await space.rows<{ count: number; known: boolean }>(
    `SELECT count(*)::float8 AS count, coalesce(bool_or(name = $3 AND project = $4), false) AS known
     FROM timing.stopwatch WHERE space = $1 AND agent_id = $2`,
    key,
  );
  if (there?.known) return 'duplicate';
  if ((there?.count ?? 0) >= STOPWATCHES_PER_AGENT) return 'full';
  await space.rows(
    `INSERT INTO timing.stopwatch (space, agent_id, name, project, started_us, stopped_us, sequence)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [...key, toMicroseconds(startedMs), stoppedMs === null ? null : toMicroseconds(stoppedMs), number],
  );
  await rememberNames(space, { agentId, taskType: null, project });
  return 'imported';
}

async function importTask(
  space: SpaceTransaction,
  task: Task,
  number: number,
  known: Map<string, TaskRow>,
): Promise<TransferOutcome> {
  const before = known.get(task.correlationId);
  if (before && contradicts(before, task)) return 'conflict';
  if (before && (before.state === 'ended' || task.state !== 'ended')) return 'duplicate';
  const columns = taskColumns(task);
  const ended = [columns.outcome, columns.endedUs, columns.durationUs, columns.endEventId];
  if (before) {
    const [row] = await space.rows<TaskRow>(
      `UPDATE timing.task SET state = 'ended', outcome = $3, ended_us = $4, duration_us = $5, end_event_id = $6,
         end_sequence = $7::bigint, changed = $7::bigint
       WHERE space = $1 AND kept_us = 0 AND correlation_id = $2 RETURNING ${TASK_COLUMNS}`,
      [task.correlationId, ...ended, number],
    );
    known.set(task.correlationId, row as TaskRow);
    return 'updated';
  }
  const numbers = { ended: [null, number], abandoned: [number, null], active: [null, null] }[task.state];
  const [row] = await space.rows<TaskRow>(
    `INSERT INTO timing.task (space, correlation_id, outcome, ended_us, duration_us, end_event_id, sequence, changed,
       abandoned_sequence, end_sequence, agent_id, project, task_type, state, started_us, estimated_seconds, metadata)
     VALUES ($1, $2, $3, $4, $5, $6, $7::bigint, $7::bigint, $8, $9, $10, $11, $12, $13, $14, $15, $16) RETURNING ${TASK_COLUMNS}`,
    [
      task.correlationId,
      ...ended,
      number,
      ...numbers,
      columns.agentId,
      columns.project,
      columns.taskType,
      columns.state,
      columns.startedUs,
      columns.estimatedSeconds,
      columns.metadata,
    ],
  );
  known.set(task.correlationId, row as TaskRow);
  await rememberNames(space, task);
  return 'imported';
}

async function rememberNames(
  space: SpaceTransaction,
  { agentId, taskType, project }: { agentId: string; taskType: string | null; project: string | null },
): Promise<void> {
  await space.rows('INSERT INTO timing.agent VALUES ($1, $2) ON CONFLICT DO NOTHING', [agentId]);
  if (taskType === null) return;
  const values = [agentId, taskType, project ?? ''];
  await space.rows('INSERT INTO timing.task_type VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING', values);
}
