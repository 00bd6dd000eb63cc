import { expect, test } from '@jest/globals';
import { expressionsIn } from '../../../../src/domain/text/days/day-expressions.ts';
import { CALENDAR_PERIODS } from '../../../../src/domain/text/days/kinds/calendar-periods.ts';
import { DATES } from '../../../../src/domain/text/days/kinds/dates.ts';
import { DATES_IN_NUMBERS } from '../../../../src/domain/text/days/kinds/dates-in-numbers.ts';
import { DAYS_OF_MONTH } from '../../../../src/domain/text/days/kinds/days-of-month.ts';
import { HOLIDAYS } from '../../../../src/domain/text/days/kinds/holidays.ts';
import { LISTS_OF_DAYS } from '../../../../src/domain/text/days/kinds/lists-of-days.ts';
import { RELATIVE } from '../../../../src/domain/text/days/kinds/relative.ts';
import { WEEKDAYS_NAMED } from '../../../../src/domain/text/days/kinds/weekdays.ts';

const RECURRING = null;

test.each([
  ['every other Friday', RECURRING],
  ['Fridays', RECURRING],
  ['the 9th of each month', RECURRING],
  ['Friday week', RELATIVE],
  ['next week', RELATIVE],
  ['Friday 4 and Monday 7 December', LISTS_OF_DAYS],
  ['Friday 4 December', DATES],
  ['the 9th of next month', DATES],
  ['May 3-5', DATES],
  ['May 2027', CALENDAR_PERIODS],
  ['end of May', CALENDAR_PERIODS],
  ['Friday 12/4', DATES_IN_NUMBERS],
  ['Friday the 9th', DAYS_OF_MONTH],
  ['Boxing Day', HOLIDAYS],
  ['last Friday in May', WEEKDAYS_NAMED],
  ['Friday next week', WEEKDAYS_NAMED],
  ['Friday', WEEKDAYS_NAMED],
])('%j is found whole, and not as a shorter expression with which it begins', (written, kind) => {
  expect([...expressionsIn(`Call Ann: ${written}!`)]).toEqual([expect.objectContaining({ written, kind })]);
});

test('two texts are looked through at the same time', () => {
  const one = expressionsIn('On Monday, on Tuesday and next week.');
  const other = expressionsIn('Tomorrow Ann calls about the retro on Friday.');
  const written = Array.from({ length: 3 }, () => [one, other].map((found) => found.next().value?.written));
  expect(written).toEqual([
    ['Monday', 'Tomorrow'],
    ['Tuesday', 'Friday'],
    ['next week', undefined],
  ]);
});
