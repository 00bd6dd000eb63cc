import { describe, expect, test } from '@jest/globals';
import { logNormalToleranceBound } from '../src/index.ts';

describe('logNormalToleranceBound', () => {
  test('agrees with scipy for five values', () => {
    // scipy 1.17.1 and numpy: exp(mean + nct.ppf(0.9, 4, z * sqrt(5)) / sqrt(5) * sd) of the logarithms.
    const values = Object.freeze([3.1, 1.2, 8.8, 2.5, 4.4]);
    expect(logNormalToleranceBound({ values, coverage: 0.95, confidence: 0.9 })).toBeCloseTo(39.1939755869796, 5);
  });

  test('takes 0 as 0.001 and equal values as they are', () => {
    const bound = (values: number[]) => logNormalToleranceBound({ values, coverage: 0.9, confidence: 0.9 });
    expect(bound([0, 1])).toBe(bound([0.001, 1]));
    expect(bound([7, 7, 7])).toBeCloseTo(7, 12);
  });

  test('throws RangeError for one value, a negative one and one that is not a number', () => {
    const bound = (values: number[]) => logNormalToleranceBound({ values, coverage: 0.9, confidence: 0.9 });
    expect(() => bound([1])).toThrow('values.length is 1: pass a whole number, at least 2');
    expect(() => bound([1, -1])).toThrow('values[1] is -1');
    expect(() => bound([1, Number.NaN])).toThrow(RangeError);
  });
});
