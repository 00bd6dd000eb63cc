import type { Postgres } from '@agent-faculties/postgres-kit';
import type { Logger } from '@agent-faculties/service-kit';

interface IndexOfTasks {
  /** What it is of, in the log. */
  readonly what: string;
  readonly name: string;
  readonly columns: string;
}

/** By which exact durations are looked up. */
export const DURATIONS: IndexOfTasks = {
  what: 'durations',
  name: 'task_duration',
  columns: `(space, task_type, outcome, duration_us) INCLUDE (end_sequence, agent_id, project) WHERE state = 'ended'`,
};

/**
 * By which the tasks are found that reach into a time (task-times.ts). The starts are in it so that those which began later are passed over
 * without a look at the table.
 */
export const ENDS: IndexOfTasks = {
  what: 'ends',
  name: 'task_ended',
  columns: '(space, ended_us, started_us) WHERE ended_us IS NOT NULL',
};

/** Fewer tasks are read through in a tenth of a second. */
const MANY_TASKS = 100_000;
/** Writers wait behind whoever waits for a table. */
const LOCK_WAIT = '1s';

type Client = Parameters<Parameters<Postgres['direct']>[0]>[0];

/**
 * An index of tasks that not everybody needs. It costs each end of a task, so it is made when it is first asked for: beside the writes, one
 * partition after the other. Periods that are made later bring theirs along.
 */
export class BackgroundIndex {
  readonly #postgres: Postgres;
  readonly #index: IndexOfTasks;
  readonly #log: Logger;
  #isReady = false;
  #building: Promise<void> | null = null;

  constructor(postgres: Postgres, index: IndexOfTasks, log: Logger) {
    this.#postgres = postgres;
    this.#index = index;
    this.#log = log;
  }

  /** Begins to make it in the background where it is not. */
  async isReady(): Promise<boolean> {
    await this.#look();
    if (!this.#isReady) void this.build();
    return this.#isReady;
  }

  /** Begins to make it where it is not and there are many tasks, by what the database knows of its tables. */
  async prepare(): Promise<void> {
    const tasks = await this.#look();
    if (!this.#isReady && tasks > MANY_TASKS) void this.build();
  }

  /** One at a time; a failure is logged, and the next who asks tries again. */
  async build(): Promise<void> {
    const { what } = this.#index;
    this.#building ??= buildAlone(this.#postgres, this.#index)
      .then((isMade) => {
        if (isMade) this.#log.info(`the index of ${what} is made`);
      })
      .catch((err: unknown) => this.#log.warn({ err }, `the index of ${what} cannot be made now`))
      .finally(() => {
        this.#building = null;
      });
    await this.#building;
  }

  /** Resolves when it is not being made. */
  async settled(): Promise<void> {
    await this.#building;
  }

  /** Whether it is there. @returns about how many tasks there are; 0 once it is */
  async #look(): Promise<number> {
    if (this.#isReady) return 0;
    const { rows } = await this.#postgres.query<{ valid: boolean | null; tasks: number }>({
      text: `SELECT (SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)) AS valid, (
        SELECT coalesce(sum(reltuples), 0)::float8 FROM pg_class JOIN pg_inherits ON inhrelid = oid
        WHERE inhparent = 'timing.task'::regclass) AS tasks`,
      values: [`timing.${this.#index.name}`],
    });
    this.#isReady = rows[0]?.valid === true;
    return rows[0]?.tasks ?? 0;
  }
}

/**
 * Does nothing where another replica is at it: to wait for that in a statement would hold the index up.
 * @returns whether it was made here
 */
async function buildAlone(postgres: Postgres, index: IndexOfTasks): Promise<boolean> {
  return await postgres.direct(async (holder) => {
    // Holds the lock until the end: the index is made outside of transactions, where behind a pooler a lock would stay.
    await holder.query('BEGIN');
    // Some servers end a transaction that does nothing for long.
    await holder.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    const { rows } = await holder.query<{ mine: boolean }>(
      `SELECT pg_try_advisory_xact_lock(hashtextextended('index of ${index.what} of timing', 0)) AS mine`,
    );
    const isMine = rows[0]?.mine === true;
    if (isMine) await postgres.direct((client) => build(client, index));
    await holder.query('COMMIT');
    return isMine;
  });
}

async function build(client: Client, { name: ofAll, columns }: IndexOfTasks): Promise<void> {
  // Of the whole, without its partitions: nothing is read.
  await client.query(`BEGIN; SET LOCAL lock_timeout = '${LOCK_WAIT}';
    CREATE INDEX IF NOT EXISTS ${ofAll} ON ONLY timing.task ${columns}; COMMIT`);
  const { rows: missing } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent = 'timing.task'::regclass
       AND NOT EXISTS (
         SELECT 1 FROM pg_index JOIN pg_inherits of ON of.inhrelid = indexrelid
         WHERE indrelid = pg_class.oid AND of.inhparent = 'timing.${ofAll}'::regclass)
     ORDER BY relname`,
  );
  for (const { name } of missing) {
    const index = `${name}${ofAll.slice('task'.length)}`;
    // Of one that broke off.
    await client.query(`DROP INDEX CONCURRENTLY IF EXISTS timing.${index}`);
    await client.query(`CREATE INDEX CONCURRENTLY ${index} ON timing.${name} ${columns}`);
    await client.query(`ALTER INDEX timing.${ofAll} ATTACH PARTITION timing.${index}`);
  }
}
