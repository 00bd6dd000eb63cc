import { expect, test } from '@jest/globals';
import { asMeantBehind, isFollowUp } from '../../../../src/domain/recall/question/follow-up.ts';

test.each([
  ['How much does Farid owe to the coffee fund?', 'And Wei?', 'How much does Wei owe to the coffee fund?'],
  ['When does Ann come?', 'and for Bob?', 'When does Bob come?'],
  ['When does Ann come', 'what about Bob', 'When does Bob come?'],
  ['Is INC-509 still open?', 'ok, and INC-512?', 'Is INC-512 still open?'],
  ['Who was on call on 11 November?', 'and on 18 November?', 'Who was on call on 18 November?'],
  ['What is on today?', 'And tomorrow?', 'What is on tomorrow?'],
  ['What is on today?', 'what about tomorrow?', 'What is on tomorrow?'],
  ['Any deadlines this week?', 'and on Friday?', 'Any deadlines on Friday?'],
  ['What does Ann do on Monday?', 'And Friday?', 'What does Ann do on Friday?'],
  ['Who is on call on Monday?', 'and on Friday?', 'Who is on call on Friday?'],
  ['Was the shop in Rome closed in April?', 'and in May?', 'Was the shop in Rome closed in May?'],
  ['Is Ann off on 4 May?', 'and on 5 May?', 'Is Ann off on 5 May?'],
  ['Is Ann off on 3 May or on 4 May?', 'and tomorrow?', 'Is Ann off on 3 May or on 4 May, and tomorrow?'],
  ['Why was checkout slow?', 'and search?', 'Why was search slow?'],
  ['What does a double room cost in winter?', 'and a single?', 'What does a single room cost in winter?'],
  ['Is the choir coming?', 'why not?', 'Is the choir coming, why not?'],
  ['May Lukas use the isotope room?', 'since when?', 'May Lukas use the isotope room, since when?'],
  ['Who sold the van?', 'And the old trailer?', 'Who sold the van, And the old trailer?'],
  ['How much do I owe?', 'and Wei?', 'How much do I owe, and Wei?'],
  ['Did Ann and Bob pay?', 'and Wei?', 'Did Ann and Bob pay, and Wei?'],
])('behind %j, %j means %j', (before, query, meant) => {
  expect(asMeantBehind(query, [before])).toBe(meant);
});

test.each([
  'And where do we keep the key?',
  'what about the invoices?',
  'Why is it so?',
  'room 12?',
  'stripe?',
  'and then I went home to sleep at last',
  'ok',
  'since when',
  '',
])('%j asks by itself, or nothing', (query) => {
  expect(isFollowUp(query)).toBe(false);
  expect(asMeantBehind(query, ['When does Ann come?'])).toBe(query);
});

test('the question meant is the last whole one', () => {
  const before = ['and a dog?', 'Thanks.', 'What does a room cost?', 'When does Ann come?'];
  expect(asMeantBehind('and a cat?', before)).toBe('What does a cat cost?');
  expect(asMeantBehind('and a cat?', ['Thanks.'])).toBe('and a cat?');
});

test('a long text is neither a follow-up nor a question to ask anew', () => {
  const long = `${'x'.repeat(400)}?`;
  expect(isFollowUp(`and ${long}`)).toBe(false);
  expect(asMeantBehind('and a cat?', [`What does a room cost, and why is it ${long}`, 'What does a dog cost?'])).toBe(
    'and a cat?',
  );
});
