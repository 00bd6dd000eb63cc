import type { Report } from './report.ts';

/** Remembers the last run over a restart. */
export interface RunLog {
  /** Of the last run that was no dry run. */
  readonly last: Report | null;
  note(report: Report): Promise<void>;
}
