import { expect, test } from '@jest/globals';

// Written for the browser, without types.
const FILE = new URL('../../../src/dashboard/timeline/time-window.js', import.meta.url).href;
const { columnsOf }: { columnsOf(spanMs: number, most: number): number } = await import(FILE);

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

test.each([
  ['an hour', HOUR_MS, 120],
  ['a day', DAY_MS, 120],
  ['a week: two hours each', 7 * DAY_MS, 84],
  ['a month: six hours each', 30 * DAY_MS, 120],
  // 120 would be of 18 hours each, of which every fourth or so has no working hour in it.
  ['a quarter: a day each', 91 * DAY_MS + 30 * 60_000, 91],
  ['a year: a week each', 365 * DAY_MS, 52],
  ['thirty years', 30 * 365 * DAY_MS, 120],
])('columns of %s', (_, spanMs, columns) => {
  expect(columnsOf(spanMs, 120)).toBe(columns);
});
