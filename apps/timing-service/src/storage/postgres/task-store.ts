import { TASK_END, TASK_START, type TimingEvent } from '../../domain/event.ts';
import { toMicroseconds } from '../../domain/instant.ts';
import type { ListPosition, Page, PageRequest } from '../../domain/page.ts';
import {
  type ActiveTask,
  MOST_CANDIDATES,
  type PairingDecision,
  type PairingResult,
  type PastEstimate,
  type Task,
  type TaskFilter,
  type TaskStore,
  type TaskTime,
  type TimesFilter,
} from '../../domain/task.ts';
import type { Whose } from '../../domain/whose.ts';
import { type EventRow, eventOf, type TaskRow, taskColumns, taskOf } from '../tables/rows.ts';
import { pageByStart, withStarts } from '../tables/task-pages.ts';
import type { BackgroundIndex } from './background-index.ts';
import { EVENT_COLUMNS, TASK_COLUMNS } from './columns.ts';
import { EVENT_NAMES, EVENT_VALUES, eventValues, KEPT, NEXT_NUMBER } from './event-store.ts';
import { Conditions, newestFirst } from './newest-first.ts';
import { orLook, type SpaceDatabase, type SpaceTransaction } from './space-database.ts';
import { taskTimes } from './task-times.ts';

/** The first nine values are those of the event. Nothing is written, and no row comes back, where the id is taken. */
const START = `WITH next AS (${NEXT_NUMBER}), won AS (SELECT head FROM next WHERE NOT timing.has_task($1, $10)),
  written AS (${EVENT_VALUES}), ${EVENT_NAMES},
  started AS (
    INSERT INTO timing.task (space, sequence, changed, correlation_id, agent_id, project, task_type, state, started_us, estimated_seconds, metadata)
    SELECT $1, head, head, $10, $11, $12, $13, 'active', $14::bigint, $15::float8, $16 FROM won)
  SELECT head::float8 AS sequence FROM won`;

/** Open tasks are in no period; with its end a task goes into one. */
const END = `WITH won AS (${NEXT_NUMBER}), written AS (${EVENT_VALUES}), ${EVENT_NAMES},
  ended AS (
    UPDATE timing.task SET state = 'ended', outcome = $11, ended_us = $12::bigint, duration_us = $13::bigint, end_event_id = $14,
      end_sequence = head, changed = head, kept_us = ${KEPT}
    FROM won WHERE space = $1 AND correlation_id = $10 AND kept_us = 0)
  SELECT head::float8 AS sequence FROM won`;

const BY_ID = `SELECT ${TASK_COLUMNS} FROM timing.task WHERE space = $1 AND correlation_id = $2`;

const OPEN_OF_TYPE = `SELECT ${TASK_COLUMNS} FROM timing.task
  WHERE space = $1 AND kept_us = 0 AND state = 'active' AND state <> 'ended' AND task_type = $2 AND agent_id = $3
    AND ($4::text IS NULL OR project IN ('', $4))
  ORDER BY started_us, task.sequence LIMIT ${MOST_CANDIDATES} FOR UPDATE`;

const EVENT_BY_ID = `SELECT ${EVENT_COLUMNS} FROM timing.event WHERE space = $1 AND id = $2`;

const START_EVENT = `SELECT ${EVENT_COLUMNS} FROM timing.event
  WHERE space = $1 AND correlation_id = $2 AND event_type = '${TASK_START}' ORDER BY event.sequence LIMIT 1`;

type Reader = Pick<SpaceTransaction, 'rows'>;

const TASKS = {
  table: 'task',
  columns: TASK_COLUMNS,
  time: 'started_us',
  timeOf: (row: TaskRow) => row.startedUs,
};

export class PostgresTaskStore implements TaskStore {
  readonly #space: SpaceDatabase;
  readonly #ends: BackgroundIndex;

  constructor(space: SpaceDatabase, ends: BackgroundIndex) {
    this.#space = space;
    this.#ends = ends;
  }

  /** Writes first, because most ids are new, and looks only where one was not. */
  async start(event: TimingEvent, decide: (existing: Task | null) => PairingDecision): Promise<PairingResult> {
    const decision = decide(null);
    if ('replay' in decision) return await this.#replay(this.#space, event, decision.replay);
    for (;;) {
      const started = await this.#started(event, decision.write);
      if (started) return started;
      const existing = await this.find(decision.write.correlationId);
      // Deleted meanwhile.
      if (!existing) continue;
      const again = decide(existing);
      if ('replay' in again) return await this.#replay(this.#space, event, again.replay);
    }
  }

  async end(event: TimingEvent, decide: (candidates: Task[]) => PairingDecision): Promise<PairingResult> {
    return await orLook(
      () =>
        this.#space.transaction(async (space) => {
          const decision = decide(await candidatesOf(space, event));
          if ('replay' in decision) return await this.#replay(space, event, decision.replay);
          return await this.#ended(space, event, decision.write);
        }),
      () => this.#lookAt(event),
    );
  }

  async find(correlationId: string): Promise<Task | null> {
    const row = await this.#space.row<TaskRow>(BY_ID, [correlationId], 'timing_task');
    return row && taskOf(row);
  }

  async list(filter: TaskFilter, page: PageRequest): Promise<Page<Task>> {
    const where = new Conditions()
      .equal('state', filter.state)
      .equal('task_type', filter.taskType)
      .equal('agent_id', filter.agentId ?? undefined)
      .equal('outcome', filter.outcome)
      .seenIn(filter.project)
      .between('started_us', filter.sinceMs, filter.untilMs);
    // The index of open tasks serves a condition that names its own.
    if (filter.state !== undefined && filter.state !== 'ended') where.and("state <> 'ended' AND kept_us = 0");
    const found = await newestFirst(this.#space, TASKS, where, page);
    return { ...found, items: found.items.map(taskOf) };
  }

  async active(filter: Whose & { taskType?: string | undefined; limit: number }): Promise<ActiveTask[]> {
    const { limit, ...wanted } = filter;
    const { items } = await this.list({ ...wanted, state: 'active' }, { limit, after: null });
    const rows = await this.#space.rows<EventRow>(
      `SELECT DISTINCT ON (correlation_id) ${EVENT_COLUMNS} FROM timing.event
       WHERE space = $1 AND correlation_id = ANY($2) AND event_type = '${TASK_START}'
       ORDER BY correlation_id, event.sequence`,
      [items.map(({ correlationId }) => correlationId)],
    );
    const starts = new Map(rows.map((row) => [row.correlationId, row]));
    return withStarts(items, (correlationId) => starts.get(correlationId));
  }

  async countActive(): Promise<number> {
    const row = await this.#space.row<{ count: number }>(
      "SELECT count(*)::float8 AS count FROM timing.task WHERE space = $1 AND kept_us = 0 AND state = 'active' AND state <> 'ended'",
    );
    return row?.count ?? 0;
  }

  async activeSince(options: {
    startedBeforeMs: number;
    limit: number;
    after: ListPosition | null;
  }): Promise<Page<Task>> {
    const { startedBeforeMs, limit, after } = options;
    const rows = await this.#space.rows<TaskRow>(
      `SELECT ${TASK_COLUMNS} FROM timing.task WHERE space = $1 AND kept_us = 0 AND state = 'active' AND state <> 'ended' AND started_us < $2
         AND (started_us, task.sequence) > ($3, $4)
       ORDER BY started_us, task.sequence LIMIT $5`,
      [toMicroseconds(startedBeforeMs), after?.timeUs ?? Number.MIN_SAFE_INTEGER, after?.sequence ?? 0, limit],
    );
    return pageByStart(rows, limit);
  }

  async abandon(correlationIds: string[], atMs: number): Promise<Task[]> {
    return await this.#space.transaction(async (space) => {
      const open = await space.rows<{ id: string }>(
        `SELECT correlation_id AS id FROM timing.task WHERE space = $1 AND kept_us = 0 AND correlation_id = ANY($2) AND state = 'active'
         ORDER BY correlation_id FOR UPDATE`,
        [correlationIds],
      );
      if (open.length === 0) return [];
      const number = await space.takeNumbers(1);
      const rows = await space.rows<TaskRow>(
        `UPDATE timing.task SET state = 'abandoned', ended_us = $4::bigint, abandoned_sequence = $3::bigint, changed = $3::bigint
         WHERE space = $1 AND kept_us = 0 AND correlation_id = ANY($2) RETURNING ${TASK_COLUMNS}`,
        [open.map(({ id }) => id), number, toMicroseconds(atMs)],
      );
      const abandoned = rows.map(taskOf);
      await space.tell(
        number,
        abandoned.map((task) => ({ kind: 'abandoned', agentId: task.agentId, project: task.project, task })),
      );
      return abandoned;
    });
  }

  async pastEstimates({ agentId, project }: Whose, limit: number): Promise<PastEstimate[]> {
    const where = new Conditions().equal('agent_id', agentId ?? undefined).seenIn(project);
    const rows = await this.#space.rows<{ taskType: string; durationUs: number; estimatedSeconds: number }>(
      `SELECT task_type AS "taskType", duration_us::float8 AS "durationUs", estimated_seconds AS "estimatedSeconds" FROM timing.task
       WHERE space = $1 AND estimated_seconds IS NOT NULL AND outcome = 'ok' AND end_sequence IS NOT NULL${where.text}
       ORDER BY end_sequence DESC LIMIT ${where.value(limit)}`,
      where.values,
    );
    return rows.map(({ taskType, durationUs, estimatedSeconds }) => ({
      taskType,
      ratio: durationUs / 1e6 / estimatedSeconds,
    }));
  }

  async *times(filter: TimesFilter): AsyncIterable<TaskTime[]> {
    await this.#ends.prepare();
    yield* taskTimes(this.#space, filter);
  }

  /** Null when the id is taken. */
  async #started(event: TimingEvent, task: Task): Promise<PairingResult | null> {
    const columns = taskColumns(task);
    const stored = { ...event, correlationId: task.correlationId, project: event.project ?? task.project };
    const values = [
      ...eventValues(stored),
      columns.correlationId,
      columns.agentId,
      columns.project,
      columns.taskType,
      columns.startedUs,
      columns.estimatedSeconds,
      columns.metadata,
    ];
    return await orLook(
      async () => {
        const [row] = await this.#space.rows<{ sequence: number }>(START, values, 'timing_start');
        return row ? { event: { ...stored, ...row }, task, replayed: false } : null;
      },
      () => this.#lookAt(event),
    );
  }

  async #ended(space: SpaceTransaction, event: TimingEvent, task: Task): Promise<PairingResult> {
    const { correlationId, outcome, endedUs, durationUs, endEventId } = taskColumns(task);
    const stored = { ...event, correlationId, project: event.project ?? task.project };
    const values = [...eventValues(stored), correlationId, outcome, endedUs, durationUs, endEventId];
    const [row] = await space.rows<{ sequence: number }>(END, values, 'timing_end');
    return { event: { ...stored, ...(row as { sequence: number }) }, task, replayed: false };
  }

  async #replay(space: Reader, event: TimingEvent, task: Task): Promise<PairingResult> {
    const isEnd = event.eventType === TASK_END && task.endEventId !== null;
    const [first] = isEnd
      ? await space.rows<EventRow>(EVENT_BY_ID, [task.endEventId])
      : await space.rows<EventRow>(START_EVENT, [task.correlationId]);
    // An imported task has no events: the answer then shows the call itself.
    const stored = first ? eventOf(first) : { ...event, correlationId: task.correlationId, sequence: 0 };
    return { event: stored, task, replayed: true };
  }

  /** What came of a call whose answer was lost; null where nothing did. */
  async #lookAt({ id }: TimingEvent): Promise<PairingResult | null> {
    const row = await this.#space.row<EventRow>(EVENT_BY_ID, [id]);
    const task = row?.correlationId ? await this.find(row.correlationId) : null;
    return row && task && { event: eventOf(row), task, replayed: false };
  }
}

async function candidatesOf(space: SpaceTransaction, event: TimingEvent): Promise<Task[]> {
  const { correlationId, agentId, project, taskType } = event;
  const rows =
    correlationId === null
      ? await space.rows<TaskRow>(OPEN_OF_TYPE, [taskType, agentId, project], 'timing_open')
      : await space.rows<TaskRow>(`${BY_ID} FOR UPDATE`, [correlationId], 'timing_lock');
  return rows.map(taskOf);
}
