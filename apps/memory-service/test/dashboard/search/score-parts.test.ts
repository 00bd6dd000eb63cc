import { expect, test } from '@jest/globals';
import fc from 'fast-check';

interface ScoreParts {
  hundredthsOf(score: number, given: readonly number[]): number[];
}

// Written for the browser, without types.
const FILE = new URL('../../../src/dashboard/search/score-parts.js', import.meta.url).href;
const { hundredthsOf }: ScoreParts = await import(FILE);

test('divides a score in proportion, and gives what rounding leaves to the largest remainders', () => {
  // 0.58 of 2.69: 17.68 and 40.32 hundredths.
  expect(hundredthsOf(0.58, [0.82, 1.87])).toEqual([18, 40]);
  expect(hundredthsOf(1, [1, 1, 1])).toEqual([34, 33, 33]);
  expect(hundredthsOf(0.8, [0.3, 0.1, -0.1])).toEqual([80, 27, -27]);
});

test('divides nothing where the reasons speak against a memory together', () => {
  expect(hundredthsOf(0, [0.1, -0.2])).toEqual([0, 0]);
  expect(hundredthsOf(0.4, [])).toEqual([]);
});

test('adds up to the score as it is written, each part within a hundredth of its share', () => {
  const value = fc.double({ min: 0, max: 3, noNaN: true });
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.array(value, { minLength: 1 }), (score, given) => {
      const sum = given.reduce((total, one) => total + one, 0);
      fc.pre(sum > 1e-3);
      const parts = hundredthsOf(score, given);
      const whole = Math.round(Number(score.toFixed(2)) * 100);
      expect(parts.reduce((total, part) => total + part, 0)).toBe(whole);
      given.forEach((one, place) => {
        expect(Math.abs((parts[place] as number) - (one / sum) * whole)).toBeLessThanOrEqual(1.000001);
      });
    }),
  );
});
