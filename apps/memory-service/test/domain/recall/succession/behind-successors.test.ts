import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { behindSuccessors } from '../../../../src/domain/recall/succession/behind-successors.ts';

const ranked = (...links: readonly (readonly [id: string, supersededBy: string | null])[]) =>
  links.map(([id, supersededBy]) => ({ stored: { memory: { id, supersededBy } } }));
const ids = (ranking: ReturnType<typeof ranked>) => ranking.map(({ stored }) => stored.memory.id).join(' ');

describe('behind their successors', () => {
  test.each([
    [
      'nothing is moved where nothing is superseded',
      [
        ['a', null],
        ['b', null],
      ],
      'a b',
    ],
    [
      'what is superseded stands right behind its successor',
      [
        ['old', 'new'],
        ['x', null],
        ['new', null],
        ['y', null],
      ],
      'x new old y',
    ],
    [
      'what stands behind already stays',
      [
        ['new', null],
        ['x', null],
        ['old', 'new'],
      ],
      'new x old',
    ],
    [
      'a chain unrolls from its end',
      [
        ['a', 'b'],
        ['b', 'c'],
        ['c', null],
        ['x', null],
      ],
      'c b a x',
    ],
    [
      'two of one successor keep their order',
      [
        ['a', 'c'],
        ['b', 'c'],
        ['c', null],
      ],
      'c a b',
    ],
    [
      'a successor that was not recalled moves nothing',
      [
        ['a', 'gone'],
        ['b', null],
      ],
      'a b',
    ],
  ] as const)('%s', (_, links, expected) => {
    expect(ids(behindSuccessors(ranked(...links)))).toBe(expected);
  });

  test('nothing is lost or doubled, whatever the links, circles among them', () => {
    const link = fc.option(fc.integer({ min: 0, max: 9 }).map(String));
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 9 })),
        fc.array(link, { minLength: 10, maxLength: 10 }),
        (order, links) => {
          const ranking = ranked(...order.map((n): [string, string | null] => [String(n), links[n] ?? null]));
          const moved = behindSuccessors(ranking);
          expect(moved.map(({ stored }) => stored.memory.id).sort()).toEqual(order.map(String).sort());
        },
      ),
    );
  });
});
