import { fileURLToPath } from 'node:url';
import { migratePostgres, openPostgres, type Postgres, type StoreUrl } from '@agent-faculties/postgres-kit';
import type { Logger } from '@agent-faculties/service-kit';

const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url));
/** Of PostgreSQL, so that both services may live in one database. */
const SCHEMA = 'memory';

/** A database that holds spaces, with what the process lends: both are handed in, so that tests know them. */
export interface MemoryDatabase {
  readonly postgres: Postgres;
  /** A UUID that was never used. */
  readonly newToken: () => string;
  /** Between 0 and 1. */
  readonly random: () => number;
}

export interface MemoryDatabaseOptions extends Pick<MemoryDatabase, 'newToken' | 'random'> {
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
  return { postgres, ...lent };
}
