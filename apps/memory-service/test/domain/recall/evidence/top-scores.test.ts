import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bestOf, greatest, scoreAt } from '../../../../src/domain/recall/evidence/top-scores.ts';

describe('bestOf', () => {
  test('gives what a sort of all gives first', () => {
    // Few different scores, so that many are equal.
    const score = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.double({ noNaN: true }));
    fc.assert(
      fc.property(fc.array(score, { maxLength: 80 }), fc.integer({ min: 1, max: 100 }), (scores, count) => {
        const all = scores.map((_, index) => index).sort((a, b) => (scores[b] as number) - (scores[a] as number));
        expect(bestOf(scores, count)).toEqual(all.slice(0, count));
      }),
    );
  });

  test('rests on the greatest numbers, the greatest first, as a sort gives them', () => {
    const number = fc.oneof(
      fc.integer({ min: -2, max: 2 }),
      fc.double({ noNaN: true }).map((value) => value + 0),
    );
    fc.assert(
      fc.property(fc.array(number, { maxLength: 60 }), fc.nat({ max: 70 }), (numbers, count) => {
        const sorted = numbers.toSorted((a, b) => b - a);
        expect([...greatest(numbers, count)]).toEqual(sorted.slice(0, count));
      }),
    );
  });

  test('knows the score at a place', () => {
    expect([1, 2, 3, 9].map((place) => scoreAt([0.5, 3, -1], place))).toEqual([3, 0.5, -1, -1]);
    expect(scoreAt([], 1)).toBe(0);
  });
});
