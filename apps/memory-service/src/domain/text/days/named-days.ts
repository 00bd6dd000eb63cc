import { atOnce, DAY_MS, type Steps } from '@agent-faculties/service-kit';
import { END_OF } from '../times/calendar-times.ts';
import { datesOfList } from '../times/day-lists.ts';
import { dateOfHoliday } from '../times/holidays.ts';
import { isNoDay } from '../times/names-of-days.ts';
import { type NumericDate, numericDateOf } from '../times/numeric-dates.ts';
import { withLongWeekdays } from '../times/plain-times.ts';
import { periodNamed, type Side, type TimePeriod } from '../times/time-expressions.ts';
import { beginningOf } from '../times/time-period.ts';
import {
  isShortWeekday,
  isWeekday,
  longMonth,
  longWeekday,
  MONTH,
  MONTHS,
  SHORT_WEEKDAY,
  WEEKDAY,
  WEEKDAYS,
} from '../words/calendar.ts';
import { isCalledOff, isMovedFrom } from './called-off.ts';
import { DAY_EXPRESSION, NUMBER, ORDINAL_DAY } from './day-forms.ts';
import { daysOf } from './day-terms.ts';
import { daysTogetherInSteps } from './days-together.ts';
import { isOfAnother } from './other-than-days.ts';
import { termsOfAlike, termsOfRecurring } from './recurrences.ts';
import type { NamedTime } from './recurring-days.ts';
import { SENTENCE_END, sidesTold, sidesToldInClause } from './side-of-now.ts';

// The days that a text names. "Retro every other Tuesday from 1 December, not on the 15th." becomes days in these steps:
// 1. `day-forms.ts` finds the expressions: "every other Tuesday", "from 1 December", "on the 15th".
// 2. `other-than-days.ts` drops those that are no day where they stand, such as "Friday" in "the Friday rule".
// 3. Each is read by itself: what recurs as terms (`recurrences.ts`: "every=2"), any other as periods: a list of dates as one for each
//    (`day-lists.ts`), any other one as the parser of times reads it, on the side of now that its sentence tells (`side-of-now.ts`).
//    "28 November to 2 December" are two expressions that are joined to one.
// 4. `days-together.ts` reads them beside each other: the 15th is an exception, and the first day tells which Tuesdays are meant.
// 5. What is left becomes terms (`day-terms.ts`: "fortnight=9", "not=2026-12-15"), and `called-off.ts` says which of them are called off.

/** The most expressions of a text that are read: a log may have thousands, of 0.1 ms each. */
const MOST_EXPRESSIONS = 400;
/** "Notes of 24 November": a date without a year may have been so long ago, where its sentence tells nothing. */
const MAY_BE_OVER_MS = 60 * DAY_MS;
/** Expressions remembered with their periods: reading one takes 0.1 ms, and a team says "tomorrow" many times a day. */
const REMEMBERED = 5_000;

/** "Friday next week" is one day of it. */
const DAY_OF_WEEK = new RegExp(`^(${WEEKDAY}),? (?:of )?((?:the )?week after next|(?:this|next) week)$`, 'i');
const OF_ONE_WEEK = /^,? (?:this|next) week\b/i;
const WEEKEND = /\bweekend$/i;
const WEEKEND_MS = 2 * DAY_MS;
/** Of a month, and of what is longer, the end is a last day: what is due then is due on that one. */
const LAST_DAY = new RegExp(`^(?:${END_OF}|end (?:of|in) ${MONTH}.*)$`, 'i');
const OF_A_WEEK = /week|eow/i;
const IN_SO_MANY = new RegExp(`^in ${NUMBER} `, 'i');
const TIME_OF_DAY = /(?<=^[\d-]{10})T.*$/i;
const ENDS_SHORT = new RegExp(`${SHORT_WEEKDAY}$`, 'i');
const ENDS_IN_ORDINAL = new RegExp(`^(?:\\S+ )?(.*the ${ORDINAL_DAY})$`, 'i');
/** "Monday 7th". */
const WEEKDAY_ORDINAL = new RegExp(`^(?:${WEEKDAY}|${SHORT_WEEKDAY}\\.?),? (${ORDINAL_DAY})$`, 'i');
/** Before a whole date a weekday tells no more: "Thu, Dec 10". */
const WEEKDAY_BEFORE = new RegExp(`^(?:${WEEKDAY}|${SHORT_WEEKDAY}\\.?),? (?=${MONTH})`, 'i');
/** Without a year, and of one day. */
const DATE_ON_WEEKDAY = new RegExp(
  `^(${WEEKDAY}|${SHORT_WEEKDAY})\\.?,? (?:the )?(?:\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH}\\.?|${MONTH}\\.? (?:the )?\\d{1,2}(?:st|nd|rd|th)?)$`,
  'i',
);
const DAY_OF_MONTH = /\bthe (\d{1,2})(?:st|nd|rd|th)$/i;
const BETWEEN = /\bbetween (?:the )?$/i;
const AND = /^ and (?:the )?$/i;
/** Between the first and the last day of a span. */
const TO = /^ ?(?:-|–|to|until|till|through|bis(?: zum)?) ?$/i;
/** There in ISO 8601: "2026-12-01/2026-12-05". */
const SLASH = '/';
const ISO_DATE = /^\d{4}-/;
/** "Away until Friday" holds today; "we have until Friday" is a day. */
const STARTS_UNTIL = /^(?:until|till) /i;
const ENDS_UNTIL = /(?<!\b(?:have|has|had) )\b(?:until|till)(?: the)? $/i;
const NOTHING_UNTIL = /\b(?:never|no|nobody|not|nothing)\b[^,;.!?\n]*\b(?:until|till)(?: the)? $/i;
/** Before an expression. */
const LONGEST_CLAUSE = 60;
/** In small letters "march" and "feb" are other words to the reader of times. */
const MONTH_ALONE = new RegExp(`^(?:by|during|for|from|in|of|since|through|till|until) (${MONTH})\\.?$`, 'i');
const ON_THE_DAY = new RegExp(`^on the ${ORDINAL_DAY}$`, 'i');
/** "This Friday" is ahead, whatever was done for it. */
const THIS_WEEKDAY = new RegExp(`^this ${WEEKDAY}$`, 'i');
/** On either side of a date of two numbers, for others that tell their order. */
const NEAR_NUMBERS = 500;
/** Of the words that are looked at before an expression. */
const LONGEST_BEFORE = 16;
/** Of the words that are looked at behind an expression, with a blank before and behind it. */
const LONGEST_WORD = 12;

const remembered = new Map<string, readonly TimePeriod[]>();

/** The places of the expressions by which a text names days. */
export function dayExpressionsIn(text: string): { readonly start: number; readonly end: number }[] {
  return Array.from(text.matchAll(DAY_EXPRESSION), ({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
  }));
}

/** An expression by which a text names days; "28 November to 2 December" is one. */
export interface DayMention {
  /** Where it begins in the text. */
  readonly start: number;
  /** Of the days that it names, each once. */
  readonly terms: readonly string[];
  /** Whether its sentence says that something does not take place then. */
  readonly isCalledOff: boolean;
}

/** Of several forms, so that most expressions are used. */
const SAMPLE =
  'Off on Friday, the 7th and the 9th of December at 10:00, then until 2 January. Retro every other Tuesday, not on the 8th.';

/** Makes the engine compile the expressions by which days are read, which takes some 200 ms of their first uses. */
export function warmUpDays(): void {
  for (const _ of ['first', 'second']) atOnce(namedDaysInSteps(SAMPLE, 0));
}

/** The terms of the days that a text names, each once, in steps. @param saidAt a wall time; what "tomorrow" refers to */
export function* namedDaysInSteps(text: string, saidAt: number): Steps<string[]> {
  const looked = withLongWeekdays(text, eachWeek);
  const times = yield* timesInSteps(text, looked, saidAt);
  const named = yield* daysTogetherInSteps(times, looked, saidAt);
  return [...new Set(named.flatMap(({ terms }) => terms))];
}

/** The expressions by which a text names days, in order, in steps. @param saidAt as above */
export function* dayMentionsInSteps(text: string, saidAt: number): Steps<DayMention[]> {
  const looked = withLongWeekdays(text, eachWeek);
  const times = yield* timesInSteps(text, looked, saidAt);
  const named = yield* daysTogetherInSteps(times, looked, saidAt);
  return named.map(({ time, terms, isException }) => ({
    start: time.place,
    terms,
    isCalledOff: isException || isCalledOff(looked, time),
  }));
}

/** @param looked the text with long weekdays */
function* timesInSteps(text: string, looked: string, saidAt: number): Steps<NamedTime[]> {
  const times: NamedTime[] = [];
  let read = 0;
  for (const { 0: written, index: at } of looked.matchAll(DAY_EXPRESSION)) {
    if (read++ >= MOST_EXPRESSIONS) break;
    const end = at + written.length;
    const expression = isShortWeekday(written) ? longWeekday(written) : written;
    const around = {
      before: looked.slice(Math.max(0, at - LONGEST_BEFORE), at),
      behind: looked.slice(end, end + LONGEST_WORD),
    };
    const last = times.at(-1);
    const between = looked.slice(last?.end ?? 0, at);
    const time = { place: placeIn(text, written, at), at, end, expression, recurring: null, isSpan: false };
    const recurring = termsOfRecurring(expression) ?? (last?.recurring && termsOfAlike(expression, between));
    if (recurring && !isNoDay('', looked.slice(end - 1, end + LONGEST_WORD)))
      times.push({ ...time, recurring, periods: [] });
    const isInSentence = last !== undefined && !SENTENCE_END.test(between);
    if (recurring || isOfAnother(expression, { ...around, written, isInSentence })) continue;
    const sides = (ENDS_IN_ORDINAL.test(written) ? sidesToldInClause : sidesTold)(looked, written, at);
    const said = { saidAt, sides };
    const numeric = numericDateOf(expression, looked.slice(Math.max(0, at - NEAR_NUMBERS), end + NEAR_NUMBERS));
    const dates = datesOfList(expression, around.before) ?? [
      isInSentence ? laterInMonth(expression, last, saidAt) : expression,
    ];
    const periods = numeric ? periodsOfNumeric(numeric, said) : dates.flatMap((date) => periodsOfDate(date, said));
    const found = { ...time, periods };
    if (
      last?.recurring === null &&
      isUpTo(expression, between, looked.slice(0, last.at)) &&
      !isMovedFrom(looked, last.at)
    )
      times[times.length - 1] = { ...last, end, isSpan: true, periods: joined(last, found) };
    else times.push(withDaysUntil(found, looked.slice(Math.max(0, at - LONGEST_CLAUSE), at), saidAt));
    yield;
  }
  return times;
}

/** "Away until Friday" with the days from today on; "no call until Friday" is of that day. */
function withDaysUntil(time: NamedTime, before: string, saidAt: number): NamedTime {
  if (NOTHING_UNTIL.test(before) || (!STARTS_UNTIL.test(time.expression) && !ENDS_UNTIL.test(before))) return time;
  return { ...time, periods: time.periods.map((end) => beginningFrom(end, beginningOf(saidAt, 'day'))) };
}

/** Whether an expression is the last day of a span, by what stands between it and the one before. */
function isUpTo(expression: string, between: string, before: string): boolean {
  if (AND.test(between)) return BETWEEN.test(before.slice(-LONGEST_BEFORE));
  return TO.test(between) || (between === SLASH && ISO_DATE.test(expression));
}

/** "7 January, back on the 11th": of the month that its sentence has just named, where the day is a later one. */
function laterInMonth(expression: string, { recurring, periods: [period] }: NamedTime, saidAt: number): string {
  const day = Number(DAY_OF_MONTH.exec(expression)?.[1]);
  const date = period && recurring === null ? new Date(period.from) : null;
  if (date === null || date.getTime() < saidAt || !(day > date.getUTCDate())) return expression;
  return `${day} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** Where an expression stands in a text, of which the weekdays before it may have been written out. */
function placeIn(text: string, expression: string, at: number): number {
  const place = text.lastIndexOf(expression, at);
  return place === -1 ? at : place;
}

/** "Mon-Fri" is mostly said of each week. */
function eachWeek(range: string, behind: string): string | null {
  return range === 'monday to friday' && !OF_ONE_WEEK.test(behind) ? 'every weekday' : null;
}

/** The spans from the one expression to the other: "Friday to Monday" ends on the Monday behind that Friday. */
function joined(first: NamedTime, second: NamedTime): readonly TimePeriod[] {
  const isOfWeekday = isWeekday(first.expression);
  if (isOfWeekday && isWeekday(second.expression))
    return first.periods.map((period) => ({ ...period, until: onWeekday(second, period.from, 1) + DAY_MS }));
  if (isOfWeekday && DAY_OF_WEEK.test(second.expression))
    return second.periods.map((period) => ({ ...period, from: onWeekday(first, period.from, -1) }));
  const [begun] = first.periods;
  return second.periods.map((end) =>
    beginningFrom(end, begun ? beginningBefore(begun, end.from) : Number.POSITIVE_INFINITY),
  );
}

/** The beginning of a span: "28 November to 4 December", said on the 29th, has begun, though alone the first day lies ahead. */
function beginningBefore({ from, ofAnyYear }: TimePeriod, end: number): number {
  const date = new Date(from);
  return ofAnyYear && from > end ? date.setUTCFullYear(date.getUTCFullYear() - 1) : from;
}

/** The nearest day on or after a day (1), or on or before it (-1), that is on the weekday of an expression. */
function onWeekday({ expression }: NamedTime, day: number, towards: 1 | -1): number {
  const weekday = WEEKDAYS.indexOf(expression.toLowerCase());
  return day + towards * ((towards * (weekday - new Date(day).getUTCDay()) + 7) % 7) * DAY_MS;
}

/** A period with the days before it from one on; of a long time its end alone. */
function beginningFrom(end: TimePeriod, from: number): TimePeriod {
  const whole = { ...end, from: Math.min(from, end.from) };
  return daysOf(whole).length > 0 ? whole : end;
}

interface Said {
  readonly saidAt: number;
  /** On which its sentence puts it; empty: it tells nothing. */
  readonly sides: readonly Side[];
}

function periodsOf(expression: string, { saidAt, sides }: Said): readonly TimePeriod[] {
  const key = `${Math.floor(saidAt / DAY_MS)} ${sides} ${expression.toLowerCase()}`;
  const known = remembered.get(key);
  if (known) return known;
  const near = sides.length === 1 ? null : nearest(expression, saidAt);
  // Where its sentence tells both, a weekday may be either one; of two dates a year apart, the near one is meant.
  const isClear = sides.length === 0 || near?.ofAnyYear === true;
  const periods = isClear ? [near] : sides.map((side) => periodOn(side, expression, saidAt));
  const read = periods.filter((period) => period !== null);
  if (remembered.size >= REMEMBERED) remembered.clear();
  remembered.set(key, read);
  return read;
}

/** Where several dates are meant, or another weekday, none is sure. */
function periodsOfNumeric({ dates, weekday }: NumericDate, said: Said): readonly TimePeriod[] {
  const [sure = [], another] = dates
    .map((date) => (weekday === null ? periodsOf(date, said) : periodsOnWeekday(date, weekday, said.saidAt)))
    .filter((periods) => periods.length > 0);
  return another ? [] : sure;
}

/** "Mon 30 Nov" is of the year in which that is a Monday, where there is such a one near. */
function periodsOfDate(date: string, said: Said): readonly TimePeriod[] {
  const name = DATE_ON_WEEKDAY.exec(date)?.[1];
  const weekday = name === undefined ? -1 : WEEKDAYS.indexOf(longWeekday(name));
  const fitting = weekday === -1 ? [] : periodsOnWeekday(date, weekday, said.saidAt);
  return fitting.length > 0 ? fitting : periodsOf(date, said);
}

/** A weekday tells of which year a date is. */
function periodsOnWeekday(date: string, weekday: number, saidAt: number): readonly TimePeriod[] {
  const nearOnes = (['past', 'ahead'] as const).flatMap((side) => periodsOf(date, { saidAt, sides: [side] }));
  return nearOnes.filter(({ from }) => new Date(from).getUTCDay() === weekday);
}

/** Of an expression of which its sentence tells nothing: "notes of 24 November" is the last one, "dentist 3 December" the next. */
function nearest(expression: string, saidAt: number): TimePeriod | null {
  const past = periodOn('past', expression, saidAt);
  const isOver = past?.ofAnyYear === true && past.until > saidAt - MAY_BE_OVER_MS;
  return isOver ? past : periodOn('ahead', expression, saidAt);
}

/** "Tomorrow" and "last week" have one side, whatever their sentence tells; "in 3 days", told of the past, is a span of time. */
function periodOn(told: Side, expression: string, saidAt: number): TimePeriod | null {
  const plain = plainly(expression);
  const side = THIS_WEEKDAY.test(plain) ? 'ahead' : told;
  if (side === 'past' && ON_THE_DAY.test(plain)) return periodNamed(`was ${plain}`, saidAt, side);
  const holiday = dateOfHoliday(plain, saidAt);
  if (holiday)
    return periodNamed(holiday, saidAt, side) ?? periodNamed(holiday, saidAt, side === 'past' ? 'ahead' : 'past');
  const [, weekday, week] = DAY_OF_WEEK.exec(plain) ?? [];
  if (weekday && week) return dayOfWeek(weekday, periodNamed(week, saidAt, 'ahead'));
  const isOnlyPast = side === 'past' && IN_SO_MANY.test(plain);
  const period =
    periodNamed(plain, saidAt, side) ??
    (isOnlyPast ? null : periodNamed(plain, saidAt, side === 'past' ? 'ahead' : 'past'));
  if (period && WEEKEND.test(plain)) return { ...period, from: period.until - WEEKEND_MS };
  const isLastDay = LAST_DAY.test(plain) && !OF_A_WEEK.test(plain);
  return period && isLastDay ? { ...period, from: period.until - DAY_MS, unit: 'day' } : period;
}

/** Without what the reader of times takes for a part of a time, or no time: "by the 12th", "from 3 May", "by Fri", "2026-12-03T10:00". */
function plainly(expression: string): string {
  return expression
    .replace(WEEKDAY_BEFORE, '')
    .replace(WEEKDAY_ORDINAL, 'on the $1')
    .replace(ENDS_IN_ORDINAL, 'on $1')
    .replace(MONTH_ALONE, (_, name) => `in ${longMonth(name)}`)
    .replace(/^(?:from|since) /i, '')
    .replace(TIME_OF_DAY, '')
    .replace(ENDS_SHORT, longWeekday);
}

function dayOfWeek(weekday: string, week: TimePeriod | null): TimePeriod | null {
  const number = WEEKDAYS.indexOf(weekday.toLowerCase());
  const from = (week ? daysOf(week) : []).find((day) => new Date(day).getUTCDay() === number);
  return from === undefined ? null : { from, until: from + DAY_MS, unit: 'day', ofAnyYear: false };
}
