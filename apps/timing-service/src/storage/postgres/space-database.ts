import { AnswerLostError, type Postgres, pauseWithJitter, type Statement } from '@agent-faculties/postgres-kit';
import { TurnQueue } from '@agent-faculties/service-kit';
import type { Change } from '../../domain/change-feed.ts';

/** Deadlock, and a serialization that failed: nothing was changed. */
const SERIALIZATION = new Set(['40P01', '40001']);
const TRIES = 6;
/** Notices are kept for so many numbers: whoever comes back to a stream after more reloads everything. */
const NOTICES_KEPT = 20_000;

type Client = Pick<Parameters<Parameters<Postgres['transaction']>[0]>[0], 'query'>;

/** What happened to one space in the database. */
export class SpaceDatabase {
  readonly postgres: Postgres;
  readonly name: string;
  readonly #failed: (error: unknown) => void;
  readonly #longReadings = new TurnQueue();

  /** @param failed told of each error of a statement or transaction */
  constructor(postgres: Postgres, name: string, failed: (error: unknown) => void = () => {}) {
    this.postgres = postgres;
    this.name = name;
    this.#failed = failed;
  }

  /** Rows of one statement, whose first value is the space; again where it met another transaction, as `transaction` does. */
  async rows<Row extends object>(text: string, values: readonly unknown[] = [], name?: string): Promise<Row[]> {
    const statement: Statement = { text, values: [this.name, ...values], ...(name !== undefined && { name }) };
    const { rows } = await this.#again(() => this.postgres.query<Row & Record<string, unknown>>(statement));
    return rows;
  }

  async row<Row extends object>(text: string, values: readonly unknown[] = [], name?: string): Promise<Row | null> {
    return (await this.rows<Row>(text, values, name))[0] ?? null;
  }

  /** A transaction, again where it met another one. */
  async transaction<Result>(work: (space: SpaceTransaction) => Promise<Result>): Promise<Result> {
    return await this.#again(() =>
      this.postgres.transaction((client) => work(new SpaceTransaction(client, this.name))),
    );
  }

  async #again<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await again(work);
    } catch (error) {
      this.#failed(error);
      throw error;
    }
  }

  /** Reads of one moment, which may take minutes: one at a time, however many ask, because each has a connection of its own. */
  async longReading<Result>(work: (space: SpaceTransaction) => Promise<Result>): Promise<Result> {
    const reading = () =>
      this.postgres.direct(async (client) => {
        // Ends with the connection.
        await client.query('BEGIN');
        const space = new SpaceTransaction(client, this.name);
        await space.asOfOneMoment();
        return await work(space);
      });
    return await this.#longReadings.run(reading);
  }
}

/** In a transaction. Lock rows of tasks before the numbers are taken: everybody does so in this order, and nobody waits in a circle. */
export class SpaceTransaction {
  readonly #client: Client;
  readonly #space: string;

  constructor(client: Client, space: string) {
    this.#client = client;
    this.#space = space;
  }

  async rows<Row extends object>(text: string, values: readonly unknown[] = [], name?: string): Promise<Row[]> {
    const statement = { text, values: [this.#space, ...values], ...(name !== undefined && { name }) };
    const { rows } = await this.#client.query<Row & Record<string, unknown>>(statement);
    return rows;
  }

  /** As the first statement: whatever is read is of one moment, and nothing is written. */
  async asOfOneMoment(): Promise<void> {
    await this.#client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
  }

  /** Takes the next numbers. @returns the last of them */
  async takeNumbers(count: number): Promise<number> {
    const [row] = await this.rows<{ head: number }>(
      `INSERT INTO timing.space AS here (name, head) VALUES ($1, $2)
       ON CONFLICT (name) DO UPDATE SET head = here.head + $2 RETURNING head::float8 AS head`,
      [count],
    );
    return (row as { head: number }).head;
  }

  /** After a deletion: takes a number, from which every replica reads its samples anew. */
  async dropSamples(): Promise<void> {
    await this.rows('UPDATE timing.space SET head = head + 1, dropped = head + 1 WHERE name = $1');
  }

  async tell(number: number, changes: readonly Change[]): Promise<void> {
    await this.rows(
      `WITH old AS (DELETE FROM timing.notice WHERE space = $1 AND number < $2::bigint - ${NOTICES_KEPT})
       INSERT INTO timing.notice (space, number, change) VALUES ($1, $2::bigint, $3)`,
      [number, JSON.stringify(changes)],
    );
  }
}

/** Runs it again where the database took it back because of another transaction. */
async function again<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      // The driver's own error, or in words for the client with it as their cause.
      const { code } = ((error as Error).cause ?? error) as { code?: unknown };
      if (!SERIALIZATION.has(String(code)) || tries === TRIES) throw error;
      await pauseWithJitter(tries, Math.random);
    }
  }
}

/**
 * Where the answer to a write was lost, the database is asked what happened; the write is never sent again.
 * @param look null when it did not happen
 */
export async function orLook<Result>(
  write: () => Promise<Result>,
  look: () => Promise<Result | null>,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof AnswerLostError)) throw error;
    const found = await look().catch(() => null);
    if (found === null) throw error;
    return found;
  }
}
