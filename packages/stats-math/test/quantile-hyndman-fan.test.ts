import { describe, expect, test } from '@jest/globals';
import { orderedSample, type QuantileType, quantileHyndmanFan } from '../src/index.ts';

const VALUES = Object.freeze([1.5, 2, 4, 8, 16, 32, 33, 40]);
const SHARES = Object.freeze([0, 0.1, 0.25, 0.5, 0.9, 1]);

describe('quantileHyndmanFan', () => {
  // numpy.quantile(VALUES, SHARES, method=...) in the order of the types.
  test.each([
    [1, [1.5, 1.5, 2, 8, 40, 40]],
    [2, [1.5, 1.5, 3, 12, 40, 40]],
    [3, [1.5, 1.5, 2, 8, 33, 40]],
    [4, [1.5, 1.5, 2, 8, 34.4, 40]],
    [5, [1.5, 1.65, 3, 12, 37.9, 40]],
    [6, [1.5, 1.5, 2.5, 12, 40, 40]],
    [7, [1.5, 1.85, 3.5, 12, 35.1, 40]],
    [8, [1.5, 1.5833333333333335, 2.833333333333333, 12, 38.833333333333336, 40]],
    [9, [1.5, 1.6, 2.875, 12, 38.6, 40]],
  ])('agrees with numpy for type %i', (type, expected) => {
    const sample = orderedSample(VALUES);
    SHARES.forEach((p, index) => {
      expect(quantileHyndmanFan(sample, { p, type: type as QuantileType })).toBeCloseTo(expected[index] as number, 12);
    });
  });

  test('gives 9.55 as the default of R for p95 of 1 to 10', () => {
    const ten = orderedSample([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(quantileHyndmanFan(ten, { p: 0.95, type: 7 })).toBeCloseTo(9.55, 12);
  });

  test('throws RangeError for type 10 and for an empty sample', () => {
    expect(() => quantileHyndmanFan(orderedSample(VALUES), { p: 0.5, type: 10 as QuantileType })).toThrow(RangeError);
    expect(() => quantileHyndmanFan(orderedSample([]), { p: 0.5, type: 7 })).toThrow(RangeError);
  });
});
