import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  initialStrength,
  latestRecalls,
  retention,
  strengthened,
  stronger,
} from '../../../src/domain/cognition/retention.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const SAID = Date.UTC(2026, 2, 1);
const strengthOf = (stabilityDays: number) => ({ lastRecalledAt: null, recallCount: 0, stabilityDays });

describe('retention', () => {
  // ts-fsrs 3.5.7, forgetting_curve(days, 3.7145)
  test.each([
    [0, 1],
    [1, 0.96984623],
    [3.7145, 0.9],
    [10, 0.78290209],
    [30, 0.58778013],
    [90, 0.38681224],
    [365, 0.20391406],
  ])('after %s days follows the forgetting curve of FSRS-4.5', (days, expected) => {
    expect(retention(strengthOf(3.7145), { createdAt: SAID, now: SAID + days * DAY })).toBeCloseTo(expected, 8);
  });

  test('starts anew with each recall that counts', () => {
    const recalled = strengthened(strengthOf(1), { createdAt: SAID, now: SAID + 100 * DAY, importance: 0.5 });
    expect(retention(recalled, { createdAt: SAID, now: SAID + 100 * DAY })).toBe(1);
  });

  test('of a message dated in the future is whole', () => {
    expect(retention(strengthOf(1), { createdAt: SAID + DAY, now: SAID })).toBe(1);
  });

  test('lies in 0..1 and never rises by itself', () => {
    const days = fc.double({ min: 0, max: 100_000, noNaN: true });
    fc.assert(
      fc.property(days, days, fc.double({ min: 0, max: 1, noNaN: true }), (one, other, importance) => {
        const strength = initialStrength(importance);
        const at = (age: number) => retention(strength, { createdAt: SAID, now: SAID + age * DAY });
        const [early, late] = [at(Math.min(one, other)), at(Math.max(one, other))];
        expect(early).toBeGreaterThanOrEqual(late);
        expect(early).toBeLessThanOrEqual(1);
        expect(late).toBeGreaterThan(0);
      }),
      { seed: 1 },
    );
  });
});

describe('a recall', () => {
  // ts-fsrs 3.5.7, next_recall_stability(difficulty, stability, retention, Rating.Good); importance = (10 - difficulty) / 9
  test.each([
    [5, 3.7145, 0.9, 13.91094983],
    [5, 3.7145, 0.5, 66.83901631],
    [1, 0.4872, 0.8, 6.65543553],
    [10, 13.8206, 0.95, 16.40368297],
    [5.5, 100, 0.7, 639.02281306],
  ])(
    'at difficulty %s, stability %s and retention %s gives the stability of FSRS-4.5',
    (difficulty, stability, left, expected) => {
      const days = ((left ** -2 - 1) * stability * 81) / 19; // the forgetting curve turned round
      const moment = { createdAt: SAID, now: SAID + days * DAY, importance: (10 - difficulty) / 9 };
      expect(strengthened(strengthOf(stability), moment).stabilityDays).toBeCloseTo(expected, 4);
    },
  );

  test('strengthens more when more was forgotten, so that spaced recalls outlast crammed ones', () => {
    const after = (gapDays: number) => {
      let strength = initialStrength(0.5);
      for (let recall = 1; recall <= 5; recall++) {
        const now = SAID + recall * gapDays * DAY;
        strength = strengthened(strength, { createdAt: SAID, now, importance: 0.5 });
      }
      return strength;
    };
    expect(after(7).recallCount).toBe(5);
    expect(after(7).stabilityDays).toBeGreaterThan(5 * after(0.05).stabilityDays);
  });

  test('counts at most once in 15 minutes', () => {
    const moment = { createdAt: SAID, importance: 0.5 };
    const first = strengthened(initialStrength(0.5), { ...moment, now: SAID + DAY });
    expect(strengthened(first, { ...moment, now: SAID + DAY + 15 * MINUTE - 1 })).toBe(first);
    const second = strengthened(first, { ...moment, now: SAID + DAY + 15 * MINUTE });
    expect(second).toMatchObject({ recallCount: 2, lastRecalledAt: SAID + DAY + 15 * MINUTE });
  });

  test('keeps who recalled it, each agent once and the latest first, also within those 15 minutes', () => {
    const moment = { createdAt: SAID, importance: 0.5 };
    const at = (minutes: number, by: string) => ({ ...moment, now: SAID + DAY + minutes * MINUTE, by });
    const first = strengthened(initialStrength(0.5), at(0, 'ann'));
    const second = strengthened(first, at(5, 'bob'));
    expect(second).toEqual({
      ...first,
      recalledBy: [
        { agentId: 'bob', at: SAID + DAY + 5 * MINUTE },
        { agentId: 'ann', at: SAID + DAY },
      ],
    });
    expect(strengthened(second, at(6, 'ann'))).toBe(second);
    expect(strengthened(second, { ...moment, now: SAID + DAY + 6 * MINUTE })).toBe(second);
    expect(strengthened(second, at(20, 'ann')).recalledBy?.map(({ agentId }) => agentId)).toEqual(['ann', 'bob']);
  });

  test('knows the same recallers in whichever order stores are merged', () => {
    const recalls = fc.array(fc.record({ agentId: fc.constantFrom(...'abcdefghijkl'), at: fc.nat(20) }));
    fc.assert(
      fc.property(recalls, recalls, recalls, (one, other, third) => {
        const strengthOfAll = (list: typeof one) => ({ ...strengthOf(1), recalledBy: latestRecalls(list) });
        const [a, b, c] = [strengthOfAll(one), strengthOfAll(other), strengthOfAll(third)];
        expect(stronger(a, b)).toEqual(stronger(b, a));
        expect(stronger(stronger(a, b), c)).toEqual(stronger(a, stronger(b, c)));
        expect(stronger(a, a)).toBe(a);
        expect(stronger(stronger(a, b), b)).toEqual(stronger(a, b));
        const naive = new Map<string, number>();
        for (const { agentId, at } of [...one, ...other]) naive.set(agentId, Math.max(at, naive.get(agentId) ?? 0));
        const latest = [...naive.values()].sort((x, y) => y - x).slice(0, 8);
        expect(stronger(a, b).recalledBy?.map(({ at }) => at)).toEqual(latest);
      }),
    );
  });

  test('leaves the strength that it was given as it was', () => {
    const before = Object.freeze(initialStrength(0.5));
    expect(strengthened(before, { createdAt: SAID, now: SAID + DAY, importance: 0.5 })).not.toBe(before);
  });

  test('helps an important memory more, and an important one starts stronger', () => {
    const moment = { createdAt: SAID, now: SAID + 10 * DAY };
    const grown = (importance: number) => strengthened(strengthOf(2), { ...moment, importance }).stabilityDays;
    expect([grown(0) > 2, grown(0.5) > grown(0), grown(1) > grown(0.5)]).toEqual([true, true, true]);
    expect(initialStrength(0).stabilityDays).toBe(0.5701); // FSRS-4.5, w0 and w3
    expect(initialStrength(1).stabilityDays).toBeCloseTo(10.9355, 10);
  });

  test('never makes a memory stable for more than a century', () => {
    const moment = { createdAt: SAID, now: SAID + 100_000 * DAY, importance: 1 };
    expect(strengthened(strengthOf(30_000), moment).stabilityDays).toBe(36_500);
  });
});
