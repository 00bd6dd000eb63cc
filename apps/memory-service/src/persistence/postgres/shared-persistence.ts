import type { Clock } from '@agent-faculties/service-kit';
import type { Persistence, PersistenceState, SaveReport } from '../../domain/memory/persistence.ts';
import { createSnapshots, type StoreContents } from '../snapshot/snapshot.ts';
import { LOG_START } from './change-log.ts';
import type { Checkpoints } from './checkpoints.ts';
import { directoryOf, inFolder } from './passing-folder.ts';
import type { PostgresJournal } from './postgres-journal.ts';

export interface SharedPersistenceOptions {
  readonly clock: Clock;
  /** Of the database, without user and password. */
  readonly name: string;
  readonly journal: PostgresJournal;
  readonly checkpoints: Checkpoints;
  readonly capture: () => StoreContents;
  readonly newId: () => string;
  readonly savedAtMs: number | null;
}

/** Makes checkpoints of a space in a database; its changes are there before they are answered. */
export class SharedPersistence implements Persistence {
  readonly #options: SharedPersistenceOptions;
  #savedAtMs: number | null;
  #settled: Promise<unknown> = Promise.resolve();
  /** A requested save that has not begun; it will hold everything that comes until then. */
  #waiting: Promise<SaveReport> | null = null;

  constructor(options: SharedPersistenceOptions) {
    this.#options = options;
    this.#savedAtMs = options.savedAtMs;
  }

  save(): Promise<SaveReport> {
    if (this.#waiting !== null) return this.#waiting;
    const save = this.#settled.then(() => {
      this.#waiting = null;
      return this.#save();
    });
    this.#waiting = save;
    this.#settled = save.catch(() => {});
    return save;
  }

  async #save(): Promise<SaveReport> {
    const { clock, journal, checkpoints, capture, newId } = this.#options;
    const startedAtMs = clock.now();
    const savedAtMs = Math.floor(startedAtMs);
    await journal.flush();
    journal.lookAgain();
    await journal.catchUp();
    const bytes = await inFolder(async (folder) => {
      let position = LOG_START;
      const captureHere = () => {
        position = journal.position;
        return capture();
      };
      const directory = directoryOf(folder);
      await createSnapshots({ directory, journal, generation: 0, capture: captureHere, keepsVersions: true }).save(
        savedAtMs,
      );
      // A space that nobody has written to has no head that could name a checkpoint.
      return position.sequence === 0 ? 0 : await checkpoints.write(folder, { position, savedAtMs }, newId());
    });
    this.#savedAtMs = startedAtMs;
    journal.lookAgain();
    await journal.catchUp();
    return { bytes, tookMs: Math.max(0, clock.now() - startedAtMs) };
  }

  isUnsaved(): boolean {
    return this.#options.journal.unsaved > 0;
  }

  state(): PersistenceState {
    const { name, journal } = this.#options;
    return {
      dataDir: `postgres://${name}`,
      lastSavedAt: this.#savedAtMs,
      unsavedChanges: journal.unsaved,
      journalBytes: 0,
      refusal: journal.refusal,
    };
  }
}
