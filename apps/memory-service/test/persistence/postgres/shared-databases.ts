import { parseStoreUrl } from '@agent-faculties/postgres-kit';
import { type Clock, createLog } from '@agent-faculties/service-kit';
import { openTestDatabases, type TestDatabases } from '@agent-faculties/testing';
import { afterAll, beforeAll } from '@jest/globals';
import { Checkpoints } from '../../../src/persistence/postgres/checkpoint/checkpoints.ts';
import { reconcileWithCheckpoint } from '../../../src/persistence/postgres/checkpoint/load-checkpoint.ts';
import { ChangeLog, LOG_START } from '../../../src/persistence/postgres/log/change-log.ts';
import {
  PostgresJournal,
  type PostgresJournalOptions,
} from '../../../src/persistence/postgres/log/postgres-journal.ts';
import {
  type MemoryDatabase,
  NO_METERS,
  openMemoryDatabase,
} from '../../../src/persistence/postgres/memory-database.ts';
import { preparedChange } from '../../../src/store/changes/prepared-change.ts';
import { MemoryIndexes } from '../../../src/store/indexes/memory-indexes.ts';
import { JournalledStore } from '../../../src/store/journalled-store.ts';

export interface Replica {
  readonly indexes: MemoryIndexes;
  readonly journal: PostgresJournal;
  readonly store: JournalledStore;
}

/** A real database for one test file, with spaces in it. */
export interface SharedDatabases {
  /** The one that is made before the first test. */
  database(): MemoryDatabase;
  url(): string;
  /** A name that no other has. */
  readonly newSpace: () => string;
  /** What a process holds of a space, without vectors. */
  readonly replica: (space: string, options: { clock: Clock } & Partial<PostgresJournalOptions>) => Replica;
}

const log = createLog({ name: 'test', level: 'silent' });

/**
 * Registers the start of a server before the tests of a file and its end after them.
 * @param options.hasVectors whether its databases have the extension pgvector
 */
export function sharedDatabases({ hasVectors = false } = {}): SharedDatabases {
  let databases: TestDatabases | undefined;
  let url = '';
  let database: MemoryDatabase | undefined;
  let count = 0;
  const opened: Replica[] = [];
  const newToken = () => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`;
  beforeAll(async () => {
    databases = await openTestDatabases({ hasVectors });
    url = await databases.create();
    database = await openMemoryDatabase({
      url: parseStoreUrl(url),
      log,
      newToken,
      random: () => 0.5,
      meters: NO_METERS,
    });
    if (hasVectors) await database.postgres.query({ text: 'CREATE EXTENSION vector' });
  });
  afterAll(async () => {
    await Promise.all(opened.map(({ journal }) => journal.close()));
    await database?.postgres.close();
    await databases?.close();
  });
  return {
    database: () => database as MemoryDatabase,
    url: () => url,
    newSpace: () => `space-${++count}`,
    replica: (space, { clock, ...options }) => {
      const { postgres, ...lent } = database as MemoryDatabase;
      const indexes = new MemoryIndexes({ vectors: null });
      const journal = new PostgresJournal({
        log: new ChangeLog({ postgres, space }),
        position: LOG_START,
        model: null,
        keptMs: 0,
        clock,
        prepare: (change) => preparedChange(indexes, change),
        ...lent,
        readAnew: async () => {
          const checkpoints = new Checkpoints({ postgres, space });
          const checkpoint = await reconcileWithCheckpoint({
            database: database as MemoryDatabase,
            checkpoints,
            indexes,
            model: null,
            log,
          });
          return checkpoint?.position ?? LOG_START;
        },
        ...options,
      });
      const replica = { indexes, journal, store: new JournalledStore({ indexes, journal, clock }) };
      opened.push(replica);
      return replica;
    },
  };
}
