import { DAY_MS } from '@agent-faculties/service-kit';
import { SHORT_WEEKDAY } from '../words/calendar.ts';
import { calendarTimeNamed } from './calendar-times.ts';
import { parsedPeriods } from './parsed-periods.ts';
import { partOfMonthNamed } from './parts-of-months.ts';
import { withPlainTimes } from './plain-times.ts';
import { beginningOf, isOnSide, type Side, type TimePeriod } from './time-period.ts';

export type { Side, TimePeriod } from './time-period.ts';

// The time that a text names. "What did we decide in the week of the 9th?" becomes a period in these steps. The first of
// the steps 2 to 6 that finds a time ends the search.
// 1. `plain-times.ts` writes what the parser of dates does not know otherwise: "week of 2026-11-09". For this there are the dates of lists,
//    of numbers, of holidays and of weeks later, a file each.
// 2. A day such as "yesterday" alone needs no parser.
// 3. `calendar-times.ts` reads "Q3" and "the end of the month"; where the rest of the text names a shorter time, that is meant.
// 4. `parts-of-months.ts` reads "early in May".
// 5. `parsed-periods.ts` asks the parser (`date-parser.ts`), and reads what that gives as a period.
// 6. A year alone, "in 2024".

/** The number of characters that are parsed, about 10 µs each; a question names its time early. */
const LOOKED_AT = 300;
/** Blanks that are read as one: the parser takes half a second for 300 characters of "a year  a year  ". */
const BLANKS = /\s{2,}|[^\S ]/g;
/** A text without any of these names no date and is not parsed, which would take a millisecond. */
const MAY_NAME_TIME =
  /\d|days?\b|quarter|\beo[wmqy]\b|weekend|week|month|year|yesterday|tomorrow|tonight|last night|this morning|january|february|march|april|\bmay\b|june|july|august|september|october|november|december|\b(?:jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec)\b/i;
/** A text without any of these is not even written otherwise, which would take 50 µs. */
const MAY_BE_PLAIN_TIME = new RegExp(
  `${MAY_NAME_TIME.source}|fortnight|christmas|halloween|\\b${SHORT_WEEKDAY}\\b`,
  'i',
);
/** The days that questions name most, which need no parser. */
const NEAR_DAY = /\b(?:(today|this morning)|(last night)|yesterday)\b/gi;
const YEAR_ALONE = /\b(?:in|of|since|during|from|year|by|before|after|until)\s+((?:19|20)\d\d)\b(?!\.\d|-\d\d-\d\d)/i;

/**
 * The most exact time that a text names on that side of now; null when it names none. "In June" is the last June, or ahead the
 * next one.
 * @param now a wall time; what "yesterday" refers to
 */
export function periodNamed(text: string, now: number, side: Side = 'past'): TimePeriod | null {
  const written = text.slice(0, LOOKED_AT).replace(BLANKS, ' ');
  if (!MAY_BE_PLAIN_TIME.test(written)) return null;
  const start = withPlainTimes(written, now, side);
  if (!MAY_NAME_TIME.test(start)) return null;
  const fits = (period: TimePeriod | null) => period !== null && isOnSide(period, now, side);
  if (!MAY_NAME_TIME.test(start.replace(NEAR_DAY, ''))) {
    const near = nearDayNamed(start, now);
    return fits(near) ? near : null;
  }
  const calendar = calendarTimeNamed(start, now, side);
  if (calendar) {
    const other = periodNamed(calendar.rest, now, side);
    return other && lengthOf(other) < lengthOf(calendar.period) ? other : calendar.period;
  }
  const part = partOfMonthNamed(start, now, side);
  if (part) return fits(part) ? part : null;
  const parsed = parsedPeriods(start, { now, side }).find(fits);
  const year = yearAlone(start);
  return parsed ?? (side === 'past' || fits(year) ? year : null);
}

function lengthOf({ from, until }: TimePeriod): number {
  return until - from;
}

function nearDayNamed(text: string, now: number): TimePeriod | null {
  const [first] = text.matchAll(NEAR_DAY);
  if (!first) return null;
  const [, today, lastNight] = first;
  const from = beginningOf(now, 'day') - (today === undefined ? DAY_MS : 0);
  // A night ends on the day after.
  return { from, until: from + (lastNight === undefined ? 1 : 2) * DAY_MS, unit: 'day', ofAnyYear: false };
}

function yearAlone(text: string): TimePeriod | null {
  const year = Number(YEAR_ALONE.exec(text)?.[1]);
  if (Number.isNaN(year)) return null;
  return { from: Date.UTC(year, 0), until: Date.UTC(year + 1, 0), unit: 'year', ofAnyYear: false };
}
