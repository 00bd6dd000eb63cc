import { expect, test } from '@jest/globals';
import { subjectAskedAbout } from '../../../../src/domain/recall/question/subject-asked-about.ts';

test.each([
  ['What do you know about Priya?', 'Priya'],
  ['so what do we know about the payment worker', 'the payment worker'],
  ['Summarize what you know about Priya', 'Priya'],
  ['Summarise the migration.', 'the migration'],
  ['Tell me about Dana', 'Dana'],
  ['Can you tell me everything about the demo?', 'the demo'],
  ['Is there anything about backups?', 'backups'],
  ["What's new with the shop?", 'the shop'],
  ['What changed about the demo?', 'the demo'],
  ['Who is Priya?', 'Priya'],
  ["who's Dana", 'Dana'],
  ['So who am I?', 'me'],
  ['Who works on the mobile app?', 'the mobile app'],
])('%j asks for all that is known of %j', (text, subject) => {
  expect(subjectAskedAbout(text)).toBe(subject);
});

test.each([
  'What does Dana prefer?',
  'Who is on call?',
  'Where does Lena live?',
  'What happened yesterday?',
  'Summarize how we release',
  'Tell me about what the customer said when the demo had to be moved to Monday',
  'Dana prefers short answers.',
  `What do you know about ${'the very '.repeat(20)}old server?`,
])('%j asks for something else', (text) => {
  expect(subjectAskedAbout(text)).toBeNull();
});
