import { DAY_MS } from '@agent-faculties/service-kit';
import { MAYBE_YEAR, monthNumbered, WEEKDAY, WEEKDAYS, WRITTEN_MONTH } from '../words/calendar.ts';
import { beginningOf, endOf, isOnSide, nearestOn, type Side, type TimePeriod, type Unit } from './time-period.ts';

// Times that the parser of dates does not know, or takes for others: quarters, ends, the rest of a week, the first Monday of a month.

const YEAR = '(?:19|20)\\d\\d';
const YEAR_IN = new RegExp(YEAR);
/** "First" to "fourth", in order. */
export const ORDINALS: readonly RegExp[] = [
  /^(?:first|1st)$/i,
  /^(?:second|2nd)$/i,
  /^(?:third|3rd)$/i,
  /^(?:fourth|4th)$/i,
];
export const ORDINAL = '(?:first|second|third|fourth|1st|2nd|3rd|4th)';
/** Not "a quarter", nor "next quarter of an hour" or "the end of the week of 3 May". */
const ALONE = '(?! (?:of|past|to|before|after|hour|final|\\d))';
/** "End of last month"; "EOW". */
export const END_OF = `(?:end of (?:(?:the|this|next|last) )?(?:week|month|quarter|year)${ALONE}|eo[wmqy]\\b)`;
/** From today on; "the rest of the day" is today, which says nothing of a plan. */
export const REST_OF = '(?:(?:rest|remainder) of (?:the|this) |later this )(?:week|month|quarter|year)';
/** "Q3" alone may be a question or a box. */
export const QUARTER = `(?:(?:this|next|last|current|coming) quarter${ALONE}|q[1-4],? (?:of )?${YEAR}|q[1-4](?<=\\b(?:by|during|for|from|in|of|since|through|till|until) q[1-4])${ALONE})`;
/** "The last Friday in November". */
export const WEEKDAY_OF_MONTH = `(?:${ORDINAL}|last) ${WEEKDAY} (?:of|in) (?:(?:this|next|last) month|${WRITTEN_MONTH}${MAYBE_YEAR})`;
const HALF_OF = `(?:${ORDINAL}|last|latter) (?:half|quarter) of (?:(?:the|this|next|last) year|${YEAR})`;
const start = (pattern: string) => new RegExp(`(?<![\\p{L}\\p{N}_-])${pattern}(?![\\p{L}\\p{N}_])`, 'iu');
const READERS: readonly (readonly [RegExp, (found: string, now: number, side: Side) => TimePeriod | null])[] = [
  [start(WEEKDAY_OF_MONTH), weekdayOfMonth],
  [start(END_OF), endOfUnit],
  [start(REST_OF), restOf],
  [start(HALF_OF), halfOrQuarterOfYear],
  [start(QUARTER), quarter],
];
/** Most texts name none. */
const MAY_NAME = /quarter|half of|end of|rest of|remainder of|later this|\beo[wmqy]\b|\bq[1-4]\b|day (?:of|in) /i;
/** Of the week its end is Friday with the weekend; of a month its last days; of more than that its last month. */
const END_OF_WEEK_MS = 3 * DAY_MS;
/** Who asks about "this quarter" in its first days may mean the one before. */
const TELLS_LITTLE_MS = 14 * DAY_MS;
const END_OF_MONTH_FROM_DAY = 20;

/** Reads such a time, in UTC, and gives the text beside it; null where the text names none, or none on that side of now. */
export function calendarTimeNamed(
  text: string,
  now: number,
  side: Side,
): { readonly period: TimePeriod; readonly rest: string } | null {
  if (!MAY_NAME.test(text)) return null;
  for (const [pattern, read] of READERS) {
    const [found] = pattern.exec(text) ?? [];
    const period = found === undefined ? null : read(found, now, side);
    if (found !== undefined && period && isOnSide(period, now, side)) return { period, rest: text.replace(found, ' ') };
  }
  return null;
}

function weekdayOfMonth(found: string, now: number, side: Side): TimePeriod {
  const [place = '', weekday = '', , ...named] = found.toLowerCase().split(' ');
  const month = named.join(' ');
  const dayIn = (from: number) => weekdayIn(from, place, WEEKDAYS.indexOf(weekday));
  if (month.endsWith(' month')) return oneDay(dayIn(beginningOf(now, 'month', laterBy(month))));
  const dayInYear = (of: number) => dayIn(Date.UTC(of, monthNumbered(month)));
  const year = yearIn(month);
  if (year !== null) return oneDay(dayInYear(year));
  const thisYear = new Date(now).getUTCFullYear();
  const day = dayInYear(thisYear);
  const isOther = side === 'past' ? day > now : day + DAY_MS <= now;
  return { ...oneDay(isOther ? dayInYear(thisYear + (side === 'past' ? -1 : 1)) : day), ofAnyYear: true };
}

/** The first, or the last, such weekday of the month that begins then. */
function weekdayIn(month: number, place: string, weekday: number): number {
  const weeks = ORDINALS.findIndex((ordinal) => ordinal.test(place));
  if (weeks === -1) return nearestOn(weekday, endOf(month, 'month') - DAY_MS, -1);
  return nearestOn(weekday, month, 1) + 7 * weeks * DAY_MS;
}

function oneDay(from: number): TimePeriod {
  return { from, until: from + DAY_MS, unit: 'day', ofAnyYear: false };
}

function endOfUnit(found: string, now: number): TimePeriod {
  const unit = unitIn(found);
  const from = beginningOf(now, unit, laterBy(found));
  const until = endOf(from, unit);
  if (unit === 'week') return { from: until - END_OF_WEEK_MS, until, unit, ofAnyYear: false };
  const month = beginningOf(until - DAY_MS, 'month');
  if (unit === 'month') return { from: month + END_OF_MONTH_FROM_DAY * DAY_MS, until, unit: 'week', ofAnyYear: false };
  return { from: month, until, unit: 'month', ofAnyYear: false };
}

function restOf(found: string, now: number, side: Side): TimePeriod | null {
  if (side === 'past') return null;
  const unit = unitIn(found);
  return { from: beginningOf(now, 'day'), until: endOf(beginningOf(now, unit), unit), unit: 'week', ofAnyYear: false };
}

function halfOrQuarterOfYear(found: string, now: number): TimePeriod {
  const year = yearIn(found);
  const from = year === null ? beginningOf(now, 'year', laterBy(found)) : Date.UTC(year, 0);
  const parts = /half/i.test(found) ? 2 : 4;
  const place = ORDINALS.findIndex((ordinal) => ordinal.test(found.split(' ', 1)[0] as string));
  const quarters = (place === -1 ? parts - 1 : place) * (4 / parts);
  const begins = beginningOf(from, 'quarter', quarters);
  const until = beginningOf(begins, 'quarter', 4 / parts);
  return { from: begins, until, unit: parts === 2 ? 'year' : 'quarter', ofAnyYear: false };
}

function quarter(found: string, now: number, side: Side): TimePeriod | null {
  const numbered = Number(/q([1-4])/i.exec(found)?.[1]);
  if (Number.isNaN(numbered)) {
    const from = beginningOf(now, 'quarter', laterBy(found));
    return side === 'past' && now - from < TELLS_LITTLE_MS ? null : quarterFrom(from);
  }
  const year = yearIn(found);
  const of = (inYear: number) => Date.UTC(inYear, 3 * (numbered - 1));
  if (year !== null) return quarterFrom(of(year));
  const from = of(new Date(now).getUTCFullYear());
  if (side === 'past') return quarterFrom(from > now ? beginningOf(from, 'quarter', -4) : from);
  return quarterFrom(endOf(from, 'quarter') <= now ? beginningOf(from, 'quarter', 4) : from);
}

function quarterFrom(from: number): TimePeriod {
  return { from, until: endOf(from, 'quarter'), unit: 'quarter', ofAnyYear: false };
}

function yearIn(found: string): number | null {
  const year = YEAR_IN.exec(found)?.[0];
  return year === undefined ? null : Number(year);
}

function unitIn(found: string): Unit {
  return (['week', 'month', 'quarter', 'year'] as const).find((unit) =>
    new RegExp(`${unit}|eo${unit[0]}`, 'i').test(found),
  ) as Unit;
}

/** How many units from now: 1 in "the end of next week". */
function laterBy(found: string): number {
  if (/\b(?:next|coming)\b/i.test(found)) return 1;
  // "The last Friday of this month".
  return /\blast (?:week|month|quarter|year)/i.test(found) ? -1 : 0;
}
