import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { orderStatisticInterval } from '../src/index.ts';
import { naiveBinomialCdfs } from './naive-binomial-cdfs.ts';

/** Ranks at 95 % by Hahn and Meeker's definition, 1-based, computed apart from this code: size, p, low, high. */
const RANKS = Object.freeze([
  [5, 0.5, null, null],
  [5, 0.95, 4, null],
  [6, 0.5, 1, 6],
  [6, 0.95, 4, null],
  [10, 0.5, 2, 9],
  [10, 0.95, 8, null],
  [20, 0.5, 6, 15],
  [20, 0.95, 17, null],
  [50, 0.5, 18, 33],
  [50, 0.95, 44, null],
  [100, 0.5, 40, 61],
  [100, 0.95, 90, 100],
  [200, 0.5, 86, 115],
  [200, 0.95, 184, 197],
  [500, 0.5, 228, 273],
  [500, 0.95, 465, 485],
] as const);

describe('orderStatisticInterval', () => {
  test.each(RANKS)('returns the exact ranks for %i values at p = %d', (size, p, low, high) => {
    const expected = { low: low === null ? null : low - 1, high: high === null ? null : high - 1 };
    expect(orderStatisticInterval({ size, p, confidence: 0.95 })).toEqual(expected);
  });

  // scipy 1.17.1: binom.ppf(0.025, n, p) - 1 and binom.ppf(0.975, n, p).
  test.each([
    [1000, 0.5, 468, 531],
    [1000, 0.95, 935, 963],
    [1000, 0.99, 982, 996],
    [1_000_000, 0.5, 499_019, 500_980],
    [1_000_000, 0.95, 949_571, 950_427],
    [1_000_000, 0.99, 989_804, 990_195],
  ])('agrees with scipy for %i values at p = %d', (size, p, low, high) => {
    expect(orderStatisticInterval({ size, p, confidence: 0.95 })).toEqual({ low, high });
  });

  test('takes an exact tie of the tail as reached', () => {
    // B(0; 5, 0.5) = 1/32 is the tail itself.
    expect(orderStatisticInterval({ size: 5, p: 0.5, confidence: 0.9375 })).toEqual({ low: 0, high: 4 });
  });

  test('equals a linear search over summed probabilities', () => {
    const inputs = fc.record({
      size: fc.integer({ min: 1, max: 300 }),
      p: fc.double({ min: 0.001, max: 0.999, noNaN: true }),
      confidence: fc.double({ min: 0.01, max: 0.999, noNaN: true }),
    });
    fc.assert(
      fc.property(inputs, ({ size, p, confidence }) => {
        const tail = (1 - confidence) / 2;
        const atMost = naiveBinomialCdfs(size, p);
        let low: number | null = null;
        let high: number | null = null;
        for (let rank = size; rank >= 1; rank--) {
          const before = atMost[rank - 1] as number;
          if (low === null && before <= tail + 1e-8) low = rank - 1;
          if (before >= 1 - tail - 1e-8) high = rank - 1;
        }
        expect(orderStatisticInterval({ size, p, confidence })).toEqual({ low, high });
      }),
      { seed: 41, numRuns: 300 },
    );
  });

  test('throws RangeError that names what to pass', () => {
    expect(() => orderStatisticInterval({ size: 0, p: 0.5, confidence: 0.95 })).toThrow(RangeError);
    expect(() => orderStatisticInterval({ size: 5, p: 1, confidence: 0.95 })).toThrow('pass a number between 0 and 1');
    expect(() => orderStatisticInterval({ size: 5, p: 0.5, confidence: Number.NaN })).toThrow(RangeError);
  });
});
