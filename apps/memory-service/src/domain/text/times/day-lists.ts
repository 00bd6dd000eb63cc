import { MAYBE_YEAR, MONTH, MONTHS, monthNumbered, OF_WEEK, RANGE_TO, WRITTEN_MONTH } from '../words/calendar.ts';

// Several days of one month in one expression: "the 7th and the 9th of December", "sat 28 and sun 29 Nov", "Dec 7, 9 and 11".

const NUMBER = '(?:[12]\\d|3[01]|[1-9])';
const DAY = `${NUMBER}(?:st|nd|rd|th)?`;
const ORDINAL = `${NUMBER}(?:st|nd|rd|th)`;
const DAY_OF_WEEK = `${OF_WEEK}(?:the )?${DAY}`;
const AND = ' (?:and|or|&) (?:the )?';
const COMMA = `(?:,(?: and| or| &)? (?:the )?|${AND}|/)`;
/** A longer list is no list of days, and a bound keeps the time to look for one short. */
const MORE = '{1,8}';
/** No thing follows the last number of "December 7 and 9", as in "and 9 people". */
const NO_NUMBER_OF = '(?=$|\\n|[,;!?)]|[.:](?!\\d)| ?[–-] | (?:and|are|at|for|from|i|in|is|or|the|we|with)\\b)';
const BEFORE_MONTH = [
  `${DAY_OF_WEEK}(?:${COMMA}(?:${DAY_OF_WEEK}|${DAY}))${MORE}`,
  `${ORDINAL}(?:${COMMA}${ORDINAL})${MORE}`,
  `${DAY}(?:, ?${DAY})${MORE},?${AND}${DAY}`,
  `${DAY}(?:${AND}|/)${DAY}`,
];
const RANGE = `${DAY_OF_WEEK}${RANGE_TO}${DAY_OF_WEEK}(?: of)? ${WRITTEN_MONTH}${MAYBE_YEAR}`;
const NO_MONTH = `(?! (?:of )?${WRITTEN_MONTH}|${COMMA}${ORDINAL})`;
const OF_NO_MONTH = `on the ${ORDINAL}(?:${COMMA}${ORDINAL})${MORE}${NO_MONTH}`;
/** What does not follow the day of a month that stands alone. */
export const NO_LIST = `(?!${COMMA}${ORDINAL})`;
const BEHIND_MONTH = `${WRITTEN_MONTH} (?:the )?${DAY}(?:${COMMA}${DAY})${MORE}(?:, ?(?:19|20)\\d\\d|${NO_NUMBER_OF})`;
const MAYBE_WEEKDAY = '(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\\.?,? (?:the )?)';
/** Such a list, a range from one weekday to another, or other numbers before a date: the engine takes long to compile what tells them apart. */
const BEFORE_A_MONTH = `${MAYBE_WEEKDAY}?${DAY}(?:(?:${COMMA}${MAYBE_WEEKDAY}?${DAY})${MORE}|${RANGE_TO}${MAYBE_WEEKDAY}${DAY})(?: of)? ${WRITTEN_MONTH}${MAYBE_YEAR}`;
/** A pattern of such a list; `datesOfList` tells whether it is one. */
export const DAY_LIST = [OF_NO_MONTH, BEFORE_A_MONTH, BEHIND_MONTH].join('|');
const LAST_DATE = new RegExp(`${DAY}(?: of)? ${WRITTEN_MONTH}${MAYBE_YEAR}$`, 'i');
const MAYBE_WHOLE = new RegExp(`^(?:${DAY_LIST})$`, 'iu');
const WHOLE = new RegExp(
  `^(?:${[OF_NO_MONTH, RANGE, `(?:${BEFORE_MONTH.join('|')})(?: of)? ${WRITTEN_MONTH}${MAYBE_YEAR}`, BEHIND_MONTH].join('|')})$`,
  'i',
);
const IN_A_TEXT = new RegExp(`(?<![\\p{L}\\p{N}_.-])(?:${DAY_LIST})(?![\\p{L}\\p{N}_])`, 'giu');
const WHOLE_RANGE = new RegExp(`^${RANGE}$`, 'i');
/** Two numbers of which the first may be no day: "chapters 1 and 3 December". */
const MAY_BE_ONE = new RegExp(`^${NUMBER}(?:${AND})${NUMBER} (?:of )?${WRITTEN_MONTH}${MAYBE_YEAR}$`, 'i');
const TELLS_DAY =
  /(?:^|\n|[:(] ?|\b(?:available|away|busy|closed|except|for|free|from|not|of|off|on|open|out) )(?:the )?$/i;
const WHOLE_OF_NO_MONTH = new RegExp(`^${OF_NO_MONTH}$`, 'i');
const BEGINS_WITH_WEEKDAY = new RegExp(`^${DAY_OF_WEEK}`, 'i');
const MONTH_NAMED = new RegExp(`\\b${MONTH}\\b`, 'i');
const YEAR_NAMED = /(?:19|20)\d\d$/;
const NUMBERS = /(?<!\d)\d{1,2}(?!\d)/g;

/**
 * The dates of such an expression, each as "7 december", or of a range as "7 december to 9 december"; null where it is none.
 * @param before what stands before it in its text
 */
export function datesOfList(expression: string, before: string): readonly string[] | null {
  if (!MAYBE_WHOLE.test(expression)) return null;
  // "Room 7, 9 December".
  if (!WHOLE.test(expression)) return [LAST_DATE.exec(expression)?.[0] ?? expression];
  const days = (expression.match(NUMBERS) ?? []).map(Number);
  if (WHOLE_OF_NO_MONTH.test(expression)) return days.map((day) => `on the ${day}th`);
  const [first = 0, second = 0] = days;
  if (MAY_BE_ONE.test(expression) && second - first !== 1 && !TELLS_DAY.test(before)) return null;
  const name = MONTH_NAMED.exec(expression)?.[0] ?? '';
  const month = `${name} ${YEAR_NAMED.exec(expression)?.[0] ?? ''}`.trim();
  const last = days.at(-1) as number;
  // "Sat 28 and Sun 6 Dec": with weekdays the first one is of the month before.
  if (days.some((day) => day > last) && !BEGINS_WITH_WEEKDAY.test(expression)) return null;
  const earlier = MONTHS[(monthNumbered(name) + 11) % 12];
  const dates = days.map((day) => `${day} ${day > last ? earlier : month}`);
  return WHOLE_RANGE.test(expression) ? [dates.join(' to ')] : dates;
}

/** A text whose lists of days that follow one another are ranges: "28 to 29 nov" for "Sat 28 and Sun 29 Nov". */
export function withRangesOfLists(text: string): string {
  return text.replace(IN_A_TEXT, (expression) => {
    const [first = '', ...others] = datesOfList(expression, '') ?? [];
    const start = Number.parseInt(first, 10);
    const isRange = others.length > 0 && others.every((date, index) => Number.parseInt(date, 10) === start + index + 1);
    return isRange ? `${start} to ${others.at(-1)}` : expression;
  });
}
