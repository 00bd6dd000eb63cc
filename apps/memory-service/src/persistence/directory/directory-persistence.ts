import { type Clock, UnavailableError } from '@agent-faculties/service-kit';
import type { Persistence, PersistenceState, SaveReport } from '../../domain/memory/persistence.ts';
import type { Journal } from '../../store/changes/journal.ts';
import type { Snapshots } from '../snapshot/snapshot.ts';
import type { DataDirectory } from './data-directory.ts';

export interface DirectoryPersistenceOptions {
  readonly clock: Clock;
  readonly journal: Journal;
  readonly snapshots: Pick<Snapshots, 'save'>;
  readonly directory: Pick<DataDirectory, 'path' | 'refusal'>;
  readonly savedAtMs: number | null;
  /** How many changes the start found in the journal. */
  readonly replayed: number;
  /** Grows with every change, also with one that the journal does not hold. */
  readonly revision: () => number;
}

/** Saves a store with a data directory. */
export class DirectoryPersistence implements Persistence {
  readonly #options: DirectoryPersistenceOptions;
  #savedAtMs: number | null;
  #savedSequence: number;
  #savedRevision: number | null;
  #refusal: string | null = null;

  constructor(options: DirectoryPersistenceOptions) {
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
