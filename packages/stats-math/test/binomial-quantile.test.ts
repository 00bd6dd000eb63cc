import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { binomialQuantile } from '../src/binomial-quantile.ts';
import { naiveBinomialCdfs } from './naive-binomial-cdfs.ts';

describe('binomialQuantile', () => {
  test('equals a linear search far in the tails, where its normal start is several ranks off', () => {
    const inputs = fc.record({
      size: fc.integer({ min: 1, max: 300 }),
      tail: fc.double({ min: 1, max: 6, noNaN: true }),
      rare: fc.double({ min: 0.3, max: 4, noNaN: true }),
      isUpper: fc.boolean(),
      isRare: fc.boolean(),
    });
    fc.assert(
      fc.property(inputs, ({ size, tail, rare, isUpper, isRare }) => {
        const probability = isUpper ? 1 - 10 ** -tail : 10 ** -tail;
        const p = isRare ? 10 ** -rare : 1 - 10 ** -rare;
        const expected = naiveBinomialCdfs(size, p).findIndex((atMost) => atMost >= probability - 1e-8);
        expect(binomialQuantile(probability, size, p)).toBe(expected);
      }),
      { seed: 52, numRuns: 1000 },
    );
  });
});
