/** What a save did. */
export interface SaveReport {
  readonly bytes: number;
  readonly tookMs: number;
}

export interface PersistenceState {
  /** null where nothing is kept on disk. */
  readonly dataDir: string | null;
  /** Epoch milliseconds. */
  readonly lastSavedAt: number | null;
  /** Changes that only the journal holds. */
  readonly unsavedChanges: number;
  readonly journalBytes: number;
  /** Why the disk refused what was last written, a change or a save; null when it did not. */
  readonly refusal: string | null;
}

/** Keeps what the store holds on disk. */
export interface Persistence {
  /** Writes everything; a save that is under way is joined. @throws ConflictError without a data directory, UnavailableError when the disk refuses */
  save(): Promise<SaveReport>;
  /** Whether a save would write anything new, recalls that strengthened among it. */
  isUnsaved(): boolean;
  state(): PersistenceState;
}
