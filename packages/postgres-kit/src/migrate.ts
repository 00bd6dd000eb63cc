import type { Logger } from '@agent-faculties/service-kit';
import type { Postgres } from './postgres.ts';
import { retryWhileAway } from './retry-while-away.ts';

/** The table in the schema of the service that says which migrations were made. */
const MIGRATIONS_TABLE = 'migrations';

/**
 * Brings the tables of a service up to date. Replicas that start together wait for each other.
 * @param schema of PostgreSQL, which is made: both services may live in one database
 * @param folder what drizzle-kit generated
 */
export async function migratePostgres(
  postgres: Postgres,
  { schema, folder, log }: { schema: string; folder: string; log: Logger },
): Promise<void> {
  // Loaded late, because few services have a database.
  const { drizzle } = await import('drizzle-orm/node-postgres');
  const { migrate } = await import('drizzle-orm/node-postgres/migrator');
  const bringUpToDate = () =>
    postgres.direct(async (client) => {
      // drizzle's own migration takes no lock. This one ends with the transaction: behind a pooler one of the session would stay.
      await client.query('BEGIN');
      await client.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [`migrations of ${schema}`]);
      // Its BEGIN does nothing within a transaction, and its COMMIT is that of both.
      const options = { migrationsFolder: folder, migrationsSchema: schema, migrationsTable: MIGRATIONS_TABLE };
      await migrate(drizzle(client), options).catch((error: Error) => {
        // Drizzle's own says which statement failed, and not why.
        throw error.cause ?? error;
      });
    });
  await retryWhileAway(bringUpToDate, { name: postgres.name, log });
}
