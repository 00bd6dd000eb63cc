import { expect, test } from '@jest/globals';

// Written for the browser, without types.
const FILE = new URL('../../dashboard/shared/chart-scale.js', import.meta.url).href;
interface Scale {
  readonly top: number;
  readonly middle: number | null;
}
const { scaleOf }: { scaleOf(values: number[]): Scale } = await import(FILE);

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
  expect(scaleOf([value]).top).toBe(top);
});

test.each<[number[], Scale]>([
  [[], { top: 1, middle: null }],
  [[0, 1, 1], { top: 1, middle: null }],
  [[2, 1], { top: 2, middle: 1 }],
  [[3], { top: 4, middle: 2 }],
  [[5], { top: 6, middle: 3 }],
  [[434, 7], { top: 500, middle: 250 }],
  // Hours.
  [[0.5, 1], { top: 1, middle: 0.5 }],
  [[2.4, 3], { top: 3, middle: 1.5 }],
])('the lines of a chart of %j stand at whole numbers where its values are whole', (values, scale) => {
  expect(scaleOf(values)).toEqual(scale);
});
