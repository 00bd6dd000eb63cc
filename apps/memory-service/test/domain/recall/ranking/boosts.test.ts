import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BOOST_LIMIT, boosted, withinReach } from '../../../../src/domain/recall/ranking/boosts.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const leanings = fc.record({ retention: share, importance: share, priming: share });
const matches = fc.array(fc.record({ score: fc.double({ min: -2, max: 5, noNaN: true }), leanings }), {
  maxLength: 60,
});

describe('nudges', () => {
  test('never bury a match that is better by more than all of them together', () => {
    fc.assert(
      fc.property(matches, (list) => {
        const after = list.map(({ score, leanings: its }) => boosted(score, its));
        list.forEach((a, i) => {
          list.forEach((b, j) => {
            if (a.score > b.score + BOOST_LIMIT + 1e-9) expect(after[i]).toBeGreaterThan(after[j] as number);
          });
        });
      }),
    );
  });

  test('bring nothing among the best that is not within reach', () => {
    fc.assert(
      fc.property(matches, fc.integer({ min: 1, max: 100 }), (list, places) => {
        const order = list
          .map(({ score, leanings: its }, index) => ({ index, score: boosted(score, its) }))
          .sort((a, b) => b.score - a.score);
        const reached = withinReach(
          list.map(({ score }) => score),
          places,
        );
        expect(reached).toEqual(expect.arrayContaining(order.slice(0, places).map(({ index }) => index)));
      }),
    );
  });

  test('reach no further than they are large', () => {
    expect(withinReach([5, 1, 4.95, 4.9], 1)).toEqual([0, 2]);
    expect(withinReach([1, 2], 10)).toEqual([0, 1]);
    expect(withinReach([], 10)).toEqual([]);
  });
});
