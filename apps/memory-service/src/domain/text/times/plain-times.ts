import { longWeekday, MONTH, MONTHS, SHORT_WEEKDAY, WEEKDAY } from '../words/calendar.ts';
import { withRangesOfLists } from './day-lists.ts';
import { withDatesOfHolidays } from './holidays.ts';
import { isOtherWord } from './names-of-days.ts';
import { withNamesOfNumericDates } from './numeric-dates.ts';
import type { Side } from './time-period.ts';
import { withDatesOfWeeksLater } from './week-later.ts';

/** "DEC-14" is a ticket; "12-DEC-2025" and "DEC-2025" are dates. */
const TICKET = /(?<![\w-])\p{Lu}{2,}-(?!(?:19|20)\d\d\b)\d+\b(?!-)/gu;
/** In a date with dots the day stands first, in every country. */
const DOTTED = /\b(\d{1,2})\.(\d{1,2})\.((?:19|20)\d\d)\b/g;
/** A month as in ISO 8601, which the parser knows as 11/2025 alone. */
const ISO_MONTH = /(?<![\w./-])((?:19|20)\d\d)[-/](0[1-9]|1[0-2])(?![\w/-]|\.\d)/g;
/** Words before a date that make the parser take the day for an hour of today. */
const HOURS_OF = /\b(?:morning|afternoon|evening|night) of /gi;
/** A range whose days may have articles, with which the parser reads the second day alone. */
const BETWEEN = /\bbetween (?:the )?(.{1,30}?) and (?:the )?(?=.{0,20}\d)/gi;
const FROM_THE_DAY = /\bfrom the (\d{1,2}(?:st|nd|rd|th)) (?:to|until|till|through) (?:the )?(?=\d)/gi;
/** The parser takes "day after tomorrow" for tomorrow. */
const THE_DAY_BESIDE = /(?<!\bthe )\bday (?=(?:after tomorrow|before yesterday)\b)/gi;
const BEFORE_LAST = /\b(?:the )?(week|month|year) before last\b/gi;
const AFTER_NEXT = /\b(?:the )?(week|month) after next\b/gi;
/** "The coming two weeks", "the coming days". */
const COMING = /\b(?:coming|following) (?=(?:\w+|couple of) (?:day|week|month)s\b)/gi;
const COMING_DAYS = /\b(?:coming|next) (day|week|month)s\b/gi;
const THE_WEEKEND = /\b(?:at )?the weekend\b(?! (?:of|before|after)\b)/gi;
const FORTNIGHT = /\b(?:a )?fortnight\b/gi;
/** "The second day of May": the parser knows "the second of May". */
const DAY_OF = /\b(first|second|third|(?:four|fif|six|seven|eigh|nin|ten)th|\d{1,2}(?:st|nd|rd|th)) day of (?=[a-z])/gi;
/** "The 9th of last month", "early this month". */
const OF_NEAR_MONTH = /\b(of|early|late) (this|last|next) month\b/gi;
const MONTHS_LATER: Readonly<Record<string, number>> = { last: -1, this: 0, next: 1 };
/** "December the 15th". */
const MONTH_THE_DAY = new RegExp(`\\b(${MONTH}),? the (?=\\d{1,2}(?:st|nd|rd|th)\\b)`, 'gi');
/** "Mon-Wed", "Tue to Thu"; one alone may be another word. */
const SHORT_RANGE = new RegExp(
  `\\b(?<![.-])(${SHORT_WEEKDAY})\\.?(?: ?[-–] ?| (?:to|until|till|through|thru) )(${SHORT_WEEKDAY})(?![\\w-])`,
  'gi',
);
/** Of the words that are looked at behind a range. */
const LONGEST_BEHIND = 12;
const BEHIND_PREPOSITION = new RegExp(
  `\\b(on|by|next|this|last|until|till) (${SHORT_WEEKDAY})(?![\\p{L}\\p{N}_-])`,
  'giu',
);
/** "On the 9th", "on Monday the 9th", and no "on the 9th floor". */
const BARE_DAY = new RegExp(
  `\\b(?:on (?:${WEEKDAY},? )?|${WEEKDAY},? )the (\\d{1,2})(?:st|nd|rd|th)(?=\\W*$|[,;.?!]| (?:about|at|by)\\b)`,
  'i',
);
/** "In the week of the 9th"; the parser reads "the week" alone. */
const WEEK_OF_BARE_DAY = /\bweek of the (\d{1,2})(?:st|nd|rd|th)(?=\W*$|[,;.?!]| (?:about|at|by)\b)/i;
/** What tells that such a day is over. */
const IS_OVER = /\b(?:did|was|were|had|happened|said|told|went)\b/i;
/** The months that are tried for a day: of three in a row at least one has 31 days, and at least two have 30. */
const MONTHS_TRIED = 3;

/** A text with its times written so that the parser of dates reads them. `now` is a wall time. */
export function withPlainTimes(text: string, now: number, side: Side): string {
  const numbered = (before: string, day: string) => {
    if (side === 'past' && !IS_OVER.test(text)) return null;
    return `${before} ${dayNumbered(Number(day), now, side === 'ahead' ? 1 : -1)}`;
  };
  const named = withNamesOfNumericDates(withRangesOfLists(text));
  const long = withLongWeekdays(named, () => null);
  return withDatesOfHolidays(withDatesOfWeeksLater(long, now), now)
    .replace(BEHIND_PREPOSITION, (both, preposition, day, at, whole) =>
      isOtherWord(day, whole.slice(at + both.length)) ? both : `${preposition} ${longWeekday(day)}`,
    )
    .replace(TICKET, '')
    .replace(THE_DAY_BESIDE, 'the day ')
    .replace(BEFORE_LAST, '2 $1 ago')
    .replace(AFTER_NEXT, 'in 2 $1s')
    .replace(COMING, 'next ')
    .replace(COMING_DAYS, 'next few $1s')
    .replace(THE_WEEKEND, side === 'ahead' ? 'this weekend' : '$&')
    .replace(FORTNIGHT, '2 weeks')
    .replace(DOTTED, (_, day, month, year) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`)
    .replace(ISO_MONTH, '$2/$1')
    .replace(HOURS_OF, '')
    .replace(DAY_OF, '$1 of ')
    .replace(
      OF_NEAR_MONTH,
      (_, before, which) => `${before} ${monthNamed(now, MONTHS_LATER[which.toLowerCase()] ?? 0)}`,
    )
    .replace(MONTH_THE_DAY, '$1 ')
    .replace(BETWEEN, '$1 to ')
    .replace(FROM_THE_DAY, '$1 to ')
    .replace(WEEK_OF_BARE_DAY, (named, day) => numbered('week of', day) ?? named)
    .replace(BARE_DAY, (named, day) => numbered('on', day) ?? named);
}

/** A text with the weekdays of "Mon-Wed" written out: "monday to wednesday". @param otherwise what else stands there for a range */
export function withLongWeekdays(text: string, otherwise: (range: string, behind: string) => string | null): string {
  return text.replace(SHORT_RANGE, (range, first, last, at) => {
    const long = `${longWeekday(first)} to ${longWeekday(last)}`;
    return otherwise(long, text.slice(at + range.length, at + range.length + LONGEST_BEHIND)) ?? long;
  });
}

/** Such as "october 2026". */
function monthNamed(now: number, monthsFromNow: number): string {
  const date = new Date(now);
  const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsFromNow));
  return `${MONTHS[first.getUTCMonth()]} ${first.getUTCFullYear()}`;
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
