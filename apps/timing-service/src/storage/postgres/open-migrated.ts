import { fileURLToPath } from 'node:url';
import { migratePostgres, openPostgres, type Postgres, type StoreUrl } from '@agent-faculties/postgres-kit';
import type { Logger } from '@agent-faculties/service-kit';

const SCHEMA = 'timing';
const MIGRATIONS = fileURLToPath(new URL('../../../migrations-postgres', import.meta.url));

export interface PostgresStoreOptions {
  readonly url: StoreUrl;
  readonly log: Logger;
  /** How long the start waits for a server that is away, milliseconds; absent: 30 s. */
  readonly waitMs?: number;
}

/** Connects, and brings the tables up to date. @throws PostgresError when the database cannot be used */
export async function openMigrated(options: PostgresStoreOptions): Promise<Postgres> {
  const postgres = await openPostgres({ ...options, applicationName: 'timing-service' });
  try {
    await migratePostgres(postgres, { schema: SCHEMA, folder: MIGRATIONS, log: options.log });
    return postgres;
  } catch (error) {
    await postgres.close();
    throw error;
  }
}
