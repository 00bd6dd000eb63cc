import { setImmediate as nextTurn } from 'node:timers/promises';
import { eq, type SQL, sql } from 'drizzle-orm';
import type { ExpiryStore } from '../../domain/expiry.ts';
import { toMicroseconds } from '../../domain/instant.ts';
import { events } from '../tables/schema.ts';
import { type Db, guarded, guardedAsync, transactions } from './faults.ts';
import { newestFirst } from './newest-first.ts';
import type { SqliteSamples } from './samples.ts';

/** Rows that a transaction looks at, whether they go or stay: other requests can run every few milliseconds. */
const BATCH = 500;

interface Name {
  readonly agent_id: string;
  readonly task_type: string | null;
}

/** Which rows of a table go, of those whose time lies before an instant. */
interface Expired {
  readonly table: SQL;
  /** Has an index, by which the rows are walked over. */
  readonly timeUs: SQL;
  readonly beforeUs: number;
  readonly isExpired: SQL;
}

interface Place {
  readonly us: number;
  readonly sequence: number;
}

export class SqliteExpiryStore implements ExpiryStore {
  readonly #db: Db;
  readonly #inTransaction: ReturnType<typeof transactions>;
  readonly #samples: SqliteSamples;

  constructor(db: Db, samples: SqliteSamples) {
    this.#db = db;
    this.#inTransaction = transactions(db);
    this.#samples = samples;
  }

  async deleteBefore(instantMs: number): Promise<{ events: number; tasks: number }> {
    const beforeUs = toMicroseconds(instantMs);
    // Agents and task types of deleted rows. If the process ends before they are removed, unused names stay.
    const names = new Map<string, Name>();
    // Finished tasks by their start; an event that belongs to a task which is kept stays with it.
    const tasks = await this.#deleteTasks(beforeUs, names);
    const events = await this.#delete(names, {
      table: sql`events`,
      timeUs: sql`timestamp_us`,
      beforeUs,
      isExpired: sql`(correlation_id IS NULL OR NOT EXISTS (SELECT 1 FROM tasks WHERE tasks.correlation_id = events.correlation_id))`,
    });
    await this.#forget([...names.values()]);
    return { events, tasks };
  }

  /** Samples in memory are dropped after the last batch and hold deleted tasks until then. If each batch dropped them, a large sample
   * could never be loaded while a million rows are deleted.
   */
  async #deleteTasks(beforeUs: number, names: Map<string, Name>): Promise<number> {
    try {
      return await this.#delete(names, {
        table: sql`tasks`,
        timeUs: sql`started_us`,
        beforeUs,
        isExpired: sql`state <> 'active' AND coalesce(ended_us, started_us) < ${beforeUs}`,
      });
    } finally {
      for (const { agent_id, task_type } of names.values()) this.#samples.drop(agent_id, task_type as string);
    }
  }

  /** Goes on behind the rows that it has seen. From the first row, each batch would walk over all that stay, which may be 200,000, in one turn. */
  async #delete(names: Map<string, Name>, expired: Expired): Promise<number> {
    let deleted = 0;
    for (let after: Place | undefined; ; await nextTurn()) {
      const { rows, last } = this.#inTransaction(() => this.#deleteBatch(expired, after));
      for (const row of rows) names.set(JSON.stringify([row.agent_id, row.task_type]), row);
      deleted += rows.length;
      if (!last) return deleted;
      after = last;
    }
  }

  /** @returns the names of what was deleted, and the place of the last row that was looked at where there may be more */
  #deleteBatch({ table, timeUs, beforeUs, isExpired }: Expired, after: Place | undefined) {
    const isBehind = after ? sql`AND (${timeUs}, sequence) > (${after.us}, ${after.sequence})` : sql``;
    const looked = sql`FROM ${table} WHERE ${timeUs} < ${beforeUs} ${isBehind} ORDER BY ${timeUs}, sequence LIMIT`;
    const [last] = this.#db.all<Place>(sql`SELECT ${timeUs} AS us, sequence ${looked} 1 OFFSET ${BATCH - 1}`);
    const rows = this.#db.all<Name>(sql`
      DELETE FROM ${table} WHERE sequence IN (SELECT sequence ${looked} ${BATCH}) AND ${isExpired}
      RETURNING agent_id, task_type`);
    return { rows, last };
  }

  /** Removes the agents and task types among these that no row uses any more, one at a time: there may be 100,000. */
  async #forget(names: readonly Name[]): Promise<void> {
    for (const { agent_id, task_type } of names) {
      if (task_type !== null) await this.#forgetTaskType(agent_id, task_type);
      await nextTurn();
    }
    for (const agentId of new Set(names.map(({ agent_id }) => agent_id))) {
      this.#inTransaction(() => this.#forgetAgent(agentId));
      await nextTurn();
    }
  }

  #forgetAgent(agentId: string): void {
    const { changes } = this.#db.run(sql`
      DELETE FROM agents WHERE agent_id = ${agentId}
      AND NOT EXISTS (SELECT 1 FROM events WHERE agent_id = ${agentId})
      AND NOT EXISTS (SELECT 1 FROM tasks WHERE agent_id = ${agentId})
      AND NOT EXISTS (SELECT 1 FROM stopwatches WHERE agent_id = ${agentId})`);
    // The event writer treats an agent as known when its task type is known.
    if (changes > 0) this.#db.run(sql`DELETE FROM task_types WHERE agent_id = ${agentId}`);
  }

  async #forgetTaskType(agentId: string, taskType: string): Promise<void> {
    // Each of the two conditions on the state lets a partial index serve that begins with agent and type.
    const ofTasks = sql`task_type = ${taskType} AND agent_id = ${agentId}`;
    const noTask = sql`NOT EXISTS (SELECT 1 FROM tasks WHERE state = 'ended' AND ${ofTasks})
      AND NOT EXISTS (SELECT 1 FROM tasks WHERE state <> 'ended' AND ${ofTasks})`;
    const isNamed = guarded(this.#db, () => this.#db.all(sql`SELECT 1 WHERE ${noTask}`)).length === 0;
    if (isNamed) return;
    // No index begins with agent and type of events, and a million others may have to be walked over: in windows.
    const [{ last } = { last: 0 }] = guarded(this.#db, () =>
      this.#db.all<{ last: number | null }>(sql`SELECT max(sequence) AS last FROM events`),
    );
    const query = { indexed: eq(events.taskType, taskType), residual: eq(events.agentId, agentId) };
    const page = { limit: 1, after: null };
    const found = await guardedAsync(this.#db, () => newestFirst(this.#db, 'events', query, page));
    if (found.items.length > 0) return;
    this.#inTransaction(() =>
      this.#db.run(sql`
        DELETE FROM task_types WHERE agent_id = ${agentId} AND task_type = ${taskType} AND ${noTask}
        AND NOT EXISTS (SELECT 1 FROM events WHERE sequence > ${last ?? 0} AND +task_type = ${taskType} AND +agent_id = ${agentId})`),
    );
  }
}
