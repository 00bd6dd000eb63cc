/** The names of the days and months of the calendar, as lists of words and as parts of patterns. In lower case, in English. */

/** Numbered as `getUTCDay` does. */
export const WEEKDAYS: readonly string[] = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');
/** Numbered as `getUTCMonth` does. */
export const MONTHS: readonly string[] =
  'january february march april may june july august september october november december'.split(' ');
/** "Sun", "sat" and "mon" may be other words. */
export const SHORT_WEEKDAYS: readonly string[] = 'sun mon tue wed thu fri sat'.split(' ');
/** "Jan" and "mar" may be other words. */
export const SHORT_MONTHS: readonly string[] = 'jan feb mar apr jun jul aug sept sep oct nov dec'.split(' ');

export const WEEKDAY = `(?:${WEEKDAYS.join('|')})`;
/** Some may be other words. */
export const SHORT_WEEKDAY = '(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)';
export const ANY_WEEKDAY = `(?:${WEEKDAY}|${SHORT_WEEKDAY})`;
/** Before a date: "Fri, ". */
export const OF_WEEK = `(?:${WEEKDAY}|${SHORT_WEEKDAY}\\.?),? `;
/** Those that are no other word. */
export const PLAIN_SHORT_WEEKDAY = '(?:tues?|wed|thu(?:rs?)?|fri)';
export const SHORT_MONTH = `(?:${SHORT_MONTHS.join('|')})`;
export const MONTH = `(?:${MONTHS.join('|')}|${SHORT_MONTH})`;

/** As it is written in a text: the full stop behind a long name ends its sentence. */
export const WRITTEN_MONTH = `(?:${MONTH}(?!\\.)|${SHORT_MONTH}\\.|${MONTHS.join('|')})`;
/** "3", "3rd". */
export const DAY_NUMBER = '\\d{1,2}(?:st|nd|rd|th)?';
/** "9th". */
export const ORDINAL_DAY = '\\d{1,2}(?:st|nd|rd|th)';
/** Between the first and the last day of a range: "3 to the 5th". */
export const RANGE_TO = ' ?(?:-|–|to|until|till|through) ?(?:the )?';
/** The year behind a day and month, or nothing. */
export const MAYBE_YEAR = '(?:,? (?:19|20)\\d\\d)?';

const WEEKDAY_ALONE = new RegExp(`^${WEEKDAY}$`, 'i');
const SHORT_WEEKDAY_ALONE = new RegExp(`^${SHORT_WEEKDAY}$`, 'i');

export function isWeekday(expression: string): boolean {
  return WEEKDAY_ALONE.test(expression);
}

/** "Mon", which may be another word. */
export function isShortWeekday(expression: string): boolean {
  return SHORT_WEEKDAY_ALONE.test(expression);
}

/** The number of a month, 0 for January, by its name or a short form of it. */
export function monthNumbered(name: string): number {
  const short = name.slice(0, 3).toLowerCase();
  return MONTHS.findIndex((month) => month.startsWith(short));
}

/** "monday" for "Mon". */
export function longWeekday(short: string): string {
  return WEEKDAYS.find((day) => day.startsWith(short.toLowerCase().slice(0, 3))) ?? short;
}

/** "February" for "feb". */
export function longMonth(short: string): string {
  const month = MONTHS[monthNumbered(short)] ?? short;
  return `${month.slice(0, 1).toUpperCase()}${month.slice(1)}`;
}
