import { orderedSample } from '@agent-faculties/stats-math';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { distributionOf, histogram } from '../../../src/domain/statistics/distribution.ts';
import { STARTED_MS } from '../sample-task.ts';
import { sampleOf, upTo } from './sample-durations.ts';

describe('a histogram', () => {
  test('has 24 bins that touch, of one ratio, and each value in the bin that it lies in', () => {
    const values = fc.array(fc.double({ min: 0.001, max: 1e5, noNaN: true }), { minLength: 2, maxLength: 60 });
    fc.assert(
      fc.property(values, (unsorted) => {
        const sorted = [...unsorted].sort((a, b) => a - b);
        const [least, greatest] = [sorted[0] as number, sorted.at(-1) as number];
        fc.pre(greatest > least * 1.001);
        const bins = histogram(orderedSample(sorted));
        expect(bins).toHaveLength(24);
        expect([bins[0]?.from, bins.at(-1)?.to]).toEqual([least, greatest]);
        expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(sorted.length);
        for (const [index, { from, to, count }] of bins.entries()) {
          if (index > 0) expect(from).toBe(bins[index - 1]?.to);
          expect(to / from).toBeCloseTo((greatest / least) ** (1 / 24), 9);
          if (index < 23) expect(count).toBe(sorted.filter((value) => value >= from && value < to).length);
        }
      }),
      { seed: 62, numRuns: 100 },
    );
  });

  test('of nothing is empty, and of one value is one bin', () => {
    expect(histogram(orderedSample([]))).toEqual([]);
    expect(histogram(orderedSample([3, 3, 3]))).toEqual([{ from: 3, to: 3, count: 3 }]);
  });

  test('puts durations below a millisecond into the first bin: 0 has no place on a logarithmic axis', () => {
    const bins = histogram(orderedSample([0, 0.0005, 1]));
    expect(bins[0]).toMatchObject({ from: 0.001, count: 2 });
    expect(bins.at(-1)).toMatchObject({ to: 1, count: 1 });
    expect(histogram(orderedSample([0, 0]))).toEqual([{ from: 0.001, to: 0.001, count: 2 }]);
  });
});

const AT = { newestCutOffAfter: null, nowMs: STARTED_MS };

describe('a distribution', () => {
  test('has the default advice: p95 of 1 to 45 is 43 s, and 1.2 times that', () => {
    const distribution = distributionOf(sampleOf({ ok: upTo(45) }), AT);
    expect(distribution?.p50Seconds).toBe(23);
    expect(distribution?.recommendation).toMatchObject({ sampleCount: 45, percentile: 0.95, safetyMargin: 1.2 });
    expect(distribution?.recommendation.percentileValue.seconds).toBe(43);
    expect(distribution?.recommendation.seconds).toBeCloseTo(51.6, 12);
    expect(distribution?.histogram.reduce((sum, { count }) => sum + count, 0)).toBe(45);
  });

  test('has the steps of the product-limit estimate: by hand 4/5 at 1, 8/15 at 3, 0 at 5', () => {
    const distribution = distributionOf(sampleOf({ ok: [1, 3, 5], timeout: [2], cancelled: [4] }), AT);
    expect(distribution?.p50Seconds).toBe(5);
    const steps = distribution?.survival.map(({ time, survival }) => [time, survival]);
    expect(steps).toEqual([
      [1, 0.8],
      [2, 0.8],
      [3, expect.closeTo(8 / 15, 12)],
      [4, expect.closeTo(8 / 15, 12)],
      [5, 0],
    ]);
  });

  test('has at most 200 steps', () => {
    expect(distributionOf(sampleOf({ ok: upTo(1_000) }), AT)?.survival).toHaveLength(200);
  });

  test('of no task that ended ok is null', () => {
    expect(distributionOf(sampleOf({ error: [1], active: [2] }), AT)).toBeNull();
  });
});
