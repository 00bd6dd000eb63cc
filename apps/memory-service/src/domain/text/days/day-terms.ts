import { DAY_MS, utcDay } from '@agent-faculties/service-kit';
import { beginningOf, endOf, type TimePeriod } from '../times/time-period.ts';

// The days that a memory names stand in the index beside its words, as terms that no word looks like: `on=2026-12-03` for a day,
// `in=2026-12` for a month that is named as a whole, `in=2026-Q4` for a quarter, `every=4` for each Thursday, `monthly=15` for each 15th,
// `nth=1/4` for the first Thursday of each month and `nth=-1/4` for the last, `fortnight=3` for every other week from a day on, `not=2026-12-03` for a day on which that is not so. By them it is found whenever it was said.

const DAY_TERM = /^(?:on|in|every|monthly|fortnight|nth|not)=/;
const DAYS_OF_A_FORTNIGHT = 14;
/** A longer period is not named by its days: nothing of a year is about each of them. */
export const MOST_DAYS = 62;

/** The terms of a period that a memory names: a month or a quarter stands for itself, anything else for its days. None for a long one. */
export function termsOfNamed(period: TimePeriod): string[] {
  if (period.unit === 'quarter') return [inQuarter(period.from)];
  const days = daysOf(period);
  return period.unit === 'month' ? days.filter(beginsMonth).map(inMonth) : days.map(onDay);
}

/**
 * The terms of which a memory has one that names an asked period or a part of it; none for a long one.
 * @param about.recurring whether what happens on a weekday of each week is asked for too
 */
export function termsOfAsked(period: TimePeriod, { recurring }: { recurring: boolean }): string[] {
  if (period.unit === 'quarter')
    return [inQuarter(period.from), ...monthsOf(period).flatMap((month) => termsOfAsked(month, { recurring }))];
  const days = daysOf(period);
  if (period.unit === 'month') return [...termsOfNamed(period), ...days.map(onDay)];
  // What says that something is not on that day speaks of it.
  const named = days.flatMap((day) => [onDay(day), notOn(day)]);
  return [...named, ...(recurring ? new Set(days.flatMap(recurringTermsOn)) : [])];
}

/** The days of a period, at their beginnings; none of a long one. */
export function daysOf({ from, until }: Pick<TimePeriod, 'from' | 'until'>): number[] {
  const count = Math.ceil((until - from) / DAY_MS);
  return count > MOST_DAYS || count < 1 ? [] : Array.from({ length: count }, (_, day) => from + day * DAY_MS);
}

/** The months of a quarter. */
function monthsOf({ from, until }: TimePeriod): TimePeriod[] {
  const months: TimePeriod[] = [];
  for (let month = from; month < until; month = endOf(month, 'month'))
    months.push({ from: month, until: endOf(month, 'month'), unit: 'month', ofAnyYear: false });
  return months;
}

/** How many of the terms of a text are words: the days that it names stand at the end. */
export function wordsAmong(count: number, termAt: (index: number) => string): number {
  let words = count;
  while (words > 0 && DAY_TERM.test(termAt(words - 1))) words--;
  return words;
}

/** Whether a day is the first one of its month among the days of a period. */
function beginsMonth(day: number, index: number): boolean {
  return index === 0 || new Date(day).getUTCDate() === 1;
}

/** @param weekday 0 is Sunday */
export function everyWeekday(weekday: number): string {
  return `every=${weekday}`;
}

/** @param day 1 to 31 */
export function everyDayOfMonth(day: number): string {
  return `monthly=${day}`;
}

/** Of what happens on a day and then every 14 days. @param time of one such day, a wall time */
export function everyFortnight(time: number): string {
  const day = Math.floor(time / DAY_MS) % DAYS_OF_A_FORTNIGHT;
  return `fortnight=${(day + DAYS_OF_A_FORTNIGHT) % DAYS_OF_A_FORTNIGHT}`;
}

/** @param weekday 0 is Sunday @param place 1 is the first one of a month, -1 the last */
export function everyWeekdayOfMonth(weekday: number, place: number): string {
  return `nth=${place}/${weekday}`;
}

/** Of what happens each week or month, or every other week, on such a day. @param time of the day, a wall time */
export function recurringTermsOn(time: number): string[] {
  const date = new Date(time);
  const [weekday, day] = [date.getUTCDay(), date.getUTCDate()];
  const isLast = time + 7 * DAY_MS >= endOf(beginningOf(time, 'month'), 'month');
  return [
    everyWeekday(weekday),
    everyDayOfMonth(day),
    everyFortnight(time),
    everyWeekdayOfMonth(weekday, Math.ceil(day / 7)),
    ...(isLast ? [everyWeekdayOfMonth(weekday, -1)] : []),
  ];
}

/** Of what happens each week or month, or is on a span of days, and not on this one. @param time of the day, a wall time */
export function notOn(time: number): string {
  return `not=${utcDay(time)}`;
}

/** @param time of the day, a wall time */
export function onDay(time: number): string {
  return `on=${utcDay(time)}`;
}

/** @param time of the month, a wall time */
export function inMonth(time: number): string {
  return `in=${new Date(time).toISOString().slice(0, 7)}`;
}

/** @param time of the quarter, a wall time */
export function inQuarter(time: number): string {
  const date = new Date(time);
  return `in=${date.getUTCFullYear()}-Q${Math.floor(date.getUTCMonth() / 3) + 1}`;
}
