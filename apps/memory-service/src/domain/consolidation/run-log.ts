import type { Report } from './report.ts';

/** A nightly run, on schedule or made up for. */
export interface Night {
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** False while it runs, and for good when it was cut off or a step of it failed. */
  readonly isWhole: boolean;
}

/** Remembers the last runs over a restart. What is noted holds in this process even where it cannot be written. */
export interface RunLog {
  /** Of the last run that was no dry run. */
  readonly last: Report | null;
  readonly lastNight: Night | null;
  /** @throws UnavailableError when the disk refuses */
  note(report: Report): Promise<void>;
  /** @throws UnavailableError when the disk refuses */
  noteNight(night: Night): Promise<void>;
}
