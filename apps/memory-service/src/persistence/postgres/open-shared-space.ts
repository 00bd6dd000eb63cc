import type { Logger } from '@agent-faculties/service-kit';
import type { VectorModel } from '../../domain/embedding/vector-model.ts';
import type { MemoryIndexes } from '../../store/memory-indexes.ts';
import { preparedChange } from '../../store/prepared-change.ts';
import { VolatileRunLog } from '../run-log-file.ts';
import type { OpenPersistence } from '../store-persistence.ts';
import { ChangeLog, LOG_START } from './change-log.ts';
import type { MemoryDatabase } from './memory-database.ts';
import { PostgresJournal } from './postgres-journal.ts';

/** How often a process with listeners looks for what others have written. */
const FOLLOW_MS = 250;

/** A space that several processes may have open at once. */
export interface SharedSpace {
  readonly database: MemoryDatabase;
  readonly space: string;
  /** Called once when what this process holds of the space is stale for good: it has to be opened anew. */
  readonly onStale: () => void;
}

export interface SharedSpaceOptions extends SharedSpace {
  /** Empty. */
  readonly indexes: MemoryIndexes;
  readonly model: VectorModel | null;
  readonly log: Logger;
}

/** Reads the log of a space into the indexes, and keeps them up to date from then on. */
export async function openSharedSpace(options: SharedSpaceOptions): Promise<OpenPersistence> {
  const { database, space, indexes, model, log, onStale } = options;
  const { postgres, newToken, random } = database;
  const journal = new PostgresJournal({
    log: new ChangeLog({ postgres, space }),
    position: LOG_START,
    model,
    prepare: (change) => preparedChange(indexes, change),
    newToken,
    random,
    onFork: ({ message }) => {
      log.error({ space, database: postgres.name }, message);
      onStale();
    },
  });
  await journal.catchUp();
  log.info({ space, memories: indexes.records.size, changes: journal.sequence, database: postgres.name }, 'loaded');
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    // What fails here is asked for again, and the next request says why.
    journal.catchUp().then(next, next);
  };
  const next = () => {
    if (!isReleased) timer = setTimeout(look, FOLLOW_MS).unref();
  };
  let isReleased = false;
  return {
    journal,
    persistence: {
      // All else is in the database before it is answered.
      save: async () => {
        await journal.flush();
        return { bytes: 0, tookMs: 0 };
      },
      isUnsaved: () => false,
      state: () => ({
        dataDir: `postgres://${postgres.name}`,
        lastSavedAt: null,
        unsavedChanges: 0,
        journalBytes: 0,
        refusal: journal.refusal,
      }),
    },
    archive: null,
    runLog: new VolatileRunLog(),
    follow: () => {
      if (!timer) next();
    },
    release: async () => {
      isReleased = true;
      clearTimeout(timer);
    },
  };
}
