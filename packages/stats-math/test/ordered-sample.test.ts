import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { orderedSample } from '../src/index.ts';

describe('orderedSample', () => {
  test('has each value at its rank and counts as a filter does, ties included', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 })), fc.integer({ min: -1, max: 10 }), (unsorted, value) => {
        const sorted = [...unsorted].sort((x, y) => x - y);
        const sample = orderedSample(sorted);
        expect(sorted.map((_, rank) => sample.at(rank))).toEqual(sorted);
        expect(sample.countAtMost(value)).toBe(sorted.filter((x) => x <= value).length);
        expect(sample.countBelow(value)).toBe(sorted.filter((x) => x < value).length);
      }),
      { seed: 44, numRuns: 300 },
    );
  });

  test('throws RangeError for descending and for not finite values, and for a rank that does not exist', () => {
    expect(() => orderedSample([1, 3, 2])).toThrow('index 2');
    expect(() => orderedSample([1, Number.NaN])).toThrow(RangeError);
    expect(() => orderedSample([1, Number.POSITIVE_INFINITY])).toThrow(RangeError);
    expect(() => orderedSample([1, 2]).at(2)).toThrow('pass 0 to 1');
  });
});
