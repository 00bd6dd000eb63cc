import type { Clock } from '@agent-faculties/service-kit';
import type { Persistence, PersistenceState, SaveReport } from '../../domain/memory/persistence.ts';
import { SavesInTurn } from '../saves-in-turn.ts';
import { type StoreContents, writePassingFiles } from '../snapshot/snapshot.ts';
import type { Checkpoints } from './checkpoint/checkpoints.ts';
import { inFolder } from './checkpoint/passing-folder.ts';
import type { PostgresJournal } from './log/postgres-journal.ts';
import { type SharedVectors, TableGoneError } from './vectors/shared-vectors.ts';

/** How often a save is made anew because another process has moved the vectors. */
const ATTEMPTS = 3;

export interface SharedPersistenceOptions {
  readonly clock: Clock;
  /** Of the database, without user and password. */
  readonly name: string;
  readonly journal: PostgresJournal;
  readonly checkpoints: Checkpoints;
  /** Resolves when there is nothing that is still being loaded. */
  readonly whole: () => Promise<void>;
  readonly capture: () => StoreContents;
  readonly vectors: Pick<SharedVectors, 'areElsewhere' | 'begin' | 'settled'>;
  readonly newId: () => string;
  readonly savedAtMs: number | null;
}

/** Makes checkpoints of a space in a database; its changes are there before they are answered. */
export class SharedPersistence implements Persistence {
  readonly followsDeletes = true;
  readonly #options: SharedPersistenceOptions;
  readonly #saves = new SavesInTurn<SaveReport>();
  #savedAtMs: number | null;

  constructor(options: SharedPersistenceOptions) {
    this.#options = options;
    this.#savedAtMs = options.savedAtMs;
  }

  save(): Promise<SaveReport> {
    return this.#saves.next(() => this.#saveWithVectors());
  }

  async #saveWithVectors(): Promise<SaveReport> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#save();
      } catch (error) {
        if (!(error instanceof TableGoneError) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  async #save(): Promise<SaveReport> {
    const { clock, journal, checkpoints, whole, capture, vectors, newId } = this.#options;
    await whole();
    const startedAtMs = clock.now();
    const savedAtMs = Math.floor(startedAtMs);
    await journal.flush();
    journal.lookAgain();
    await journal.catchUp();
    await vectors.settled();
    const { captured } = await journal.cut(() => ({
      position: journal.position,
      contents: capture(),
      kept: vectors.begin(),
    }));
    const { position, contents, kept } = captured;
    const { table } = kept;
    // A space that nobody has written to has no head that could name a checkpoint.
    const isWritten = position.sequence > 0;
    const bytes = isWritten
      ? await inFolder(async (folder) => {
          const all = { ...contents, vectors: contents.vectors && { ...contents.vectors, table } };
          await writePassingFiles(folder, { sequence: position.sequence, savedAtMs }, all);
          return await checkpoints.write(folder, { position, savedAtMs }, newId(), kept);
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
    const { name, journal, vectors } = this.#options;
    return {
      dataDir: `postgres://${name}`,
      lastSavedAt: this.#savedAtMs,
      unsavedChanges: journal.unsaved,
      journalBytes: 0,
      refusal: journal.refusal,
      vectorsIn: vectors.areElsewhere ? 'database' : 'memory',
    };
  }
}
