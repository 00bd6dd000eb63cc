import { DAY_MS } from '@agent-faculties/service-kit';
import { beginningOf, nearestOn, type TimePeriod } from '../times/time-period.ts';
import { isWeekday, WEEKDAYS } from '../words/calendar.ts';
import { daysOf } from './day-terms.ts';
import { WEEKDAY_OF_NAMED_WEEK } from './kinds/weekdays.ts';
import type { NamedTime } from './named-time.ts';

// From one day to another: "28 November to 2 December" are two expressions, and "away until Friday" begins today.

const BETWEEN = /\bbetween (?:the )?$/i;
const AND = /^ and (?:the )?$/i;
/** Between the first and the last day of a span. */
const TO = /^ ?(?:-|–|to|until|till|through|bis(?: zum)?) ?$/i;
/** There in ISO 8601: "2026-12-01/2026-12-05". */
const SLASH = '/';
const ISO_DATE = /^\d{4}-/;
/** Of "between". */
const LONGEST_BEFORE = 16;
/** "Away until Friday" holds today; "we have until Friday" is a day. */
const STARTS_UNTIL = /^(?:until|till) /i;
const ENDS_UNTIL = /(?<!\b(?:have|has|had) )\b(?:until|till)(?: the)? $/i;
const NOTHING_UNTIL = /\b(?:never|no|nobody|not|nothing)\b[^,;.!?\n]*\b(?:until|till)(?: the)? $/i;
/** Before an expression. */
const LONGEST_CLAUSE = 60;

/** Whether an expression is the last day of a span that another one begins, by what stands between them. */
export function isUpTo(first: NamedTime, { at, expression }: NamedTime, text: string): boolean {
  const between = text.slice(first.end, at);
  if (AND.test(between)) return BETWEEN.test(text.slice(Math.max(0, first.at - LONGEST_BEFORE), first.at));
  return TO.test(between) || (between === SLASH && ISO_DATE.test(expression));
}

/** Two expressions as one span. */
export function spanOf(first: NamedTime, last: NamedTime): NamedTime {
  return { ...first, end: last.end, isSpan: true, periods: joined(first, last) };
}

/** "Friday to Monday" ends on the Monday behind that Friday. */
function joined(first: NamedTime, second: NamedTime): readonly TimePeriod[] {
  const isOfWeekday = isWeekday(first.expression);
  if (isOfWeekday && isWeekday(second.expression))
    return first.periods.map((period) => ({ ...period, until: nearestOn(weekdayOf(second), period.from, 1) + DAY_MS }));
  if (isOfWeekday && WEEKDAY_OF_NAMED_WEEK.test(second.expression))
    return second.periods.map((period) => ({ ...period, from: nearestOn(weekdayOf(first), period.from, -1) }));
  const [begun] = first.periods;
  return second.periods.map((end) =>
    beginningFrom(end, begun ? beginningBefore(begun, end.from) : Number.POSITIVE_INFINITY),
  );
}

function weekdayOf({ expression }: NamedTime): number {
  return WEEKDAYS.indexOf(expression.toLowerCase());
}

/** "Away until Friday" with the days from today on; "no call until Friday" is of that day. */
export function withDaysUntil(time: NamedTime, text: string, saidAt: number): NamedTime {
  const before = text.slice(Math.max(0, time.at - LONGEST_CLAUSE), time.at);
  if (NOTHING_UNTIL.test(before) || (!STARTS_UNTIL.test(time.expression) && !ENDS_UNTIL.test(before))) return time;
  return { ...time, periods: time.periods.map((end) => beginningFrom(end, beginningOf(saidAt, 'day'))) };
}

/** The beginning of a span: "28 November to 4 December", said on the 29th, has begun, though alone the first day lies ahead. */
function beginningBefore({ from, ofAnyYear }: TimePeriod, end: number): number {
  const date = new Date(from);
  return ofAnyYear && from > end ? date.setUTCFullYear(date.getUTCFullYear() - 1) : from;
}

/** A period with the days before it from one on; of a long time its end alone. */
function beginningFrom(end: TimePeriod, from: number): TimePeriod {
  const whole = { ...end, from: Math.min(from, end.from) };
  return daysOf(whole).length > 0 ? whole : end;
}
