import { expect, test } from '@jest/globals';
import { isAboutStrangers } from '../../../../src/domain/recall/question/strangers.ts';
import { termsOf } from '../../../../src/domain/text/words/terms.ts';

const TOLD = `Priya moved the release to Friday. We run PostgreSQL 16 in Lisbon. Melanie paints. The pool is closed. Caroline swims.
  Grace is on leave.`;
const terms = termsOf(TOLD);
const known = {
  speakers: {
    hasOneCalled: (word: string) => ['melanie', 'visitor', 'desk'].some((name) => name.startsWith(word)),
  },
  projects: ['kestrel'],
  vocabulary: { memoriesWith: (term: string) => Number(terms.includes(term)), isCommon: () => false },
};

test.each([
  'What did Oksana say about the pool?',
  "When is Oksana's release?",
  "Oksana's favourite colour?",
  'Is Oksana or Bertrand on leave?',
  'What do you know about Oksana Lind?',
  'Does Nate paint?',
])('%s is about strangers', (query) => {
  expect(isAboutStrangers(query, known)).toBe(true);
});

test.each([
  ['names somebody of whom a memory tells', 'What did Priya move?'],
  ['names a speaker', 'What does Melanie paint?'],
  ['has a short form of a speaker', 'What does Mel paint?'],
  ['has a slip in a name', 'What did Carolin say?'],
  ['has a short form of a known word', 'What do we use Postgres for?'],
  ['names somebody known as well', 'Did Priya meet Oksana?'],
  ['names a known place', 'Did Oksana come to Lisbon?'],
  ['names a project', 'What did we decide for Kestrel?'],
  ['names nobody', 'What is the pool like?'],
  ['names a stranger as something to find, not as the subject', 'Which book by the poet Oksana did we read?'],
  ['names where somebody is from', 'Which week are the visitors from Nigeria here?'],
  ['names where somebody goes', 'Who pays for the trip to Denmark?'],
  ['names a month', 'What happened in August?'],
  ['has only abbreviations', 'What is the SLA of the API?'],
  ['is a title', 'What Does Oksana Need'],
  ['is empty', ''],
])('a question that %s is not', (_what, query) => {
  expect(isAboutStrangers(query, known)).toBe(false);
});

test('a long text without blanks takes no time', () => {
  expect(isAboutStrangers(`Did ${'A'.repeat(100_000)} come?`, known)).toBe(false);
  expect(isAboutStrangers(`${'did '.repeat(30_000)}Oksana?`, known)).toBe(false);
});
