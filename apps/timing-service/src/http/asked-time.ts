import { DAY_MS, InvalidInputError, parseTimeRange, timeZoneName } from '@agent-faculties/service-kit';
import type { operations } from '../api.gen.ts';
import { Calendar, isTimeZone, type LocalDay } from '../domain/local-days.ts';
import { MOST_DAYS, type TimeSpentBy } from '../domain/statistics/time-spent.ts';

const DEFAULT_DAYS = 7;
const DEFAULT_BY = 'task_type';

type Query = NonNullable<operations['getTimeSpent']['parameters']['query']>;

/** What time a question about time spent is about, and by what. */
export interface AskedTime {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly timeZone: string;
  readonly by: readonly TimeSpentBy[];
  /** One, where no days are asked for. */
  readonly days: readonly LocalDay[];
}

/** @throws InvalidInputError */
export function askedTime(query: Query, nowMs: number): AskedTime {
  const timeZone = query.time_zone ?? timeZoneName();
  if (!isTimeZone(timeZone)) {
    throw refusal('time_zone', 'must be the IANA name of a time zone, such as Europe/Berlin');
  }
  const calendar = new Calendar(timeZone);
  const range = parseTimeRange(query, 'query');
  const untilMs = Math.min(range.untilMs ?? nowMs, nowMs);
  const sinceMs = range.sinceMs ?? calendar.startOfDays(untilMs - 1, DEFAULT_DAYS);
  if (sinceMs >= untilMs) throw refusal('since', 'must lie before now');
  const by = askedBy(query);
  const whole = [{ date: '', sinceMs, untilMs }];
  if (!by.includes('day')) return { sinceMs, untilMs, timeZone, by, days: whole };
  if (untilMs - sinceMs > MOST_DAYS * DAY_MS) {
    throw refusal('since', `must lie at most ${MOST_DAYS} days before until where days are asked for`);
  }
  return { sinceMs, untilMs, timeZone, by, days: calendar.days(sinceMs, untilMs) };
}

function askedBy({ group_by = DEFAULT_BY, then_by }: Query): TimeSpentBy[] {
  if (then_by === group_by) throw refusal('then_by', 'must be something else than group_by');
  return then_by === undefined ? [group_by] : [group_by, then_by];
}

function refusal(parameter: string, message: string): InvalidInputError {
  return InvalidInputError.at(`query/${parameter}`, message);
}
