import type { Side, TimePeriod } from '../../times/time-period.ts';
import {
  DAY_NUMBER,
  longWeekday,
  MAYBE_YEAR,
  MONTH,
  OF_WEEK,
  ORDINAL_DAY,
  SHORT_WEEKDAY,
  WEEKDAY,
  WEEKDAYS,
  WRITTEN_MONTH,
} from '../../words/calendar.ts';
import { readDayOfMonth } from './days-of-month.ts';
import type { DayKind, Told } from './kind.ts';
import { DAYS, ENDS_IN_ORDINAL, FROM } from './patterns.ts';
import { onEitherSide, periodsBySides } from './periods-by-sides.ts';

/** Without a year, and of one day. */
const DATE_ON_WEEKDAY = new RegExp(
  `^(${WEEKDAY}|${SHORT_WEEKDAY})\\.?,? (?:the )?(?:${DAY_NUMBER}(?: of)? ${MONTH}\\.?|${MONTH}\\.? (?:the )?${DAY_NUMBER})$`,
  'i',
);
/** Before a whole date a weekday tells no more: "Thu, Dec 10". */
const WEEKDAY_BEFORE = new RegExp(`^${OF_WEEK}(?=${MONTH})`, 'i');
const TIME_OF_DAY = /(?<=^[\d-]{10})T.*$/i;

/** A date with its month, or several days of one in a row: "Mon 30 Nov", "December 3-5", "2026-12-03". */
export const DATES: DayKind = {
  forms: [
    `between (?:the )?${DAY_NUMBER} and (?:the )?${DAY_NUMBER}(?: of)? ${WRITTEN_MONTH}${MAYBE_YEAR}`,
    `week of (?:the )?(?:${DAYS}(?: of)? ${WRITTEN_MONTH}|${WRITTEN_MONTH} ${DAYS})${MAYBE_YEAR}`,
    `(?:(?:by|from|on|since|till|until) )?(?:the )?${ORDINAL_DAY} of (?:this|next|last) month`,
    `\\d{1,2}-${WRITTEN_MONTH}-(?:19|20)\\d\\d`,
    `(?:${OF_WEEK}(?:the )?)?${DAYS}(?: of)? ${WRITTEN_MONTH}${MAYBE_YEAR}`,
    `(?:${OF_WEEK})?${WRITTEN_MONTH} (?:the )?${DAYS}${MAYBE_YEAR}`,
    '(?:19|20)\\d\\d-\\d\\d-\\d\\d(?:T\\d\\d:[\\d:.]+Z?)?|\\d{1,2}\\.\\d{1,2}\\.(?:19|20)\\d\\d',
    // Not a part of a path, and no date of which the day may be the month.
    '(?<!/)(?:(?:19|20)\\d\\d/[01]?\\d/[0-3]?\\d|(?:1[3-9]|2\\d|3[01])/[01]?\\d/(?:19|20)\\d\\d|[01]?\\d/(?:1[3-9]|2\\d|3[01])/(?:19|20)\\d\\d)(?![/-])',
  ],
  read: ({ expression }, told) => periodsOfDate(expression, told),
};

type Said = Pick<Told, 'saidAt' | 'sides'>;

/** "Mon 30 Nov" is of the year in which that is a Monday, where there is such a one near. */
export function periodsOfDate(date: string, said: Said): readonly TimePeriod[] {
  const name = DATE_ON_WEEKDAY.exec(date)?.[1];
  const weekday = name === undefined ? -1 : WEEKDAYS.indexOf(longWeekday(name));
  const fitting = weekday === -1 ? [] : periodsOnWeekday(date, weekday, said.saidAt);
  return fitting.length > 0 ? fitting : periodsBySides(date, said, readOnSide);
}

/** A weekday tells of which year a date is. @param weekday 0 is Sunday */
export function periodsOnWeekday(date: string, weekday: number, saidAt: number): readonly TimePeriod[] {
  const sides = (['past', 'ahead'] as const).map((side) => ({ saidAt, sides: [side] }));
  const near = sides.flatMap((said) => periodsBySides(date, said, readOnSide));
  return near.filter(({ from }) => new Date(from).getUTCDay() === weekday);
}

function readOnSide(date: string, saidAt: number, side: Side): TimePeriod | null {
  const plain = date.replace(WEEKDAY_BEFORE, '');
  // "On the 9th" of a list, which names no month.
  if (ENDS_IN_ORDINAL.test(plain)) return readDayOfMonth(plain, saidAt, side);
  return onEitherSide(plain.replace(FROM, '').replace(TIME_OF_DAY, ''), saidAt, side);
}
