import { describe, expect, test } from '@jest/globals';
import { bootstrapSum, orderedSample, seededRandom } from '../src/index.ts';

const TERMS = Object.freeze([orderedSample([1, 2]), orderedSample([10, 20, 30])]);

describe('bootstrapSum', () => {
  test('gives the same sums in slices as at once, and leaves the rest alone', () => {
    const whole = new Float64Array(10).fill(-1);
    bootstrapSum({ terms: TERMS, random: seededRandom(3), out: whole, from: 0, to: 9 });
    const sliced = new Float64Array(10).fill(-1);
    const random = seededRandom(3);
    bootstrapSum({ terms: TERMS, random, out: sliced, from: 0, to: 4 });
    bootstrapSum({ terms: TERMS, random, out: sliced, from: 4, to: 9 });
    expect(sliced).toEqual(whole);
    expect(whole[9]).toBe(-1);
  });

  test('reaches each of the six sums about equally often', () => {
    const out = new Float64Array(12_000);
    bootstrapSum({ terms: TERMS, random: seededRandom(4), out, from: 0, to: out.length });
    for (const sum of [11, 12, 21, 22, 31, 32]) {
      // Five standard deviations of Binomial(12000, 1/6) are 204.
      expect(Math.abs(out.filter((value) => value === sum).length - 2000)).toBeLessThan(204);
    }
  });

  test('throws RangeError for an empty term and a slice outside', () => {
    const out = new Float64Array(2);
    const random = seededRandom(5);
    expect(() => bootstrapSum({ terms: [orderedSample([])], random, out, from: 0, to: 1 })).toThrow('terms[0]');
    expect(() => bootstrapSum({ terms: TERMS, random, out, from: 0, to: 3 })).toThrow(RangeError);
    expect(() => bootstrapSum({ terms: TERMS, random, out, from: 2, to: 1 })).toThrow(RangeError);
  });
});
