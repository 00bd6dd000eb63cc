import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { longerRuns, mostFail } from '../../../src/domain/statistics/longer-runs.ts';
import { recommendTimeout } from '../../../src/domain/statistics/timeout-recommendation.ts';
import { assessTimeout } from '../../../src/domain/statistics/timeout-risk.ts';
import { STARTED_MS } from '../sample-task.ts';
import { type Durations, sampleOf, upTo } from './sample-durations.ts';

/** It fails after 30 min, or succeeds within 2. */
const FAILS_LATE = { ok: upTo(12).map((step) => 10 * step), error: [1_700, 1_750, 1_800, 1_850, 1_900] };

function advise(durations: Durations) {
  const options = { percentile: 0.95, safetyMargin: 1.2, nowMs: STARTED_MS };
  return recommendTimeout(sampleOf(durations), options);
}

describe('longer runs', () => {
  test('are those that took more time and ended ok or failed, as counting one by one has them', () => {
    const seconds = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 30 });
    fc.assert(
      fc.property(seconds, seconds, seconds, fc.integer({ min: 0, max: 20 }), (ok, error, timeout, limit) => {
        const longer = (values: readonly number[]) => values.filter((value) => value > limit).length;
        const counted = { ok: longer(ok), error: longer(error) };
        expect(longerRuns(sampleOf({ ok, error, timeout, cancelled: timeout }), limit)).toEqual(counted);
      }),
      { seed: 73, numRuns: 200 },
    );
  });

  test.each([
    // The lower ends of Wilson at 95 %, by hand: 4 / (4 + 3.84) = 0.510, 3 / (3 + 3.84) = 0.439, 0.596, 0.490.
    [0, 4, true],
    [0, 3, false],
    [1, 9, true],
    [2, 8, false],
    [0, 0, false],
    [5, 0, false],
  ])('%i ok and %i failed: most fail is %s', (ok, error, isSure) => {
    expect(mostFail({ ok, error })).toBe(isSure);
  });
});

describe('where what takes longer fails', () => {
  test('the recommended timeout says so, after what else there is to say', () => {
    const advice = advise(FAILS_LATE);
    expect(advice).toMatchObject({ seconds: 144, longerRuns: { ok: 0, error: 5 } });
    expect(advice?.warning).toMatch(
      /^12 runs cannot bound .* Of the 5 runs that took longer and were not cut off, 5 failed: one that has not ended by then will most likely fail\.$/,
    );
    expect(advise({ ...FAILS_LATE, ok: upTo(200).map((step) => step / 2) })?.warning).toMatch(/^Of the 5 runs/);
  });

  test('it says nothing of runs that fail early, nor of three', () => {
    expect(advise({ ...FAILS_LATE, error: [1, 2, 3, 4, 5, 6] })?.warning).not.toContain('failed');
    expect(advise({ ...FAILS_LATE, error: [1_700, 1_750, 1_800] })?.warning).not.toContain('failed');
  });

  test('the risk of a running task counts those that came as far as it has', () => {
    const risk = (elapsedSeconds: number) =>
      assessTimeout(sampleOf(FAILS_LATE), { elapsedSeconds, timeoutSeconds: 3_600, nowMs: STARTED_MS });
    expect(risk(30)).toMatchObject({ longerRuns: { ok: 9, error: 5 }, beyondHistory: false });
    expect(risk(1_800)).toMatchObject({ longerRuns: { ok: 0, error: 2 }, beyondHistory: true });
  });
});
