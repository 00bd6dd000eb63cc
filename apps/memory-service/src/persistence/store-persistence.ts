import { type Clock, ConflictError, UnavailableError } from '@agent-faculties/service-kit';
import type { PrunedArchive } from '../domain/consolidation/pruning/pruned-archive.ts';
import type { RunLog } from '../domain/consolidation/run-log.ts';
import type { MemoryHistory } from '../domain/memory/history.ts';
import type { Persistence, PersistenceState, SaveReport } from '../domain/memory/persistence.ts';
import type { ReaderProgress } from '../domain/space/stored-space.ts';
import type { Journal } from '../store/journal.ts';
import type { DataDirectory } from './data-directory.ts';
import type { Snapshots } from './snapshot/snapshot.ts';

/** What a store is kept by. */
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
  /** Does what must not wait for the next start. Absent: nothing. */
  readonly beforeClose?: () => Promise<void>;
  readonly release: () => Promise<void>;
}

/** For a service without a data directory. */
export const NO_PERSISTENCE: Persistence = {
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

export interface StorePersistenceOptions {
  readonly clock: Clock;
  readonly journal: Journal;
  readonly snapshots: Snapshots;
  readonly directory: Pick<DataDirectory, 'path' | 'refusal'>;
  readonly savedAtMs: number | null;
  /** How many changes the start found in the journal. */
  readonly replayed: number;
  /** Grows with every change, also with one that the journal does not hold. */
  readonly revision: () => number;
}

/** Saves a store with a data directory. */
export class StorePersistence implements Persistence {
  readonly #options: StorePersistenceOptions;
  #savedAtMs: number | null;
  #savedSequence: number;
  #savedRevision: number | null;
  #refusal: string | null = null;

  constructor(options: StorePersistenceOptions) {
    this.#options = options;
    this.#savedAtMs = options.savedAtMs;
    this.#savedSequence = options.journal.sequence - options.replayed;
    this.#savedRevision = options.replayed === 0 ? options.revision() : null;
  }

  async save(): Promise<SaveReport> {
    const { clock, revision } = this.#options;
    const startedAtMs = clock.now();
    const savedRevision = revision();
    const { bytes, sequence } = await this.#saved(Math.floor(startedAtMs));
    this.#savedAtMs = startedAtMs;
    this.#savedRevision = savedRevision;
    this.#savedSequence = Math.max(this.#savedSequence, sequence);
    return { bytes, tookMs: Math.max(0, clock.now() - startedAtMs) };
  }

  async #saved(atMs: number): ReturnType<Snapshots['save']> {
    try {
      const saved = await this.#options.snapshots.save(atMs);
      this.#refusal = null;
      return saved;
    } catch (error) {
      // Without the lock, the directory refuses, and says why.
      if (error instanceof UnavailableError && this.#options.directory.refusal === null) this.#refusal = error.message;
      throw error;
    }
  }

  isUnsaved(): boolean {
    return this.#options.revision() !== this.#savedRevision;
  }

  state(): PersistenceState {
    const { directory, journal } = this.#options;
    return {
      dataDir: directory.path,
      lastSavedAt: this.#savedAtMs,
      unsavedChanges: journal.sequence - this.#savedSequence,
      journalBytes: journal.bytes,
      refusal: directory.refusal ?? journal.refusal ?? this.#refusal,
      vectorsIn: 'memory',
    };
  }
}
