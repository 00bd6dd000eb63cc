import type { Clock } from '@agent-faculties/service-kit';
import type { Persistence, PersistenceState, SaveReport } from '../../domain/memory/persistence.ts';
import { type StoreContents, writePassingFiles } from '../snapshot/snapshot.ts';
import type { Checkpoints } from './checkpoints.ts';
import { inFolder } from './passing-folder.ts';
import type { PostgresJournal } from './postgres-journal.ts';

export interface SharedPersistenceOptions {
  readonly clock: Clock;
  /** Of the database, without user and password. */
  readonly name: string;
  readonly journal: PostgresJournal;
  readonly checkpoints: Checkpoints;
  /** Resolves when there is nothing that is still being loaded. */
  readonly whole: () => Promise<void>;
  readonly capture: () => StoreContents;
  readonly newId: () => string;
  readonly savedAtMs: number | null;
}

/** Makes checkpoints of a space in a database; its changes are there before they are answered. */
export class SharedPersistence implements Persistence {
  readonly followsDeletes = true;
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
    const { clock, journal, checkpoints, whole, capture, newId } = this.#options;
    await whole();
    const startedAtMs = clock.now();
    const savedAtMs = Math.floor(startedAtMs);
    await journal.flush();
    journal.lookAgain();
    await journal.catchUp();
    const { captured } = await journal.cut(() => ({ position: journal.position, contents: capture() }));
    const { position, contents } = captured;
    // A space that nobody has written to has no head that could name a checkpoint.
    const isWritten = position.sequence > 0;
    const bytes = isWritten
      ? await inFolder(async (folder) => {
          await writePassingFiles(folder, { sequence: position.sequence, savedAtMs }, contents);
          return await checkpoints.write(folder, { position, savedAtMs }, newId());
        })
      : 0;
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
