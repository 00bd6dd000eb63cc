import type { ExpiryStore } from '../../domain/expiry.ts';
import { toMicroseconds } from '../../domain/instant.ts';
import { forgetUnused } from './forget-unused.ts';
import type { SpaceDatabase } from './space-database.ts';

/** Rows that a transaction looks at, whether they go or stay: writers wait for no more. */
const BATCH = 500;

/** Which rows of a table go, of those whose time lies before an instant (`$2`). */
interface Expired {
  readonly table: string;
  /** Has an index, by which the rows are walked over. */
  readonly timeUs: string;
  readonly isExpired: string;
}

const TASKS: Expired = {
  table: 'timing.task_by_row',
  timeUs: 'started_us',
  isExpired: `state <> 'active' AND coalesce(ended_us, started_us) < $2`,
};

/** One that belongs to a task which is kept stays with it. */
const EVENTS: Expired = {
  table: 'timing.event_by_row',
  timeUs: 'timestamp_us',
  isExpired: `(correlation_id IS NULL OR NOT EXISTS (
    SELECT 1 FROM timing.task WHERE task.space = $1 AND task.correlation_id = old.correlation_id))`,
};

interface Place {
  readonly us: number;
  readonly sequence: number;
}

const BEFORE_ALL: Place = { us: -1, sequence: -1 };

/** What is in no period; the rest is dropped with its period (periods.ts). */
export class PostgresExpiryStore implements ExpiryStore {
  readonly #space: SpaceDatabase;

  constructor(space: SpaceDatabase) {
    this.#space = space;
  }

  async deleteBefore(instantMs: number): Promise<{ events: number; tasks: number }> {
    const beforeUs = toMicroseconds(instantMs);
    const tasks = await this.#delete(TASKS, beforeUs);
    const events = await this.#delete(EVENTS, beforeUs);
    if (tasks + events > 0) {
      await this.#space.transaction(async (space) => {
        await space.takeNumbers(1);
        await forgetUnused(space);
      });
    }
    return { events, tasks };
  }

  /** Goes on behind the rows that it has seen. From the first row, each batch would walk over all that stay. */
  async #delete({ table, timeUs, isExpired }: Expired, beforeUs: number): Promise<number> {
    const text = `
      WITH looked AS (
        SELECT ${timeUs} AS us, sequence FROM ${table}
        WHERE space = $1 AND ${timeUs} < $2 AND (${timeUs}, sequence) > ($3, $4)
        ORDER BY ${timeUs}, sequence LIMIT ${BATCH}),
      deleted AS (
        DELETE FROM ${table} old
        WHERE space = $1 AND sequence IN (SELECT sequence FROM looked) AND ${isExpired} RETURNING sequence)
      SELECT us::float8 AS us, sequence::float8 AS sequence, (SELECT count(*)::int FROM deleted) AS deleted,
        (SELECT count(*)::int FROM looked) AS looked
      FROM looked ORDER BY looked.us DESC, looked.sequence DESC LIMIT 1`;
    let total = 0;
    for (let after = BEFORE_ALL; ; ) {
      const batch = await this.#space.transaction(async (space) => {
        const values = [beforeUs, after.us, after.sequence];
        const [last] = await space.rows<Place & { deleted: number; looked: number }>(text, values);
        if (last && last.deleted > 0) await space.dropSamples();
        return last;
      });
      total += batch?.deleted ?? 0;
      if (!batch || batch.looked < BATCH) return total;
      after = batch;
    }
  }
}
