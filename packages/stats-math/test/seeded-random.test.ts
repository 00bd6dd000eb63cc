import { describe, expect, test } from '@jest/globals';
import { seededRandom } from '../src/index.ts';

describe('seededRandom', () => {
  test('repeats itself for one seed and differs for another', () => {
    const draw = (seed: number) => Array.from({ length: 5 }, seededRandom(seed).next);
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
  });

  test('draws whole numbers evenly', () => {
    const random = seededRandom(1);
    const counts = [0, 0, 0, 0, 0, 0];
    for (let draw = 0; draw < 60_000; draw++) {
      const face = random.nextInt(6);
      counts[face] = (counts[face] as number) + 1;
    }
    // Chi-squared with 5 degrees of freedom: 20.5 is its 99.9 % point.
    expect(counts.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0)).toBeLessThan(20.5);
  });

  test('draws fractions within [0, 1) with mean one half', () => {
    const random = seededRandom(2);
    const draws = Array.from({ length: 10_000 }, () => random.next());
    expect(Math.min(...draws)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...draws)).toBeLessThan(1);
    expect(draws.reduce((sum, draw) => sum + draw, 0) / draws.length).toBeCloseTo(0.5, 1);
  });

  test.each([0, 1, 2, 3])('spreads number %d of neighbouring seeds over [0, 1)', (place) => {
    const counts = Array(10).fill(0);
    for (let seed = 0; seed < 1_000; seed++) {
      const draws = Array.from({ length: place + 1 }, seededRandom(seed).next);
      counts[Math.floor(10 * (draws[place] as number))]++;
    }
    // Chi-squared with 9 degrees of freedom: 27.9 is its 99.9 % point.
    expect(counts.reduce((sum, count) => sum + (count - 100) ** 2 / 100, 0)).toBeLessThan(27.9);
  });

  test('throws RangeError for a fractional seed and for nextInt(0)', () => {
    expect(() => seededRandom(0.5)).toThrow(RangeError);
    expect(() => seededRandom(1).nextInt(0)).toThrow(RangeError);
  });
});
