import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { conditionalSurvival, orderedSample, survivalCurve, wilsonInterval } from '../src/index.ts';
import { naiveKaplanMeier } from './naive-kaplan-meier.ts';

const curveOf = (events: readonly number[], censoredSorted: readonly number[]) =>
  survivalCurve({ events: orderedSample(events), censoredSorted });

describe('conditionalSurvival', () => {
  test('equals the curve of the runs that outlast the elapsed time', () => {
    const times = fc.array(fc.integer({ min: 1, max: 15 }), { maxLength: 25 }).map((v) => v.sort((x, y) => x - y));
    const span = fc.tuple(fc.integer({ min: 0, max: 14 }), fc.integer({ min: 1, max: 10 }));
    fc.assert(
      fc.property(times, times, span, (events, censored, [elapsed, wait]) => {
        fc.pre(events.length + censored.length > 0);
        const until = elapsed + wait;
        const later = (value: number) => value > elapsed;
        const result = conditionalSurvival(curveOf(events, censored), { elapsed, until });
        if (![...events, ...censored].some(later)) {
          expect(result).toBeNull();
          return;
        }
        const steps = naiveKaplanMeier(events.filter(later), censored.filter(later), 1.959963984540054);
        const step = steps.findLast((candidate) => candidate.time <= until);
        expect(result?.probability).toBeCloseTo(step?.survival ?? 1, 12);
        if (step === undefined || step.survival === 0) return;
        expect(result?.high).toBeCloseTo(step.high, 10);
        const anyoneLeft = events.some((value) => value > until) || censored.some((value) => value >= until);
        expect(result?.low).toBeCloseTo(anyoneLeft ? step.low : 0, 10);
      }),
      { seed: 50, numRuns: 500 },
    );
  });

  test('gives the Wilson interval where no run, or every run, outlasted the later time', () => {
    const curve = curveOf([1, 2, 3, 4, 5], []);
    const none = wilsonInterval({ successes: 0, trials: 3, confidence: 0.95 });
    expect(conditionalSurvival(curve, { elapsed: 2, until: 6 })).toEqual({ probability: 0, ...none });
    const all = wilsonInterval({ successes: 3, trials: 3, confidence: 0.95 });
    expect(conditionalSurvival(curve, { elapsed: 2, until: 2.5 })).toEqual({ probability: 1, ...all });
    expect(conditionalSurvival(curveOf([1], [4]), { elapsed: 2, until: 9 })).toEqual({
      probability: 1,
      low: 0,
      high: 1,
    });
  });

  test('counts the runs that were cut off at the later time among those that outlast it', () => {
    const cutOff = Array.from({ length: 20 }, () => 60);
    const all = wilsonInterval({ successes: 20, trials: 20, confidence: 0.95 });
    expect(conditionalSurvival(curveOf([10], cutOff), { elapsed: 15, until: 60 })).toEqual({ probability: 1, ...all });
  });

  test('answers null beyond the history and certainty for no time at all', () => {
    expect(conditionalSurvival(curveOf([1, 2], [3]), { elapsed: 3, until: 4 })).toBeNull();
    expect(conditionalSurvival(curveOf([1, 2], [3]), { elapsed: 1, until: 1 })).toEqual({
      probability: 1,
      low: 1,
      high: 1,
    });
  });

  test('throws RangeError when until is before elapsed, and for a time that is not a number', () => {
    const between = (elapsed: number, until: number) => () =>
      conditionalSurvival(curveOf([1, 2], []), { elapsed, until });
    expect(between(1, 0.5)).toThrow(/^until is 0.5: pass a number from 1 to /);
    expect(between(Number.NaN, 1)).toThrow(/^elapsed is NaN: /);
  });
});
