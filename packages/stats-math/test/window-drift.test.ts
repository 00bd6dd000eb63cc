import { describe, expect, test } from '@jest/globals';
import { seededRandom, windowDrift } from '../src/index.ts';

const BEFORE = Object.freeze([5, 4, 6, 5.5, 4.5, 5.2, 4.8, 5.1, 4.9, 5.3]);

describe('windowDrift', () => {
  test('calls a doubling slower, its reverse faster and no change steady', () => {
    const after = Object.freeze(BEFORE.map((value) => 2 * value));
    const slower = windowDrift({ before: BEFORE, after, random: seededRandom(6) });
    expect(slower).toMatchObject({ ratio: 2, probabilityIncreased: 1, direction: 'slower' });
    expect(slower.low).toBeGreaterThan(1.5);
    expect(slower.high).toBeLessThan(2.6);
    expect(windowDrift({ before: after, after: BEFORE, random: seededRandom(6) })).toMatchObject({
      ratio: 0.5,
      probabilityIncreased: 0,
      direction: 'faster',
    });
    const steady = windowDrift({ before: BEFORE, after: BEFORE, random: seededRandom(6) });
    expect(steady).toMatchObject({ ratio: 1, probabilityIncreased: 0.5, direction: 'steady' });
  });

  test('has the exact bootstrap interval of the median', () => {
    // The median of a resample of 3 is the least value with probability 1 - 3 (2/3)^2 (1/3) - (2/3)^3 = 7/27.
    const drift = windowDrift({ before: [1], after: [3, 1, 2], random: seededRandom(7), draws: 4000 });
    expect(drift).toMatchObject({ ratio: 2, low: 1, high: 3, direction: 'steady' });
    // Of 6: P(median <= 1) = 0.9 % and P(median <= 1.5) = 3.5 %, from binomial counts of the two least values.
    const even = windowDrift({ before: [1], after: [6, 1, 5, 2, 4, 3], random: seededRandom(7), draws: 4000 });
    expect(even).toMatchObject({ ratio: 3.5, low: 1.5, high: 5.5 });
  });

  test('is steady where the interval ends at 1', () => {
    // Medians of two draws of 1 and 2 are 1, 1.5 and 2, the ends with probability 1/4 each.
    const [one, two, both] = [[1], [2], [1, 2]];
    const random = seededRandom(9);
    expect(windowDrift({ before: two, after: both, random })).toMatchObject({ low: 0.5, high: 1, direction: 'steady' });
    expect(windowDrift({ before: one, after: both, random })).toMatchObject({ low: 1, high: 2, direction: 'steady' });
  });

  test('throws RangeError for an empty window and for 0', () => {
    expect(() => windowDrift({ before: [], after: [1], random: seededRandom(8) })).toThrow('before.length');
    expect(() => windowDrift({ before: [1], after: [0], random: seededRandom(8) })).toThrow(
      'after holds 0: pass durations above 0',
    );
    expect(() => windowDrift({ before: [1], after: [1], random: seededRandom(8), draws: 39 })).toThrow('draws is 39');
    expect(() => windowDrift({ before: [1], after: [Number.NaN], random: seededRandom(8) })).toThrow(RangeError);
  });
});
