import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Adding, whyOf } from '../../../../src/domain/recall/ranking/why.ts';
import { whyView } from '../../../../src/wire/score-view.ts';

const NOTHING: Adding = {
  parts: { vector: 0, lexical: 0, entity: 0, circumstance: 0 },
  lift: 0,
  crowding: 0,
  boosts: { retention: 0, importance: 0, priming: 0 },
  update: 0,
};
const half = (fused: number) => fused / 2;
const sumOf = (why: object) => Object.values(why).reduce((total: number, part: number) => total + part, 0);

test('tells each reason as a share of the best, and what a crowd takes off below 0', () => {
  const parts = { vector: 0.6, lexical: 0.4, entity: 0.02, circumstance: 0.1 };
  const boosts = { retention: 0.02, importance: 0.01, priming: 0.04 };
  expect(whyOf({ parts, lift: -0.2, crowding: 0.3, boosts, update: 0.5 }, half)).toEqual({
    vector: 0.3,
    lexical: 0.2,
    entity: 0.01,
    circumstance: -0.05,
    crowding: -0.15,
    update: 0.25,
    recency: 0.01,
    importance: 0.005,
    priming: 0.02,
    limit: 0,
  });
});

test('says what keeps the score within 0 and 1', () => {
  expect(whyOf({ ...NOTHING, lift: -10 }, half)).toMatchObject({ circumstance: -5, limit: 5 });
  expect(whyOf({ ...NOTHING, update: 3 }, half)).toMatchObject({ update: 1.5, limit: -0.5 });
});

test('adds up to the score in its four decimals', () => {
  const part = fc.double({ min: -1, max: 3, noNaN: true });
  fc.assert(
    fc.property(fc.tuple(part, part, part, part), ([vector, lexical, circumstance, crowding]) => {
      const why = whyOf({ ...NOTHING, parts: { vector, lexical, entity: 0, circumstance }, crowding }, half);
      const score = sumOf(why);
      const shown = whyView(why, score);
      expect(sumOf(shown)).toBeCloseTo(Number(score.toFixed(4)), 10);
      for (const [reason, value] of Object.entries(shown)) {
        expect(value).toBe(Number(value.toFixed(4)));
        expect(Math.abs(value - why[reason as 'vector'])).toBeLessThan(0.001);
      }
    }),
  );
});
