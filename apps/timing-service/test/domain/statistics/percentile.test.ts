import { orderedSample } from '@agent-faculties/stats-math';
import { describe, expect, test } from '@jest/globals';
import {
  confidenceIn,
  confidenceOf,
  isCensored,
  percentileOf,
  plainPercentile,
} from '../../../src/domain/statistics/percentile.ts';
import { STARTED_MS } from '../sample-task.ts';
import { ONE_TO_TEN, sampleOf, upTo } from './sample-durations.ts';

describe('the confidence', () => {
  test.each([
    [0, 'none'],
    [1, 'low'],
    [4, 'low'],
    [5, 'medium'],
    [19, 'medium'],
    [20, 'high'],
    [1_000_000, 'high'],
  ])('of %d tasks is %s, as OpenTime has it', (count, confidence) => {
    expect(confidenceOf(count)).toBe(confidence);
    expect(confidenceIn({ isLowerEnd: false }, count)).toBe(confidence);
  });

  test.each([
    [0, 'none'],
    [1, 'low'],
    [19, 'low'],
    [1_000_000, 'low'],
  ])('of %d tasks in a figure that is only a lower end is %s', (count, confidence) => {
    expect(confidenceIn({ isLowerEnd: true }, count)).toBe(confidence);
  });
});

describe('a sample', () => {
  test.each([
    [{ ok: [1], error: [2], abandoned: 3 }, false],
    [{ ok: [1], timeout: [2] }, true],
    [{ ok: [1], cancelled: [2] }, true],
    [{ ok: [1], active: [2] }, true],
    [{}, false],
  ])('of %j is censored: %s', (durations, censored) => {
    expect(isCensored(sampleOf(durations))).toBe(censored);
  });
});

describe('a plain percentile', () => {
  // OpenTime's rule by hand: sorted[min(floor(10 p), 9)].
  test.each([
    [0, 1],
    [0.29, 3],
    [0.5, 6],
    [0.9, 10],
    [0.95, 10],
    [1, 10],
  ])('%d of 1 to 10 is %d', (p, seconds) => {
    expect(plainPercentile(orderedSample(ONE_TO_TEN), p)).toMatchObject({ seconds, isLowerEnd: false });
  });

  test('has the interval of order statistics: ranks 40 and 61 of 100 for the median (Hahn and Meeker, table A.15)', () => {
    expect(plainPercentile(orderedSample(upTo(100)), 0.5).interval).toEqual([40, 61]);
  });

  test('has no end where there are too few: 0.95^10 = 0.6, so ten do not bound a p95 from above', () => {
    expect(plainPercentile(orderedSample(ONE_TO_TEN), 0.95).interval).toEqual([expect.any(Number), null]);
    expect(plainPercentile(orderedSample([3]), 0.5).interval).toEqual([null, null]);
  });

  test.each([0, 1])('%d still has an interval: that of the nearest which has one', (p) => {
    const { interval } = plainPercentile(orderedSample(upTo(100)), p);
    expect(interval).toEqual(p === 0 ? [null, 1] : [100, null]);
  });
});

describe('a percentile of success', () => {
  test('is the plain one where nothing is censored', () => {
    const sample = sampleOf({ ok: ONE_TO_TEN, error: [99] });
    for (const p of [0, 0.5, 0.95, 1]) {
      expect(percentileOf(sample, p, STARTED_MS)).toEqual(plainPercentile(sample.ended.ok.sorted, p));
    }
  });

  test('is where the product-limit curve falls below 1 - p: by hand 4/5 at 1, 8/15 at 3, 0 at 5', () => {
    const sample = sampleOf({ ok: [1, 3, 5], timeout: [2], cancelled: [4] });
    expect([0.1, 0.3, 0.4, 0.5, 0.9].map((p) => percentileOf(sample, p, STARTED_MS).seconds)).toEqual([1, 3, 3, 5, 5]);
  });

  test('beyond the end of the curve is the longest run and says that it is a lower end', () => {
    const sample = sampleOf({ ok: [1, 2, 3], timeout: [25], active: [600] });
    expect(percentileOf(sample, 0.95, STARTED_MS)).toMatchObject({ seconds: 25, isLowerEnd: true });
    expect(percentileOf(sample, 0.1, STARTED_MS)).toMatchObject({ seconds: 1, isLowerEnd: false });
  });
});
