import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { orderedSample, rankSumZ } from '../src/index.ts';

describe('rankSumZ', () => {
  test('is at its bound where the table of Mann and Whitney has its critical value', () => {
    // Two-sided 1 % of 20 and 20: U = 105; at U = 106 the difference is not significant.
    const many = orderedSample(Array.from({ length: 20 }, (_, index) => index));
    // Each value lies above as many of the 20 as its number says; together U.
    const reaching = (u: number) =>
      Array.from({ length: 20 }, (_, i) => Math.floor(u / 20) + (i < u % 20 ? 1 : 0) - 0.5);
    expect(rankSumZ({ few: reaching(104), many })).toBeLessThan(-2.5758);
    expect(rankSumZ({ few: reaching(106), many })).toBeGreaterThan(-2.5758);
    expect(rankSumZ({ few: reaching(400 - 104), many })).toBeGreaterThan(2.5758);
    expect(rankSumZ({ few: reaching(200), many })).toBe(0);
  });

  test('equals the double loop', () => {
    const values = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(values, values, (few, many) => {
        let wins = 0;
        for (const x of few) for (const y of many) wins += x > y ? 1 : x === y ? 0.5 : 0;
        const [n, m] = [few.length, many.length];
        const expected = (wins - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12);
        const sorted = orderedSample(many.toSorted((x, y) => x - y));
        expect(rankSumZ({ few, many: sorted })).toBeCloseTo(expected, 12);
      }),
      { seed: 57, numRuns: 300 },
    );
  });

  test('throws RangeError for an empty sample', () => {
    const [one, none] = [orderedSample([1]), orderedSample([])];
    expect(() => rankSumZ({ few: [], many: one })).toThrow(/^few.length is 0: /);
    expect(() => rankSumZ({ few: [1], many: none })).toThrow(/^many.size is 0: /);
  });
});
