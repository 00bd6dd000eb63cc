import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { curveOf, longestFinished } from '../../../src/domain/statistics/duration-curve.ts';
import { STARTED_MS } from '../sample-task.ts';
import { naiveKaplanMeier } from './naive-kaplan-meier.ts';
import { sampleOf, upTo } from './sample-durations.ts';

describe('the curve', () => {
  test('takes timed-out, cancelled and running tasks as censored and leaves failed and abandoned ones out', () => {
    const some = fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 8 });
    const runs = fc.record({ ok: some, error: some, timeout: some, cancelled: some, active: some });
    fc.assert(
      fc.property(runs, (durations) => {
        const censored = [...durations.timeout, ...durations.cancelled, ...durations.active];
        fc.pre(durations.ok.length + censored.length > 0);
        const curve = curveOf(sampleOf({ ...durations, abandoned: 2 }), STARTED_MS);
        expect(curve.censored).toBe(censored.length);
        for (const { time, survival } of naiveKaplanMeier(durations.ok, censored)) {
          expect(curve.survivalAt(time).survival).toBeCloseTo(survival, 12);
        }
      }),
      { seed: 61, numRuns: 100 },
    );
  });

  test('is made anew for each write, and for a running task that has grown by more than 250 ms', () => {
    const sample = sampleOf({ ok: [1, 2], active: [0.5] });
    const first = curveOf(sample, STARTED_MS);
    expect(curveOf(sample, STARTED_MS + 250)).toBe(first);
    const later = curveOf(sample, STARTED_MS + 251);
    expect(later).not.toBe(first);
    // At 0.5 s one of three was still running; 251 ms later it has outlasted that.
    expect([first.atRiskAfter(0.5), later.atRiskAfter(0.5)]).toEqual([2, 3]);
    sample.add('ok', 3);
    expect(curveOf(sample, STARTED_MS + 251)).not.toBe(later);
  });

  test('is kept however old while nothing runs and nothing is written', () => {
    const sample = sampleOf({ ok: [1, 2], timeout: [5] });
    const first = curveOf(sample, STARTED_MS);
    expect(curveOf(sample, STARTED_MS + 86_400_000)).toBe(first);
    sample.add('timeout', 7);
    expect(curveOf(sample, STARTED_MS + 86_400_000).censored).toBe(2);
  });

  test('with more than 10,000 censored tasks stays for 250 ms through writes, and no longer', () => {
    const sample = sampleOf({ ok: [1, 2], timeout: upTo(10_001) });
    const first = curveOf(sample, STARTED_MS);
    sample.add('ok', 3);
    expect(curveOf(sample, STARTED_MS + 250)).toBe(first);
    expect(curveOf(sample, STARTED_MS + 251)).not.toBe(first);
    const fewer = sampleOf({ ok: [1, 2], timeout: upTo(10_000) });
    const before = curveOf(fewer, STARTED_MS);
    fewer.add('ok', 3);
    expect(curveOf(fewer, STARTED_MS)).not.toBe(before);
  });
});

describe('the longest finished run', () => {
  test.each([
    [{ ok: [1, 9], timeout: [4] }, 9],
    [{ ok: [1], timeout: [4, 7], cancelled: [5] }, 7],
    [{ ok: [1], cancelled: [5] }, 5],
    [{ ok: [1], error: [50], active: [600] }, 1],
    [{ active: [600] }, 0],
  ])('of %j is %d', (durations, seconds) => {
    expect(longestFinished(sampleOf(durations))).toBe(seconds);
  });
});
