import type { Postgres } from '@agent-faculties/postgres-kit';
import type { Logger } from '@agent-faculties/service-kit';

const INDEX = 'timing.task_duration';
const COLUMNS = `(space, task_type, outcome, duration_us) INCLUDE (end_sequence, agent_id, project) WHERE state = 'ended'`;
/** Writers wait behind whoever waits for a table. */
const LOCK_WAIT = '1s';

type Client = Parameters<Parameters<Postgres['direct']>[0]>[0];

/**
 * The index by which exact durations are looked up. It costs each end of a task, so it is made when the first task type needs it: beside
 * the writes, one partition after the other. Periods that are made later bring theirs along.
 */
export class DurationIndex {
  readonly #postgres: Postgres;
  readonly #log: Logger;
  #isReady = false;
  #building: Promise<void> | null = null;

  constructor(postgres: Postgres, log: Logger) {
    this.#postgres = postgres;
    this.#log = log;
  }

  /** Begins to make it in the background where it is not. */
  async isReady(): Promise<boolean> {
    if (this.#isReady) return true;
    const { rows } = await this.#postgres.query<{ valid: boolean }>({
      text: 'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)',
      values: [INDEX],
    });
    this.#isReady = rows[0]?.valid === true;
    if (!this.#isReady) void this.build();
    return this.#isReady;
  }

  /** One at a time; a failure is logged, and the next who asks tries again. */
  async build(): Promise<void> {
    this.#building ??= buildAlone(this.#postgres)
      .then(() => this.#log.info('the index of durations is made'))
      .catch((err: unknown) => this.#log.warn({ err }, 'the index of durations cannot be made now'))
      .finally(() => {
        this.#building = null;
      });
    await this.#building;
  }
}

/** Does nothing where another replica is at it: to wait for that in a statement would hold the index up. */
async function buildAlone(postgres: Postgres): Promise<void> {
  await postgres.direct(async (holder) => {
    // Holds the lock until the end: the index is made outside of transactions, where behind a pooler a lock would stay.
    await holder.query('BEGIN');
    // Some servers end a transaction that does nothing for long.
    await holder.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    const { rows } = await holder.query<{ mine: boolean }>(
      `SELECT pg_try_advisory_xact_lock(hashtextextended('index of durations of timing', 0)) AS mine`,
    );
    if (rows[0]?.mine) await postgres.direct(build);
    await holder.query('COMMIT');
  });
}

async function build(client: Client): Promise<void> {
  // Of the whole, without its partitions: nothing is read.
  await client.query(`BEGIN; SET LOCAL lock_timeout = '${LOCK_WAIT}';
    CREATE INDEX IF NOT EXISTS task_duration ON ONLY timing.task ${COLUMNS}; COMMIT`);
  const { rows: missing } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent = 'timing.task'::regclass
       AND NOT EXISTS (
         SELECT 1 FROM pg_index JOIN pg_inherits of ON of.inhrelid = indexrelid
         WHERE indrelid = pg_class.oid AND of.inhparent = '${INDEX}'::regclass)
     ORDER BY relname`,
  );
  for (const { name } of missing) {
    const index = `${name}_duration`;
    // Of one that broke off.
    await client.query(`DROP INDEX CONCURRENTLY IF EXISTS timing.${index}`);
    await client.query(`CREATE INDEX CONCURRENTLY ${index} ON timing.${name} ${COLUMNS}`);
    await client.query(`ALTER INDEX ${INDEX} ATTACH PARTITION timing.${index}`);
  }
}
