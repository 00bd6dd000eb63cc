import { seededRandom } from '@agent-faculties/stats-math';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { assessTimeout, type TimeoutRisk } from '../../../src/domain/statistics/timeout-risk.ts';
import { STARTED_MS } from '../sample-task.ts';
import { logNormal } from './log-normal.ts';
import { naiveKaplanMeier } from './naive-kaplan-meier.ts';
import { type Durations, ONE_TO_TEN, sampleOf } from './sample-durations.ts';

function assess(durations: Durations, elapsedSeconds: number, timeoutSeconds: number): TimeoutRisk {
  const risk = assessTimeout(sampleOf(durations), { elapsedSeconds, timeoutSeconds, nowMs: STARTED_MS });
  if (!risk) throw new Error('there is no risk');
  return risk;
}

/** Twenty values, evenly spaced. */
const spread = (low: number, high: number) =>
  Array.from({ length: 20 }, (_, index) => low + ((high - low) * index) / 19);

describe('the risk of a running task', () => {
  test('has the figures of OpenTime for 1 to 10 s', () => {
    expect(assess({ ok: ONE_TO_TEN }, 2, 10)).toMatchObject({
      elapsedSeconds: 2,
      timeoutSeconds: 10,
      medianSeconds: 5.5,
      p95Seconds: 10,
      atRisk: false,
      sampleCount: 10,
      censoredCount: 0,
      confidence: 'medium',
    });
  });

  test("is OpenTime's at_risk beyond the median with less than a fifth of the timeout left", () => {
    const at = (elapsed: number, timeout: number) => assess({ ok: ONE_TO_TEN }, elapsed, timeout).atRisk;
    expect([at(8, 10), at(8.001, 10), at(9, 10)]).toEqual([false, true, true]);
    expect([at(5.5, 5.6), at(5.501, 5.6)]).toEqual([false, true]);
  });

  test('is (k + 1) / (m + 2) for k of m longer runs that missed the timeout (Laplace), with the interval of Wilson', () => {
    // 5 of 1..10 are longer than 5, 2 of them longer than 8. Wilson 2 of 5 at 95 %: R, binom::binom.confint.
    const risk = assess({ ok: ONE_TO_TEN }, 5, 8);
    expect(risk.probability).toBeCloseTo(3 / 7, 12);
    expect(risk.interval[0]).toBeCloseTo(0.1176208, 6);
    expect(risk.interval[1]).toBeCloseTo(0.7692757, 6);
    expect(risk.level).toBe('medium');
  });

  test('is that for any history without censoring', () => {
    const durations = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(durations, fc.integer({ min: 0, max: 30 }), fc.integer({ min: 1, max: 10 }), (ok, elapsed, wait) => {
        const longer = ok.filter((seconds) => seconds > elapsed).length;
        const missed = ok.filter((seconds) => seconds > elapsed + wait).length;
        const risk = assess({ ok }, elapsed, elapsed + wait);
        const beyond = Math.max(1 / 2, elapsed / (elapsed + wait));
        expect(risk.probability).toBeCloseTo(longer === 0 ? beyond : (missed + 1) / (longer + 2), 12);
        expect(risk.beyondHistory).toBe(longer === 0);
        expect(risk.level).toBe(risk.probability < 0.2 ? 'low' : risk.probability < 0.5 ? 'medium' : 'high');
      }),
      { seed: 63, numRuns: 200 },
    );
  });

  test('with censoring is the share of the curve that is left, by the rule of Laplace', () => {
    const some = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(some, some, fc.integer({ min: 0, max: 12 }), (ok, timeout, elapsed) => {
        const until = elapsed + 4;
        const later = (seconds: number) => seconds > elapsed;
        const longer = [...ok, ...timeout].filter(later).length;
        fc.pre(longer > 0);
        const steps = naiveKaplanMeier(ok.filter(later), timeout.filter(later));
        const left = steps.findLast(({ time }) => time <= until)?.survival ?? 1;
        const risk = assess({ ok, timeout }, elapsed, until);
        expect(risk.probability).toBeCloseTo((longer * left + 1) / (longer + 2), 10);
        expect(risk.censoredCount).toBe(timeout.length);
        expect(risk.interval[0]).toBeLessThanOrEqual(left + 1e-12);
        expect(risk.interval[1]).toBeGreaterThanOrEqual(left - 1e-12);
      }),
      { seed: 64, numRuns: 200 },
    );
  });

  test('is high for a stuck one, although the timeout is far away', () => {
    expect(assess({ ok: spread(10, 12) }, 700, 7_000)).toMatchObject({ level: 'high', beyondHistory: true });
    expect(assess({ ok: spread(10, 12) }, 700, 1_000)).toMatchObject({
      atRisk: false,
      probability: 0.7,
      interval: [0, 1],
      level: 'high',
      beyondHistory: true,
      remaining: { median: null, p95: null },
      confidence: 'low',
    });
  });

  test('is told with as much confidence as there are runs that came so far, and once the time is over, as there are runs', () => {
    // 20 runs evenly from 10 to 12 s and one that was cut off: 11 are longer than 11 s, 2 than 11.9 s.
    const at = (elapsed: number, timeout: number) => assess({ ok: spread(10, 12), timeout: [30] }, elapsed, timeout);
    const asked = [at(5, 11), at(11, 12), at(11.9, 13), at(31, 40), at(41, 40)];
    expect(asked.map(({ confidence }) => confidence)).toEqual(['high', 'medium', 'low', 'low', 'high']);
  });

  test('beyond all that was seen is 1/2 (Laplace, of no run), or more where the timeout is near (Gott)', () => {
    // Gott (1993): the future is longer than a third of the past with 3/4, than 1/39 of it with 97.5 %.
    expect(assess({ ok: [30] }, 33, 44).probability).toBeCloseTo(0.75, 12);
    expect(assess({ ok: [30] }, 39, 40)).toMatchObject({ probability: 0.975, interval: [0, 1] });
    expect(assess({ ok: [30] }, 33, 300).probability).toBe(0.5);
  });

  test('beyond all that was seen is nearer to what comes of it than certainty is', () => {
    let [said, certain, asked] = [0, 0, 0];
    for (let seed = 1; seed <= 200; seed++) {
      const draw = logNormal(seededRandom(seed), { median: 60, sigma: 0.6 });
      const ok = Array.from({ length: 5 }, draw);
      const longest = Math.max(...ok);
      for (const seconds of Array.from({ length: 40 }, draw)) {
        for (const timeout of [1.2 * longest, 3 * longest]) {
          if (seconds <= longest) continue;
          const missed = seconds > timeout ? 1 : 0;
          said += (assess({ ok }, longest, timeout).probability - missed) ** 2;
          certain += (1 - missed) ** 2;
          asked++;
        }
      }
    }
    expect(asked).toBeGreaterThan(1_000);
    // A half, whatever is asked, scores 0.25.
    expect(said / asked).toBeLessThan(0.3);
    expect(certain / asked).toBeGreaterThan(0.5);
  });

  test('is high for one that is sure to fail, although it has just begun', () => {
    const risk = assess({ ok: spread(50, 70) }, 1, 5);
    expect(risk).toMatchObject({ atRisk: false, level: 'high', beyondHistory: false });
    expect(risk.probability).toBeGreaterThan(0.95);
    expect(risk.interval[0]).toBeGreaterThan(0.8);
  });

  test('is low for one that every past run says is safe, although little time is left', () => {
    const ok = spread(30, 55);
    const longer = ok.filter((seconds) => seconds > 49).length;
    const risk = assess({ ok }, 49, 60);
    expect(risk).toMatchObject({ atRisk: true, level: 'low', beyondHistory: false });
    expect(risk.probability).toBeCloseTo(1 / (longer + 2), 12);
    expect(risk.remaining.p95).toBeLessThanOrEqual(6);
  });

  test('is certain once the time is over', () => {
    for (const elapsed of [10, 20]) {
      expect(assess({ ok: ONE_TO_TEN }, elapsed, 10)).toMatchObject({
        probability: 1,
        interval: [1, 1],
        level: 'high',
      });
    }
  });

  test('does not count the running task itself as longer', () => {
    expect(assess({ ok: ONE_TO_TEN, active: [50] }, 50, 60).beyondHistory).toBe(true);
    expect(assess({ ok: ONE_TO_TEN, timeout: [55] }, 50, 60).beyondHistory).toBe(false);
    expect(assess({ ok: ONE_TO_TEN, cancelled: [55] }, 50, 60).beyondHistory).toBe(false);
    expect(assess({ ok: ONE_TO_TEN, error: [55] }, 50, 60).beyondHistory).toBe(true);
  });

  test('needs a task that ended ok', () => {
    const sample = sampleOf({ timeout: [9] });
    expect(assessTimeout(sample, { elapsedSeconds: 1, timeoutSeconds: 2, nowMs: STARTED_MS })).toBeNull();
  });
});

describe('the remaining time', () => {
  test('is that of the runs which got this far: after 5 s of 1 to 10 the median of 6 to 10 less 5', () => {
    expect(assess({ ok: ONE_TO_TEN }, 5, 20).remaining).toEqual({ median: 3, p95: 5 });
    expect(assess({ ok: ONE_TO_TEN }, 0, 20).remaining).toEqual({ median: 6, p95: 10 });
  });

  test('is unknown where history does not reach that far', () => {
    expect(assess({ ok: [1, 2, 3], timeout: [9] }, 0, 20).remaining).toEqual({ median: 3, p95: null });
    expect(assess({ ok: [1, 2, 3] }, 3, 20).remaining).toEqual({ median: null, p95: null });
  });
});
