import { openPostgres, type Postgres, parseStoreUrl } from '@agent-faculties/postgres-kit';
import { createLog } from '@agent-faculties/service-kit';
import { openTestDatabases } from '@agent-faculties/testing';
import { PostgresEngine } from '../../../src/storage/postgres/postgres-engine.ts';

/** An engine over a database of its own, and a connection beside it. */
export interface TimingDatabase {
  readonly engine: PostgresEngine;
  readonly postgres: Postgres;
  close(): Promise<void>;
}

export async function openTimingDatabase(): Promise<TimingDatabase> {
  const databases = await openTestDatabases();
  const log = createLog({ name: 'test', level: 'silent' });
  const url = parseStoreUrl(await databases.create());
  const engine = await PostgresEngine.open({ url, log, waitMs: 0 });
  const postgres = await openPostgres({ url, log, applicationName: 'test', waitMs: 0 });
  return {
    engine,
    postgres,
    close: async () => {
      await postgres.close();
      await engine.close();
      await databases.close();
    },
  };
}
