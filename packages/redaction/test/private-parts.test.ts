import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { withoutPrivate } from '../src/index.ts';

describe('private parts', () => {
  test.each([
    ['a <private>x</private> b', 'a b', 1],
    ['a<private>x</private>b', 'ab', 1],
    ['<PRIVATE>x</Private> b', ' b', 1],
    ['a < private >x</ private > b', 'a b', 1],
    ['a <private reason="mine">x</private>', 'a ', 1],
    ['a <private>\nx\n</private>\nb', 'a \nb', 1],
    ['a <private>x <private>y</private> z</private> b', 'a b', 1],
    ['a <private>x</private> b <private>y</private> c', 'a b c', 2],
    ['a <private>x and all the rest', 'a ', 1],
    ['a <private>x <private>y</private> z', 'a ', 1],
    ['<private>x</private>', '', 1],
    ['a </private> b', 'a </private> b', 0],
    ['List<privately> and <private-key>', 'List<privately> and <private-key>', 0],
    ['nothing to see', 'nothing to see', 0],
  ])('%j becomes %j', (given, text, count) => {
    expect(withoutPrivate(given)).toEqual({ text, count });
  });

  test('leave one blank of two wherever they are taken out', () => {
    const piece = fc.constantFrom('a', ' ', '\t', '  ', 'b ', ' c', '\n', '');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        // One after the other, as a reader would do it.
        const expected = pieces.reduce<string>(
          (kept, next) => (/[ \t]$/.test(kept) && /^[ \t]/.test(next) ? kept + next.slice(1) : kept + next),
          '',
        );
        const text = pieces.join('<private>x</private>');
        expect(withoutPrivate(text)).toEqual({ text: expected, count: Math.max(0, pieces.length - 1) });
      }),
    );
  });
});
