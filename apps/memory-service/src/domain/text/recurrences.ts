import { WEEKDAY, WEEKDAYS } from './calendar.ts';
import { RECURRENCES } from './day-forms.ts';
import { everyDayOfMonth, everyWeekday } from './day-terms.ts';

const whole = (form: string) => new RegExp(`^(?:${form})$`, 'i');
const WORKING_DAYS = [1, 2, 3, 4, 5];
const WEEKEND = [6, 0];
const WHOLE_WEEK = [0, 1, 2, 3, 4, 5, 6];
const WEEKDAY_IN = new RegExp(WEEKDAY, 'i');
/** Each form of an expression that names weekdays of each week, or a day of each month, with the terms for it. */
const FORMS: readonly (readonly [RegExp, (expression: string) => string[]])[] = [
  [
    whole(RECURRENCES.weekday),
    (text) => [everyWeekday(WEEKDAYS.indexOf(WEEKDAY_IN.exec(text)?.[0].toLowerCase() ?? ''))],
  ],
  [whole(RECURRENCES.weekdays), () => WORKING_DAYS.map(everyWeekday)],
  [whole(RECURRENCES.weekend), () => WEEKEND.map(everyWeekday)],
  [whole(RECURRENCES.eachDay), () => WHOLE_WEEK.map(everyWeekday)],
  [whole(RECURRENCES.dayOfMonth), (text) => [everyDayOfMonth(Number(/\d+/.exec(text)?.[0]))]],
];

/** The terms of an expression that names days of each week or month; null where it names none such. */
export function termsOfRecurring(expression: string): string[] | null {
  const [, terms] = FORMS.find(([form]) => form.test(expression)) ?? [];
  return terms?.(expression) ?? null;
}
