import { describe, expect, test } from '@jest/globals';
import { predictionRank } from '../src/index.ts';

describe('predictionRank', () => {
  // Hahn and Meeker: the maximum of n bounds the next with probability n / (n + 1).
  test.each([
    [8, 0.9, null],
    [9, 0.9, 8],
    [18, 0.95, null],
    [19, 0.95, 18],
    [98, 0.99, null],
    [99, 0.99, 98],
    [39, 0.95, 37],
    [1, 0.5, 0],
  ])('gives, for %i values at p = %d, 0-based rank %p', (size, p, rank) => {
    expect(predictionRank({ size, p })).toBe(rank);
  });

  test('is not moved by the last digit of (n + 1) * p', () => {
    for (let hundredths = 1; hundredths < 100; hundredths++) {
      expect(predictionRank({ size: 99, p: hundredths / 100 })).toBe(hundredths - 1);
    }
  });

  test('throws RangeError for an empty sample', () => {
    expect(() => predictionRank({ size: 0, p: 0.5 })).toThrow(RangeError);
  });
});
