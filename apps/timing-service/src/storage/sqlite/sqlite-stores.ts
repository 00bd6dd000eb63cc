import type { SpaceStores } from '../../domain/space.ts';
import type { SampleMemory } from '../samples/sample-memory.ts';
import type { Database } from './database.ts';
import { SqliteEventStore } from './event-store.ts';
import { SqliteExpiryStore } from './expiry-store.ts';
import { SqliteSamples } from './samples.ts';
import { SqliteStopwatchStore } from './stopwatch-store.ts';
import { lastEndSequence, SqliteTaskStore } from './task-store.ts';
import { SqliteTransferStore } from './transfer-store.ts';

/** @param memory which the samples of all databases share */
export function sqliteStores(
  { db }: Pick<Database, 'db'>,
  memory: SampleMemory,
): SpaceStores & { history: SqliteSamples } {
  const history = new SqliteSamples(db, { lastEndSequence: lastEndSequence(db), memory });
  return {
    history,
    events: new SqliteEventStore(db),
    tasks: new SqliteTaskStore(db, history),
    stopwatches: new SqliteStopwatchStore(db),
    transfer: new SqliteTransferStore(db, history),
    expiry: new SqliteExpiryStore(db, history),
  };
}
