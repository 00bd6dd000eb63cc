import type { Report } from '../../domain/consolidation/report.ts';
import type { Night } from '../../domain/consolidation/run-log.ts';

/** What is remembered of runs: in a file of a data directory, or in a table of a database. */
export interface RunLogState {
  readonly last: Report | null;
  readonly lastNight: Night | null;
}

export function runLogToJson({ last, lastNight }: RunLogState): string {
  return JSON.stringify({
    last_night: lastNight && { started_at: lastNight.startedAt, whole: lastNight.isWhole },
    last_report: last,
  });
}

export function runLogFromJson(json: string): RunLogState {
  const { last_report: last, last_night: night } = JSON.parse(json, completed);
  return {
    // Files of earlier versions have neither ids nor problems nor nights.
    last: last ? { id: null, problem: null, ...last } : null,
    lastNight: night ? { startedAt: night.started_at, isWhole: night.whole } : null,
  };
}

/** Owners of earlier versions have no project. */
function completed(key: string, value: unknown): unknown {
  return key === 'owner' ? { project: null, ...(value as object) } : value;
}
