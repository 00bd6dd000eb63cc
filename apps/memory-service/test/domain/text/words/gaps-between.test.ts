import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { gapsBetween } from '../../../../src/domain/text/words/gaps-between.ts';
import { wordsOf } from '../../../../src/domain/text/words/words.ts';

const gaps = (a: string, b: string) =>
  gapsBetween(wordsOf(a), wordsOf(b)).map((gap) => gap.map((words) => words.map(({ lower }) => lower).join(' ')));

test.each([
  [
    'Bob earns 17 euros',
    'Ann earns 20 euros now',
    [
      ['bob', 'ann'],
      ['17', '20'],
    ],
  ],
  [
    'Ann reports to Dave.',
    'Yusuf reports to Ann.',
    [
      ['ann', 'yusuf'],
      ['dave', 'ann'],
    ],
  ],
  ['Deploys of billing happen daily', 'Deploys of search now happen daily', [['billing', 'search now']]],
  // One of them alone has something there.
  ['The safe is shut', 'The old safe is shut now', []],
  ['The safe is shut', 'The safe is shut', []],
  // No word in common.
  ['Ann sings', 'Bob cooks', []],
  ['', 'Bob cooks', []],
])('between %j and %j', (a, b, expected) => {
  expect(gaps(a, b)).toEqual(expected);
});

/** The length of the longest common subsequence, by trying all. */
function longest(a: readonly string[], b: readonly string[]): number {
  const [[first, ...rest], [other, ...others]] = [a, b];
  if (first === undefined || other === undefined) return 0;
  return first === other ? 1 + longest(rest, others) : Math.max(longest(rest, b), longest(a, others));
}

test('leaves as many words in common as there can be, and each other word in its place', () => {
  const letters = fc.array(fc.constantFrom('ape', 'bee', 'cow'), { maxLength: 7 });
  fc.assert(
    fc.property(letters, letters, (a, b) => {
      // A word of its own before and behind each common word makes every gap seen.
      const marked = (words: readonly string[], own: string) =>
        [own, ...words.flatMap((word) => [word, own])].join(' ');
      const found = gapsBetween(wordsOf(marked(a, 'yak')), wordsOf(marked(b, 'emu')));
      const [mine, theirs] = [0, 1].map((side) => found.flatMap((gap) => gap[side as 0 | 1].map(({ lower }) => lower)));
      const common = longest(a, b);
      if (common === 0) expect(found).toEqual([]);
      else {
        expect(found).toHaveLength(common + 1);
        expect(mine?.filter((word) => word !== 'yak')).toHaveLength(a.length - common);
        expect(theirs?.filter((word) => word !== 'emu')).toHaveLength(b.length - common);
      }
    }),
  );
});
