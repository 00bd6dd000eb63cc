import { DAY_MS, type Steps } from '@agent-faculties/service-kit';
import { daysOf, everyWeekday, startOfDay, termsOfNamed } from './day-terms.ts';
import { sidesTold } from './side-of-now.ts';
import { periodNamed, type Side, type TimePeriod } from './time-expressions.ts';

/** Characters in which days are looked for, and the most expressions that are read. */
const LOOKED_AT = 8_000;
const MOST_EXPRESSIONS = 40;
/** "Notes of 24 November": a date without a year may have been so long ago, where its sentence tells nothing. */
const MAY_BE_OVER_MS = 60 * DAY_MS;
/** Expressions remembered with their periods: reading one takes 0.1 ms, and a team says "tomorrow" many times a day. */
const REMEMBERED = 5_000;

const NUMBER = '(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\\d{1,2})';
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const WEEKDAY = `(?:${WEEKDAYS.join('|')})`;
const SHORT_WEEKDAY = '(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)';
const MONTH =
  '(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\\.?';
const YEAR = '(?:,? (?:19|20)\\d\\d)?';
const DAY = '\\d{1,2}(?:st|nd|rd|th)?';
const DAYS = `${DAY}(?: ?(?:-|–|to|until|till|and|&) ?(?:the )?${DAY})?`;
/** "24 and 25 December", of which the reader of times takes the second day. */
const AND_THE_NEXT = /^(\D*)(\d{1,2})\D* (?:and|&) (?:the )?(\d{1,2})/i;
const ORDINAL_DAY = '\\d{1,2}(?:st|nd|rd|th)';
const FORMS: readonly string[] = [
  '(?:the )?day after tomorrow|(?:the )?day before yesterday|today|tonight|tomorrow|yesterday|last night',
  'this (?:morning|afternoon|evening)',
  `(?:this|next|last|coming|past) (?:week(?:end)?|month|${WEEKDAY})`,
  `(?:the )?week after next|${WEEKDAY},? (?:of )?(?:(?:the )?week after next|next week)`,
  `in ${NUMBER} (?:day|week|fortnight|month)s?|${NUMBER} (?:day|week|fortnight|month)s? (?:ago|from now)`,
  `between (?:the )?${DAY} and (?:the )?${DAY}(?: of)? ${MONTH}${YEAR}`,
  '(?:at|by|during|for|on|over) the weekend(?! (?:of|before|after))',
  `week of (?:the )?(?:${DAYS}(?: of)? ${MONTH}|${MONTH} ${DAYS})${YEAR}`,
  `(?:(?:${WEEKDAY}|${SHORT_WEEKDAY}\\.?),? (?:the )?)?${DAYS}(?: of)? ${MONTH}${YEAR}`,
  `${MONTH} ${DAYS}${YEAR}`,
  `${MONTH},? (?:19|20)\\d\\d`,
  `(?:in|during|by|until|till|from|since|of|for|early|mid|late|through)[ -]${MONTH}${YEAR}(?! ?\\d)`,
  '(?:19|20)\\d\\d-\\d\\d-\\d\\d(?:T\\d\\d:[\\d:.]+Z?)?|\\d{1,2}\\.\\d{1,2}\\.(?:19|20)\\d\\d',
  `(?:on|by|until|till|from|before|since) (?:${WEEKDAY},? )?the ${ORDINAL_DAY}(?! (?:of )?${MONTH})`,
  `(?:on|by|next|this|last|until|till) ${SHORT_WEEKDAY}`,
  `(?:each|every) ${WEEKDAY}|${WEEKDAY}s?`,
];
const EXPRESSION = new RegExp(`(?<![\\p{L}\\p{N}_.-])(?:${FORMS.join('|')})(?![\\p{L}\\p{N}_])`, 'giu');
const RECURRING = new RegExp(`^(?:(?:each|every) (${WEEKDAY})|(${WEEKDAY})s)$`, 'i');
/** "Friday next week" is one day of it. */
const DAY_OF_WEEK = new RegExp(`^(${WEEKDAY}),? (?:of )?((?:the )?week after next|next week)$`, 'i');
const WEEKEND = /\bweekend$/i;
const WEEKEND_MS = 2 * DAY_MS;
const IN_SO_MANY = new RegExp(`^in ${NUMBER} `, 'i');
const TIME_OF_DAY = /(?<=^[\d-]{10})T.*$/i;
const ENDS_SHORT = new RegExp(`${SHORT_WEEKDAY}$`, 'i');
const ENDS_IN_ORDINAL = new RegExp(`^\\S+ (.*the ${ORDINAL_DAY})$`, 'i');
const ENDS_IN_WEEKDAY = new RegExp(`${WEEKDAY}$`, 'i');
/** "10 may be enough": in small letters it is mostly a verb. */
const ENDS_IN_MAY = /(?:\d|st|nd|rd|th) may$/;
/** Behind "the 12th": the word of a thing, as in "the 12th floor"; behind "may": another verb. */
const OF_A_THING = /^ (?!(?:at|and|or|to|until|till|we|i|he|she|they|it|is|are|for|with|in)\b)\p{L}/iu;
/** "The last Friday of November". */
const OF_A_TIME = /^ of /i;
/** Between the first and the last day of a span. */
const TO = /^ ?(?:-|–|to|until|till|through) ?$/i;
/** "Away until Friday" holds today; "we have until Friday" is a day. */
const STARTS_UNTIL = /^(?:until|till) /i;
const ENDS_UNTIL = /(?<!\b(?:have|has|had) )\b(?:until|till)(?: the)? $/i;
const LONGEST_UNTIL = 16;
/** Of the words that are looked at behind an expression, with a blank before and behind it. */
const LONGEST_WORD = 8;

const remembered = new Map<string, readonly TimePeriod[]>();

/** The places of the expressions by which a text names days. */
export function dayExpressionsIn(text: string): { readonly start: number; readonly end: number }[] {
  return Array.from(text.matchAll(EXPRESSION), ({ 0: { length }, index }) => ({ start: index, end: index + length }));
}

/** An expression by which a text names days; "28 November to 2 December" is one. */
export interface DayMention {
  /** Where it begins in the text. */
  readonly start: number;
  /** Of the days that it names, each once. */
  readonly terms: readonly string[];
}

/** The terms of the days that a text names, each once, in steps. @param saidAt epoch milliseconds; what "tomorrow" refers to */
export function* namedDaysInSteps(text: string, saidAt: number): Steps<string[]> {
  const mentions = yield* dayMentionsInSteps(text, saidAt);
  return [...new Set(mentions.flatMap(({ terms }) => terms))];
}

/** The expressions by which a text names days, in order, in steps. @param saidAt as above */
export function* dayMentionsInSteps(text: string, saidAt: number): Steps<DayMention[]> {
  const looked = text.slice(0, LOOKED_AT);
  const mentions: DayMention[] = [];
  let last: { readonly end: number; readonly periods: readonly TimePeriod[] } = { end: 0, periods: [] };
  let read = 0;
  for (const { 0: expression, index: at } of looked.matchAll(EXPRESSION)) {
    if (read++ >= MOST_EXPRESSIONS) break;
    const end = at + expression.length;
    const every = RECURRING.exec(expression);
    if (every) {
      const weekday = WEEKDAYS.indexOf((every[1] ?? every[2] ?? '').toLowerCase());
      mentions.push({ start: at, terms: [everyWeekday(weekday)] });
    }
    if (every || isOfAnother(expression, looked.slice(end, end + LONGEST_WORD))) continue;
    const periods = periodsOf(expression, { saidAt, sides: sidesTold(looked, expression, at) });
    const [first] = TO.test(looked.slice(last.end, at)) ? last.periods : [];
    const isUntil = STARTS_UNTIL.test(expression) || ENDS_UNTIL.test(looked.slice(Math.max(0, at - LONGEST_UNTIL), at));
    const from = first?.from ?? (isUntil ? startOfDay(saidAt) : Number.POSITIVE_INFINITY);
    const terms = periods.flatMap((period) => termsUpTo(period, from));
    const begun = first && mentions.pop();
    mentions.push({ start: begun?.start ?? at, terms: [...new Set([...(begun?.terms ?? []), ...terms])] });
    last = { end, periods };
    yield;
  }
  return mentions;
}

/** The terms of the days from one on; of a long time those of its end alone. */
function termsUpTo(end: TimePeriod, from: number): string[] {
  const whole = termsOfNamed({ ...end, from: Math.min(from, end.from) });
  return whole.length > 0 ? whole : termsOfNamed(end);
}

/** Whether an expression is another thing than a day, or another day, by what stands behind it. */
function isOfAnother(expression: string, behind: string): boolean {
  if (ENDS_IN_ORDINAL.test(expression) || ENDS_IN_MAY.test(expression)) return OF_A_THING.test(behind);
  return ENDS_IN_WEEKDAY.test(expression) && OF_A_TIME.test(behind);
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

/** Of an expression of which its sentence tells nothing: "notes of 24 November" is the last one, "dentist 3 December" the next. */
function nearest(expression: string, saidAt: number): TimePeriod | null {
  const past = periodOn('past', expression, saidAt);
  const isOver = past?.ofAnyYear === true && past.until > saidAt - MAY_BE_OVER_MS;
  return isOver ? past : periodOn('ahead', expression, saidAt);
}

/** "Tomorrow" and "last week" have one side, whatever their sentence tells; "in 3 days", told of the past, is a span of time. */
function periodOn(side: Side, expression: string, saidAt: number): TimePeriod | null {
  const plain = plainly(expression);
  const [, weekday, week] = DAY_OF_WEEK.exec(plain) ?? [];
  if (weekday && week) return dayOfWeek(weekday, periodNamed(week, saidAt, 'ahead'));
  const isOnlyPast = side === 'past' && IN_SO_MANY.test(plain);
  const period =
    periodNamed(plain, saidAt, side) ??
    (isOnlyPast ? null : periodNamed(plain, saidAt, side === 'past' ? 'ahead' : 'past'));
  return period && WEEKEND.test(plain) ? { ...period, from: period.until - WEEKEND_MS } : period;
}

/** Without what the reader of times takes for a part of a time, or no time: "by the 12th", "from 3 May", "by Fri", "2026-12-03T10:00". */
function plainly(expression: string): string {
  return expression
    .replace(ENDS_IN_ORDINAL, 'on $1')
    .replace(/^(?:from|since) /i, '')
    .replace(TIME_OF_DAY, '')
    .replace(AND_THE_NEXT, (both, before, day, next) =>
      Number(next) - Number(day) === 1 ? `${before}${day} to ${next}` : both,
    )
    .replace(ENDS_SHORT, (short) => WEEKDAYS.find((day) => day.startsWith(short.toLowerCase().slice(0, 3))) ?? short);
}

function dayOfWeek(weekday: string, week: TimePeriod | null): TimePeriod | null {
  const number = WEEKDAYS.indexOf(weekday.toLowerCase());
  const from = (week ? daysOf(week) : []).find((day) => new Date(day).getUTCDay() === number);
  return from === undefined ? null : { from, until: from + DAY_MS, unit: 'day', ofAnyYear: false };
}
