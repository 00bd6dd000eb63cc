import type { BackgroundAudit } from '@agent-faculties/service-kit';
import { DEFAULT_OPTIONS } from '../domain/consolidation/consolidator.ts';
import { type DayReport, type EndOfDayDeps, endOfDay, isWhole } from '../domain/consolidation/end-of-day.ts';
import { countsOf, noteDay } from '../domain/consolidation/run-record.ts';
import type { NightlyDeps } from './nightly-schedule.ts';

/** The end of the day as a job: with the default options, an audit line and a summary for the log. */
export function nightRun(deps: EndOfDayDeps, audit: BackgroundAudit): NightlyDeps['run'] {
  return async () => {
    const day = await audit('end_of_day', async (recordWrite) => {
      const ended = await endOfDay(deps, DEFAULT_OPTIONS);
      noteDay(recordWrite, ended);
      return ended;
    });
    return { isWhole: isWhole(day), summary: summaryOf(day) };
  };
}

function summaryOf({ tookMs, steps, consolidation }: DayReport): Record<string, unknown> {
  const failed = steps.filter(({ problem }) => problem !== null).map(({ step }) => step);
  const took_ms = Math.round(tookMs * 100) / 100;
  return { took_ms, failed, ...(consolidation && { consolidation: countsOf(consolidation) }) };
}
