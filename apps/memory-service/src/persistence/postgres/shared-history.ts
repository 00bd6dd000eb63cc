import type { MemoryHistory } from '../../domain/memory/history.ts';
import type { MemoryIndexes } from '../../store/indexes/memory-indexes.ts';
import type { PostgresJournal } from './log/postgres-journal.ts';

/** The versions of a space that several processes change: up to date when they are asked for, and erased at all of them. */
export function sharedHistory({ versions }: MemoryIndexes, journal: PostgresJournal): MemoryHistory {
  return {
    keptMs: versions.keptMs,
    versionsOf: async (id) => {
      await journal.catchUp();
      return await versions.versionsOf(id);
    },
    versionsOfRun: async function* (run) {
      await journal.catchUp();
      yield* versions.versionsOfRun(run);
    },
    scan: async function* () {
      await journal.catchUp();
      yield* versions.scan();
    },
    erase: async (ids) => {
      if (ids.length > 0) await journal.append({ op: 'erased', ids }, () => versions.drop(ids));
    },
    expire: (nowMs) => versions.expire(nowMs),
  };
}
