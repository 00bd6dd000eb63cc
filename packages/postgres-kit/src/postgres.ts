import type { Logger } from '@agent-faculties/service-kit';
import type pg from 'pg';
import { faultInWords, isAway, PostgresError, TAKES_NO_WRITES } from './faults.ts';
import { HostSocket } from './host-socket.ts';
import { retryWhileAway } from './retry-while-away.ts';
import type { StoreUrl } from './store-url.ts';

/** What is used of MERGE, of NULLS NOT DISTINCT and of the planner has been there since 15. */
const OLDEST_VERSION = 150_000;
const VERSIONS_PER_MAJOR = 10_000;

/** What holds every character; SQL_ASCII keeps bytes as they come. */
const WHOLE_ENCODINGS = ['UTF8', 'SQL_ASCII'];

const CONNECTIONS = 10;
/** For a connection, for one of the pool to become free, and for the first answer of what is behind it. */
const CONNECT_MS = 5_000;
/** Until a statement counts as lost. On the client's side: a statement_timeout would end the wait for a standby, which commits. */
const ANSWER_MS = 30_000;
/** How long a close waits for statements under way: with the 8 s that a stop gives to requests, less than the 10 s of container runtimes. */
const CLOSE_MS = 1_000;

interface Server {
  readonly version: number;
  readonly encoding: string;
  readonly readonly: string;
  readonly pid: number;
}

const ABOUT_SERVER = `SELECT current_setting('server_version_num')::int AS version,
  current_setting('server_encoding') AS encoding, current_setting('transaction_read_only') AS readonly, pg_backend_pid() AS pid`;

export interface PostgresOptions {
  readonly url: StoreUrl;
  readonly log: Logger;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** The most connections of this process; absent: 10. */
  readonly connections?: number;
  /** How long the start waits for a server that is away, milliseconds; absent: 30 s. */
  readonly waitMs?: number;
}

export interface Statement {
  /** Prepared once for each connection under this name; absent, and behind a pooler: not. */
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** A database on the first of its hosts that takes writes. */
export interface Postgres {
  /** Hosts and database, for logs and errors. */
  readonly name: string;
  /**
   * One statement, which is a transaction of its own.
   * @throws UnavailableError where the server is away, AnswerLostError (one of those) where it may have happened
   */
  query<Row extends pg.QueryResultRow>(statement: Statement): Promise<pg.QueryResult<Row>>;
  /**
   * Commits when the work resolves, takes everything back when it rejects. @throws what `query` throws; AnswerLostError only where
   * the answer to the commit was lost
   */
  transaction<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result>;
  /**
   * A connection of its own without a time limit, which is no part of the pool, for what takes long. Behind a pooler each transaction may
   * have another session: locks and settings are those of a transaction (`pg_advisory_xact_lock`, `SET LOCAL`).
   */
  direct<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result>;
  /** Waits a moment for statements under way, then cuts them off. */
  close(): Promise<void>;
}

/**
 * Connects; waits a while for a server that is away.
 * @throws PostgresError when there is none after that, or it cannot be used
 */
export async function openPostgres(options: PostgresOptions): Promise<Postgres> {
  const { log, url, waitMs } = options;
  // Loaded late, because few services have a database.
  const { default: driver } = await import('pg');
  const postgres = new PostgresPool({ ...options, driver });
  try {
    // A pooler that gives each statement another connection refuses a transaction.
    const look = () => postgres.transaction((client) => client.query('SELECT 1'));
    await retryWhileAway(look, { name: url.name, log, waitMs });
    return postgres;
  } catch (error) {
    await postgres.close();
    if (error instanceof PostgresError) throw error;
    const { message } = error as Error;
    const why = `cannot be used (${message}): correct the address of the store, its parameters and the password.`;
    throw new PostgresError(`The database ${url.name} ${why}`, { cause: error });
  }
}

class PostgresPool implements Postgres {
  readonly name: string;
  readonly #addresses: readonly string[];
  readonly #driver: typeof pg;
  readonly #pool: pg.Pool;
  /** Those of the pool, also while they connect. */
  readonly #clients = new Set<pg.Client>();
  /** Those that a pooler answers. */
  readonly #pooled = new WeakSet<pg.ClientBase>();
  readonly #addressOf = new WeakMap<pg.ClientBase, string>();
  /** Which of the addresses takes writes, as far as is known. */
  #at = 0;

  constructor(options: PostgresOptions & { readonly driver: typeof pg }) {
    const { driver, url, log, applicationName, connections = CONNECTIONS } = options;
    this.#driver = driver;
    this.name = url.name;
    this.#addresses = url.addresses;
    const address = () => this.#address;
    const clients = this.#clients;
    const addressOf = this.#addressOf;
    /** Each new connection of the pool goes to the host of that moment. */
    class HostClient extends driver.Client {
      constructor(config: pg.ClientConfig = {}) {
        const connectionString = address();
        super({ ...config, connectionString });
        addressOf.set(this, connectionString);
        // The statement under way rejects too; without a listener the end of the connection would end the process.
        this.on('error', () => {});
        clients.add(this);
        this.once('end', () => clients.delete(this));
      }
    }
    this.#pool = new driver.Pool({
      Client: HostClient,
      application_name: applicationName,
      max: connections,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: ANSWER_MS,
      stream: () => new HostSocket(),
      onConnect: async (client) => {
        if (await this.#check(client)) this.#pooled.add(client);
      },
    });
    // An idle connection that breaks is replaced by the next one that is asked for.
    this.#pool.on('error', (error) => log.debug({ database: this.name, err: error }, 'a connection broke'));
  }

  get #address(): string {
    return this.#addresses[this.#at] as string;
  }

  async query<Row extends pg.QueryResultRow>(statement: Statement): Promise<pg.QueryResult<Row>> {
    return await this.#withClient((client) => client.query<Row>(statement as pg.QueryConfig), {
      mayHaveHappened: true,
    });
  }

  async transaction<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    let isCommitting = false;
    return await this.#withClient(
      async (client) => {
        await client.query('BEGIN');
        let result: Result;
        try {
          result = await work(client);
        } catch (error) {
          if (!isAway(error)) await client.query('ROLLBACK');
          throw error;
        }
        isCommitting = true;
        const { command } = await client.query('COMMIT');
        // What failed inside, though the work caught it, was taken back.
        if (command !== 'COMMIT') throw new Error(`The transaction ended with ${command}: nothing was changed.`);
        return result;
      },
      {
        get mayHaveHappened() {
          return isCommitting;
        },
      },
    );
  }

  async direct<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    let client: pg.Client | undefined;
    try {
      client = await this.#connectDirectly();
      return await work(client);
    } catch (error) {
      throw faultInWords(error, { name: this.name, wasSent: client !== undefined });
    } finally {
      await client?.end().catch(() => {});
    }
  }

  /** A connection beside the pool. */
  async #connectDirectly(): Promise<pg.Client> {
    for (let tries = 1; ; tries++) {
      const client = new this.#driver.Client({
        connectionString: this.#address,
        connectionTimeoutMillis: CONNECT_MS,
        keepAlive: true,
        stream: () => new HostSocket(),
      });
      client.on('error', () => {});
      try {
        await client.connect();
        await this.#check(client);
        return client;
      } catch (error) {
        await client.end().catch(() => {});
        if (!this.#turnsAfter(error, { from: this.#at, tries })) throw error;
      }
    }
  }

  async close(): Promise<void> {
    // Statements that a server which hangs does not answer would hold the end of the process up.
    const cut = setTimeout(() => {
      for (const client of this.#clients) void client.end();
    }, CLOSE_MS);
    await this.#pool.end();
    clearTimeout(cut);
  }

  async #withClient<Result>(
    work: (client: pg.PoolClient) => Promise<Result>,
    about: { readonly mayHaveHappened: boolean },
  ): Promise<Result> {
    const client = await this.#connect();
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      // A connection in doubt is not used again.
      client.release(isAway(error));
      throw faultInWords(error, { name: this.name, wasSent: about.mayHaveHappened });
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    for (let tries = 1; ; tries++) {
      const from = this.#at;
      let client: pg.PoolClient | undefined;
      try {
        client = await this.#pool.connect();
        // The server behind a pooler may have become a standby, whose answers are late, and the connection goes on.
        if (this.#pooled.has(client)) await this.#check(client);
        return client;
      } catch (error) {
        client?.release(true);
        // One of a host that was left before says nothing of the one that is asked now.
        const isLeftOver = client && isAway(error) && this.#addressOf.get(client) !== this.#address;
        if (isLeftOver) tries--;
        else if (!this.#turnsAfter(error, { from, tries }))
          throw faultInWords(error, { name: this.name, wasSent: false });
      }
    }
  }

  /** Whether another host is left to try; turns to it unless somebody else has. */
  #turnsAfter(error: unknown, { from, tries }: { from: number; tries: number }): boolean {
    const isLast = tries >= this.#addresses.length;
    if (!isAway(error) || (error as Error).message.startsWith('timeout exceeded')) return false;
    if (this.#at === from) this.#at = (from + 1) % this.#addresses.length;
    return !isLast;
  }

  /** @returns whether a pooler answers @throws where the server takes no writes (as if it were away), is too old, or cannot hold every character */
  async #check(client: pg.ClientBase): Promise<boolean> {
    // A pooler takes connections for a server that is away, and keeps the first statement waiting.
    const about = { text: ABOUT_SERVER, query_timeout: CONNECT_MS };
    const { rows } = await client.query<Server>(about);
    const [{ version, encoding, readonly, pid }] = rows as [Server];
    if (version < OLDEST_VERSION) {
      throw new PostgresError(
        `The database ${this.name} is PostgreSQL ${Math.floor(version / VERSIONS_PER_MAJOR)}: version 15 or newer is needed.`,
      );
    }
    if (!WHOLE_ENCODINGS.includes(encoding)) {
      throw new PostgresError(
        `The database ${this.name} has the encoding ${encoding}, which lacks most characters: make one with createdb --template template0 --encoding UTF8, and bring what is in this one there with pg_dump and pg_restore.`,
      );
    }
    if (readonly === 'on') {
      const why = 'It takes no writes: it is a standby, or default_transaction_read_only is on.';
      throw Object.assign(new Error(why), { code: TAKES_NO_WRITES });
    }
    // A pooler names a process of its own.
    const isPooled = pid !== (client as unknown as { readonly processID: number }).processID;
    if (isPooled && !this.#pooled.has(client)) prepareNothing(client);
    return isPooled;
  }
}

/** Behind a pooler the next transaction may go to another session, where a statement is not prepared, or another one of its name is. */
function prepareNothing(client: pg.ClientBase): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const unnamed = (asked: unknown) =>
    (asked as Statement).name ? { ...(asked as Statement), name: undefined } : asked;
  client.query = ((asked: unknown, ...rest: unknown[]) => query(unnamed(asked), ...rest)) as typeof client.query;
}
