import { expect, test } from '@jest/globals';
import { askedValue } from '../../../../src/domain/recall/question/asked-value.ts';

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
  ['Up to what sum may Ann buy chairs?', 'number'],
  ['What share of the chairs is broken?', 'number'],
  ['minimum stock of chairs', 'number'],
  ['support opening hours', 'clock'],
  ['the minimum of working hours', 'number'],
  ['How long does an answer take outside of opening hours?', 'number'],
  ['Who is there outside of opening hours?', 'other'],
  ['phone number outside of opening hours of the bar', 'number'],
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
