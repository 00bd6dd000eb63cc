import { DEFAULT_SPACE } from '@agent-faculties/agent-identity';
import { isDiskFault, type Postgres } from '@agent-faculties/postgres-kit';
import { type Logger, UnavailableError } from '@agent-faculties/service-kit';
import type { Engine, StoreCondition, StoredSpace } from '../../domain/space.ts';
import { SampleMemory } from '../samples/sample-memory.ts';
import { BackgroundIndex, DURATIONS, ENDS } from './background-index.ts';
import { DurationCounts } from './duration-counts.ts';
import { PostgresEventStore } from './event-store.ts';
import { PostgresExpiryStore } from './expiry-store.ts';
import { openMigrated, type PostgresStoreOptions } from './open-migrated.ts';
import { Periods } from './periods.ts';
import { PostgresSamples } from './samples.ts';
import { SpaceDatabase } from './space-database.ts';
import { PostgresStopwatchStore } from './stopwatch-store.ts';
import { TailedFeed } from './tailed-feed.ts';
import { PostgresTaskStore } from './task-store.ts';
import { PostgresTransferStore } from './transfer-store.ts';

/** How often the server is asked whether it is there. */
const LOOK_EVERY_MS = 5_000;

/** The spaces of a database, the default one first. */
export async function spaceNamesOf(postgres: Postgres): Promise<string[]> {
  const text = 'SELECT name FROM timing.space WHERE name <> $1 ORDER BY name';
  const { rows } = await postgres.query<{ name: string }>({ text, values: [DEFAULT_SPACE] });
  return [DEFAULT_SPACE, ...rows.map(({ name }) => name)];
}

interface Limits {
  /** A task type with more ended tasks is held in buckets; absent: a million. */
  readonly mostHeld?: number;
}

/** All spaces in one database, which several replicas share. */
export class PostgresEngine implements Engine {
  readonly home: StoredSpace;
  readonly samples = new SampleMemory();
  readonly durations: BackgroundIndex;
  readonly ends: BackgroundIndex;
  readonly #limits: Limits;
  readonly #postgres: Postgres;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  #fault: UnavailableError | null = null;
  /** Why the disk of the server takes no writes, and where the numbers of all spaces stood at the first look after it. */
  #diskFault: { readonly error: UnavailableError; numbers: number | null } | null = null;

  /** @throws PostgresError when the database cannot be used */
  static async open({ log, mostHeld, ...options }: PostgresStoreOptions & Limits): Promise<PostgresEngine> {
    return new PostgresEngine(await openMigrated({ ...options, log }), log, mostHeld === undefined ? {} : { mostHeld });
  }

  private constructor(postgres: Postgres, log: Logger, limits: Limits) {
    this.#postgres = postgres;
    this.#log = log;
    this.#limits = limits;
    this.durations = new BackgroundIndex(postgres, DURATIONS, log);
    this.ends = new BackgroundIndex(postgres, ENDS, log);
    this.home = this.#stored(DEFAULT_SPACE);
    this.#timer = setInterval(() => void this.look(), LOOK_EVERY_MS).unref();
  }

  placeOf(): string {
    return this.#postgres.name;
  }

  async exists(name: string): Promise<boolean> {
    const { rows } = await this.#postgres.query({ text: 'SELECT 1 FROM timing.space WHERE name = $1', values: [name] });
    return rows.length > 0;
  }

  async names(): Promise<string[]> {
    return await spaceNamesOf(this.#postgres);
  }

  /** It is there from its first number on, so that what is refused makes none. */
  async open(name: string): Promise<StoredSpace> {
    return this.#stored(name);
  }

  /** Nothing is there under its name, until another replica writes it. */
  standIn(name: string): StoredSpace {
    return this.#stored(name);
  }

  async claim(job: string, everyMs: number): Promise<boolean> {
    const { rows } = await this.#postgres.query({
      text: `INSERT INTO timing.job VALUES ($1, now() + $2 * interval '1 ms')
        ON CONFLICT (name) DO UPDATE SET due_at = now() + $2 * interval '1 ms' WHERE job.due_at <= now() RETURNING name`,
      values: [job, everyMs],
    });
    return rows.length > 0;
  }

  async turnPeriods(options: { nowMs: number; retentionMs: number }): Promise<{ events: number; tasks: number }> {
    return await new Periods(this.#postgres, this.#log).turn(options);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#postgres.close();
  }

  /** Asks the server whether it is there, and after a full disk whether any replica has written since. */
  async look(): Promise<void> {
    try {
      const text = 'SELECT coalesce(sum(head), 0)::float8 AS numbers FROM timing.space';
      const { rows } = await this.#postgres.query<{ numbers: number }>({ text });
      const [{ numbers }] = rows as [{ numbers: number }];
      this.#fault = null;
      if (!this.#diskFault) return;
      this.#diskFault.numbers ??= numbers;
      if (numbers > this.#diskFault.numbers) this.#diskFault = null;
    } catch (error) {
      this.#fault =
        error instanceof UnavailableError
          ? error
          : new UnavailableError('The database cannot be used.', { code: 'storage_unavailable', cause: error });
    }
  }

  #noteDiskFault(error: unknown): void {
    if (error instanceof UnavailableError && isDiskFault(error)) this.#diskFault = { error, numbers: null };
  }

  #stored(name: string): StoredSpace {
    const space = new SpaceDatabase(this.#postgres, name, (error) => this.#noteDiskFault(error));
    const counts = new DurationCounts(space, { index: this.durations, log: this.#log });
    const history = new PostgresSamples(space, { memory: this.samples, counts, ...this.#limits });
    return {
      stores: {
        history,
        events: new PostgresEventStore(space),
        tasks: new PostgresTaskStore(space, this.ends),
        stopwatches: new PostgresStopwatchStore(space),
        transfer: new PostgresTransferStore(space),
        expiry: new PostgresExpiryStore(space),
      },
      feed: new TailedFeed(space, (err) =>
        this.#log.warn({ err, space: name }, 'what others wrote cannot be read now'),
      ),
      condition: this.#condition(),
      samplesHeld: () => history.held,
      close: () => history.dropAll(),
    };
  }

  #condition(): StoreCondition {
    return {
      check: () => {
        if (this.#fault) throw this.#fault;
      },
      refusal: () => this.#fault ?? this.#diskFault?.error ?? null,
      damage: () => null,
      onDamage: () => {},
      // The server knows.
      sizes: () => ({ file: Number.NaN, log: Number.NaN }),
      warnings: [],
    };
  }
}
