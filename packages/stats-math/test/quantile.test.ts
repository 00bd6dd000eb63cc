import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { orderedSample, quantileRank, quantileSorted } from '../src/index.ts';

const TEN = Object.freeze([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);

describe('quantileSorted', () => {
  // 10 and 6 are what OpenTime's own tests pin; 0 and 1 are the ends by definition.
  test.each([
    [0.95, 10],
    [0.5, 6],
    [0, 1],
    [1, 10],
  ])('gives, of 1 to 10 at p = %d, %i', (p, value) => {
    expect(quantileSorted(orderedSample(TEN), p)).toBe(value);
  });

  test('equals sorted[min(floor(n * p), n - 1)]', () => {
    const values = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (unsorted, p) => {
        const sorted = [...unsorted].sort((x, y) => x - y);
        const expected = sorted[Math.min(Math.floor(sorted.length * p), sorted.length - 1)];
        expect(quantileSorted(orderedSample(sorted), p)).toBe(expected);
      }),
      { seed: 43, numRuns: 300 },
    );
  });

  test('throws RangeError for an empty sample and for p outside 0..1', () => {
    expect(() => quantileSorted(orderedSample([]), 0.5)).toThrow(RangeError);
    expect(() => quantileSorted(orderedSample(TEN), 1.01)).toThrow('pass a number from 0 to 1');
  });
});

describe('quantileRank', () => {
  test('is one above nearest rank where n * p is whole', () => {
    expect(quantileRank(20, 0.95)).toBe(19);
    expect(quantileRank(100, 0.95)).toBe(95);
    expect(quantileRank(19, 0.95)).toBe(18);
  });

  test('throws RangeError for size 0 or p that is not a number', () => {
    expect(() => quantileRank(0, 0.5)).toThrow(RangeError);
    expect(() => quantileRank(3, Number.NaN)).toThrow(RangeError);
  });
});
