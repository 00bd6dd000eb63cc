import { describe, expect, test } from '@jest/globals';
import { outcomeCounts, summarise } from '../../../src/domain/statistics/duration-summary.ts';
import { OUTCOMES } from '../../../src/domain/task.ts';
import { STARTED_MS } from '../sample-task.ts';
import { type Durations, ONE_TO_TEN, sampleOf } from './sample-durations.ts';

describe('a summary', () => {
  test('of 1 to 10 s has the figures that OpenTime pins, and the standard deviation of numpy', () => {
    const summary = summarise('build', sampleOf({ ok: [...ONE_TO_TEN].reverse() }), {
      outcome: 'ok',
      nowMs: STARTED_MS,
    });
    expect(summary).toMatchObject({
      taskType: 'build',
      count: 10,
      mean: 5.5,
      median: 5.5,
      min: 1,
      max: 10,
      p50: 6,
      p90: 10,
      p95: { seconds: 10 },
      p99: 10,
      censoredCount: 0,
      outcomes: { ok: 10, error: 0, timeout: 0, cancelled: 0, active: 0, abandoned: 0 },
      confidence: 'medium',
      method: 'empirical',
    });
    // numpy.std(range(1, 11), ddof=1)
    expect(summary?.standardDeviation).toBeCloseTo(3.0276503540974917, 12);
  });

  test('of one run has no standard deviation', () => {
    const summary = summarise('build', sampleOf({ ok: [3] }), { outcome: 'ok', nowMs: STARTED_MS });
    expect(summary).toMatchObject({ count: 1, mean: 3, standardDeviation: null, p50: 3, confidence: 'low' });
  });

  test('of no run is null, for each outcome by itself', () => {
    for (const outcome of OUTCOMES) {
      const sample = sampleOf({ [outcome]: [2] });
      for (const asked of OUTCOMES) {
        expect(summarise('build', sample, { outcome: asked, nowMs: STARTED_MS })?.mean ?? null).toBe(
          asked === outcome ? 2 : null,
        );
      }
    }
  });

  test('names the percentiles that are longer than its longest run, because runs were cut off', () => {
    const of = (durations: Durations) => summarise('build', sampleOf(durations), { outcome: 'ok', nowMs: STARTED_MS });
    // Nine of ten are left after 1, one of ten after 9; nobody knows how long the tenth would have taken.
    const cut = of({ ok: [1, 2, 3, 4, 5, 6, 7, 8, 9], timeout: [20] });
    expect(cut).toMatchObject({ p50: 6, max: 9, p95: { seconds: 20 }, p99: 20, atLeast: ['p90', 'p95', 'p99'] });
    expect(of({ ok: ONE_TO_TEN, timeout: [0.5] })).toMatchObject({ p99: 10, max: 10, atLeast: [] });
    expect(of({ ok: ONE_TO_TEN })?.atLeast).toEqual([]);
  });

  test('of success follows the survival curve, where mean and median stay those of what ended', () => {
    // By hand: 4/5 are left at 1, 8/15 at 3, none at 5; the running task has lasted 6 s.
    const sample = sampleOf({ ok: [1, 3, 5], timeout: [2], cancelled: [4], error: [100], abandoned: 1 });
    expect(summarise('build', sample, { outcome: 'ok', nowMs: STARTED_MS })).toMatchObject({
      count: 3,
      mean: 3,
      median: 3,
      max: 5,
      p50: 5,
      censoredCount: 2,
      method: 'kaplan-meier',
      outcomes: { ok: 3, error: 1, timeout: 1, cancelled: 1, active: 0, abandoned: 1 },
    });
  });

  test('of another outcome is not censored by anything', () => {
    const sample = sampleOf({ ok: [1], timeout: [2, 4], active: [9] });
    expect(summarise('build', sample, { outcome: 'timeout', nowMs: STARTED_MS })).toMatchObject({
      count: 2,
      mean: 3,
      p50: 4,
      censoredCount: 0,
      method: 'empirical',
    });
  });
});

test('outcomes are counted each by itself', () => {
  const sample = sampleOf({
    ok: [1],
    error: [1, 1],
    timeout: [1, 1, 1],
    cancelled: [1, 1, 1, 1],
    active: [1, 2],
    abandoned: 7,
  });
  expect(outcomeCounts(sample)).toEqual({ ok: 1, error: 2, timeout: 3, cancelled: 4, active: 2, abandoned: 7 });
});
