import { NUMERIC_DATE, numericDateOf } from '../../times/numeric-dates.ts';
import type { TimePeriod } from '../../times/time-period.ts';
import { periodsOfDate, periodsOnWeekday } from './dates.ts';
import type { DayKind, Expression, Told } from './kind.ts';

/** On either side of a date of two numbers, for others that tell their order. */
const NEAR_NUMBERS = 500;

/** A date of two numbers: "due 12/15", "am 2.12." */
export const DATES_IN_NUMBERS: DayKind = { forms: [NUMERIC_DATE], read: periodsOfNumbers };

/** Where several dates are meant, or another weekday, none is sure. */
function periodsOfNumbers({ expression, text, at, end }: Expression, told: Told): readonly TimePeriod[] {
  const near = text.slice(Math.max(0, at - NEAR_NUMBERS), end + NEAR_NUMBERS);
  const { dates, weekday } = numericDateOf(expression, near) ?? { dates: [], weekday: null };
  const [sure = [], another] = dates
    .map((date) => (weekday === null ? periodsOfDate(date, told) : periodsOnWeekday(date, weekday, told.saidAt)))
    .filter((periods) => periods.length > 0);
  return another ? [] : sure;
}
