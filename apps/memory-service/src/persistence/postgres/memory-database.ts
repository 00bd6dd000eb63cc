import { fileURLToPath } from 'node:url';
import { migratePostgres, openPostgres, type Postgres, type StoreUrl } from '@agent-faculties/postgres-kit';
import type { Logger } from '@agent-faculties/service-kit';
import { Semaphore } from '../../domain/concurrency/semaphore.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url));
/** How many of the ten connections of a process may load a space at a time. */
const LOADS_AT_ONCE = 4;
/** A schema of its own, so that both services may live in one database. */
const SCHEMA = 'memory';

/** A connection in a transaction. */
export type Client = Parameters<Parameters<Postgres['transaction']>[0]>[0];

/** A database that holds spaces, with what the process lends: both are handed in, so that tests know them. */
export interface MemoryDatabase {
  readonly postgres: Postgres;
  /** A UUID that was never used. */
  readonly newToken: () => string;
  /** Between 0 and 1. */
  readonly random: () => number;
  readonly meters: ReplicaMeters;
  /** For loads, each of which holds a connection until its vectors are there: so some stay for everything else. */
  readonly loads: Semaphore;
}

/** Told what a process meets because others write too. */
export interface ReplicaMeters {
  /** Another process was quicker: a group of changes is checked and sent again. */
  conflict(): void;
  /** A group whose answer was lost is sent again. */
  retried(): void;
  /** A look at the head found so many changes of others that were not applied here. */
  lagged(changes: number): void;
  /** The log does not go on where this process is: the checkpoint is read anew. */
  readAnew(): void;
}

/** For a process that shows no metrics. */
export const NO_METERS: ReplicaMeters = { conflict() {}, retried() {}, lagged() {}, readAnew() {} };

export interface MemoryDatabaseOptions extends Pick<MemoryDatabase, 'newToken' | 'random' | 'meters'> {
  readonly url: StoreUrl;
  readonly log: Logger;
}

/** Connects and makes the tables. @throws PostgresError that says what to do */
export async function openMemoryDatabase({ url, log, ...lent }: MemoryDatabaseOptions): Promise<MemoryDatabase> {
  const postgres = await openPostgres({ url, log, applicationName: 'memory-service' });
  try {
    await migratePostgres(postgres, { schema: SCHEMA, folder: MIGRATIONS, log });
  } catch (error) {
    await postgres.close();
    throw error;
  }
  return { postgres, loads: new Semaphore(LOADS_AT_ONCE), ...lent };
}
