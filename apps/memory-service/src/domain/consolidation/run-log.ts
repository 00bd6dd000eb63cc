import type { Report } from './report.ts';

export interface RunNotes {
  /** Of the last run that was no dry run. */
  readonly lastReport: Report | null;
  /** When the schedule wanted the next run, epoch milliseconds: once it is past, a night was missed. */
  readonly nextRunAt: number | null;
}

/** Remembers over a restart when consolidation ran and when it should have. */
export interface RunLog {
  readonly notes: RunNotes;
  note(notes: Partial<RunNotes>): Promise<void>;
}
