import { parseStoreUrl } from '@agent-faculties/postgres-kit';
import { createLog, DAY_MS } from '@agent-faculties/service-kit';
import { hasPostgres, openTestDatabases } from '@agent-faculties/testing';
import { afterAll, beforeAll, describe } from '@jest/globals';
import type { Engine } from '../../src/domain/space.ts';
import { PostgresEngine } from '../../src/storage/postgres/postgres-engine.ts';
import { SqliteEngine } from '../../src/storage/sqlite/sqlite-engine.ts';
import { STARTED_MS } from '../domain/sample-task.ts';
import { contractStores, type OpenStores } from './store-contract/contract-stores.ts';
import { eventStoreContract } from './store-contract/event-store.ts';
import { expiryStoreContract } from './store-contract/expiry-store.ts';
import { naiveTwinContract } from './store-contract/naive-twin.ts';
import { raceContract } from './store-contract/races.ts';
import { stopwatchStoreContract } from './store-contract/stopwatch-store.ts';
import { taskStoreContract } from './store-contract/task-store.ts';
import { transferStoreContract } from './store-contract/transfer-store.ts';

const silent = createLog({ name: 'test', level: 'silent' });

/** Room around the instant at which the clocks of the tests stand. */
const PERIODS = { nowMs: STARTED_MS, retentionMs: DAY_MS };

interface Opened {
  /** Replicas over one database; where one process has it, the same one twice. */
  readonly replicas: readonly [Engine, Engine];
  close(): Promise<void>;
}

async function openSqlite(): Promise<Opened> {
  const engine = new SqliteEngine({ path: ':memory:', synchronous: 'normal' });
  return { replicas: [engine, engine], close: async () => engine.home.close() };
}

async function openPostgres({ hasPeriods = false } = {}): Promise<Opened> {
  const databases = await openTestDatabases();
  const url = parseStoreUrl(await databases.create());
  const replica = () => PostgresEngine.open({ url, log: silent, waitMs: 0 });
  const replicas = [await replica(), await replica()] as const;
  if (hasPeriods) await replicas[0].turnPeriods(PERIODS);
  return {
    replicas,
    close: async () => {
      for (const each of replicas) await each.close();
      await databases.close();
    },
  };
}

const ENGINES = {
  SQLite: openSqlite,
  ...(hasPostgres() && {
    PostgreSQL: () => openPostgres(),
    'PostgreSQL in periods': () => openPostgres({ hasPeriods: true }),
  }),
};

describe.each(Object.entries(ENGINES))('on %s', (name, openEngine) => {
  // What is in a period is deleted with it.
  const deletesAtOnce = name !== 'PostgreSQL in periods';
  let opened: Opened;
  let openSpace: OpenStores;
  beforeAll(async () => {
    opened = await openEngine();
    openSpace = contractStores(opened.replicas);
  });
  afterAll(() => opened.close());

  const open: OpenStores = () => openSpace();
  describe('events', () => eventStoreContract(open));
  describe('tasks', () => taskStoreContract(open));
  describe('stopwatches', () => stopwatchStoreContract(open));
  describe('transfer', () => transferStoreContract(open));
  if (deletesAtOnce) describe('expiry', () => expiryStoreContract(open));
  describe('races', () => raceContract(open, { deletesAtOnce }));
  describe('all of them', () => naiveTwinContract(open, { deletesAtOnce }));
});
