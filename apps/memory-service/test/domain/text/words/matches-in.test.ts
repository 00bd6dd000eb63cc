import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { matchesIn } from '../../../../src/domain/text/words/matches-in.ts';

const WORD = /(?<first>[ab])b*/g;

test('the matches are those of matchAll', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'b', ' ') });
  fc.assert(fc.property(texts, (text) => expect([...matchesIn(text, WORD)]).toEqual([...text.matchAll(WORD)])));
});

test('two texts are looked through at the same time, and one that was left stays out of the next', () => {
  const [one, other] = [matchesIn('ab a b', WORD), matchesIn('bb abb', WORD)];
  const found = Array.from({ length: 2 }, () => [one, other].map((matches) => matches.next().value?.[0]));
  expect(found).toEqual([
    ['ab', 'bb'],
    ['a', 'abb'],
  ]);
  expect([...matchesIn('a', WORD)]).toHaveLength(1);
});
