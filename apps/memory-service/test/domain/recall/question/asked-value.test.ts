import { expect, test } from '@jest/globals';
import {
  askedValue,
  hasOtherValue,
  hasOtherValueOfIt,
  readStatement,
} from '../../../../src/domain/recall/question/asked-value.ts';

test.each([
  ['What time does the bus leave?', 'clock'],
  ['Which day and what time do we play?', 'date'],
  ['What time and which day is the fair?', 'date'],
  ['time of the market', 'clock'],
  ['What is the time of the market?', 'clock'],
  ['What is the average response time of the dashboard?', 'number'],
  ['Which time of year is the market?', 'other'],
  ['On which weekday is the market?', 'weekday'],
  ['Which days is the market?', 'date'],
  ['When does the bus leave?', 'date'],
  ['What is the deadline for the report?', 'date'],
  ['How many chairs are there?', 'number'],
  ['What is the price of a chair?', 'number'],
  ['What is the code of the door?', 'number'],
  ['What dose does the dog get?', 'number'],
  ["What's the code?", 'number'],
  ['Possible date for the move', 'date'],
  ['Which code editor do we use?', 'other'],
  ['Who repairs the chairs?', 'other'],
  ['Who sets the price of a chair?', 'other'],
  ['And where is the number of the house?', 'other'],
])('%s asks for a %s', (question, asked) => {
  expect(askedValue(question)).toBe(asked);
});

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
