import type { Report, Undoers } from '../../domain/consolidation/report.ts';
import type { Night } from '../../domain/consolidation/run-log.ts';

/** What is remembered of runs: in a file of a data directory, or in a table of a database. */
export interface RunLogState {
  readonly last: Report | null;
  readonly lastNight: Night | null;
  readonly undoers: Undoers | null;
}

export const EMPTY_RUN_LOG: RunLogState = { last: null, lastNight: null, undoers: null };

export function runLogToJson({ last, lastNight, undoers }: RunLogState): string {
  return JSON.stringify({
    last_night: lastNight && { started_at: lastNight.startedAt, whole: lastNight.isWhole },
    last_report: last,
    undoers,
  });
}

export function runLogFromJson(json: string): RunLogState {
  const { last_report: last, last_night: night, undoers = null } = JSON.parse(json, completed);
  return {
    // Files of earlier versions have neither ids nor problems nor nights nor undoers.
    last: last ? { id: null, problem: null, ...last } : null,
    lastNight: night ? { startedAt: night.started_at, isWhole: night.whole } : null,
    undoers,
  };
}

/** Owners of earlier versions have no project. */
function completed(key: string, value: unknown): unknown {
  return key === 'owner' ? { project: null, ...(value as object) } : value;
}
