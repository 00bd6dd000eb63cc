import {
  DAY_NUMBER,
  longWeekday,
  MONTH,
  MONTHS,
  monthNumbered,
  ORDINAL_DAY,
  RANGE_TO,
  SHORT_WEEKDAY,
  WEEKDAY,
} from '../words/calendar.ts';
import { withRangesOfLists } from './day-lists.ts';
import { withDatesOfDaysOfWeeks } from './day-of-week.ts';
import { withDatesOfHolidays } from './holidays.ts';
import { withNamesOfNumericDates } from './numeric-dates.ts';
import type { Side } from './time-period.ts';
import { withDatesOfWeeksLater } from './week-later.ts';
import { withLongWeekdays } from './weekday-ranges.ts';
import { isOtherWord } from './weekdays-in-names.ts';

/** A text with its times written so that the parser of dates reads them. @param now a wall time */
export function withPlainTimes(text: string, now: number, side: Side): string {
  const named = withLongWeekdays(withNamesOfNumericDates(withRangesOfLists(text)), (range) => range);
  const dated = withDatesOfHolidays(withDatesOfDaysOfWeeks(withDatesOfWeeksLater(named, now), now), now);
  const reading = { text, now, side };
  return REWRITINGS.reduce((plain, rewriting) => rewritten(plain, rewriting, reading), dated);
}

interface Reading {
  /** The whole text, as it was written. */
  readonly text: string;
  /** A wall time. */
  readonly now: number;
  readonly side: Side;
}

interface Found {
  /** All of the expression, then the groups of its pattern. */
  readonly words: readonly string[];
  /** What stands behind it. */
  readonly behind: string;
}

type Rewriting = readonly [pattern: RegExp, plain: string | ((found: Found, reading: Reading) => string)];

function rewritten(text: string, [pattern, plain]: Rewriting, reading: Reading): string {
  if (typeof plain === 'string') return text.replace(pattern, plain);
  return text.replace(pattern, (...found) => {
    const [at, whole] = found.slice(-2) as [number, string];
    const words = found.slice(0, -2) as string[];
    return plain({ words, behind: whole.slice(at + (words[0] as string).length) }, reading);
  });
}

/** Of a bare day: no word of a thing follows, as in "on the 9th floor". */
const ENDS_BARE = '(?=\\W*$|[,;.?!]| (?:about|at|by)\\b)';
const MONTHS_LATER: Readonly<Record<string, number>> = { last: -1, this: 0, next: 1 };

/** Expressions that the parser of dates does not know, or takes for another time, in the order in which they are rewritten. */
const REWRITINGS: readonly Rewriting[] = [
  // "By Sat", and no "by sat nav".
  [
    new RegExp(`\\b(on|by|next|this|last|until|till) (${SHORT_WEEKDAY})(?![\\p{L}\\p{N}_-])`, 'giu'),
    ({ words: [both = '', preposition, day = ''], behind }) =>
      isOtherWord(day, behind) ? both : `${preposition} ${longWeekday(day)}`,
  ],
  // "DEC-14" is a ticket; "12-DEC-2025" and "DEC-2025" are dates.
  [/(?<![\w-])\p{Lu}{2,}-(?!(?:19|20)\d\d\b)\d+\b(?!-)/gu, ''],
  // "Day after tomorrow", which the parser takes for tomorrow.
  [/(?<!\bthe )\bday (?=(?:after tomorrow|before yesterday)\b)/gi, 'the day '],
  [/\b(?:the )?(week|month|year) before last\b/gi, '2 $1 ago'],
  [/\b(?:the )?(week|month) after next\b/gi, 'in 2 $1s'],
  // "The coming two weeks", "the coming days".
  [/\b(?:coming|following) (?=(?:\w+|couple of) (?:day|week|month)s\b)/gi, 'next '],
  [/\b(?:coming|next) (day|week|month)s\b/gi, 'next few $1s'],
  [
    /\b(?:at )?the weekend\b(?! (?:of|before|after)\b)/gi,
    ({ words: [weekend = ''] }, { side }) => (side === 'ahead' ? 'this weekend' : weekend),
  ],
  [/\b(?:a )?fortnight\b/gi, '2 weeks'],
  // "3.12.2026": the day stands first, in every country.
  [
    /\b(\d{1,2})\.(\d{1,2})\.((?:19|20)\d\d)\b/g,
    ({ words: [, day = '', month = '', year] }) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
  ],
  // "2025-11", as in ISO 8601.
  [/(?<![\w./-])((?:19|20)\d\d)[-/](0[1-9]|1[0-2])(?![\w/-]|\.\d)/g, '$2/$1'],
  // "The night of 3 May": the parser takes the 3 for an hour of today.
  [/\b(?:morning|afternoon|evening|night) of /gi, ''],
  // "The second day of May".
  [/\b(first|second|third|(?:four|fif|six|seven|eigh|nin|ten)th|\d{1,2}(?:st|nd|rd|th)) day of (?=[a-z])/gi, '$1 of '],
  // "The 9th of last month", "early this month".
  [
    /\b(of|early|late) (this|last|next) month\b/gi,
    ({ words: [, before, which = ''] }, { now }) =>
      `${before} ${monthNamed(now, MONTHS_LATER[which.toLowerCase()] ?? 0)}`,
  ],
  // "January 3 to the 9th", "January 28 to the 3rd", of which the parser reads the first day alone.
  [
    new RegExp(`\\b(${MONTH})\\.? (?:the )?(${DAY_NUMBER})${RANGE_TO}(${DAY_NUMBER})(?![\\p{L}\\p{N}])`, 'giu'),
    ({ words: [, month = '', first = '', last = ''] }) => rangeFrom(month, first, last),
  ],
  // "The 3rd to the 5th of December", "28th to the 3rd of December", of which the parser reads the last day alone.
  [
    new RegExp(`\\b(${DAY_NUMBER})${RANGE_TO}(${DAY_NUMBER})(?: of)? (${MONTH})(?![\\p{L}\\p{N}])`, 'giu'),
    ({ words: [, first = '', last = '', month = ''] }) => rangeUpTo(first, last, month),
  ],
  // "December the 15th".
  [new RegExp(`\\b(${MONTH}),? the (?=${ORDINAL_DAY}\\b)`, 'gi'), '$1 '],
  // Of a range with articles the parser reads the second day alone.
  [/\bbetween (?:the )?(.{1,30}?) and (?:the )?(?=.{0,20}\d)/gi, '$1 to '],
  [new RegExp(`\\bfrom the (${ORDINAL_DAY}) (?:to|until|till|through) (?:the )?(?=\\d)`, 'gi'), '$1 to '],
  // "In the week of the 9th", of which the parser reads "the week" alone.
  [
    new RegExp(`\\bweek of the (\\d{1,2})(?:st|nd|rd|th)${ENDS_BARE}`, 'i'),
    ({ words: [week = '', day] }, reading) => withDayNumbered('week of', Number(day), reading) ?? week,
  ],
  // "On the 9th", "on Monday the 9th".
  [
    new RegExp(`\\b(?:on (?:${WEEKDAY},? )?|${WEEKDAY},? )the (\\d{1,2})(?:st|nd|rd|th)${ENDS_BARE}`, 'i'),
    ({ words: [named = '', day] }, reading) => withDayNumbered('on', Number(day), reading) ?? named,
  ],
];

/** "January 3 to 9", "January 28 to February 3". */
function rangeFrom(month: string, first: string, last: string): string {
  const [from, to] = [Number.parseInt(first, 10), Number.parseInt(last, 10)];
  return `${month} ${from} to ${to < from ? `${monthBeside(month, 1)} ` : ''}${to}`;
}

/** "3 to 5 December", "28 november to 3 December". */
function rangeUpTo(first: string, last: string, month: string): string {
  const [from, to] = [Number.parseInt(first, 10), Number.parseInt(last, 10)];
  return `${from} ${to < from ? `${monthBeside(month, -1)} ` : ''}to ${to} ${month}`;
}

/** The month after one (1), or before it (-1). */
function monthBeside(month: string, towards: 1 | -1): string | undefined {
  return MONTHS[(monthNumbered(month) + MONTHS.length + towards) % MONTHS.length];
}

/** Such as "october 2026". */
function monthNamed(now: number, monthsFromNow: number): string {
  const date = new Date(now);
  const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsFromNow));
  return `${MONTHS[first.getUTCMonth()]} ${first.getUTCFullYear()}`;
}

/** What tells that such a day is over. */
const IS_OVER = /\b(?:did|was|were|had|happened|said|told|went)\b/i;
/** The months that are tried for a day: of three in a row at least one has 31 days, and at least two have 30. */
const MONTHS_TRIED = 3;

/** The date of the day of a month alone behind some words; null where its text does not tell that it is over, and asks for one that is. */
function withDayNumbered(before: string, day: number, { text, now, side }: Reading): string | null {
  if (side === 'past' && !IS_OVER.test(text)) return null;
  return `${before} ${dayNumbered(day, now, side === 'ahead' ? 1 : -1)}`;
}

/** The nearest day with this number in its month, such as 2026-11-09, today or before (-1), or today or after (1); '' for no such day. */
function dayNumbered(day: number, now: number, towards: -1 | 1): string {
  const date = new Date(now);
  const today = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  for (let months = 0; months < MONTHS_TRIED; months++) {
    const tried = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + towards * months, day));
    if (tried.getUTCDate() === day && (tried.getTime() - today) * towards >= 0) return tried.toISOString().slice(0, 10);
  }
  return '';
}
