import { DAY_MS, instantOf, wallTime } from '@agent-faculties/service-kit';

/** Where a time lies that may lie on either side of now, such as "in June" or "on Friday". Today lies on both. */
export type Side = 'past' | 'ahead';

/** A span of time that a text names: of wall times where texts are read, of instants where memories are compared with it. */
export interface TimePeriod {
  /** Epoch milliseconds, inclusive. */
  readonly from: number;
  /** Epoch milliseconds, exclusive. */
  readonly until: number;
  readonly unit: Unit;
  /** Whether it names a month without a year: the last such month is meant, or in an old store that of another year. */
  readonly ofAnyYear: boolean;
}

export type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year';

const MONTHS_OF_A_QUARTER = 3;

/**
 * The beginning of the day, week, month, quarter or year of a wall time, as one; weeks begin on Monday.
 * @param later how many of them later; negative: earlier
 */
export function beginningOf(time: number, unit: Unit, later = 0): number {
  const date = new Date(time);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (unit === 'year') return dayOf(year + later, 0, 1);
  if (unit === 'quarter') return dayOf(year, month - (month % MONTHS_OF_A_QUARTER) + later * MONTHS_OF_A_QUARTER, 1);
  if (unit === 'month') return dayOf(year, month + later, 1);
  // Weeks begin on Monday, getUTCDay on Sunday.
  return dayOf(year, month, unit === 'week' ? day - ((date.getUTCDay() + 6) % 7) + later * 7 : day + later);
}

/** The beginning of a day; `Date.UTC` would take the year 50 for 1950. */
function dayOf(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day);
}

/** The nearest day on a weekday, a day itself or one after it (1), or before it (-1). @param weekday 0 is Sunday */
export function nearestOn(weekday: number, day: number, towards: 1 | -1): number {
  return day + towards * ((towards * (weekday - new Date(day).getUTCDay()) + 7) % 7) * DAY_MS;
}

/** Whether a part of a period lies on that side of now, which is of its kind. */
export function isOnSide({ from, until }: TimePeriod, now: number, side: Side): boolean {
  return side === 'past' ? from <= now : until > now;
}

/** An instant as it would be in the year in which a period of instants begins, by the calendar of the machine's time zone. */
export function inYearOf({ from }: Pick<TimePeriod, 'from'>, instant: number): number {
  const year = new Date(wallTime(from)).getUTCFullYear();
  return instantOf(new Date(wallTime(instant)).setUTCFullYear(year));
}

/** Whether a period is a week at most; one in which the clocks are set back is an hour longer. */
export function isWeekAtMost({ from, until }: Pick<TimePeriod, 'from' | 'until'>): boolean {
  return Math.round((until - from) / DAY_MS) <= 7;
}

/** The end of the day, week, month, quarter or year that begins then, exclusive. */
export function endOf(from: number, unit: Unit): number {
  return unit === 'week' || unit === 'day' ? from + (unit === 'week' ? 7 : 1) * DAY_MS : beginningOf(from, unit, 1);
}
