import { expect, test } from '@jest/globals';
import type { Candidate } from '../../../../src/domain/recall/evidence/evidence.ts';
import { readQuestion } from '../../../../src/domain/recall/question/question.ts';
import { isToldByWords } from '../../../../src/domain/recall/relevance/told-by-words.ts';
import { NO_SPEAKERS } from '../no-speakers.ts';

const NOW = Date.parse('2026-11-29T09:00:00Z');
const SAID = Date.parse('2026-11-25T09:00:00Z');
const isTold = (question: string, content: string) =>
  isToldByWords(readQuestion(question, { speakers: NO_SPEAKERS, now: NOW }), {
    evidence: { covers: true, words: 12, createdAt: SAID },
    stored: { memory: { content } },
  } as Candidate);

test.each([
  ['What is due in December?', 'The security review is due on Friday 4 December.', true],
  ['What is due on 4 December?', 'The security review is due on Friday 4 December.', true],
  ['What is due on 6 December?', 'The security review is due on Friday 4 December.', false],
  ['What is due in December?', 'The security review is due soon.', false],
  ['What is on in December?', 'Grandma comes on 6 December.', true],
  ['What do we have on 4 December?', 'The passport office is on 4 December at 9:30.', true],
  ['what is next thursday?', 'Climbing is on Thursday at 16:00.', true],
  ['What is on 21 december?', 'Dentist for Leo 21 Dec, 8:15.', true],
  ['What is on 6 December?', 'The security review is due on Friday 4 December.', false],
  ['Who waters the plants on Thursday?', 'Ann waters the plants on Thursday.', true],
  ['Who watered the plants last week?', 'Ann watered the plants last week.', false],
  ['Who watered the plants last Thursday?', 'Ann watered the plants last Thursday.', false],
  ['Who watered the plants on 25 November?', 'Ann watered the plants.', true],
])('%j is told by %j, which was said on 25 November: %p', (question, memory, expected) => {
  expect(isTold(question, memory)).toBe(expected);
});
