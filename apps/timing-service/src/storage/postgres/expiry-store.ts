import type { ExpiryStore } from '../../domain/expiry.ts';
import { toMicroseconds } from '../../domain/instant.ts';
import { forgetUnused } from './forget-unused.ts';
import type { SpaceDatabase } from './space-database.ts';

/** Rows per transaction: writers wait for no more. */
const BATCH = 500;

/** What is in no period; the rest is dropped with its period (periods.ts). */
export class PostgresExpiryStore implements ExpiryStore {
  readonly #space: SpaceDatabase;

  constructor(space: SpaceDatabase) {
    this.#space = space;
  }

  async deleteBefore(instantMs: number): Promise<{ events: number; tasks: number }> {
    const beforeUs = toMicroseconds(instantMs);
    // Finished tasks by their start; an event that belongs to a task which is kept stays with it.
    const tasks = await this.#repeat(
      `DELETE FROM timing.task_by_row WHERE space = $1 AND correlation_id IN (
         SELECT correlation_id FROM timing.task_by_row
         WHERE space = $1 AND started_us < $2 AND state <> 'active' AND coalesce(ended_us, started_us) < $2
         ORDER BY started_us LIMIT ${BATCH}) RETURNING correlation_id`,
      beforeUs,
    );
    const events = await this.#repeat(
      `DELETE FROM timing.event_by_row WHERE space = $1 AND sequence IN (
         SELECT sequence FROM timing.event_by_row old WHERE space = $1 AND timestamp_us < $2
         AND (correlation_id IS NULL OR NOT EXISTS (
           SELECT 1 FROM timing.task WHERE task.space = $1 AND task.correlation_id = old.correlation_id))
         ORDER BY timestamp_us LIMIT ${BATCH}) RETURNING sequence`,
      beforeUs,
    );
    if (tasks + events > 0) {
      await this.#space.transaction(async (space) => {
        await space.takeNumbers(1);
        await forgetUnused(space);
      });
    }
    return { events, tasks };
  }

  async #repeat(text: string, beforeUs: number): Promise<number> {
    for (let deleted = 0; ; ) {
      const count = await this.#space.transaction(async (space) => {
        const rows = await space.rows(text, [beforeUs]);
        if (rows.length > 0) await space.dropSamples();
        return rows.length;
      });
      deleted += count;
      if (count < BATCH) return deleted;
    }
  }
}
