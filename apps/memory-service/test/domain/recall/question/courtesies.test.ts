import { expect, test } from '@jest/globals';
import { withoutCourtesies } from '../../../../src/domain/recall/question/courtesies.ts';

test.each([
  ['Good morning! What is on today?', 'What is on today?'],
  ['Hi Claude, what is on today?', 'what is on today?'],
  ['hello again! who is on call', 'who is on call'],
  ['Who is on call tomorrow? Thanks!', 'Who is on call tomorrow?'],
  ['Who is on call tomorrow? Many thanks in advance, Ann', 'Who is on call tomorrow?'],
  ['Morning. I want to plan my week. What is on next week? Make a table of it by day please.', 'What is on next week?'],
  ['Quick question. When does Ann come? It is urgent. Just one sentence please.', 'When does Ann come?'],
  ['Hi! And Wei?', 'And Wei?'],
  ['Where is the key? And who has it? Thank you.', 'Where is the key? And who has it?'],
])('%j asks %j', (query, question) => {
  expect(withoutCourtesies(query)).toBe(question);
});

test.each([
  'What is on today?',
  ' What is on today?\n\nAnd tomorrow? ',
  'Hi there!',
  'Thanks, that works.',
  'Good morning! The till is frozen again.',
  'The till is frozen. What helped last time?',
  'When does Ann come? She brings the cake.',
  'Find the port. Thanks!',
  'Hi-fi, which one did we buy?',
  'Morning shift, who has it?',
  'Who wrote the thanks? The thanks to Ann.',
  `Hi! What is on today? ${'Please. '.repeat(200)}`,
  '',
])('%j stays as it is', (query) => {
  expect(withoutCourtesies(query)).toBe(query);
});
