import { expect, test } from '@jest/globals';
import { numberedThings } from '../../../../src/domain/text/words/numbered-things.ts';
import { wordsOf } from '../../../../src/domain/text/words/words.ts';

test.each([
  ['Who approved invoice 51 of room 12?', ['invoic 51', 'room 12']],
  ['Who approved invoice number 51?', ['invoic 51']],
  ['table #4, item no. 51', ['tabl 4', 'item 51']],
  ['What is number 51?', ['number 51']],
  ['user 51 likes item 12', ['user 51', 'item 12']],
  // No number of a thing: a span, a day, a time, part of a code.
  ['in 12 days, at 10', []],
  ['on 3 December, on December 3, on day 3 and at time 10', []],
  ['invoice 51a, invoice 51.5, version v51', []],
])('what %j names by a number: %j', (text, named) => {
  expect(numberedThings(wordsOf(text)).map((parts) => parts.join(' '))).toEqual(named);
});
