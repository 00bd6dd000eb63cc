import type { Report, Undoers } from './report.ts';

/** A nightly run, on schedule or made up later. */
export interface Night {
  /** Start, epoch milliseconds. */
  readonly startedAt: number;
  /** Whether every step was done: false while it runs, and after an interruption or a failed step. */
  readonly isWhole: boolean;
}

/** Remembers the last runs across restarts; within this process also where they cannot be written. */
export interface RunLog {
  /** The report of the last run that was no dry run. */
  readonly last: Report | null;
  readonly lastNight: Night | null;
  /** Of the last run that was taken back. */
  readonly undoers: Undoers | null;
  /** Reads what other processes have noted. @throws UnavailableError when the database does not answer */
  refresh(): Promise<void>;
  /** @throws UnavailableError when the disk refuses */
  note(report: Report): Promise<void>;
  /** @throws UnavailableError when the disk refuses */
  noteNight(night: Night): Promise<void>;
  /** @throws UnavailableError when the disk refuses */
  noteUndoers(undoers: Undoers): Promise<void>;
}
