import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { NumberLists } from '../../../src/search/columns/number-lists.ts';

const step = fc.record({
  ordinal: fc.nat(9),
  numbers: fc.option(
    fc.oneof(
      fc.array(fc.integer({ min: 0, max: 2 ** 31 - 1 }), { maxLength: 5 }),
      // Of the shorter ones no three fit into one page, of the longer ones not even one.
      fc
        .tuple(fc.nat(99), fc.constantFrom(30_000, 70_000))
        .map(([first, length]) => Array.from({ length }, (_, i) => first + i)),
    ),
    { nil: null },
  ),
});

describe('lists of numbers', () => {
  test('hold what a plain map holds, over the ends of pages, whatever is set and cleared', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const lists = new NumberLists();
        const naive = new Map<number, number[]>();
        for (const { ordinal, numbers } of steps) {
          if (numbers) lists.set(ordinal, numbers);
          else lists.clear(ordinal);
          naive.set(ordinal, numbers ?? []);
        }
        for (let ordinal = 0; ordinal < 12; ordinal++) {
          const expected = Int32Array.from(naive.get(ordinal) ?? []);
          expect([...lists.of(ordinal)].every((number, at) => number === expected[at])).toBe(true);
          expect(lists.of(ordinal).length).toBe(expected.length);
        }
      }),
      { numRuns: 100 },
    );
  });
});
