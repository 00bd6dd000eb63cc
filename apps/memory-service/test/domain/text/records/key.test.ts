import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { keyOf } from '../../../../src/domain/text/records/key.ts';

test.each([
  ['POOL_SIZE=20', ['pool', 'size']],
  ['- [apollo] lead: Ann', ['apollo', 'lead']],
  ['user.theme = dark', ['user', 'theme']],
  ['label BUG -> engineering', ['label', 'bug']],
  // Prose behind a heading, too many words before the mark or in all, two sentences, and no mark.
  ['Status: the pool is open', []],
  ['one two three four five six seven: 8', []],
  ['Firm: a b c d e f g h i j k l', []],
  ['Well, rent: 800', []],
  ['POOL_SIZE 20', []],
])('the key of %j is %j', (text, key) => {
  expect(keyOf(text).map(({ lower }) => lower)).toEqual(key);
});

// Between turns, so that jest sees how long it takes.
test('a text of blanks and marks takes no time', async () => {
  for (let time = 0; time < 2_000; time++) {
    expect(keyOf(`-${' '.repeat(198)}b`)).toEqual([]);
    expect(keyOf('- '.repeat(100))).toEqual([]);
    await setImmediate();
  }
}, 5_000);
