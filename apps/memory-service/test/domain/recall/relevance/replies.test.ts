import { expect, test } from '@jest/globals';
import type { Candidate } from '../../../../src/domain/recall/evidence/evidence.ts';
import { repliesToBest } from '../../../../src/domain/recall/relevance/replies.ts';

const said = (sessionId: string | null, minute: number, evidence: Partial<Candidate['evidence']> = {}) =>
  ({
    stored: { memory: { id: `${minute}`, sessionId, createdAt: minute } },
    evidence: { words: 9, isQuestion: false, role: null, ...evidence },
  }) as unknown as Candidate;
const asked = (first: Partial<Candidate['evidence']>, reply: Partial<Candidate['evidence']> = {}) =>
  repliesToBest([said('a', 1, first), said('a', 2, reply)], [1, 0], 1);

test('is the next message of the session behind one of the best', () => {
  const session = [said('a', 3), said('a', 1), said('b', 2), said('a', 2), said('a', 0)];
  expect(repliesToBest(session, [0, 8, 1, 2, 1], 2)).toEqual([
    { reply: 3, to: 1, isAsked: false },
    { reply: 0, to: 3, isAsked: false },
  ]);
});

test('is none that is long, of another session or of none, or before it', () => {
  const pair = (first: Candidate, second: Candidate) => repliesToBest([first, second], [1, 0], 1).length;
  expect(pair(said('a', 1), said('b', 2))).toBe(0);
  expect(pair(said(null, 1), said(null, 2))).toBe(0);
  expect(pair(said('a', 2), said('a', 1))).toBe(0);
  expect(pair(said('a', 1), said('a', 2, { words: 121 }))).toBe(0);
  expect(pair(said('a', 1), said('a', 2, { words: 120 }))).toBe(1);
});

test.each([
  ['a question', { isQuestion: true }, {}, true],
  ['a long text that ends in a question', { isQuestion: true, words: 41 }, {}, false],
  ['a question, with another one', { isQuestion: true }, { isQuestion: true }, false],
  ['a user, by the assistant', { role: 'user' }, { role: 'assistant' }, true],
  ['a user, by another one', { role: 'user' }, { role: 'user' }, false],
  ['the assistant, by the user', { role: 'assistant' }, { role: 'user' }, false],
] as const)('is asked for by %s: %j, %j, %p', (_what, first, reply, isAsked) => {
  expect(asked(first, reply)).toEqual([{ reply: 1, to: 0, isAsked }]);
});
