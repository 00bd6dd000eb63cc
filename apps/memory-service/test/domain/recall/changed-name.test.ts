import { expect, test } from '@jest/globals';
import { addsOneName, tellsOfChange } from '../../../src/domain/recall/changed-name.ts';
import { wordsOf } from '../../../src/domain/text/words.ts';

test.each([
  ['We now use Helix.', true],
  ['Helix instead of Vim.', true],
  ['She lives there no longer.', true],
  ['From Monday on it is Bob.', true],
  ['Bob took over the bar.', true],
  ['The bar was handed over to Bob.', true],
  ['Since this morning the bar is closed.', true],
  ['As of today the bar is closed.', true],
  ['Since May the bar is closed.', false],
  ['We know Helix.', false],
  ['Bob runs the bar.', false],
])('%j tells of a change: %p', (text, expected) => {
  expect(tellsOfChange(text)).toBe(expected);
});

test.each([
  ['Billing has moved to Bob.', true],
  ['Bob Lee takes over billing.', true],
  ['Billing: Bob instead of Ann.', true],
  ['Bob is now the owner of search.', false],
  ['Bob moved to Rome, Ann keeps billing.', false],
  ['Billing now sends letters.', false],
  ['Billing moved to Bob and sends letters.', false],
  ['Billing moved to the cellar.', false],
  ['Ann no longer owns billing.', false],
  ['Now it is Bob.', false],
])('all that %j adds to the owner of billing is one name: %p', (newer, expected) => {
  const older = wordsOf('Ann owns billing, she is the owner.');
  expect(addsOneName(new Set(['owner', 'bill']), older, newer)).toBe(expected);
});
