import { MONTHS, OF_WEEK } from '../words/calendar.ts';

// Dates of two numbers: "due 12/15", "Fri 12/4", "am 2.12." Two such numbers are mostly a ratio, a version or a fraction, so what stands around
// them has to tell that they are a day.

/** "24/7" is always. */
const PAIR = '\\d{1,2}/\\d{1,2}(?<!\\b24/7)(?!/)';
const DOTTED_PAIR = '\\d{1,2}\\.\\d{1,2}\\.(?!\\d)';
/** Its first number is no section. */
const LATE_PAIR = '(?:1[3-9]|2\\d|3[01])\\.\\d{1,2}\\.(?!\\d)';
const GERMAN_WEEKDAY = '(?:mo|di|mi|do|fr|sa|so)(?:ntag|enstag|ttwoch|nnerstag|eitag|mstag|nnabend)?';
const OF_THE_WEEK = `${OF_WEEK}(?:the )?`;
const OF_GERMAN_WEEK = `${GERMAN_WEEKDAY}\\.?,? (?:den )?`;
const PREPOSITION = '(?:before|by|due|from|on|since|till|to|until)';
const GERMAN_PREPOSITION = '(?:ab|am|bis|den|seit|vom|zum)';
/** No thing is counted: "on 12/15 servers". */
const NO_COUNT =
  '(?=$|\\n|[,;:!?)]|\\.(?!\\d)| ?[–-]| (?:and|are|at|bis|by|for|from|i|in|is|or|the|till|to|until|um|was|we|with|\\d{1,2}(?::\\d\\d| ?[ap]m))\\b)';
/** Of "on 2.12." alone nobody knows whether it is a version. */
const GOES_ON = '(?=\\)| (?:at|um|\\d{1,2}(?::\\d\\d| ?[ap]m))\\b)';
/** A pattern of such a date, what stands before it behind its digits, for speed; "21.12.–3.1." are two. */
export const NUMERIC_DATE = [
  `${OF_THE_WEEK}${PAIR}${NO_COUNT}`,
  `${PAIR}(?<=\\b${PREPOSITION} [\\d/]{3,5})${NO_COUNT}`,
  `(?:${OF_THE_WEEK}|${OF_GERMAN_WEEK})${DOTTED_PAIR}`,
  `${DOTTED_PAIR}(?<=\\b${GERMAN_PREPOSITION} [\\d.]{4,6})`,
  `${DOTTED_PAIR}(?<=\\b${PREPOSITION} [\\d.]{4,6})${GOES_ON}`,
  `${LATE_PAIR}(?= ?[–-] ?${DOTTED_PAIR})`,
  `${DOTTED_PAIR}(?<=${LATE_PAIR} ?[–-] ?[\\d.]{4,6})`,
].join('|');
const IN_A_TEXT = new RegExp(`(?<![\\p{L}\\p{N}_.-])(?:${NUMERIC_DATE})(?![\\p{L}\\p{N}_])`, 'giu');
const WHOLE = new RegExp(`^(${OF_THE_WEEK}|${OF_GERMAN_WEEK})?(\\d{1,2})([./])(\\d{1,2})\\.?$`, 'i');
/** Pairs of a text whose order is clear: the one above 12 is the day. */
const CLEAR_PAIR = new RegExp(`(?<=\\b(?:${PREPOSITION} |${OF_THE_WEEK}))(\\d{1,2})/(\\d{1,2})(?!/)${NO_COUNT}`, 'gi');
const STARTS_OF_WEEKDAYS: readonly RegExp[] = [/^so|^su/i, /^mo/i, /^di|^tu/i, /^mi|^we/i, /^do|^th/i, /^fr/i, /^sa/i];
const LONGEST_MONTH = 31;

/** What two numbers may mean as a date. */
export interface NumericDate {
  /** Each as "15 december"; two where the order of the numbers is not clear. */
  readonly dates: readonly string[];
  /** The weekday beside them, which tells whether one of these is meant: 0 is Sunday; null for none. */
  readonly weekday: number | null;
}

/** Reads such an expression; null where it is none. @param text the text around it, whose other dates tell the order of the numbers */
export function numericDateOf(expression: string, text: string): NumericDate | null {
  const [, weekdayName, first, mark, second] = WHOLE.exec(expression) ?? [];
  if (first === undefined || second === undefined) return null;
  const dayFirst = dateOf(Number(first), Number(second));
  const monthFirst = mark === '.' ? null : dateOf(Number(second), Number(first));
  const order = dayFirst !== null && monthFirst !== null ? orderOf(text) : null;
  const either = order === null ? [dayFirst, monthFirst] : [order === 'day' ? dayFirst : monthFirst];
  const weekday = weekdayName === undefined ? null : STARTS_OF_WEEKDAYS.findIndex((start) => start.test(weekdayName));
  return { dates: [...new Set(either.filter((date) => date !== null))], weekday };
}

/** A text with the numeric dates whose day is clear as words: "15 december". */
export function withNamesOfNumericDates(text: string): string {
  return text.replace(IN_A_TEXT, (expression) => {
    const [sure, another] = numericDateOf(expression, text)?.dates ?? [];
    return sure === undefined || another !== undefined ? expression : sure;
  });
}

function dateOf(day: number, month: number): string | null {
  const name = MONTHS[month - 1];
  return name === undefined || day < 1 || day > LONGEST_MONTH ? null : `${day} ${name}`;
}

/** Which of the two numbers stands first in the text; null where no pair in it tells. */
function orderOf(text: string): 'day' | 'month' | null {
  for (const [, first, second] of text.matchAll(CLEAR_PAIR)) {
    if (Number(first) > 12 && Number(second) <= 12) return 'day';
    if (Number(second) > 12 && Number(first) <= 12) return 'month';
  }
  return null;
}
