import { describe, expect, test } from '@jest/globals';
import { RunningMoments } from '../src/index.ts';

describe('RunningMoments', () => {
  test('agrees with numpy, also far from zero', () => {
    // numpy.std([2, 4, 4, 4, 5, 5, 7, 9], ddof=1); an offset of 1e9 ruins the naive sum of squares.
    for (const offset of [0, 1e9]) {
      const moments = new RunningMoments();
      for (const value of [2, 4, 4, 4, 5, 5, 7, 9]) moments.add(offset + value);
      expect(moments.mean).toBeCloseTo(offset + 5, 6);
      expect(moments.sampleStandardDeviation).toBeCloseTo(2.138089935299395, 6);
    }
  });

  test('takes in the moments of other numbers as if each had been added', () => {
    const of = (values: readonly number[]) => {
      const moments = new RunningMoments();
      for (const value of values) moments.add(value);
      return moments;
    };
    const joined = of([2, 4, 4]);
    joined.addAll(of([]).all);
    joined.addAll(of([4, 5, 5, 7, 9]).all);
    expect(joined.all.size).toBe(8);
    expect(joined.mean).toBeCloseTo(5, 12);
    // numpy.std, as above.
    expect(joined.sampleStandardDeviation).toBeCloseTo(2.138089935299395, 12);
  });

  test('throws RangeError when it holds too little or gets what is not finite', () => {
    const moments = new RunningMoments();
    expect(() => moments.mean).toThrow('add at least one value');
    moments.add(1);
    expect(() => moments.sampleStandardDeviation).toThrow('at least two');
    expect(() => moments.add(Number.NaN)).toThrow('value is NaN: pass a finite number');
    expect(moments.mean).toBe(1);
    moments.add(3);
    expect(moments.sampleStandardDeviation).toBe(Math.SQRT2);
  });
});
