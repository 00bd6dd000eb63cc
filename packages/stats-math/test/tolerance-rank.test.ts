import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toleranceMinimumSize, toleranceRank } from '../src/index.ts';
import { naiveBinomialCdf } from './naive-binomial-cdf.ts';

describe('toleranceRank', () => {
  // Wilks 1941 and its well-known continuation (59, 93, 124), 1-based ranks.
  test.each([
    [58, null],
    [59, 59],
    [92, 92],
    [93, 92],
    [124, 122],
    [200, 196],
    [500, 484],
    [1000, 962],
  ])('bounds 95 %% of runs at 95 %% confidence with %i values by rank %p', (size, rank) => {
    expect(toleranceRank({ size, coverage: 0.95, confidence: 0.95 })).toBe(rank === null ? null : rank - 1);
  });

  // scipy 1.17.1: binom.ppf(confidence, 1e6, coverage).
  test.each([
    [0.95, 0.95, 950_358],
    [0.9, 0.9, 900_384],
    [0.99, 0.95, 990_163],
  ])('agrees with scipy at a million values for coverage %d, confidence %d', (coverage, confidence, rank) => {
    expect(toleranceRank({ size: 1_000_000, coverage, confidence })).toBe(rank);
  });

  test('equals a linear search, and exists from toleranceMinimumSize on', () => {
    const inputs = fc.record({
      size: fc.integer({ min: 1, max: 200 }),
      coverage: fc.double({ min: 0.01, max: 0.99, noNaN: true }),
      confidence: fc.double({ min: 0.01, max: 0.99, noNaN: true }),
    });
    fc.assert(
      fc.property(inputs, ({ size, coverage, confidence }) => {
        let expected: number | null = null;
        for (let rank = size; rank >= 1; rank--) {
          if (naiveBinomialCdf(rank - 1, size, coverage) >= confidence - 1e-8) expected = rank - 1;
        }
        expect(toleranceRank({ size, coverage, confidence })).toBe(expected);
        expect(size >= toleranceMinimumSize({ coverage, confidence })).toBe(expected !== null);
      }),
      { seed: 42, numRuns: 300 },
    );
  });

  test('throws RangeError for a coverage of 1', () => {
    expect(() => toleranceRank({ size: 9, coverage: 1, confidence: 0.9 })).toThrow(RangeError);
  });
});
