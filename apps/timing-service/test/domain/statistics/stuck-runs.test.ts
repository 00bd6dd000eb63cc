import { seededRandom } from '@agent-faculties/stats-math';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { percentileOf, plainPercentile } from '../../../src/domain/statistics/percentile.ts';
import { longestCounted, stuckShare } from '../../../src/domain/statistics/stuck-runs.ts';
import { recommendTimeout } from '../../../src/domain/statistics/timeout-recommendation.ts';
import { STARTED_MS } from '../sample-task.ts';
import { logNormal } from './log-normal.ts';
import { naiveKaplanMeier } from './naive-kaplan-meier.ts';
import { type Durations, sampleOf, upTo } from './sample-durations.ts';

const shareOf = (durations: Durations) => stuckShare(sampleOf(durations), STARTED_MS);
const adviceOf = (sample: ReturnType<typeof sampleOf>) =>
  recommendTimeout(sample, { percentile: 0.95, safetyMargin: 1.2, nowMs: STARTED_MS });

describe('the share of stuck runs', () => {
  test('is that of the runs cut off after ten times the longest ok run', () => {
    expect(shareOf({ ok: upTo(27), timeout: [270, 300], cancelled: [400] })).toBeCloseTo(0.1, 12);
  });

  test('counts what was cut off earlier as the survival curve does, among the ok runs and the stuck ones', () => {
    // By hand: 4/5 of the ten are left after 1 and 2, one is cut off, and of the seven left four end: 0.8 * 3/7.
    expect(shareOf({ ok: [1, 2, 4, 5, 6, 7], timeout: [3, 70, 70, 70] })).toBeCloseTo((0.8 * 3) / 7, 12);
  });

  test.each<[string, Durations]>([
    ['nothing was cut off', { ok: upTo(20) }],
    ['two were followed for so long', { ok: upTo(20), timeout: [200, 200, 199.9] }],
    ['such runs still run', { ok: upTo(20), active: [300, 300, 300] }],
    ['no run ended ok', { timeout: [200, 200, 200] }],
    ['half of all were cut off', { ok: upTo(3), timeout: [200, 200, 200] }],
    ['all took 0 s', { ok: [0, 0, 0, 0], timeout: [0, 0, 0] }],
  ])('is 0 where %s', (_what, durations) => {
    expect(shareOf(durations)).toBe(0);
  });

  test('is found only where the test of Maller and Zhou takes the follow-up for long enough, at 2 %', () => {
    const seconds = fc.integer({ min: 1, max: 9 });
    const cutOff = fc.array(fc.oneof(seconds, fc.constant(90)), { maxLength: 30 });
    fc.assert(
      fc.property(fc.array(seconds, { minLength: 1, maxLength: 8 }), cutOff, (ok, timeout) => {
        const all = ok.length + timeout.length;
        if (shareOf({ ok, timeout }) > 0) expect((1 - ok.length / all) ** all).toBeLessThan(0.02);
      }),
      { seed: 62, numRuns: 2_000 },
    );
  });

  test('is left out of percentiles: they are those of the ok runs', () => {
    const ok = upTo(90).map((seconds) => seconds / 7);
    const sample = sampleOf({ ok, timeout: upTo(10).map((seconds) => 200 + seconds) });
    for (const p of [0.1, 0.5, 0.9, 0.95, 0.99]) {
      const { seconds, isLowerEnd } = percentileOf(sample, p, STARTED_MS);
      expect(seconds).toBe(plainPercentile(sample.ended.ok.sorted, p).seconds);
      expect(isLowerEnd).toBe(false);
    }
  });
});

describe('what a run that was cut off counts for beyond the curve', () => {
  test.each<[string, Durations, number]>([
    ['one that was cancelled: as far as ten times the longest ok run', { ok: [9, 10], cancelled: [36_000] }, 100],
    ['sooner: in full', { ok: [10], cancelled: [99] }, 99],
    ['two: the same', { ok: [10], cancelled: [7_200, 36_000] }, 100],
    ['three: as far as three of them came', { ok: [10], cancelled: [600, 7_200, 36_000] }, 600],
    ['one that timed out: as far', { ok: [9, 10], timeout: [36_000] }, 100],
    [
      'one that timed out and two that were cancelled: as far as three of them came',
      { ok: [9, 9, 9, 10], timeout: [600], cancelled: [7_200, 36_000] },
      600,
    ],
    [
      'one that timed out where no more ended ok: in full, since somebody had set the limit',
      { ok: [10], timeout: [36_000] },
      36_000,
    ],
    ['one that timed out beside some that were cut off soon: in full', { ok: [10, 10], timeout: [20, 36_000] }, 36_000],
    ['beside runs of 0 s: as if these took 1 s', { ok: [0], cancelled: [36_000] }, 10],
    ['none: the longest ok run', { ok: [4, 10], active: [36_000] }, 10],
  ])('%s', (_what, durations, seconds) => {
    expect(longestCounted(sampleOf(durations))).toBe(seconds);
  });

  test('is asked for only where the curve says nothing: elsewhere a forgotten run counts as Kaplan and Meier have it', () => {
    const seconds = fc.integer({ min: 1, max: 9 });
    const ok = fc.array(seconds, { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(
        ok,
        fc.array(seconds, { maxLength: 6 }),
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        (runs, soon, p) => {
          const cancelled = [...soon, 36_000];
          const reached = naiveKaplanMeier(runs, cancelled).find(({ survival }) => survival < 1 - p - 1e-9);
          const { seconds: value, isLowerEnd } = percentileOf(sampleOf({ ok: runs, cancelled }), p, STARTED_MS);
          if (!isLowerEnd) expect(value).toBe(reached?.time);
          else expect(value).toBe(10 * Math.max(...runs));
        },
      ),
      { seed: 64, numRuns: 500 },
    );
  });
});

describe('obeyed where one run in ten is stuck', () => {
  test.each(['seconds', 'conservativeSeconds'] as const)(
    '%s neither grows without end nor cuts off the others',
    (which) => {
      const random = seededRandom(3);
      const draw = logNormal(random, { median: 10, sigma: 0.5 });
      const sample = sampleOf({ ok: [draw()] });
      let cut = 0;
      for (let run = 0; run < 600; run++) {
        const limit = adviceOf(sample)?.[which] as number;
        const seconds = random.next() < 0.1 ? Number.POSITIVE_INFINITY : draw();
        if (run >= 300 && seconds > limit && Number.isFinite(seconds)) cut++;
        sample.add(seconds <= limit ? 'ok' : 'timeout', Math.min(seconds, limit));
      }
      // The true p95 is 22.8 s, times 1.2 27.3 s. Without stuck runs apart, the last limits were hours.
      expect(adviceOf(sample)?.[which]).toBeGreaterThan(20);
      expect(adviceOf(sample)?.[which]).toBeLessThan(40);
      expect(cut).toBeLessThan(0.06 * 270);
      expect(adviceOf(sample)?.warning).toMatch(/^About \d+ % of the runs get stuck/);
    },
  );
});
