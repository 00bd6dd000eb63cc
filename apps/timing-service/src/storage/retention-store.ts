import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { toMicroseconds } from '../domain/instant.ts';
import type { RetentionStore } from '../domain/retention.ts';
import { type Db, guarded } from './database.ts';
import type { DurationSamples } from './duration-samples.ts';

/** Rows of one transaction: others get their turn every few milliseconds. */
const BATCH = 500;

interface DeletedRow {
  readonly agent_id: string;
  readonly task_type: string | null;
}

export class SqliteRetentionStore implements RetentionStore {
  readonly #db: Db;
  readonly #samples: DurationSamples;

  constructor(db: Db, samples: DurationSamples) {
    this.#db = db;
    this.#samples = samples;
  }

  async deleteBefore(instantMs: number): Promise<{ events: number; tasks: number }> {
    const beforeUs = toMicroseconds(instantMs);
    // Finished tasks by their start; an event that belongs to a task which is kept stays with it.
    const tasks = await this.#repeat(sql`
      DELETE FROM tasks WHERE sequence IN (
        SELECT sequence FROM tasks WHERE started_us < ${beforeUs} AND state <> 'active' AND coalesce(ended_us, started_us) < ${beforeUs}
        ORDER BY started_us LIMIT ${BATCH})
      RETURNING agent_id, task_type`);
    const events = await this.#repeat(sql`
      DELETE FROM events WHERE sequence IN (
        SELECT sequence FROM events WHERE timestamp_us < ${beforeUs}
        AND (correlation_id IS NULL OR NOT EXISTS (SELECT 1 FROM tasks WHERE tasks.correlation_id = events.correlation_id))
        ORDER BY timestamp_us LIMIT ${BATCH})
      RETURNING agent_id, NULL AS task_type`);
    if (tasks + events > 0) this.#forgetNames();
    return { events, tasks };
  }

  /**
   * Until the last batch the samples in memory still hold what is gone; then those concerned are dropped. Dropping them
   * after each batch would keep a large one from ever being loaded while a million rows go.
   */
  async #repeat(statement: ReturnType<typeof sql>): Promise<number> {
    const concerned = new Map<string, DeletedRow>();
    let deleted = 0;
    try {
      for (;;) {
        const rows = guarded(() => this.#db.all<DeletedRow>(statement));
        for (const row of rows) if (row.task_type !== null) concerned.set(JSON.stringify(row), row);
        deleted += rows.length;
        if (rows.length < BATCH) return deleted;
        await nextTurn();
      }
    } finally {
      for (const { agent_id, task_type } of concerned.values()) this.#samples.drop(agent_id, task_type as string);
    }
  }

  /** Agents and task types that nothing speaks of any more. */
  #forgetNames(): void {
    guarded(() => {
      this.#db.run(sql`
        DELETE FROM task_types WHERE NOT EXISTS (SELECT 1 FROM tasks WHERE tasks.task_type = task_types.task_type AND tasks.agent_id = task_types.agent_id)
        AND NOT EXISTS (SELECT 1 FROM events WHERE events.task_type = task_types.task_type AND events.agent_id = task_types.agent_id)`);
      this.#db.run(sql`
        DELETE FROM agents WHERE NOT EXISTS (SELECT 1 FROM events WHERE events.agent_id = agents.agent_id)
        AND NOT EXISTS (SELECT 1 FROM tasks WHERE tasks.agent_id = agents.agent_id)
        AND NOT EXISTS (SELECT 1 FROM stopwatches WHERE stopwatches.agent_id = agents.agent_id)`);
    });
  }
}
