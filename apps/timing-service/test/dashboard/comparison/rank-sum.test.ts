import { rankSumZ as knownZ, orderedSample } from '@agent-faculties/stats-math';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';

type Sorted = readonly number[];
// Written for the browser, without types.
const FILE = new URL('../../../src/dashboard/comparison/rank-sum.js', import.meta.url).href;
const {
  isClear,
  rankSumZ,
}: {
  isClear(before: Sorted, after: Sorted): boolean;
  rankSumZ(before: Sorted, after: Sorted): number;
} = await import(FILE);

/** Few distinct values, so that ties are common. */
const durations = fc
  .array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 30 })
  .map((values) => values.sort((one, other) => one - other));

test('the rank-sum test of the dashboard is that of stats-math', () => {
  fc.assert(
    fc.property(durations, durations, (before, after) => {
      expect(rankSumZ(before, after)).toBeCloseTo(knownZ({ few: after, many: orderedSample(before) }), 12);
    }),
    { seed: 61, numRuns: 300 },
  );
});

test('a change is clear from five runs on either side, where none of them overlap', () => {
  expect(isClear([1, 2, 3, 4, 5], [6, 7, 8, 9, 10])).toBe(true);
  expect(isClear([6, 7, 8, 9, 10], [1, 2, 3, 4, 5])).toBe(true);
  expect(isClear([1, 2, 3, 4, 6], [5, 7, 8, 9, 10])).toBe(false);
  expect(isClear([1, 2, 3, 4], [6, 7, 8, 9, 10])).toBe(false);
  expect(isClear([], [6, 7, 8, 9, 10])).toBe(false);
});
