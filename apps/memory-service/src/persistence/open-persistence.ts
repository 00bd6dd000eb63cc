import { ConflictError } from '@agent-faculties/service-kit';
import type { PrunedArchive } from '../domain/consolidation/pruning/pruned-archive.ts';
import type { Report, Undoers } from '../domain/consolidation/report.ts';
import type { Night, RunLog } from '../domain/consolidation/run-log.ts';
import type { MemoryHistory } from '../domain/memory/history.ts';
import type { Persistence } from '../domain/memory/persistence.ts';
import type { ReaderProgress } from '../domain/space/stored-space.ts';
import { createVolatileJournal, type Journal } from '../store/changes/journal.ts';

/** What a store is kept by: a data directory, a space of a database, or nothing. */
export interface OpenPersistence {
  readonly journal: Journal;
  readonly persistence: Persistence;
  readonly archive: PrunedArchive | null;
  readonly runLog: RunLog;
  /** The versions, where this is what keeps them; absent: the indexes do. */
  readonly history?: MemoryHistory;
  /** Whether this process is the one that does the jobs of the space. Absent: there is no other. */
  readonly isOwner?: () => Promise<boolean>;
  /** How far readers have come. Absent: no other process goes on reading. */
  readonly readerProgress?: ReaderProgress;
  /** When the space was written to for the first time, epoch milliseconds; null: never before this start. Absent: a save says so. */
  readonly firstWrittenAt?: number | null;
  /** From now on applies what other processes write without being asked. Absent: no other process writes. */
  readonly follow?: () => void;
  /** Does what must not wait for the next start, while the journal still takes changes. Absent: nothing. */
  readonly beforeClose?: () => Promise<void>;
  readonly release: () => Promise<void>;
}

/** For a store that nothing keeps. */
export function volatilePersistence(): OpenPersistence {
  return {
    journal: createVolatileJournal(),
    persistence: NO_PERSISTENCE,
    archive: null,
    runLog: new VolatileRunLog(),
    release: async () => {},
  };
}

const NO_PERSISTENCE: Persistence = {
  save: async () => {
    throw new ConflictError('This server keeps nothing on disk: start it with --data-dir to save.', {
      code: 'no_data_directory',
    });
  },
  isUnsaved: () => false,
  state: () => ({
    dataDir: null,
    lastSavedAt: null,
    unsavedChanges: 0,
    journalBytes: 0,
    refusal: null,
    vectorsIn: 'memory',
  }),
};

class VolatileRunLog implements RunLog {
  last: Report | null = null;
  lastNight: Night | null = null;
  undoers: Undoers | null = null;

  /** Nobody else notes any. */
  async refresh(): Promise<void> {}

  async note(report: Report): Promise<void> {
    this.last = report;
  }

  async noteNight(night: Night): Promise<void> {
    this.lastNight = night;
  }

  async noteUndoers(undoers: Undoers): Promise<void> {
    this.undoers = undoers;
  }
}
