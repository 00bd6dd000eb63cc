import { survivalCurve } from '@agent-faculties/stats-math';
import { describe, expect, test } from '@jest/globals';
import {
  meanDifference,
  meanOfCurve,
  meanOfGuess,
  meanOfRuns,
} from '../../../src/domain/statistics/mean-difference.ts';
import { sampleOf, upTo } from './sample-durations.ts';

/** The mean of a curve whose last value stands for what lies beyond it. */
function meanBy(ok: readonly number[], cutOff: readonly number[]) {
  const { sorted } = sampleOf({ ok }).ended.ok;
  const curve = survivalCurve({ events: sorted, censoredSorted: cutOff });
  const longest = Math.max(...ok, ...cutOff);
  const ranked = Float64Array.from(
    { length: 1_000 },
    (_, index) => curve.quantileValue((index + 0.5) / 1_000) ?? longest,
  );
  const unknown = curve.survivalAt(Math.max(...ok)).survival;
  return meanOfCurve('x', { curve, ranked, runs: ok.length, unknown });
}

describe('the mean of a survival curve', () => {
  // print(survfit(Surv(time, status) ~ x, aml), rmean = 161) of R: weeks of remission (Miller 1981). R does not correct for m events.
  test.each([
    { group: 'maintained', ok: [9, 13, 18, 23, 31, 34, 48], cutOff: [13, 28, 45, 161], mean: 52.6, error: 19.83 },
    { group: 'not maintained', ok: [5, 5, 8, 8, 12, 23, 27, 30, 33, 43, 45], cutOff: [16], mean: 22.7, error: 4.18 },
  ])('of aml, $group, is that of R with its standard error', ({ ok, cutOff, mean, error }) => {
    const { seconds, squaredError, unknown } = meanBy(ok, cutOff);
    expect(seconds).toBeCloseTo(mean, 0);
    expect(Math.sqrt(((squaredError ?? 0) * (ok.length - 1)) / ok.length)).toBeCloseTo(error, 1);
    expect(unknown > 0).toBe(cutOff.includes(161));
  });

  test('of runs of which none was cut off is that of the runs: s^2 / n', () => {
    const ok = upTo(20).map((value) => value ** 1.5);
    const [byCurve, plain] = [meanBy(ok, []), meanOfRuns('x', sampleOf({ ok }).ended.ok)];
    expect(byCurve.seconds).toBeCloseTo(plain.seconds, 9);
    expect(byCurve.squaredError).toBeCloseTo(plain.squaredError ?? 0, 9);
  });

  test('has no known error with fewer than five that ended', () => {
    expect(meanBy([1, 2, 3, 4], [9, 9]).squaredError).toBeNull();
    expect(meanOfRuns('x', sampleOf({ ok: [1, 2, 3, 4] }).ended.ok).squaredError).toBeNull();
  });
});

describe('a difference of means', () => {
  const ofRuns = (key: string, ok: readonly number[]) => meanOfRuns(key, sampleOf({ ok }).ended.ok);

  test('is that of t.test(extra ~ group, data = sleep) of R, moved to where there are no negative values', () => {
    const first = ofRuns(
      'first',
      [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2].map((extra) => extra + 10),
    );
    const second = ofRuns(
      'second',
      [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4].map((extra) => extra + 10),
    );
    const { seconds, interval } = meanDifference([first], [second]);
    expect(seconds).toBeCloseTo(-1.58, 9);
    expect(interval[0]).toBeCloseTo(-3.3654832, 5);
    expect(interval[1]).toBeCloseTo(0.2054832, 5);
  });

  test('has no interval where an estimate does not cancel out', () => {
    const [runs, guess] = [ofRuns('runs', [1, 2, 3, 4, 5]), meanOfGuess('guess', { seconds: 7, unknown: 0 })];
    expect(meanDifference([guess], [runs])).toEqual({ seconds: 4, interval: [null, null] });
    expect(meanDifference([guess, runs], [guess]).interval).not.toContain(null);
  });
});
