import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { endedBehindValid } from '../../../../src/domain/recall/succession/ended-behind-valid.ts';

const NOW = 100;
type Relevance = 'high' | 'medium' | 'low';
const ranked = (relevance: Relevance, validUntil: number | null, id = '') => ({
  id,
  relevance,
  stored: { memory: { validUntil } },
});
const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id).join('');

describe('what has ended', () => {
  test('stands behind what holds and is as relevant, and before what is less so', () => {
    const list = [
      ranked('high', NOW, 'a'),
      ranked('high', null, 'b'),
      ranked('medium', NOW - 1, 'c'),
      ranked('high', NOW + 1, 'd'),
      ranked('low', null, 'e'),
    ];
    expect(ids(endedBehindValid(list, NOW))).toBe('bdace');
  });

  test('loses nothing, and leaves all else in its order', () => {
    const one = fc.record({
      relevance: fc.constantFrom<Relevance>('high', 'medium', 'low'),
      isEnded: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 12 }), (list) => {
        const before = list.map(({ relevance, isEnded }, place) => ranked(relevance, isEnded ? NOW : null, `${place}`));
        const after = endedBehindValid(before, NOW);
        expect(after.toSorted((a, b) => Number(a.id) - Number(b.id))).toEqual(before);
        const holding = (all: typeof before) => all.filter(({ stored }) => stored.memory.validUntil === null);
        expect(holding(after)).toEqual(holding(before));
        const order = ['high', 'medium', 'low'];
        for (const [place, ended] of after.entries()) {
          if (ended.stored.memory.validUntil === null) continue;
          const later = holding(after.slice(place + 1));
          expect(later.every(({ relevance }) => order.indexOf(relevance) > order.indexOf(ended.relevance))).toBe(true);
        }
      }),
    );
  });
});
