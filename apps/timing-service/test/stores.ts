import { ManualClock, timeOrderedIds } from '@agent-faculties/service-kit';
import { ChangeFeed } from '../src/domain/change-feed.ts';
import type { RecordDeps } from '../src/domain/record.ts';
import { openDatabase } from '../src/storage/sqlite/database.ts';
import { SqliteEventStore } from '../src/storage/sqlite/event-store.ts';
import { SqliteExpiryStore } from '../src/storage/sqlite/expiry-store.ts';
import { SqliteSamples } from '../src/storage/sqlite/samples.ts';
import { SqliteStopwatchStore } from '../src/storage/sqlite/stopwatch-store.ts';
import { lastEndSequence, SqliteTaskStore } from '../src/storage/sqlite/task-store.ts';
import { SqliteTransferStore } from '../src/storage/sqlite/transfer-store.ts';
import { STARTED_MS } from './domain/sample-task.ts';

/** Every store over one SQLite database in memory, and a clock that stands at STARTED_MS until it is moved. */
export function openStores() {
  const database = openDatabase({ path: ':memory:', synchronous: 'normal' });
  const { db } = database;
  const clock = new ManualClock(STARTED_MS);
  const history = new SqliteSamples(db, { lastEndSequence: lastEndSequence(db) });
  const feed = new ChangeFeed();
  const events = new SqliteEventStore(db);
  const tasks = new SqliteTaskStore(db, history);
  const record: RecordDeps = { clock, ids: timeOrderedIds(clock), events, tasks, feed };
  return {
    database,
    clock,
    history,
    feed,
    events,
    tasks,
    record,
    stopwatches: new SqliteStopwatchStore(db),
    expiry: new SqliteExpiryStore(db, history),
    transfer: new SqliteTransferStore(db, history),
    /** Rows of a table. */
    count: (table: 'events' | 'tasks' | 'stopwatches' | 'agents' | 'task_types'): number =>
      (db.$client.prepare(`SELECT count(*) AS rows FROM ${table}`).get() as { rows: number }).rows,
    close: () => database.close(),
  };
}

export type Stores = ReturnType<typeof openStores>;
