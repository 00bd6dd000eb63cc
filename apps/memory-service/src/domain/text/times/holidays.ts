import { DAY_MS } from '@agent-faculties/service-kit';
import { isBeforeThing } from './weekdays-in-names.ts';

/** Holidays that have the same date each year, wherever they are kept. Those that are named by a word alone are also words of other things. */
const DATED: readonly (readonly [name: RegExp, date: string])[] = [
  [/^christmas eve$/i, '24 december'],
  [/^christmas(?: day)?$/i, '25 december'],
  [/^boxing day$/i, '26 december'],
  [/^new year['’]?s eve$/i, '31 december'],
  [/^new year(?:['’]?s day)?$/i, '1 january'],
  [/^valentine['’]?s day$/i, '14 february'],
  [/^st\.? patrick['’]?s day$/i, '17 march'],
  [/^halloween$/i, '31 october'],
];
const OF_ITSELF =
  "(?:christmas (?:day|eve)|boxing day|new year['’]?s (?:day|eve)|valentine['’]?s day|st\\.? patrick['’]?s day)";
const ALONE = '(?:christmas|new year|halloween)';
/** "At Christmas", and no "Christmas tree" or "happy new year". */
const AS_A_TIME = `(?<=\\b(?:at|on|over|between|by|before|until|till|since|after|around|during|for|between [^.;]{3,20} and)(?: the)? ${ALONE})`;
/** "In the new year" is any day of it. */
const NO_DAY = "(?! (?:day|eve)\\b|['’])";
/** A pattern of the holidays that name a day. */
export const HOLIDAY = `(?:(?:this |next |last )?${OF_ITSELF}|(?:this|next|last) ${ALONE}${NO_DAY}|${ALONE}${NO_DAY}${AS_A_TIME})`;
const IN_A_QUESTION = new RegExp(`\\b${HOLIDAY}(?![\\p{L}\\p{N}_])`, 'giu');
const WHICH = /^(this|next|last) /i;
const ENDS_ALONE = new RegExp(`${ALONE}$`, 'i');
/** "What did we buy for Christmas?": told of before and after that day. */
const FOR = /\b(?:for|by|before|until|till)(?: the)? $/i;
const IS_OVER = /\b(?:did|was|were|had)\b/i;
const LONGEST_FOR = 12;

/** Whether a holiday tells which thing the word behind it is: "Christmas party". */
export function isHolidayOfThing(expression: string, behind: string): boolean {
  return ENDS_ALONE.test(expression) && isBeforeThing(behind);
}

/** The date of a holiday, as "25 december", or "25 december 2025" for the last Christmas; null where the expression is none. */
export function dateOfHoliday(expression: string, now: number): string | null {
  const name = expression.replace(WHICH, '');
  const date = DATED.find(([pattern]) => pattern.test(name))?.[1];
  if (date === undefined) return null;
  const which = WHICH.exec(expression)?.[1]?.toLowerCase();
  return which === undefined ? date : `${date} ${yearOf(date, now) + (which === 'last' ? -1 : 0)}`;
}

/** The year in which a day comes next, today included. */
function yearOf(date: string, now: number): number {
  const year = new Date(now).getUTCFullYear();
  const isOver = Date.parse(`${date} ${year} UTC`) + DAY_MS <= now;
  return year + Number(isOver);
}

/** A question with the dates of the holidays that it names as a time. */
export function withDatesOfHolidays(text: string, now: number): string {
  return text.replace(IN_A_QUESTION, (holiday, at: number) => {
    const before = text.slice(Math.max(0, at - LONGEST_FOR), at);
    const isOther =
      isHolidayOfThing(holiday, text.slice(at + holiday.length)) || (FOR.test(before) && IS_OVER.test(text));
    return isOther ? holiday : (dateOfHoliday(holiday, now) ?? holiday);
  });
}
