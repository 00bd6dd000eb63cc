import { expect, test } from '@jest/globals';
import { hasOtherValue, hasOtherValueOfIt } from '../../../../src/domain/recall/replacement/other-value.ts';
import { readStatement } from '../../../../src/domain/recall/replacement/read-statement.ts';

test.each([
  ['number', 'A chair costs 40 euros.', 'It is 45 euros for a chair.', true],
  ['number', 'A chair costs 40 euros.', 'It is 40 euros for a chair.', false],
  ['number', 'A chair costs 40 euros.', 'A chair weighs 5 kg.', false],
  ['number', 'A chair costs 40 euros.', 'The chairs come at 10:30.', false],
  ['number', 'My shoe size is 42.', 'Shoes in 43 fit me better.', true],
  ['number', 'Heating is set to 20 degrees.', 'Turned the heating down to 18.', true],
  ['clock', 'The bus leaves at 9:15.', 'The bus leaves at 9:45.', true],
  ['date', 'The fair is on 3 May.', 'The fair is on 10 May.', true],
  ['other', 'A chair costs 40 euros.', 'It is 45 euros for a chair.', false],
] as const)('asked for a %s: %s / %s', (asked, older, newer, expected) => {
  expect(hasOtherValue(asked, { older: readStatement(older), newer: readStatement(newer) })).toBe(expected);
});

test.each([
  ['clock', 'We open on Thursday until 20:00.', 'Thursday until 21:00.', true],
  ['clock', 'We open on Thursday until 20:00.', 'Thursday until 20:00.', false],
  ['clock', 'We open on Thursday until 20:00.', 'Supper is until 21:00.', false],
  ['clock', 'We open on Thursday until 20:00.', 'Thursday is dull. We sleep until 21:00.', false],
  ['clock', 'We open on Thursday until 20:00.', 'Thursday brings 21 guests.', false],
  ['clock', 'On Friday until 18:00, on Thursday until 20:00.', 'On Thursday until 18:00.', false],
  ['number', 'The museum opens for 12 euros.', 'The museum opens with 300 guests.', false],
  ['other', 'Thursday is at 20 degrees.', 'Keep 22 degrees on Thursday.', true],
  ['other', 'On Thursday see MUS-12.', 'On Thursday see MUS-13.', false],
] as const)('asked for a %s of the museum on Thursday: %s / %s', (asked, older, newer, expected) => {
  const statements = { older: readStatement(older), newer: readStatement(newer) };
  expect(hasOtherValueOfIt(asked, new Set(['museum', 'thursdai', 'thursday']), statements)).toBe(expected);
});
