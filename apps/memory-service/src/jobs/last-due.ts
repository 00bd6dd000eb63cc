import { Cron } from 'croner';
import cron, { type ScheduledTask } from 'node-cron';

export interface Due {
  /** The schedule, as node-cron runs it. */
  readonly task: Pick<ScheduledTask, 'getPattern' | 'match'>;
  /** IANA name; null: the time zone of the machine. */
  readonly timezone: string | null;
  readonly nowMs: number;
  /** Times before this are ignored. */
  readonly afterMs: number;
}

/**
 * The last time that a schedule named, after `afterMs` and not after `nowMs`, in epoch milliseconds; null when it named none.
 *
 * Croner finds past times and node-cron, which runs the schedule, confirms them: where a change of the clocks skips a time,
 * node-cron runs nothing and Croner gives the next time.
 */
export function lastDue({ task, timezone, nowMs, afterMs }: Due): number | null {
  const times = new Cron(patternOf(task), { paused: true, domAndDow: true, ...(timezone !== null && { timezone }) });
  // Croner excludes the time that it starts from.
  for (let from = nowMs + 1; ; ) {
    const due = times.previousRuns(1, new Date(from))[0]?.getTime();
    if (due === undefined || due <= afterMs) return null;
    if (due <= nowMs && task.match(new Date(due))) return due;
    from = due;
  }
}

/** The expression in numbers, which both libraries read alike; node-cron knows names that Croner does not. */
function patternOf(task: Pick<ScheduledTask, 'getPattern'>): string {
  const { minute, hour, dayOfMonth, month, dayOfWeek } = cron.parse(task.getPattern());
  // Croner has no "days before the last of the month". It proposes every day, and node-cron confirms the right ones.
  const days = dayOfMonth.some((day) => /^L-/.test(String(day))) ? ['*'] : dayOfMonth;
  return [minute, hour, days, month, dayOfWeek].map((values) => values.join(',')).join(' ');
}
