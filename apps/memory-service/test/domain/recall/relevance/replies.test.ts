import { expect, test } from '@jest/globals';
import type { Candidate } from '../../../../src/domain/recall/evidence/evidence.ts';
import { repliesToBest } from '../../../../src/domain/recall/relevance/replies.ts';

const said = (sessionId: string | null, minute: number, evidence: Partial<Candidate['evidence']> = {}) =>
  ({
    stored: { memory: { id: `${minute}`, sessionId, createdAt: minute } },
    evidence: { words: 9, isQuestion: false, role: null, ...evidence },
  }) as unknown as Candidate;

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
  ['a question', 'Is it open?', { isQuestion: true }, {}, true],
  ['a long text that ends in a question', 'Is it open?', { isQuestion: true, words: 41 }, {}, false],
  ['a question, with another one', 'Is it open?', { isQuestion: true }, { isQuestion: true }, false],
  [
    'what a user requests of the assistant',
    'I would like the same mugs again.',
    { role: 'user' },
    { role: 'assistant' },
    true,
  ],
  ['a question of a user who goes on', 'Is it open? I am there.', { role: 'user' }, { role: 'assistant' }, true],
  ['what a user tells the assistant', 'I bought the same mugs again.', { role: 'user' }, { role: 'assistant' }, false],
  ['what a user requests of another one', 'I need a mug.', { role: 'user' }, { role: 'user' }, false],
  ['what the assistant requests', 'Please send a mug.', { role: 'assistant' }, { role: 'user' }, false],
] as const)('is asked for by %s: %j, %j, %j, %p', (_what, content, first, reply, isAsked) => {
  const asking = said('a', 1, first);
  Object.assign(asking.stored.memory, { content, gist: content });
  expect(repliesToBest([asking, said('a', 2, reply)], [1, 0], 1)).toEqual([{ reply: 1, to: 0, isAsked }]);
});
