import { type Clock, ConflictError } from '@agent-faculties/service-kit';
import type { Persistence, PersistenceState, SaveReport } from '../domain/persistence.ts';
import type { Journal } from './journal.ts';
import type { Snapshots } from './snapshot.ts';

/** For a service without a data directory. */
export const NO_PERSISTENCE: Persistence = {
  save: async () => {
    throw new ConflictError('This server keeps nothing on disk: start it with --data-dir to save.', {
      code: 'no_data_directory',
    });
  },
  isUnsaved: () => false,
  state: () => ({ dataDir: null, lastSavedAt: null, unsavedChanges: 0, journalBytes: 0 }),
};

export interface StorePersistenceOptions {
  readonly clock: Clock;
  readonly journal: Journal;
  readonly snapshots: Snapshots;
  readonly dataDir: string;
  readonly savedAtMs: number | null;
  /** Changes that the start found in the journal. */
  readonly replayed: number;
  /** Grows with every change, those that the journal does not hold among them. */
  readonly revision: () => number;
}

/** Saves a store with a data directory. */
export class StorePersistence implements Persistence {
  readonly #options: StorePersistenceOptions;
  #savedAtMs: number | null;
  #savedSequence: number;
  #savedRevision: number | null;

  constructor(options: StorePersistenceOptions) {
    this.#options = options;
    this.#savedAtMs = options.savedAtMs;
    this.#savedSequence = options.journal.sequence - options.replayed;
    this.#savedRevision = options.replayed === 0 ? options.revision() : null;
  }

  async save(): Promise<SaveReport> {
    const { clock, snapshots, revision } = this.#options;
    const startedAtMs = clock.now();
    const savedRevision = revision();
    const { bytes, sequence } = await snapshots.save(Math.floor(startedAtMs));
    this.#savedAtMs = startedAtMs;
    this.#savedRevision = savedRevision;
    this.#savedSequence = Math.max(this.#savedSequence, sequence);
    return { bytes, tookMs: Math.max(0, clock.now() - startedAtMs) };
  }

  isUnsaved(): boolean {
    return this.#options.revision() !== this.#savedRevision;
  }

  state(): PersistenceState {
    const { dataDir, journal } = this.#options;
    return {
      dataDir,
      lastSavedAt: this.#savedAtMs,
      unsavedChanges: journal.sequence - this.#savedSequence,
      journalBytes: journal.bytes,
    };
  }
}
