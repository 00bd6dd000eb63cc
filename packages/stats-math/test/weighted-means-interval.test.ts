import { describe, expect, test } from '@jest/globals';
import { RunningMoments, type WeightedMean, weightedMeansInterval } from '../src/index.ts';

function weighted(weight: number, values: readonly number[]): WeightedMean {
  const moments = new RunningMoments();
  for (const value of values) moments.add(value);
  const squaredError = moments.sampleStandardDeviation ** 2 / values.length;
  return { weight, mean: moments.mean, squaredError, size: values.length };
}

/** Student's data on sleep (Biometrika 6, 1908), as R has them. */
const SLEEP = {
  first: [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2],
  second: [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
};

describe('weightedMeansInterval', () => {
  test('of two means is what t.test(extra ~ group, data = sleep) of R prints', () => {
    const means = [weighted(1, SLEEP.first), weighted(-1, SLEEP.second)];
    const { sum, low, high } = weightedMeansInterval({ means, confidence: 0.95 });
    expect(sum).toBeCloseTo(0.75 - 2.33, 12);
    expect(low).toBeCloseTo(-3.3654832, 6);
    expect(high).toBeCloseTo(0.2054832, 6);
  });

  test('of one mean is its t interval: 2.262157 standard errors, t of 9 degrees of freedom', () => {
    const one = weighted(1, SLEEP.second);
    const { low, high } = weightedMeansInterval({ means: [one], confidence: 0.95 });
    expect(high - one.mean).toBeCloseTo(2.262157 * Math.sqrt(one.squaredError), 5);
    expect(one.mean - low).toBeCloseTo(high - one.mean, 12);
  });

  test('is twice as wide for a weight of two', () => {
    const [once, twice] = [1, 2].map((weight) =>
      weightedMeansInterval({ means: [weighted(weight, SLEEP.first)], confidence: 0.9 }),
    );
    expect(twice?.low).toBeCloseTo(2 * (once?.low ?? 0), 12);
    expect(twice?.high).toBeCloseTo(2 * (once?.high ?? 0), 12);
  });

  test('of values that are all alike, and of nothing, is a point', () => {
    const means = [weighted(1, [5, 5]), weighted(-1, [3, 3, 3])];
    expect(weightedMeansInterval({ means, confidence: 0.95 })).toEqual({ sum: 2, low: 2, high: 2 });
    expect(weightedMeansInterval({ means: [], confidence: 0.95 })).toEqual({ sum: 0, low: 0, high: 0 });
  });

  test('throws RangeError for a mean of one value and for what is not a variance or a confidence', () => {
    const of = (size: number, squaredError: number, confidence: number) => () =>
      weightedMeansInterval({ means: [{ weight: 1, mean: 1, squaredError, size }], confidence });
    expect(of(1, 1, 0.95)).toThrow(new RangeError('size is 1: pass a whole number, at least 2'));
    expect(of(2, -1, 0.95)).toThrow(/^squaredError is -1: /);
    expect(of(2, 1, 1)).toThrow(/^confidence is 1: /);
  });
});
