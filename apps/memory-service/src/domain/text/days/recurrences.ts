import { ORDINALS } from '../times/calendar-times.ts';
import { longWeekday, SHORT_WEEKDAY, WEEKDAY, WEEKDAYS } from '../words/calendar.ts';
import { ALTERNATE, RECURRENCES } from './day-forms.ts';
import { everyDayOfMonth, everyWeekday, everyWeekdayOfMonth } from './day-terms.ts';

const whole = (form: string) => new RegExp(`^(?:${form})$`, 'i');
const WORKING_DAYS = [1, 2, 3, 4, 5];
const WEEKEND = [6, 0];
const WHOLE_WEEK = [0, 1, 2, 3, 4, 5, 6];
const WEEKDAY_IN = new RegExp(`\\b(?:${WEEKDAY}|${SHORT_WEEKDAY})`, 'i');
/** Each form of an expression that names weekdays of each week, or a day of each month, with the terms for it. */
const FORMS: readonly (readonly [RegExp, (expression: string) => string[]])[] = [
  [whole(RECURRENCES.weekdayOfMonth), (text) => [everyWeekdayOfMonth(weekdayIn(text), placeIn(text))]],
  [whole(RECURRENCES.weekday), (text) => [everyWeekday(weekdayIn(text))]],
  [whole(RECURRENCES.weekdays), () => WORKING_DAYS.map(everyWeekday)],
  [whole(RECURRENCES.weekend), () => WEEKEND.map(everyWeekday)],
  [whole(RECURRENCES.eachDay), () => WHOLE_WEEK.map(everyWeekday)],
  [whole(RECURRENCES.dayOfMonth), (text) => [everyDayOfMonth(Number(/\d+/.exec(text)?.[0]))]],
];

function weekdayIn(text: string): number {
  return WEEKDAYS.indexOf(longWeekday(WEEKDAY_IN.exec(text)?.[0] ?? ''));
}

/** 1 for the first such weekday of a month, -1 for the last. */
function placeIn(text: string): number {
  const words = text.split(' ');
  return ORDINALS.findIndex((ordinal) => words.some((word) => ordinal.test(word))) + 1 || -1;
}

/** The terms of an expression that names days of each week or month; null where it names none such. */
export function termsOfRecurring(expression: string): string[] | null {
  const [, terms] = FORMS.find(([form]) => form.test(expression)) ?? [];
  return terms?.(expression) ?? null;
}

const WHOLE_ALTERNATE = whole(ALTERNATE);

/** Whether an expression names every other such weekday. */
export function isAlternate(expression: string): boolean {
  return WHOLE_ALTERNATE.test(expression);
}

const NEXT_OF_LIST = /^(?:,|,? and|,? or| &|\/) ?$/;

/** The term of another weekday behind one of each week: "every Tuesday and Thursday". @param between what stands between the two */
export function termsOfAlike(expression: string, between: string): string[] | null {
  const weekday = WEEKDAYS.indexOf(expression.toLowerCase());
  return weekday === -1 || !NEXT_OF_LIST.test(between) ? null : [everyWeekday(weekday)];
}
