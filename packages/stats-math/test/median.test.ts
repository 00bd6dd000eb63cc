import { describe, expect, test } from '@jest/globals';
import { median, orderedSample } from '../src/index.ts';

describe('median', () => {
  test('is the middle value of an odd number, and the mean of the two middle ones of an even number', () => {
    expect(median(orderedSample([1, 2, 9]))).toBe(2);
    expect(median(orderedSample([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]))).toBe(5.5);
  });

  test('throws RangeError for an empty sample', () => {
    expect(() => median(orderedSample([]))).toThrow(
      new RangeError('sample.size is 0: pass a whole number, at least 1'),
    );
  });
});
