import type { SpaceStores } from '../domain/space.ts';
import type { Database } from './database.ts';
import { DurationSamples } from './duration-samples.ts';
import { SqliteEventStore } from './event-store.ts';
import { SqliteExpiryStore } from './expiry-store.ts';
import type { SampleMemory } from './sample-memory.ts';
import { SqliteStopwatchStore } from './stopwatch-store.ts';
import { lastEndSequence, SqliteTaskStore } from './task-store.ts';
import { SqliteTransferStore } from './transfer-store.ts';

/** @param memory which the samples of all databases share */
export function sqliteStores(
  { db }: Pick<Database, 'db'>,
  memory: SampleMemory,
): SpaceStores & { history: DurationSamples } {
  const history = new DurationSamples(db, { lastEndSequence: lastEndSequence(db), memory });
  return {
    history,
    events: new SqliteEventStore(db),
    tasks: new SqliteTaskStore(db, history),
    stopwatches: new SqliteStopwatchStore(db),
    transfer: new SqliteTransferStore(db, history),
    expiry: new SqliteExpiryStore(db, history),
  };
}
