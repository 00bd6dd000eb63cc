import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toleranceRank } from '../src/index.ts';
import { naiveBinomialCdfs } from './naive-binomial-cdfs.ts';

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
    expect(toleranceRank({ size, coverage, confidence })).toBe(size - 1);
    if (size > 1) expect(toleranceRank({ size: size - 1, coverage, confidence })).toBeNull();
  });

  // scipy 1.17.1: binom.ppf(confidence, 1e6, coverage).
  test.each([
    [0.95, 0.95, 950_358],
    [0.9, 0.9, 900_384],
    [0.99, 0.95, 990_163],
  ])('agrees with scipy at a million values for coverage %d, confidence %d', (coverage, confidence, rank) => {
    expect(toleranceRank({ size: 1_000_000, coverage, confidence })).toBe(rank);
  });

  test('equals a linear search, and exists where 1 - coverage^size reaches the confidence', () => {
    const inputs = fc.record({
      size: fc.integer({ min: 1, max: 200 }),
      coverage: fc.double({ min: 0.01, max: 0.99, noNaN: true }),
      confidence: fc.double({ min: 0.01, max: 0.99, noNaN: true }),
    });
    fc.assert(
      fc.property(inputs, ({ size, coverage, confidence }) => {
        const atMost = naiveBinomialCdfs(size, coverage);
        let expected: number | null = null;
        for (let rank = size; rank >= 1; rank--) {
          if ((atMost[rank - 1] as number) >= confidence - 1e-8) expected = rank - 1;
        }
        expect(toleranceRank({ size, coverage, confidence })).toBe(expected);
        expect(1 - coverage ** size >= confidence - 1e-8).toBe(expected !== null);
      }),
      { seed: 42, numRuns: 300 },
    );
  });

  test('throws RangeError for a coverage or a confidence of 1, and for no value', () => {
    const rank = (size: number, coverage: number, confidence: number) => () =>
      toleranceRank({ size, coverage, confidence });
    expect(rank(9, 1, 0.9)).toThrow(/^coverage is 1: pass a number between 0 and 1/);
    expect(rank(9, 0.9, 1)).toThrow(/^confidence is 1: /);
    expect(rank(0, 0.9, 0.9)).toThrow(/^size is 0: /);
  });
});
