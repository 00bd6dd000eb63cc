import { expect, test } from '@jest/globals';
import type { Candidate } from '../../../../src/domain/recall/evidence/evidence.ts';
import { repliesToBest } from '../../../../src/domain/recall/relevance/replies.ts';

const said = (
  sessionId: string | null,
  minute: number,
  evidence: Partial<Candidate['evidence']> = {},
  content = 'It is in Kiel.',
) =>
  ({
    stored: {
      memory: { id: `${minute}`, agentId: 'a', name: null, role: null, sessionId, createdAt: minute, content },
    },
    evidence: {
      words: 9,
      turn: 0,
      askedBeforeWords: 0,
      isQuestion: false,
      role: null,
      createdAt: minute,
      ...evidence,
    },
  }) as unknown as Candidate;

test('is the next message of the session behind one of the best', () => {
  const session = [said('a', 3), said('a', 1), said('b', 2), said('a', 2), said('a', 0)];
  expect(repliesToBest(session, [0, 8, 1, 2, 1], 2)).toEqual([
    { reply: 3, to: 1, isAsked: false, isOfOther: false },
    { reply: 0, to: 3, isAsked: false, isOfOther: false },
  ]);
});

test('is none that is long, of another session or of none, or before it', () => {
  const pair = (first: Candidate, second: Candidate) => repliesToBest([first, second], [1, 0], 1).length;
  expect(pair(said('a', 1), said('b', 2))).toBe(0);
  expect(pair(said(null, 1), said(null, 2))).toBe(0);
  expect(pair(said('a', 2), said('a', 1))).toBe(0);
  expect(pair(said('a', 2), said('a', 2))).toBe(0);
  expect(pair(said('a', 1), said('a', 2, { words: 121 }))).toBe(0);
  expect(pair(said('a', 1), said('a', 2, { words: 120 }))).toBe(1);
});

test('is the next message of both authors, in one project', () => {
  const pair = (first: Candidate, second: Candidate) => repliesToBest([first, second], [1, 0], 1).length;
  const later = said('a', 9);
  expect(pair(said('a', 1, { saidAfter: 9 }), later)).toBe(1);
  expect(pair(said('a', 1, { saidAfter: 10 }), said('a', 9, { saidBefore: 0 }))).toBe(1);
  expect(pair(said('a', 1, { saidAfter: 2 }), later)).toBe(0);
  expect(pair(said('a', 1), said('a', 9, { saidBefore: 2 }))).toBe(0);
  const memory = { ...later.stored.memory, project: 'other' };
  expect(pair(said('a', 1), { ...later, stored: { ...later.stored, memory } })).toBe(0);
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
  expect(repliesToBest([asking, said('a', 2, reply)], [1, 0], 1)).toMatchObject([{ reply: 1, to: 0, isAsked }]);
});

test.each([
  ['Got it!', false],
  ['Okay.', false],
  ['Rex is in Kiel.', true],
])('%j of the assistant is a reply to what a user requests: %p, and to a question', (content, isReply) => {
  const reply = said('a', 2, { role: 'assistant', words: 2 }, content);
  const isAsked = (first: Candidate) => repliesToBest([first, reply], [1, 0], 1)[0]?.isAsked;
  expect(isAsked(said('a', 1, { role: 'user' }, 'Please look for Rex.'))).toBe(isReply);
  expect(isAsked(said('a', 1, { role: 'user', isQuestion: true }))).toBe(true);
});

test.each([
  ['the same person', { name: 'Dana' }, { name: 'Dana' }, false, false],
  ['another person', { name: 'Dana' }, { name: 'Omar' }, true, true],
  ['the same user', { role: 'user' }, { role: 'user' }, false, false],
  ['the user of another agent', { role: 'user' }, { role: 'user', agentId: 'b' }, true, true],
  ['the assistant', { role: 'user' }, { role: 'assistant' }, true, true],
  ['nobody knows whom', {}, {}, true, false],
] as const)(
  'answers a question where who asked does not go on: %s, %j, %j, %p',
  (_whom, one, other, isAsked, isOfOther) => {
    const by = (candidate: Candidate, speaker: object) =>
      ({ ...candidate, stored: { memory: { ...candidate.stored.memory, ...speaker } } }) as Candidate;
    const pair = [by(said('a', 1, { isQuestion: true }), one), by(said('a', 2), other)];
    expect(repliesToBest(pair, [1, 0], 1)).toMatchObject([{ isAsked, isOfOther }]);
  },
);
