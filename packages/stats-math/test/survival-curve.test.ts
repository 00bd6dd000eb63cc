import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { orderedSample, quantileSorted, survivalCurve } from '../src/index.ts';
import { naiveKaplanMeier } from './naive-kaplan-meier.ts';

/** Freireich and others 1963, remission under 6-MP, the textbook example (Cox and Oakes; R's MASS::gehan). */
const EVENTS = Object.freeze([6, 6, 6, 7, 10, 13, 16, 22, 23]);
const CENSORED = Object.freeze([6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35]);
const freireich = () => survivalCurve({ events: orderedSample(EVENTS), censoredSorted: CENSORED });

/** Few distinct values, so that ties of all kinds are common. */
const times = (maxLength: number) =>
  fc.array(fc.integer({ min: 0, max: 12 }), { maxLength }).map((values) => values.sort((x, y) => x - y));
const someRuns = fc.tuple(times(25), times(25)).filter(([events, censored]) => events.length + censored.length > 0);
const share = fc.integer({ min: 1, max: 999 }).map((thousandths) => thousandths / 1000);

describe('survivalCurve', () => {
  // lifelines 0.30.3: KaplanMeierFitter().fit(T, E), survival and confidence_interval_ (log-log, 95 %).
  test.each([
    [6, 0.857143, 0.619718, 0.951552],
    [9, 0.806723, 0.563147, 0.922809],
    [10, 0.752941, 0.5032, 0.889362],
    [13, 0.690196, 0.43161, 0.849066],
    [20, 0.627451, 0.367511, 0.804912],
    [22, 0.537815, 0.267779, 0.746791],
    [35, 0.448179, 0.188052, 0.680143],
  ])('agrees with lifelines on the 6-MP remissions at week %i', (time, survival, low, high) => {
    const point = freireich().survivalAt(time);
    expect(point.survival).toBeCloseTo(survival, 6);
    expect(point.low).toBeCloseTo(low, 6);
    expect(point.high).toBeCloseTo(high, 6);
  });

  test('has the median and its interval that lifelines gives: 23, from 13 to unknown', () => {
    expect(freireich().quantile(0.5)).toEqual({ value: 23, low: 13, high: null });
  });

  test('answers null for a quantile that the curve never reaches, but still its lower end', () => {
    expect(freireich().quantile(0.6)).toEqual({ value: null, low: 16, high: null });
    expect(freireich().upperBound({ p: 0.6, confidence: 0.9 })).toBeNull();
  });

  test('stays at 1 when every run is censored', () => {
    const curve = survivalCurve({ events: orderedSample([]), censoredSorted: [1, 2, 2] });
    expect(curve.survivalAt(9)).toEqual({ survival: 1, low: 1, high: 1 });
    expect(curve.quantile(0.01)).toEqual({ value: null, low: null, high: null });
    expect(curve.points(5).map((point) => point.time)).toEqual([1, 2]);
    expect(curve.censored).toBe(3);
  });

  test('equals 1 minus the empirical distribution, and quantileSorted exactly, without censoring', () => {
    const values = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 120 });
    fc.assert(
      fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), share, (unsorted, anyShare, plainShare) => {
        const events = orderedSample([...unsorted].sort((x, y) => x - y));
        const curve = survivalCurve({ events, censoredSorted: [] });
        for (const p of [anyShare, plainShare, 0, 0.29, 0.5, 0.9, 0.95, 0.99, 1]) {
          expect(curve.quantile(p).value).toBe(quantileSorted(events, p));
        }
        const time = events.at(Math.floor(events.size / 2));
        expect(curve.survivalAt(time).survival).toBe((events.size - events.countAtMost(time)) / events.size);
      }),
      { seed: 45, numRuns: 400 },
    );
  });

  test('equals the textbook product and Greenwood sum, ties included', () => {
    fc.assert(
      fc.property(someRuns, ([events, censored]) => {
        const curve = survivalCurve({ events: orderedSample(events), censoredSorted: censored });
        const steps = naiveKaplanMeier(events, censored, 1.959963984540054);
        for (let time = -0.5; time < 14; time += 0.5) {
          const step = steps.findLast((candidate) => candidate.time <= time);
          const point = curve.survivalAt(time);
          expect(point.survival).toBeCloseTo(step?.survival ?? 1, 12);
          expect(point.low).toBeCloseTo(step?.low ?? 1, 10);
          expect(point.high).toBeCloseTo(step?.high ?? 1, 10);
          expect(1 / (1 + curve.varianceSumAt(time))).toBeCloseTo(1 / (1 + (step?.varianceSum ?? 0)), 12);
          const after = (value: number) => value > time;
          expect(curve.atRiskAfter(time)).toBe(events.filter(after).length + censored.filter(after).length);
          const lasting = censored.filter((value) => value >= time);
          expect(curve.outlasting(time)).toBe(events.filter(after).length + lasting.length);
        }
      }),
      { seed: 46, numRuns: 100 },
    );
  });

  test('counts later runs as censored after all others', () => {
    fc.assert(
      fc.property(someRuns, fc.nat({ max: 3 }), ([events, censored], later) => {
        const curve = survivalCurve({ events: orderedSample(events), censoredSorted: censored, later });
        const steps = naiveKaplanMeier(events, [...censored, ...Array(later).fill(99)], 1.96);
        for (const { time, survival } of steps) expect(curve.survivalAt(time).survival).toBeCloseTo(survival, 12);
        expect(curve.censored).toBe(censored.length + later);
        expect(curve.atRiskAfter(20)).toBe(later);
      }),
      { seed: 54, numRuns: 100 },
    );
  });

  test('predicts the next run as ranks do: one more exceeds the i-th of n with probability 1 - i / (n + 1)', () => {
    const curve = survivalCurve({ events: orderedSample([1, 2, 3, 4]), censoredSorted: [], later: 1 });
    for (const rank of [1, 2, 3, 4]) expect(curve.survivalAt(rank).survival).toBeCloseTo(1 - rank / 5, 12);
  });

  test('finds quantile, interval and upper bound as a scan over the event times does', () => {
    // Standard normal quantiles from scipy's norm.ppf.
    const confidence = fc.constantFrom<[number, number][]>(
      [0.5, 0],
      [0.8, 0.8416212335729143],
      [0.9, 1.2815515655446004],
      [0.95, 1.6448536269514722],
      [0.99, 2.3263478740408408],
    );
    fc.assert(
      fc.property(someRuns, share, confidence, ([events, censored], p, [oneSided, z]) => {
        const curve = survivalCurve({ events: orderedSample(events), censoredSorted: censored });
        const steps = naiveKaplanMeier(events, censored, 1.959963984540054);
        // An exact tie with 1 - p is not below it, whatever the last digits say.
        const level = 1 - p - 1e-11;
        const complete = steps.at(-1)?.survival === 0 ? (steps.at(-1)?.time ?? null) : null;
        const value = steps.find((step) => step.survival < level)?.time ?? complete;
        const low = steps.find((step) => step.low < level)?.time ?? null;
        const high = steps.find((step) => step.high < level)?.time ?? null;
        expect(curve.quantile(p)).toEqual({ value, low, high });
        expect(curve.quantileValue(p)).toBe(value);
        const upper = naiveKaplanMeier(events, censored, z).find((step) => step.high < level);
        expect(curve.upperBound({ p, confidence: oneSided })).toBe(upper?.time ?? null);
      }),
      { seed: 47, numRuns: 2000 },
    );
  });

  test('takes n * p in doubles as quantileRank does, also below its whole number', () => {
    // 0.29 * 100 is 28.999999999999996.
    const events = orderedSample(Array.from({ length: 100 }, (_, index) => index));
    const curve = survivalCurve({ events, censoredSorted: [] });
    for (const p of [0.29, 0.57, 0.58]) expect(curve.quantile(p).value).toBe(quantileSorted(events, p));
  });

  test('finds the upper end also where the upper limit rises again, ties included', () => {
    // A burst of censoring leaves few at risk, where the limit turns upwards; each limit in turn is just reached.
    const inputs = fc.record({
      before: fc.integer({ min: 2, max: 120 }),
      after: fc.integer({ min: 1, max: 12 }),
      censored: fc.integer({ min: 0, max: 60 }),
      tie: fc.integer({ min: 1, max: 4 }),
      fromEnd: fc.integer({ min: 1, max: 14 }),
    });
    fc.assert(
      fc.property(inputs, ({ before, after, censored, tie, fromEnd }) => {
        const events = Array.from({ length: before + after }, (_, index) => Math.floor(index / tie));
        const lost = Array.from({ length: censored }, () => Math.floor(before / tie) + 0.5);
        const curve = survivalCurve({ events: orderedSample(events), censoredSorted: lost });
        const steps = naiveKaplanMeier(events, lost, 2.3263478740408408);
        const limit = steps.at(-fromEnd)?.high ?? 0.5;
        const p = 1 - limit * (1 + 1e-9);
        fc.pre(p > 0);
        const expected = steps.find((step) => step.high < 1 - p)?.time ?? null;
        expect(curve.upperBound({ p, confidence: 0.99 })).toBe(expected);
      }),
      { seed: 48, numRuns: 600 },
    );
  });

  test('finds the upper end at extreme confidence, where the limit rises inside a stretch of events', () => {
    const inputs = fc.record({
      size: fc.integer({ min: 300, max: 700 }),
      tie: fc.integer({ min: 1, max: 4 }),
      fromEnd: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(inputs, ({ size, tie, fromEnd }) => {
        const events = Array.from({ length: size }, (_, index) => Math.floor(index / tie));
        const curve = survivalCurve({ events: orderedSample(events), censoredSorted: [] });
        // scipy: norm.ppf(0.9999).
        const steps = naiveKaplanMeier(events, [], 3.719016485455709);
        const limit = steps.at(-fromEnd)?.high ?? 0.5;
        for (const level of [limit * (1 + 1e-9), limit * 0.998]) {
          const expected = steps.find((step) => step.high < level)?.time ?? null;
          expect(curve.upperBound({ p: 1 - level, confidence: 0.9999 })).toBe(expected);
        }
      }),
      { seed: 53, numRuns: 150 },
    );
  });

  test('draws at most maxPoints, with the first and last times', () => {
    fc.assert(
      fc.property(someRuns, fc.integer({ min: 3, max: 40 }), ([events, censored], maxPoints) => {
        const points = survivalCurve({ events: orderedSample(events), censoredSorted: censored }).points(maxPoints);
        expect(points.length).toBeLessThanOrEqual(maxPoints);
        const drawn = points.map((point) => point.time);
        expect(drawn).toEqual([...new Set(drawn)].sort((x, y) => x - y));
        expect(drawn.at(-1)).toBe(Math.max(...events, ...censored));
        if (events.length > 0) expect(drawn).toContain(events[0]);
        if (new Set([...events, ...censored]).size <= 3) return;
        if (events.length + censored.length <= maxPoints) {
          expect(drawn).toHaveLength(new Set([...events, ...censored]).size);
        }
      }),
      { seed: 49, numRuns: 300 },
    );
  });

  test('throws RangeError for nothing at all, censored values out of order and options outside', () => {
    const events = orderedSample([1, 2]);
    expect(() => survivalCurve({ events: orderedSample([]), censoredSorted: [] })).toThrow(RangeError);
    expect(() => survivalCurve({ events, censoredSorted: [2, 1] })).toThrow('ascending');
    expect(() => survivalCurve({ events, censoredSorted: [], confidence: 1 })).toThrow(RangeError);
    expect(() => survivalCurve({ events, censoredSorted: [], later: -1 })).toThrow(RangeError);
    const curve = survivalCurve({ events, censoredSorted: [] });
    expect(() => curve.survivalAt(Number.NaN)).toThrow(RangeError);
    expect(() => curve.quantile(-0.1)).toThrow(RangeError);
    expect(() => curve.upperBound({ p: 0.5, confidence: 0.4 })).toThrow(RangeError);
    expect(() => curve.points(2)).toThrow('at least 3');
  });
});
