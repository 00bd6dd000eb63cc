import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { orderedSample, probabilityLess } from '../src/index.ts';

describe('probabilityLess', () => {
  test('agrees with scipy', () => {
    // scipy 1.17.1: mannwhitneyu(b, a).statistic / 30.
    expect(probabilityLess(orderedSample([1, 2, 2, 5, 9]), orderedSample([2, 3, 5, 5, 7, 10]))).toBeCloseTo(0.7, 12);
  });

  test('equals the double loop', () => {
    const values = fc
      .array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 30 })
      .map((unsorted) => unsorted.sort((x, y) => x - y));
    fc.assert(
      fc.property(values, values, (a, b) => {
        let wins = 0;
        for (const x of a) for (const y of b) wins += x < y ? 1 : x === y ? 0.5 : 0;
        expect(probabilityLess(orderedSample(a), orderedSample(b))).toBeCloseTo(wins / a.length / b.length, 12);
      }),
      { seed: 51, numRuns: 300 },
    );
  });

  test('throws RangeError for an empty sample', () => {
    const [one, none] = [orderedSample([1]), orderedSample([])];
    expect(() => probabilityLess(none, one)).toThrow(/^a.size is 0: /);
    expect(() => probabilityLess(one, none)).toThrow(/^b.size is 0: /);
  });
});
