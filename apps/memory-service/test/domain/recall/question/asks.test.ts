import { describe, expect, test } from '@jest/globals';
import { asksSomething, withMark, withoutOrder } from '../../../../src/domain/recall/question/asks.ts';

describe('a query asks something', () => {
  test.each([
    'Anything new?',
    'how many science berths do we have',
    'how fast is our link',
    'how to reset the winch',
    'What did Ann say about the budget',
    "what's the port of the API",
    'who represents us in Bergen',
    'for how many days are dumps kept',
    'up to what length do we fill gaps',
    'and when is the demo',
    'where can I park',
    'why do we test a cast at S01',
    'ok, which of the two is newer',
    'did anyone fall ill during the crossing',
    'Has Ann paid',
    'Who is Dr. Brandt',
    'What is the address.',
    'remind me how often we open an ampoule',
  ])('"%s"', (query) => {
    expect(asksSomething(query)).toBe(true);
  });

  test.each([
    '',
    'budget of the cruise',
    'Tell the cook about the allergy.',
    'What I need is a longer cable.',
    'What a day',
    'Which is why we moved the demo.',
    'When I came home, the dog had eaten it.',
    'Where we left off: the winch.',
    'How nice of you',
    'how many boats!',
    'Do the dishes',
    'Have the report ready by noon',
    'Was great fun',
    'Is done',
    'What did it cost. I paid 40 euros.',
    'Why do we wait\nThe cable is late.',
    `what ${'very '.repeat(40)}long`,
  ])('not "%s"', (query) => {
    expect(asksSomething(query)).toBe(false);
  });
});

test('a text that asks something has one mark', () => {
  expect(['What is new', 'What is new. ', 'What is new?', 'What is new？'].map(withMark)).toEqual([
    'What is new?',
    'What is new?',
    'What is new?',
    'What is new？',
  ]);
});

test.each([
  ['find the serial number of the sensor', 'the serial number of the sensor'],
  ['please list all open invoices', 'all open invoices'],
  ['can you look up the port agent', 'the port agent'],
  ['Tell me who has the keys', 'who has the keys'],
  ['Tell the cook about it', 'Tell the cook about it'],
  ['list of participants', 'list of participants'],
  ['check valve pressure', 'check valve pressure'],
])('%j seeks %j', (query, sought) => {
  expect(withoutOrder(query)).toBe(sought);
});
