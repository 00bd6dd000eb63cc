import { describe, expect, test } from '@jest/globals';
import { orderedSample, seededRandom } from '../src/index.ts';
import { resampledMedians } from '../src/resampled-median.ts';

/** The median of every resample there is, by how many of them have it. */
function everyResample(size: number): Map<number, number> {
  const counts = new Map<number, number>();
  for (let index = 0; index < size ** size; index++) {
    const values = Array.from({ length: size }, (_, place) => Math.floor(index / size ** place) % size).sort();
    const upper = Math.floor(size / 2);
    const high = values[upper] as number;
    const median = size % 2 === 1 ? high : ((values[upper - 1] as number) + high) / 2;
    counts.set(median, (counts.get(median) ?? 0) + 1);
  }
  return counts;
}

describe('the median of a resample', () => {
  test.each([1, 2, 3, 4, 5, 6])('of %d values is as often each of what it can be as among all resamples', (size) => {
    const draws = 40_000;
    const draw = resampledMedians(orderedSample(Array.from({ length: size }, (_, index) => index)), seededRandom(size));
    const drawn = new Map<number, number>();
    for (let index = 0; index < draws; index++) {
      const median = draw();
      drawn.set(median, (drawn.get(median) ?? 0) + 1);
    }
    const expected = everyResample(size);
    for (const median of drawn.keys()) expect(expected.has(median)).toBe(true);
    // Chi-squared: of at most 10 degrees of freedom 29.6 is the 99.9 % point. Medians that are drawn too rarely are left out.
    let chiSquared = 0;
    for (const [median, count] of expected) {
      const often = (draws * count) / size ** size;
      if (often >= 5) chiSquared += ((drawn.get(median) ?? 0) - often) ** 2 / often;
    }
    expect(chiSquared).toBeLessThan(29.6);
  });

  test('of a million values spreads as the median does: by 0.5 / sqrt(n) of their ranks', () => {
    const size = 1_000_000;
    const draw = resampledMedians(
      orderedSample(Float64Array.from({ length: size }, (_, index) => index)),
      seededRandom(3),
    );
    const shares = Array.from({ length: 10_000 }, () => (draw() / size - 0.5) * 2 * Math.sqrt(size));
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    const variance = shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / shares.length;
    // Normal by then: four standard errors, 0.01 of the mean and 0.014 of the variance.
    expect(Math.abs(mean)).toBeLessThan(0.04);
    expect(Math.abs(variance - 1)).toBeLessThan(0.06);
  });
});
