import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { likingOf, oppositesIn, tellApart } from '../../../../src/domain/contradictions/statements/opposites.ts';
import { stemOf } from '../../../../src/domain/text/words/words.ts';

const areOpposite = (one: string, other: string) => oppositesIn([{ stem: one }], [{ stem: other }]).length > 0;

const WORDS =
  'open opened closed shut full empty legal illegal possible encrypted unencrypted north south old new love'.split(' ');

test.each([
  ['open', 'closed', true],
  ['opened', 'shut', true],
  ['encrypted', 'unencrypted', true],
  ['legal', 'illegal', true],
  ['reliable', 'unreliable', true],
  ['open', 'opened', false],
  ['positive', 'negative', true],
  ['outstanding', 'paid', true],
  ['done', 'progress', true],
  ['light', 'dark', true],
  ['open', 'full', false],
  ['open', 'open', false],
  // "per" is too short to be a word whose opposite begins with "im".
  ['per', 'imper', false],
])('%s and %s are opposite: %p', (one, other, isSo) => {
  expect([areOpposite(stemOf(one), stemOf(other)), areOpposite(stemOf(other), stemOf(one))]).toEqual([isSo, isSo]);
});

test.each([
  ['north', 'south', true],
  ['primary', 'replica', true],
  ['first', 'third', true],
  ['north', 'west', false],
  ['open', 'closed', false],
])('%s and %s tell two things apart: %p', (one, other, isSo) => {
  expect([tellApart(stemOf(one), stemOf(other)), tellApart(stemOf(other), stemOf(one))]).toEqual([isSo, isSo]);
});

test('the opposites in two texts are those of each pair of their words', () => {
  const texts = fc.array(
    fc.constantFrom(...WORDS, 'inactive', 'active', 'slower', 'faster').map((one) => ({ stem: stemOf(one) })),
  );
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      const pairs = a.flatMap((one, at) =>
        b.flatMap((other, place) => (areOpposite(one.stem, other.stem) ? [`${at} ${place}`] : [])),
      );
      expect(new Set(oppositesIn(a, b).map((found) => found.join(' ')))).toEqual(new Set(pairs));
    }),
  );
});

test('no word is its own opposite, and the order does not matter', () => {
  const stem = fc.oneof(fc.constantFrom(...WORDS), fc.string()).map(stemOf);
  fc.assert(
    fc.property(stem, stem, (one, other) => {
      expect(areOpposite(one, one) || tellApart(one, one)).toBe(false);
      expect(areOpposite(one, other)).toBe(areOpposite(other, one));
      expect(tellApart(one, other)).toBe(tellApart(other, one));
    }),
  );
});

test.each([
  ['loves', 1],
  ['favourite', 1],
  ['hated', -1],
  ['allergic', -1],
  ['kettle', 0],
])('%s is liked by %d', (word, liking) => {
  expect(likingOf(stemOf(word))).toBe(liking);
});
