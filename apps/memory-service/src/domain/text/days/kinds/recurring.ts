import { ORDINAL, ORDINALS } from '../../times/calendar-times.ts';
import { isNoDay } from '../../times/weekdays-in-names.ts';
import { ANY_WEEKDAY, longWeekday, ORDINAL_DAY, WEEKDAY, WEEKDAYS } from '../../words/calendar.ts';
import { everyDayOfMonth, everyWeekday, everyWeekdayOfMonth } from '../day-terms.ts';
import type { Expression } from './kind.ts';
import { TIME_GOES_ON } from './patterns.ts';

// What happens each week or month, or every other week: "every Tuesday", "on weekends", "the 1st of each month". Such an expression names no
// period; it is read as terms.

const OTHER = '(?:other|second|2nd|two|2)';
const FORTNIGHTLY = '(?:bi-?weekly|fortnightly)';
/** "Every other Tuesday", "Mondays, biweekly", "every two weeks on Friday". */
const ALTERNATE = `(?:each|every) (?:other|second|2nd) ${WEEKDAY}s?|(?:each|every) (?:${OTHER} weeks?|fortnight),?(?: on)? ${WEEKDAY}s?|${FORTNIGHTLY}(?: on)? ${WEEKDAY}s?|${WEEKDAY}s,? (?:${FORTNIGHTLY}|(?:each|every) (?:${OTHER} weeks?|fortnight))`;
const WORKING_DAYS = [1, 2, 3, 4, 5];
const WEEKEND = [6, 0];
const WHOLE_WEEK = [0, 1, 2, 3, 4, 5, 6];

/** Each form with the terms of an expression of it. */
const FORMS = [
  form(`(?:(?:each|every) )?(?:${ORDINAL}|last) ${WEEKDAY} (?:of|in) (?:the|each|every) month`, (expression) => [
    everyWeekdayOfMonth(weekdayIn(expression), placeIn(expression)),
  ]),
  form(
    `${ALTERNATE}|(?:each|every) (?:${WEEKDAY}|tues?|wed|thu(?:rs?)?|fri|(?:mon|sat|sun)${TIME_GOES_ON})|${WEEKDAY}s`,
    (expression) => [everyWeekday(weekdayIn(expression))],
  ),
  form('(?:each|every) (?:week|work|working )day|on (?:week|work|working )days', () => WORKING_DAYS.map(everyWeekday)),
  form('(?:each|every) weekend|(?:at|on) (?:the )?weekends', () => WEEKEND.map(everyWeekday)),
  // "Daily" alone is said of much that is on no agenda.
  form('(?:daily|(?:each|every) (?:day|morning|afternoon|evening|night)) at (?:\\d|noon|midnight)', () =>
    WHOLE_WEEK.map(everyWeekday),
  ),
  form(
    `(?:each|every) ${ORDINAL_DAY} of the month|(?:(?:each|every) month|monthly) on the ${ORDINAL_DAY}|(?:(?:by|on) )?(?:the )?${ORDINAL_DAY} (?:day )?of (?:each|every) month`,
    (expression) => [everyDayOfMonth(Number(/\d+/.exec(expression)?.[0]))],
  ),
];
/** Patterns of the expressions. */
export const RECURRING_FORMS: readonly string[] = FORMS.map(({ pattern }) => pattern);

const WHOLE_ALTERNATE = new RegExp(`^(?:${ALTERNATE})$`, 'i');
const WEEKDAY_IN = new RegExp(`\\b${ANY_WEEKDAY}`, 'i');

/** The terms of an expression that names days of each week or month; null where it names none such. */
export function termsOfRecurring(expression: string): string[] | null {
  return FORMS.find(({ whole }) => whole.test(expression))?.termsOf(expression) ?? null;
}

function form(pattern: string, termsOf: (expression: string) => string[]) {
  return { pattern, whole: new RegExp(`^(?:${pattern})$`, 'i'), termsOf };
}

function weekdayIn(expression: string): number {
  return WEEKDAYS.indexOf(longWeekday(WEEKDAY_IN.exec(expression)?.[0] ?? ''));
}

/** 1 for the first such weekday of a month, -1 for the last. */
function placeIn(expression: string): number {
  const words = expression.split(' ');
  return ORDINALS.findIndex((ordinal) => words.some((word) => ordinal.test(word))) + 1 || -1;
}

/** Whether an expression names every other such weekday. */
export function isAlternate(expression: string): boolean {
  return WHOLE_ALTERNATE.test(expression);
}

/** The terms of the weekdays from one to another; null where these are no weekdays. */
export function everyWeekdayFromTo(first: string, last: string): string[] | null {
  const [from, to] = [first, last].map((name) => WEEKDAYS.indexOf(name.toLowerCase())) as [number, number];
  if (from === -1 || to === -1) return null;
  const count = ((to - from + 7) % 7) + 1;
  return Array.from({ length: count }, (_, day) => everyWeekday((from + day) % 7));
}

const NEXT_OF_LIST = /^(?:,|,? and|,? or| &|\/) ?$/;

/** The term of another weekday behind one of each week: "every Tuesday and Thursday". @param between what stands between the two */
export function termsOfAlike(expression: string, between: string): string[] | null {
  const weekday = WEEKDAYS.indexOf(expression.toLowerCase());
  return weekday === -1 || !NEXT_OF_LIST.test(between) ? null : [everyWeekday(weekday)];
}

const EVERY_ONE = new RegExp(`^(?:each|every) (${WEEKDAY})$`, 'i');
const TO = /^(?:-|–| (?:to|through|thru) )$/i;

/** The terms of the weekdays of "every Monday to Thursday". @param first "every Monday" @param between what stands between the two */
export function termsUpTo(expression: string, first: string, between: string): string[] | null {
  const [, begin] = EVERY_ONE.exec(first) ?? [];
  return begin !== undefined && TO.test(between) ? everyWeekdayFromTo(begin, expression) : null;
}

/** "Fridays for Future". */
export function isRecurringName({ text, end, behind }: Expression): boolean {
  return isNoDay('', text.slice(end - 1, end) + behind);
}
