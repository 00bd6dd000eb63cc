import { expect, test } from '@jest/globals';

// Written for the browser, without types.
const FILE = new URL('../../dashboard/shared/rounded-up.js', import.meta.url).href;
const { roundedUp }: { roundedUp(value: number): number } = await import(FILE);

test.each([
  [0, 1],
  [1, 1],
  [7, 8],
  [10, 10],
  [11, 20],
  [434, 500],
  // Twice as much would leave half of the chart empty.
  [505, 600],
  [2_100, 3_000],
  [9_000, 10_000],
])('a chart up to %d is as high as %d', (value, top) => {
  expect(roundedUp(value)).toBe(top);
});
