import { expect, test } from '@jest/globals';
import { beginningsOfItem } from '../../../../src/domain/text/gist/list-items.ts';

const textsOf = (item: number, sentences: readonly string[]) =>
  Array.from(beginningsOfItem(item, sentences), (one) => (typeof one === 'number' ? sentences[one] : one));

test('an item of a list begins with its number, and neither with an hour nor with an amount', () => {
  const day = ['10:30 Breakfast.', '2.5 litres of milk.', '- Sweep the hall.', '- Air the attic.'];
  expect(textsOf(2, day)).toEqual(['- Air the attic.']);
  expect(textsOf(2, ['1. Sweep.', '2.Air it.', '(2) Or not.', 'Step 2: Dust.'])).toEqual([
    '2.Air it.',
    '(2) Or not.',
    'Step 2: Dust.',
  ]);
  expect(textsOf(-1, ['1. Sweep.', '- Air it.', '2. Dust.'])).toEqual(['2. Dust.']);
});

test('of items with the same text it is the one in that place', () => {
  expect(
    beginningsOfItem(
      4,
      Array.from({ length: 25_000 }, () => '- Sweep.'),
    ),
  ).toEqual([3]);
});
