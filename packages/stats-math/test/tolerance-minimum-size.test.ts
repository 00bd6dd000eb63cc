import { describe, expect, test } from '@jest/globals';
import { toleranceMinimumSize } from '../src/index.ts';

describe('toleranceMinimumSize', () => {
  // Wilks 1941: 45, 59, 22, 29 and 299 are the first-order sample sizes in common use; the last two follow by hand.
  test.each([
    [0.95, 0.9, 45],
    [0.95, 0.95, 59],
    [0.9, 0.9, 22],
    [0.9, 0.95, 29],
    [0.99, 0.95, 299],
    [0.5, 0.75, 2],
    [0.9, 0.05, 1],
  ])('asks, for coverage %d at confidence %d, for %i values', (coverage, confidence, size) => {
    expect(toleranceMinimumSize({ coverage, confidence })).toBe(size);
  });

  test('throws RangeError for a confidence of 1', () => {
    expect(() => toleranceMinimumSize({ coverage: 0.9, confidence: 1 })).toThrow(RangeError);
  });
});
