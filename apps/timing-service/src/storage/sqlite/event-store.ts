import { setImmediate as nextTurn } from 'node:timers/promises';
import { and, asc, desc, eq, gt, inArray, type SQL, sql } from 'drizzle-orm';
import type { EventFilter, EventStore, StoredEvent, TimingEvent } from '../../domain/event.ts';
import { type NamePage, type NamePageRequest, namePage, type Page, type PageRequest } from '../../domain/page.ts';
import type { Whose } from '../../domain/whose.ts';
import { eventOf } from '../tables/rows.ts';
import { agents, events, taskTypes } from '../tables/schema.ts';
import { eventWriter, write } from './event-writer.ts';
import { type Db, guarded, guardedAsync } from './faults.ts';
import { grouped } from './grouped.ts';
import { newestFirst } from './newest-first.ts';
import { seenIn } from './seen-in.ts';

/** A millisecond or two. */
const TYPES_PER_TURN = 2_000;

export class SqliteEventStore implements EventStore {
  readonly #db: Db;
  readonly #inGroup: ReturnType<typeof grouped>;
  readonly #writer: ReturnType<typeof eventWriter>;
  readonly #byId;

  constructor(db: Db) {
    this.#db = db;
    this.#inGroup = grouped(db);
    this.#writer = eventWriter(db);
    this.#byId = db
      .select()
      .from(events)
      .where(eq(events.id, sql.placeholder('id')))
      .prepare();
  }

  async record(event: TimingEvent): Promise<StoredEvent> {
    return await this.#inGroup(
      () => write(this.#writer, event),
      () => {},
    );
  }

  async find(id: string): Promise<StoredEvent | null> {
    const row = guarded(this.#db, () => this.#byId.get({ id }));
    return row ? eventOf(row) : null;
  }

  async list(filter: EventFilter, page: PageRequest): Promise<Page<StoredEvent>> {
    const { agentId, project, eventType, taskType, correlationId, sinceMs, untilMs } = filter;
    const conditions: (SQL | undefined)[] = [
      correlationId === undefined ? undefined : eq(events.correlationId, correlationId),
      taskType === undefined ? undefined : eq(events.taskType, taskType),
      agentId === null ? undefined : eq(events.agentId, agentId),
    ];
    // The first condition has an index of its own and is the most selective; what is left is tested row by row.
    const [indexed, ...others] = conditions.filter((condition) => condition !== undefined);
    const residual = and(
      ...others,
      eventType === undefined ? undefined : eq(events.eventType, eventType),
      seenIn(events.project, project),
    );
    const found = await guardedAsync(this.#db, () =>
      newestFirst(this.#db, 'events', { indexed, residual, sinceMs, untilMs }, page),
    );
    return { ...found, items: found.items.map(eventOf) };
  }

  async since(sequence: number, { agentId, project, limit }: Whose & { limit: number }): Promise<StoredEvent[]> {
    const rows = guarded(this.#db, () =>
      this.#db
        .select()
        .from(events)
        .where(
          and(
            gt(events.sequence, sequence),
            // The unary plus keeps to the order of writing instead of sorting an agent's whole index.
            agentId === null ? undefined : sql`+${events.agentId} = ${agentId}`,
            seenIn(events.project, project),
          ),
        )
        .orderBy(asc(events.sequence))
        .limit(limit)
        .all(),
    );
    return rows.map(eventOf);
  }

  async lastSequence(): Promise<number> {
    const query = this.#db.select({ sequence: events.sequence }).from(events).orderBy(desc(events.sequence)).limit(1);
    return guarded(this.#db, () => query.get())?.sequence ?? 0;
  }

  async agents({ limit, after }: NamePageRequest): Promise<NamePage> {
    const query = this.#db
      .select()
      .from(agents)
      .where(gt(agents.agentId, after ?? ''))
      .orderBy(asc(agents.agentId))
      .limit(limit + 1);
    const rows = guarded(this.#db, () => query.all());
    return namePage(
      rows.map((row) => row.agentId),
      limit,
    );
  }

  async taskTypes(whose: Whose): Promise<string[]> {
    const types: string[] = [];
    for (;;) {
      const page = this.#taskTypesBehind(types.at(-1) ?? null, whose);
      types.push(...page);
      if (page.length < TYPES_PER_TURN) return types;
      await nextTurn();
    }
  }

  #taskTypesBehind(last: string | null, { agentId, project }: Whose): string[] {
    const query = this.#db
      .selectDistinct({ taskType: taskTypes.taskType })
      .from(taskTypes)
      .where(
        and(
          last === null ? undefined : gt(taskTypes.taskType, last),
          agentId === null ? undefined : eq(taskTypes.agentId, agentId),
          project === null ? undefined : inArray(taskTypes.project, [project, '']),
        ),
      )
      .orderBy(asc(taskTypes.taskType))
      .limit(TYPES_PER_TURN);
    return guarded(this.#db, () => query.all()).map((row) => row.taskType);
  }

  async hasTaskType({ agentId, project }: Whose, taskType: string): Promise<boolean> {
    const query = this.#db
      .select({ taskType: taskTypes.taskType })
      .from(taskTypes)
      .where(
        and(
          eq(taskTypes.taskType, taskType),
          agentId === null ? undefined : eq(taskTypes.agentId, agentId),
          project === null ? undefined : inArray(taskTypes.project, [project, '']),
        ),
      )
      .limit(1);
    return guarded(this.#db, () => query.get()) !== undefined;
  }

  async projects({ agentId, project }: Whose, { limit, after }: NamePageRequest): Promise<NamePage> {
    /** Null behind the last one. */
    const nextBehind = (position: SQL) =>
      sql`(SELECT min(project) FROM task_types WHERE ${and(
        sql`project > ${position}`,
        agentId === null ? undefined : sql`agent_id = ${agentId}`,
        project === null ? undefined : sql`project = ${project}`,
      )})`;
    // Jumps in the index from one project to the next: DISTINCT would read every type of each of them.
    const found = guarded(this.#db, () =>
      this.#db.all<{ project: string | null }>(sql`WITH RECURSIVE found (project) AS (
          SELECT ${nextBehind(sql`${after ?? ''}`)}
          UNION ALL SELECT ${nextBehind(sql`found.project`)} FROM found WHERE found.project IS NOT NULL
        ) SELECT project FROM found WHERE project IS NOT NULL LIMIT ${limit + 1}`),
    );
    return namePage(
      found.map((row) => row.project as string),
      limit,
    );
  }
}
