import { atOnce } from '@agent-faculties/service-kit';
import { describe, expect, test } from '@jest/globals';
import type { Candidate } from '../../../../src/domain/recall/evidence/evidence.ts';
import { readQuestion } from '../../../../src/domain/recall/question/question.ts';
import {
  isToldByWords,
  isToldInReply,
  isToldThen,
  longestReply,
} from '../../../../src/domain/recall/relevance/told-by-words.ts';
import { namedDaysInSteps } from '../../../../src/domain/text/days/named-days.ts';
import { marksOf } from '../../../../src/domain/text/sentences/text-marks.ts';
import { NO_SPEAKERS } from '../no-speakers.ts';

const NOW = Date.parse('2026-11-29T09:00:00Z');
const SAID = Date.parse('2026-11-25T09:00:00Z');
function isTold(query: string, content: string, words = 12): boolean {
  const question = readQuestion(query, { speakers: NO_SPEAKERS, now: NOW });
  const named = atOnce(namedDaysInSteps(content, SAID));
  const namesDay = question.days.some((day) => named.includes(day));
  const { tellsTime } = marksOf(content);
  const evidence = { covers: true, words, createdAt: SAID, tellsTime, namesDay };
  return isToldByWords(question, { evidence, stored: { memory: { content } } } as Candidate);
}

test.each([
  ['What is due in December?', 'The security review is due on Friday 4 December.', true],
  ['What is due on 4 December?', 'The security review is due on Friday 4 December.', true],
  ['What is due on 6 December?', 'The security review is due on Friday 4 December.', false],
  ['What is due in December?', 'The security review is due soon.', false],
  ['What is due next year?', 'The security review is due soon.', false],
  ['What is on in December?', 'Grandma comes on 6 December.', true],
  ['What do we have on 4 December?', 'The passport office is on 4 December at 9:30.', true],
  ['what is next thursday?', 'Climbing is on Thursday next week at 16:00.', true],
  ['what is next thursday?', 'Climbing is on Thursday at 16:00.', false],
  ['What is on 21 december?', 'Dentist for Leo 21 Dec, 8:15.', true],
  ['What is on 6 December?', 'The security review is due on Friday 4 December.', false],
  ['Who waters the plants on Thursday?', 'Ann waters the plants on Thursday.', true],
  ['Who watered the plants last week?', 'Ann watered the plants last week.', true],
  ['Who watered the plants this week?', 'Ann watered the plants last week.', true],
  ['Who watered the plants last Thursday?', 'Ann watered the plants last Thursday.', false],
  ['Who watered the plants on 25 November?', 'Ann watered the plants.', true],
  ['Who watered the plants on 26 November?', 'Ann watered the plants.', false],
  ['When did Ann move?', 'Ann moves to the other desk.', true],
  ['When is Ann there?', 'Ann sits at the other desk.', false],
  ['Who was on call on 26 November?', 'On call until Monday: Ann.', true],
  ['Who was on call on 24 November?', 'On call until Monday: Ann.', false],
  ['Where were the plants on 26 November?', 'The plants are in the hall.', true],
  ['What was said of the plants on 26 November?', 'The plants are in the hall.', false],
  ['Who worked on the night of 27 November?', 'Sam takes the night of 27 November.', true],
  ['Who worked on the night of 27 November?', 'Sam takes the morning of 27 November.', false],
])('%j is told by %j, which was said on 25 November: %p', (question, memory, expected) => {
  expect(isTold(question, memory)).toBe(expected);
});

test('a long text is read in passages that begin with one of its first hundred sentences', () => {
  const behind = (sentences: number) => `${'It is. '.repeat(sentences)}The audit was moved to the annex.`;
  expect(isTold('Where was the audit moved?', behind(99), 300)).toBe(true);
  expect(isTold('Where was the audit moved?', behind(140), 400)).toBe(false);
});

test('of a day is told by what names that day in other words, and of a day ahead by what names no time', () => {
  expect(isTold('Who is on call tomorrow?', 'On call until Thursday: Ann.')).toBe(false);
  expect(isTold('Who is on call tomorrow?', 'On call until 3 December: Ann.')).toBe(true);
  expect(isTold('Who is on call tomorrow?', 'On call: Ann.')).toBe(true);
  expect(isTold('What is due in December?', 'The review is due soon.')).toBe(false);
});

const speakers = { ...NO_SPEAKERS, find: (word: string) => (word === 'Wei' ? 'wei' : null) };
const reply = { coversWithBefore: true, isQuestion: false, words: 9, createdAt: SAID, speaker: 1 };
const isReplied = (question: string, content: string, changes: object = {}) =>
  isToldInReply(readQuestion(question, { speakers, now: NOW }), {
    evidence: { ...reply, ...changes },
    stored: { memory: { content } },
  } as Candidate);

test.each([
  ['How many towels did we order?', 'Confirm, but 80.', {}, true],
  ['How many towels did we order?', 'Confirm, but more.', {}, false],
  ['How many towels did we order?', 'Confirm, but 80.', { coversWithBefore: false }, false],
  ['How many towels did we order?', 'Confirm 80?', { isQuestion: true }, false],
  ['How many towels did we order?', 'Confirm, but 80.', { words: 13 }, false],
  ['How many towels did we order?', 'Confirm, but 80.', { speaker: 0 }, true],
  ['How many towels did we order on 27 November?', 'Confirm, but 80.', {}, false],
  ['Who ordered the towels?', 'Confirm, but 80.', {}, false],
  ['What did Wei say about the towels?', 'I meant the old ones.', {}, true],
  ['What did Wei say about the towels?', 'I meant the old ones.', { speaker: -1 }, false],
  ['What did Wei do with the towels?', 'I meant the old ones.', {}, false],
  ['What did you write about towels?', 'White ones last.', { role: 'assistant', words: 120 }, true],
  ['What did you write about towels?', 'White ones last.', { role: 'assistant', words: 121 }, false],
  ['What did you write about towels?', 'White ones last.', { role: 'user', words: 10 }, false],
  ['What did I write about towels?', 'White ones last.', { role: 'assistant', words: 10 }, false],
])('%j is told by the reply %j with %j: %p', (question, content, changes, expected) => {
  expect(isReplied(question, content, changes)).toBe(expected);
});

describe('what a speaker said in the time that is asked for', () => {
  const speakers = { ...NO_SPEAKERS, find: (word: string) => (word.toLowerCase() === 'dana' ? 'dana' : null) };
  const isThen = (query: string, evidence: object = {}) => {
    const question = readQuestion(query, { speakers, now: NOW });
    const said = { speaker: 1, createdAt: SAID, isQuestion: false, ...evidence };
    return isToldThen(question, { evidence: said } as Candidate);
  };

  test.each([
    ['What did Dana order on 25 November?', true],
    ['What did Dana order this week?', true],
    ['What did Dana order last week?', false],
    ['What did Dana order on 26 November?', false],
    ['What did Dana order in November?', false],
    ['What did Dana order for the roof on 25 November?', false],
    ['When did Dana order it on 25 November?', false],
    ['What did Dana order?', false],
    ['What has Dana ordered this week?', true],
    ['Is Dana in the office this week?', false],
    ['Does Dana like dogs this week?', false],
  ])('%j: %p', (query, expected) => {
    expect(isThen(query)).toBe(expected);
  });

  test('is told by no question, and by nobody else', () => {
    expect(isThen('What did Dana order on 25 November?', { isQuestion: true })).toBe(false);
    expect(isThen('What did Dana order on 25 November?', { speaker: -1 })).toBe(false);
  });
});

test.each([
  ['How many towels did we order?', 12],
  ['What did Wei say about the towels?', 12],
  ['What did you write about towels?', 120],
  ['Who ordered the towels?', 0],
  ['How many?', 0],
])('%j may be told by a reply of %i words', (question, words) => {
  expect(longestReply(readQuestion(question, { speakers, now: NOW }))).toBe(words);
});
