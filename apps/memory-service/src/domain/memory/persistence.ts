/** What a save did. */
export interface SaveReport {
  readonly bytes: number;
  readonly tookMs: number;
}

export interface PersistenceState {
  /** The data directory; null where nothing is kept on disk. */
  readonly dataDir: string | null;
  /** When the last save was made, epoch milliseconds; null: there was none. */
  readonly lastSavedAt: number | null;
  /** How many changes only the journal holds. */
  readonly unsavedChanges: number;
  readonly journalBytes: number;
  /** Why the disk refused the last write, of a change or a save; null when it took it. */
  readonly refusal: string | null;
  /** Whether vectors that the last save holds are in this process, or in a table of the database alone. */
  readonly vectorsIn: 'memory' | 'database';
}

/** Writes the store to disk. */
export interface Persistence {
  /** Whether it takes what was deleted off the disk by itself. Absent: it has to be saved. */
  readonly followsDeletes?: boolean;
  /** Writes everything. @throws ConflictError without a data directory, UnavailableError when the disk refuses */
  save(): Promise<SaveReport>;
  /** Whether a save would write anything new, recalls included. */
  isUnsaved(): boolean;
  state(): PersistenceState;
}
