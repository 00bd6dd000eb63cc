import { describe, expect, test } from '@jest/globals';
import { bootstrapSum, orderedSample, seededRandom } from '../src/index.ts';

const TERMS = Object.freeze([orderedSample([1, 2]), orderedSample([10, 20, 30])]);

describe('bootstrapSum', () => {
  test('gives the same sums term by term as at once, and adds to what is there', () => {
    const whole = new Float64Array(10);
    bootstrapSum({ terms: TERMS, random: seededRandom(3), out: whole });
    const parts = new Float64Array(10).fill(100);
    const random = seededRandom(3);
    for (const term of TERMS) bootstrapSum({ terms: [term], random, out: parts });
    expect(parts).toEqual(whole.map((sum) => sum + 100));
  });

  test('reaches each of the six sums about equally often', () => {
    const out = new Float64Array(12_000);
    bootstrapSum({ terms: TERMS, random: seededRandom(4), out });
    for (const sum of [11, 12, 21, 22, 31, 32]) {
      // Five standard deviations of Binomial(12000, 1/6) are 204.
      expect(Math.abs(out.filter((value) => value === sum).length - 2000)).toBeLessThan(204);
    }
  });

  test('draws steps independently of each other', () => {
    const out = new Float64Array(12_000);
    const coin = orderedSample([0, 1]);
    bootstrapSum({ terms: [coin, coin], random: seededRandom(6), out });
    // Binomial(12000, 1/2): five standard deviations are 274.
    expect(Math.abs(out.filter((sum) => sum === 1).length - 6000)).toBeLessThan(274);
  });

  test('draws once for each sum and term', () => {
    let draws = 0;
    const random = { next: () => Number.NaN, nextInt: () => draws++ * 0 };
    bootstrapSum({ terms: TERMS, random, out: new Float64Array(7) });
    expect(draws).toBe(14);
  });

  test('needs no chance for a single value', () => {
    const out = new Float64Array(3);
    const random = { next: () => Number.NaN, nextInt: () => Number.NaN };
    bootstrapSum({ terms: [orderedSample([7]), orderedSample([0.5])], random, out });
    expect([...out]).toEqual([7.5, 7.5, 7.5]);
  });

  test('throws RangeError for an empty term and adds nothing', () => {
    const out = new Float64Array(2);
    const terms = [orderedSample([1]), orderedSample([])];
    expect(() => bootstrapSum({ terms, random: seededRandom(5), out })).toThrow('terms[1]');
    expect([...out]).toEqual([0, 0]);
  });
});
