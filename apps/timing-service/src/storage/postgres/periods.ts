import type { Postgres } from '@agent-faculties/postgres-kit';
import { DAY_MS, type Logger } from '@agent-faculties/service-kit';
import { toMicroseconds } from '../../domain/instant.ts';
import { forgetUnused } from './forget-unused.ts';
import { SpaceDatabase } from './space-database.ts';

const HOUR_MS = 3_600_000;
/** A shorter retention deletes row by row. */
const LEAST_RETENTION_MS = DAY_MS;
/** So much longer than the retention, as a share of it, may a row stay; and so many partitions are there at most, with those to come. */
const PERIODS_PER_RETENTION = 8;
/** Made ahead, so that a round or two of the job may fail. */
const PERIODS_AHEAD = 3;
/** Writers and readers wait behind whoever waits for a table: for no longer than this. */
const LOCK_WAIT = '1s';
const TRIES = 5;
/** lock_not_available, deadlock_detected */
const BUSY = new Set(['55P03', '40P01']);

interface Period {
  readonly fromUs: number;
  readonly toUs: number;
}

type Client = Parameters<Parameters<Postgres['direct']>[0]>[0];

/**
 * The partitions of events and tasks by time, for all spaces. They are made ahead and dropped whole. What falls into none of them is kept
 * in `event_by_row` and `task_by_row` and deleted one by one, so nothing hangs on their being made in time.
 */
export class Periods {
  readonly #postgres: Postgres;
  readonly #log: Logger;

  constructor(postgres: Postgres, log: Logger) {
    this.#postgres = postgres;
    this.#log = log;
  }

  /** For one replica at a time. Drops the periods that are older than the retention, and makes those to come. */
  async turn({
    nowMs,
    retentionMs,
  }: {
    nowMs: number;
    retentionMs: number;
  }): Promise<{ events: number; tasks: number }> {
    return await this.#postgres.direct(async (client) => {
      const dropped = await this.#drop(client, toMicroseconds(nowMs - retentionMs));
      if (retentionMs >= LEAST_RETENTION_MS) await this.#make(client, nowMs, widthOf(retentionMs));
      return dropped;
    });
  }

  async #make(client: Client, nowMs: number, widthMs: number): Promise<void> {
    for (const table of ['event', 'task']) {
      // Read once, in the background. With it known to be true, a new partition needs no look at the rows.
      const text = `ALTER TABLE timing.${table}_by_row VALIDATE CONSTRAINT ${table}_by_row_kept`;
      await this.#whenFree(client, () => client.query(text));
    }
    const startOf = (ms: number) => Math.floor(ms / widthMs) * widthMs;
    const untilMs = nowMs + PERIODS_AHEAD * widthMs;
    const makeNext = async () => {
      // Another replica may have made some since.
      const { rows } = await client.query<{ toUs: number | null }>(
        'SELECT max(to_us)::float8 AS "toUs" FROM timing.period',
      );
      const fromMs = Math.max(startOf(nowMs), (rows[0]?.toUs ?? 0) / 1000);
      if (fromMs >= untilMs) return false;
      await make(client, { fromUs: toMicroseconds(fromMs), toUs: toMicroseconds(startOf(fromMs) + widthMs) });
      return true;
    };
    while (await this.#whenFree(client, makeNext));
  }

  async #drop(client: Client, beforeUs: number): Promise<{ events: number; tasks: number }> {
    const { rows: old } = await client.query<Period>(
      'SELECT from_us::float8 AS "fromUs", to_us::float8 AS "toUs" FROM timing.period WHERE to_us <= $1 ORDER BY from_us',
      [beforeUs],
    );
    const total = { events: 0, tasks: 0 };
    for (const period of old) {
      total.tasks += await this.#whenFree(client, () => dropTasks(client, period));
      total.events += await this.#whenFree(client, () => dropEvents(client, period));
    }
    if (old.length === 0) return total;
    // Until every space was told, the next round drops what is gone and tells them again.
    await this.#tellSpaces(client);
    await client.query('DELETE FROM timing.period WHERE to_us <= $1', [beforeUs]);
    return total;
  }

  async #tellSpaces(client: Client): Promise<void> {
    const { rows } = await client.query<{ name: string }>('SELECT name FROM timing.space ORDER BY name');
    for (const { name } of rows) {
      await new SpaceDatabase(this.#postgres, name).transaction(async (space) => {
        await space.dropSamples();
        await forgetUnused(space);
      });
    }
  }

  /**
   * A transaction, again where the tables were not free; a replica whose clock runs ahead may do the same, one at a time.
   * @throws when they are not for a while: the next round does it
   */
  async #whenFree<Result>(client: Client, work: () => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        await client.query('BEGIN');
        await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('periods of timing', 0))`);
        await client.query(`SET LOCAL lock_timeout = '${LOCK_WAIT}'`);
        const result = await work();
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK');
        if (!BUSY.has(String((error as { code?: unknown }).code)) || tries === TRIES) throw error;
        this.#log.info({ tries }, 'the tables are busy: a period waits for them');
      }
    }
  }
}

/** Whole hours. */
function widthOf(retentionMs: number): number {
  return Math.max(1, Math.round(retentionMs / PERIODS_PER_RETENTION / HOUR_MS)) * HOUR_MS;
}

/**
 * The ids are unique within a partition; over all of them whoever writes sees to it. Tasks before events, as starts and ends lock them: the
 * other way round each would wait for the other.
 */
async function make(client: Client, { fromUs, toUs }: Period): Promise<void> {
  const [event, task] = [tableOf('event', fromUs), tableOf('task', fromUs)];
  await client.query(`
    CREATE TABLE ${task} (LIKE timing.task INCLUDING DEFAULTS, PRIMARY KEY (space, correlation_id));
    ALTER TABLE timing.task ATTACH PARTITION ${task} FOR VALUES FROM (${fromUs}) TO (${toUs});
    CREATE TABLE ${event} (LIKE timing.event INCLUDING DEFAULTS, PRIMARY KEY (space, sequence), UNIQUE (space, id));
    ALTER TABLE timing.event ATTACH PARTITION ${event} FOR VALUES FROM (${fromUs}) TO (${toUs});
    INSERT INTO timing.period VALUES (${fromUs}, ${toUs});`);
}

/** All of them ended before the period did. */
async function dropTasks(client: Client, { fromUs }: Period): Promise<number> {
  const table = tableOf('task', fromUs);
  const count = await countOf(client, table);
  await client.query(`DROP TABLE IF EXISTS ${table}`);
  return count;
}

/** Events of tasks that are kept, because they run or ended later, are kept with them. */
async function dropEvents(client: Client, { fromUs, toUs }: Period): Promise<number> {
  const table = tableOf('event', fromUs);
  if ((await countOf(client, table)) === 0) {
    await client.query(`DROP TABLE IF EXISTS ${table}`);
    return 0;
  }
  // A replica whose clock is days behind writes nothing to it between the move and the end of the table.
  await client.query(`LOCK TABLE ${table} IN SHARE MODE`);
  await client.query(
    `UPDATE timing.event SET kept_us = 0 WHERE kept_us >= $1 AND kept_us < $2 AND (space, correlation_id) IN (
       SELECT name, correlation_id FROM timing.space CROSS JOIN LATERAL (
         SELECT correlation_id FROM timing.task WHERE task.space = name AND started_us < $2) kept)`,
    [fromUs, toUs],
  );
  const count = await countOf(client, table);
  await client.query(`DROP TABLE ${table}`);
  return count;
}

/** 0 where there is no such table any more. */
async function countOf(client: Client, table: string): Promise<number> {
  const { rows: found } = await client.query('SELECT to_regclass($1) AS found', [table]);
  if (found[0]?.found === null) return 0;
  const { rows } = await client.query<{ count: number }>(`SELECT count(*)::float8 AS count FROM ${table}`);
  return rows[0]?.count ?? 0;
}

/** `timing.event_20261122t0900` */
function tableOf(kind: 'event' | 'task', fromUs: number): string {
  const minute = new Date(fromUs / 1000).toISOString().slice(0, 16).replaceAll(/[-:]/g, '').toLowerCase();
  return `timing.${kind}_${minute}`;
}
