import { describe, expect, test } from '@jest/globals';
import { wilsonInterval } from '../src/index.ts';

describe('wilsonInterval', () => {
  // scipy 1.17.1: binomtest(k, n).proportion_ci(confidence, 'wilson'); 81 of 263 is Newcombe's 1998 example.
  test.each([
    [0, 5, 0.95, 0, 0.43448246478317476],
    [0, 20, 0.95, 0, 0.16112515805281935],
    [7, 10, 0.95, 0.39677814746114526, 0.892208732593699],
    [81, 263, 0.95, 0.2552885198782742, 0.36620957698280004],
    [5, 5, 0.9, 0.6488834992348989, 1],
  ])('agrees with scipy for %i of %i at %d', (successes, trials, confidence, low, high) => {
    const interval = wilsonInterval({ successes, trials, confidence });
    expect(interval.low).toBeCloseTo(low, 10);
    expect(interval.high).toBeCloseTo(high, 10);
  });

  test('ends at 0 and at 1, to the last bit, where nothing and where everything succeeded', () => {
    for (let trials = 1; trials <= 60; trials++) {
      expect(wilsonInterval({ successes: 0, trials, confidence: 0.95 }).low).toBe(0);
      expect(wilsonInterval({ successes: trials, trials, confidence: 0.95 }).high).toBe(1);
    }
  });

  test('throws RangeError for more successes than trials, no trial and what is not a count or a confidence', () => {
    const interval = (successes: number, trials: number, confidence: number) => () =>
      wilsonInterval({ successes, trials, confidence });
    expect(interval(3, 2, 0.95)).toThrow(new RangeError('successes is 3: pass a number from 0 to 2'));
    expect(interval(0, 0, 0.95)).toThrow(new RangeError('trials is 0: pass a whole number, at least 1'));
    expect(interval(0.5, 2, 0.95)).toThrow(new RangeError('successes is 0.5: pass a whole number, at least 0'));
    expect(interval(1, 2, 1)).toThrow(/^confidence is 1: /);
  });
});
