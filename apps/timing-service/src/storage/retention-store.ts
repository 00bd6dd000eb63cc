import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { toMicroseconds } from '../domain/instant.ts';
import type { RetentionStore } from '../domain/retention.ts';
import { type Db, guarded } from './database.ts';
import type { DurationSamples } from './duration-samples.ts';

/** Rows of one transaction: others get their turn every few milliseconds. */
const BATCH = 500;

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
        ORDER BY started_us LIMIT ${BATCH})`);
    const events = await this.#repeat(sql`
      DELETE FROM events WHERE sequence IN (
        SELECT sequence FROM events WHERE timestamp_us < ${beforeUs}
        AND (correlation_id IS NULL OR NOT EXISTS (SELECT 1 FROM tasks WHERE tasks.correlation_id = events.correlation_id))
        ORDER BY timestamp_us LIMIT ${BATCH})`);
    if (tasks + events > 0) this.#forgetNames();
    return { events, tasks };
  }

  async #repeat(statement: ReturnType<typeof sql>): Promise<number> {
    let deleted = 0;
    for (;;) {
      const { changes } = guarded(() => this.#db.run(statement));
      deleted += changes;
      // In the same turn as the deletion, so that no sample is loaded from rows that are gone.
      if (changes > 0) this.#samples.dropAll();
      if (changes < BATCH) return deleted;
      await nextTurn();
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
