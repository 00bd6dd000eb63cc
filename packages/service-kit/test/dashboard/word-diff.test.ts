import { expect, test } from '@jest/globals';
import fc from 'fast-check';

interface Piece {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}
// Written for the browser, without types.
const FILE = new URL('../../dashboard/shared/word-diff.js', import.meta.url).href;
const { wordDiff }: { wordDiff(before: string, after: string): Piece[] } = await import(FILE);

const without = (kind: Piece['kind'], pieces: readonly Piece[]) =>
  pieces
    .filter((piece) => piece.kind !== kind)
    .map(({ text }) => text)
    .join('');

const someWords = fc.array(fc.constantFrom('a', 'b', 'ferry', ' ', ',', 'pier', '  ', 'ä', '😀', '<b>'), {
  maxLength: 14,
});

/** The length of a longest common subsequence, by trying everything. */
function longest(one: readonly string[], other: readonly string[]): number {
  const [first, ...rest] = one;
  if (first === undefined || other.length === 0) return 0;
  const at = other.indexOf(first);
  const skipped = longest(rest, other);
  return at < 0 ? skipped : Math.max(skipped, 1 + longest(rest, other.slice(at + 1)));
}

test('the pieces give both texts back', () => {
  fc.assert(
    fc.property(someWords, someWords, (one, other) => {
      const [before, after] = [one.join(''), other.join('')];
      const pieces = wordDiff(before, after);
      expect(without('added', pieces)).toBe(before);
      expect(without('removed', pieces)).toBe(after);
    }),
  );
});

test('keeps as many words as can be kept', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 });
  fc.assert(
    fc.property(words, words, (one, other) => {
      // A comma between the words, so that each of them and each comma is a part.
      const partsOf = (list: readonly string[]) => list.flatMap((word) => [word, ',']);
      const kept = wordDiff(partsOf(one).join(''), partsOf(other).join('')).filter(({ kind }) => kind === 'same');
      const count = kept.map(({ text }) => text.match(/[abc]|,/g)?.length ?? 0).reduce((sum, more) => sum + more, 0);
      expect(count).toBe(longest(partsOf(one), partsOf(other)));
    }),
  );
});

test('marks words, not letters', () => {
  expect(wordDiff('The pool opens at 7:00.', 'The pool opens at 9:30, daily.')).toEqual([
    { kind: 'same', text: 'The pool opens at ' },
    { kind: 'removed', text: '7' },
    { kind: 'added', text: '9' },
    { kind: 'same', text: ':' },
    { kind: 'removed', text: '00' },
    { kind: 'added', text: '30, daily' },
    { kind: 'same', text: '.' },
  ]);
});

test('shows long texts that have nothing in common one after the other', () => {
  const long = (word: string) => Array.from({ length: 2_000 }, (_, place) => `${word}${place}`).join(' ');
  expect(wordDiff(long('a'), long('b')).map(({ kind }) => kind)).toEqual(['removed', 'added']);
});
