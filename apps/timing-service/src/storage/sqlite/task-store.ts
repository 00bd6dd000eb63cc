import { and, asc, count, desc, eq, inArray, isNotNull, lt, max, type SQL, sql } from 'drizzle-orm';
import { TASK_END, type TimingEvent } from '../../domain/event.ts';
import { toMicroseconds } from '../../domain/instant.ts';
import type { ListPosition, Page, PageRequest } from '../../domain/page.ts';
import type {
  ActiveTask,
  PairingDecision,
  PairingResult,
  PastEstimate,
  Task,
  TaskFilter,
  TaskStore,
  TaskTime,
  TimesFilter,
} from '../../domain/task.ts';
import { isSeenIn, type Whose } from '../../domain/whose.ts';
import { eventOf, projectOf, taskColumns, taskOf } from '../tables/rows.ts';
import { tasks } from '../tables/schema.ts';
import { pageByStart, withStarts } from '../tables/task-pages.ts';
import { write } from './event-writer.ts';
import { type Db, guarded, guardedAsync, transactions } from './faults.ts';
import { grouped } from './grouped.ts';
import { newestFirst } from './newest-first.ts';
import type { SqliteSamples } from './samples.ts';
import { seenIn } from './seen-in.ts';
import { openState, taskStatements } from './task-statements.ts';
import { taskTimes } from './task-times.ts';

/** Newest estimates looked through for those of a project: about 20 ms. */
const ESTIMATES_LOOKED_AT = 10_000;

export class SqliteTaskStore implements TaskStore {
  readonly #db: Db;
  readonly #inTransaction: ReturnType<typeof transactions>;
  readonly #inGroup: ReturnType<typeof grouped>;
  readonly #samples: SqliteSamples;
  readonly #statements;

  constructor(db: Db, samples: SqliteSamples) {
    this.#db = db;
    this.#inTransaction = transactions(db);
    this.#inGroup = grouped(db);
    this.#samples = samples;
    this.#statements = taskStatements(db);
  }

  async start(event: TimingEvent, decide: (existing: Task | null) => PairingDecision): Promise<PairingResult> {
    return this.#pair(event, ([existing]) => decide(existing ?? null));
  }

  async end(event: TimingEvent, decide: (candidates: Task[]) => PairingDecision): Promise<PairingResult> {
    return this.#pair(event, decide);
  }

  async find(correlationId: string): Promise<Task | null> {
    return guarded(this.#db, () => this.#byId(correlationId));
  }

  async list(filter: TaskFilter, page: PageRequest): Promise<Page<Task>> {
    const { agentId, project, taskType, state, outcome, sinceMs, untilMs } = filter;
    const conditions: (SQL | undefined)[] = [
      state === 'active' || state === 'abandoned' ? openState(state) : undefined,
      taskType === undefined ? undefined : eq(tasks.taskType, taskType),
      agentId === null ? undefined : eq(tasks.agentId, agentId),
    ];
    const [indexed, ...others] = conditions.filter((condition) => condition !== undefined);
    const residual = and(
      ...others,
      state === 'ended' ? eq(tasks.state, state) : undefined,
      outcome === undefined ? undefined : eq(tasks.outcome, outcome),
      seenIn(tasks.project, project),
    );
    const found = await guardedAsync(this.#db, () =>
      newestFirst(this.#db, 'tasks', { indexed, residual, sinceMs, untilMs }, page),
    );
    return { ...found, items: found.items.map(taskOf) };
  }

  async active(filter: Whose & { taskType?: string | undefined; limit: number }): Promise<ActiveTask[]> {
    const { limit, ...wanted } = filter;
    const page = await this.list({ ...wanted, state: 'active' }, { limit, after: null });
    return guarded(this.#db, () =>
      withStarts(page.items, (correlationId) => this.#statements.startEvent.get({ correlationId })),
    );
  }

  async countActive(): Promise<number> {
    const query = this.#db.select({ count: count() }).from(tasks).where(openState('active'));
    return guarded(this.#db, () => query.get())?.count ?? 0;
  }

  async activeSince(options: {
    startedBeforeMs: number;
    limit: number;
    after: ListPosition | null;
  }): Promise<Page<Task>> {
    const { startedBeforeMs, limit, after } = options;
    const rows = guarded(this.#db, () =>
      this.#db
        .select()
        .from(tasks)
        .where(
          and(
            openState('active'),
            lt(tasks.startedUs, toMicroseconds(startedBeforeMs)),
            after ? sql`(${tasks.startedUs}, ${tasks.sequence}) > (${after.timeUs}, ${after.sequence})` : undefined,
          ),
        )
        .orderBy(asc(tasks.startedUs), asc(tasks.sequence))
        .limit(limit)
        .all(),
    );
    return pageByStart(rows, limit);
  }

  async abandon(correlationIds: string[], atMs: number): Promise<Task[]> {
    const rows = this.#inTransaction(() =>
      this.#db
        .update(tasks)
        .set({ state: 'abandoned', endedUs: toMicroseconds(atMs) })
        .where(and(inArray(tasks.correlationId, correlationIds), eq(tasks.state, 'active')))
        .returning()
        .all(),
    );
    const abandoned = rows.map(taskOf);
    for (const task of abandoned) this.#samples.abandoned(task);
    return abandoned;
  }

  async pastEstimates({ agentId, project }: Whose, limit: number): Promise<PastEstimate[]> {
    const newest = this.#db
      .select({
        taskType: tasks.taskType,
        durationUs: tasks.durationUs,
        estimatedSeconds: tasks.estimatedSeconds,
        project: tasks.project,
      })
      .from(tasks)
      .where(
        and(
          sql`estimated_seconds IS NOT NULL AND outcome = 'ok'`,
          isNotNull(tasks.endSequence),
          agentId === null ? undefined : eq(tasks.agentId, agentId),
        ),
      )
      .orderBy(desc(tasks.endSequence));
    const rows = guarded(this.#db, () =>
      (project === null ? newest.limit(limit) : newest.limit(ESTIMATES_LOOKED_AT))
        .all()
        .filter((row) => isSeenIn(project, { project: projectOf(row) }))
        .slice(0, limit),
    );
    return rows.map(({ taskType, durationUs, estimatedSeconds }) => ({
      taskType,
      ratio: (durationUs as number) / 1e6 / (estimatedSeconds as number),
    }));
  }

  times(filter: TimesFilter): AsyncIterable<TaskTime[]> {
    return taskTimes(this.#db, filter);
  }

  /** The transaction that start and end share; the samples in memory follow in the turn of the commit, so they never disagree. */
  async #pair(event: TimingEvent, decide: (candidates: Task[]) => PairingDecision): Promise<PairingResult> {
    const { result } = await this.#inGroup(
      () => this.#decideAndWrite(event, decide),
      ({ result: { replayed, task }, before, endSequence }) => {
        if (replayed) return;
        if (endSequence === null) this.#samples.started(task);
        else this.#samples.ended(task, { before, endSequence });
      },
    );
    return result;
  }

  #decideAndWrite(event: TimingEvent, decide: (candidates: Task[]) => PairingDecision) {
    const candidates = this.#candidates(event);
    const decision = decide(candidates);
    if ('replay' in decision) {
      return { result: this.#replay(event, decision.replay), before: null, endSequence: null };
    }
    const task = decision.write;
    const { correlationId, project } = task;
    const stored = write(this.#statements.writer, { ...event, correlationId, project: event.project ?? project });
    const result: PairingResult = { event: stored, task, replayed: false };
    if (task.state === 'active') {
      this.#statements.insert.run(taskColumns(task));
      return { result, before: null, endSequence: null };
    }
    const known = candidates.find((candidate) => candidate.correlationId === correlationId);
    const before = known?.state === 'abandoned' ? ('abandoned' as const) : ('active' as const);
    const endSequence = this.#samples.nextEndSequence();
    this.#statements.end.run({ endSequence, ...taskColumns(task) });
    return { result, before, endSequence };
  }

  #replay(event: TimingEvent, task: Task): PairingResult {
    const first =
      event.eventType === TASK_END && task.endEventId !== null
        ? this.#statements.eventById.get({ id: task.endEventId })
        : this.#statements.startEvent.get({ correlationId: task.correlationId });
    // An imported task has no events: the answer then shows the call itself.
    const stored = first ? eventOf(first) : { ...event, correlationId: task.correlationId, sequence: 0 };
    return { event: stored, task, replayed: true };
  }

  #byId(correlationId: string | null): Task | null {
    const row = this.#statements.byId.get({ correlationId });
    return row ? taskOf(row) : null;
  }

  #candidates(event: TimingEvent): Task[] {
    if (event.correlationId !== null) {
      const task = this.#byId(event.correlationId);
      return task ? [task] : [];
    }
    const { agentId, project, taskType } = event;
    return this.#statements.openOfType.all({ agentId, project, taskType }).map(taskOf);
  }
}

/** The last end sequence in the file, from which numbering goes on. */
export function lastEndSequence(db: Db): number {
  const row = db
    .select({ last: max(tasks.endSequence) })
    .from(tasks)
    .where(isNotNull(tasks.endSequence))
    .get();
  return row?.last ?? 0;
}
