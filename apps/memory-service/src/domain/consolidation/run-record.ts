import type { RecordWrite } from '@agent-faculties/service-kit';
import type { DayReport } from './end-of-day.ts';
import type { Report } from './report.ts';

/** Figures of a run for the log. They hold no ids and no words, because people other than the agents read logs. */
export interface RunCounts {
  readonly examined: number;
  readonly semantic_created: number;
  readonly semantic_rebuilt: number;
  readonly semantic_removed: number;
  readonly deduplicated: number;
  readonly pruned: number;
  /** null: the run did not look for any. */
  readonly contradictions: number | null;
  readonly skipped: number;
}

export function countsOf(report: Report): RunCounts {
  const { examined, deduplicated, created, rebuilt, removed, pruned, contradictions, skipped } = report;
  return {
    examined: totalOf(examined),
    semantic_created: created.length,
    semantic_rebuilt: rebuilt.length,
    semantic_removed: removed.length,
    deduplicated: deduplicated.reduce((total, { absorbed }) => total + absorbed.length, 0),
    pruned: pruned.length,
    contradictions: contradictions?.length ?? null,
    skipped: skipped.length,
  };
}

/** The sum over the memories of all agents. */
export function totalOf(counted: Report['examined']): number {
  return counted.reduce((total, { count }) => total + count, 0);
}

/** The writes of a run for its audit line; contradictions have a line of their own. */
export function noteRun(
  recordWrite: RecordWrite,
  { dryRun, deduplicated, created, rebuilt, removed, pruned }: Report,
): void {
  if (dryRun) return;
  const ids = (entries: readonly { readonly id: string | null }[]) => entries.flatMap(({ id }) => id ?? []);
  recordWrite(
    'deduplicated',
    deduplicated.flatMap(({ absorbed }) => absorbed),
  );
  recordWrite('semantic_created', ids(created));
  recordWrite('semantic_rebuilt', ids(rebuilt));
  recordWrite('semantic_removed', ids(removed));
  recordWrite('pruned', ids(pruned));
}

/** The writes of the end of a day for its audit line. */
export function noteDay(recordWrite: RecordWrite, { consolidation, expired, forgotten }: DayReport): void {
  if (consolidation) noteRun(recordWrite, consolidation);
  recordWrite(
    'expired',
    expired.map(({ id }) => id),
  );
  recordWrite(
    'versions_expired',
    forgotten.map(({ id }) => id),
  );
}
