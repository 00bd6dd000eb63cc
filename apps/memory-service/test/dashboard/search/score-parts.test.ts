import { expect, test } from '@jest/globals';
import fc from 'fast-check';

interface ScoreParts {
  hundredthsOf(score: number, parts: readonly number[]): number[];
}

// Written for the browser, without types.
const FILE = new URL('../../../src/dashboard/search/score-parts.js', import.meta.url).href;
const { hundredthsOf }: ScoreParts = await import(FILE);

test('gives what rounding leaves to the largest remainders', () => {
  expect(hundredthsOf(0.58, [0.1768, 0.4032])).toEqual([18, 40]);
  expect(hundredthsOf(1, [1 / 3, 1 / 3, 1 / 3])).toEqual([34, 33, 33]);
  expect(hundredthsOf(0.6, [0.5, 0.1512, -0.0512])).toEqual([50, 15, -5]);
  expect(hundredthsOf(0, [])).toEqual([]);
});

test('adds up to the score as it is written, each part within a hundredth', () => {
  const part = fc.double({ min: -1, max: 2, noNaN: true });
  fc.assert(
    fc.property(fc.array(part, { minLength: 1 }), (given) => {
      const score = given.reduce((total, one) => total + one, 0);
      fc.pre(score > 0);
      const parts = hundredthsOf(score, given);
      const whole = Math.round(Number(score.toFixed(2)) * 100);
      expect(parts.reduce((total, one) => total + one, 0)).toBe(whole);
      given.forEach((one, place) => {
        expect(Math.abs((parts[place] as number) - one * 100)).toBeLessThanOrEqual(1.000001);
      });
    }),
  );
});
