import { describe, expect, test } from '@jest/globals';
import { logNormalToleranceFactor } from '../src/index.ts';

describe('logNormalToleranceFactor', () => {
  // One-sided factors for 95 % coverage to two decimals, from the noncentral t apart from the table of this package.
  test.each([
    [3, 3.6, 5.31, 7.66],
    [5, 2.68, 3.4, 4.2],
    [8, 2.33, 2.75, 3.19],
    [10, 2.22, 2.57, 2.91],
    [20, 2.0, 2.21, 2.4],
    [50, 1.85, 1.97, 2.07],
  ])('agrees with the exact factors for %i values', (size, at80, at90, at95) => {
    expect(logNormalToleranceFactor({ size, coverage: 0.95, confidence: 0.8 })).toBeCloseTo(at80, 1.9);
    expect(logNormalToleranceFactor({ size, coverage: 0.95, confidence: 0.9 })).toBeCloseTo(at90, 1.9);
    expect(logNormalToleranceFactor({ size, coverage: 0.95, confidence: 0.95 })).toBeCloseTo(at95, 1.9);
  });

  // scipy 1.17.1: nct.ppf(C, n - 1, z_p * sqrt(n)) / sqrt(n); the last column is the promised relative error.
  test.each([
    [2, 0.95, 0.9, 13.08974199755539, 1e-7],
    [33, 0.95, 0.9, 2.055139890084046, 1e-6],
    [3, 0.97, 0.9, 6.008322670807167, 0.003],
    [10, 0.85, 0.95, 1.9880689187485938, 0.001],
    [7, 0.95, 0.85, 2.608172337620917, 0.001],
    [250, 0.6, 0.97, 0.3768181732863983, 0.001],
    [1_234_567, 0.95, 0.95, 1.647126356535368, 1e-6],
  ])('agrees with scipy for %i values, coverage %d, confidence %d', (size, coverage, confidence, k, error) => {
    expect(Math.abs(logNormalToleranceFactor({ size, coverage, confidence }) / k - 1)).toBeLessThan(error);
  });

  test('throws RangeError rather than extrapolate', () => {
    expect(() => logNormalToleranceFactor({ size: 1, coverage: 0.95, confidence: 0.9 })).toThrow('at least 2');
    expect(() => logNormalToleranceFactor({ size: 5, coverage: 0.9999, confidence: 0.9 })).toThrow(RangeError);
    expect(() => logNormalToleranceFactor({ size: 5, coverage: 0.95, confidence: 0.995 })).toThrow(RangeError);
  });
});
