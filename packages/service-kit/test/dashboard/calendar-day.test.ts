import { expect, test } from '@jest/globals';

// Written for the browser, without types.
const FILE = new URL('../../dashboard/shared/calendar-day.js', import.meta.url).href;
const { startOfWeek }: { startOfWeek(epochMs: number): number } = await import(FILE);

test.each([
  ['a Saturday', [2026, 10, 28, 21, 5], [2026, 10, 23]],
  ['a Sunday, with which it ends', [2026, 10, 29, 23, 59], [2026, 10, 23]],
  ['a Monday, with which it begins', [2026, 10, 30], [2026, 10, 30]],
  ['the first days of a year', [2027, 0, 2], [2026, 11, 28]],
] as const)('the week of %s begins with its Monday, by the clock of the reader', (_what, of, monday) => {
  const at = (parts: readonly number[]) => new Date(...(parts as [number, number, number])).getTime();
  expect(startOfWeek(at(of))).toBe(at(monday));
});
