import { expect, test } from '@jest/globals';
import {
  MONTH,
  MONTHS,
  monthNumbered,
  PLAIN_SHORT_WEEKDAY,
  WEEKDAY,
  WEEKDAYS,
} from '../../../../src/domain/text/words/calendar.ts';

/** What the runtime calls a day in English. */
const named = (day: Date, part: 'month' | 'weekday', style: 'long' | 'short') =>
  new Intl.DateTimeFormat('en-GB', { [part]: style, timeZone: 'UTC' }).format(day).toLowerCase();
const is = (pattern: string, word: string) => new RegExp(`^${pattern}$`).test(word);

test('the months have the names and numbers of the calendar', () => {
  for (let month = 0; month < 12; month++) {
    const day = new Date(Date.UTC(2026, month, 1));
    const names = [named(day, 'month', 'long'), named(day, 'month', 'short')];
    expect(MONTHS[day.getUTCMonth()]).toBe(names[0]);
    expect(names.map(monthNumbered)).toEqual([month, month]);
    expect(names.every((name) => is(MONTH, name))).toBe(true);
  }
  expect([monthNumbered('Sep'), monthNumbered('monday'), is(MONTH, 'sep'), is(MONTH, 'ma')]).toEqual([
    8,
    -1,
    true,
    false,
  ]);
});

test('the weekdays have the names and numbers of the calendar', () => {
  for (let date = 1; date <= 7; date++) {
    const day = new Date(Date.UTC(2026, 10, date));
    const name = named(day, 'weekday', 'long');
    expect(WEEKDAYS[day.getUTCDay()]).toBe(name);
    expect(is(WEEKDAY, name)).toBe(true);
  }
  const short = ['mon', 'tue', 'tues', 'wed', 'thu', 'thur', 'thurs', 'fri', 'sat', 'sun'];
  expect(short.filter((word) => is(PLAIN_SHORT_WEEKDAY, word))).toEqual(short.slice(1, 8));
});
