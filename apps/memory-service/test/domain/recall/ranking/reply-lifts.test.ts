import { expect, test } from '@jest/globals';
import type { Candidate } from '../../../../src/domain/recall/evidence/evidence.ts';
import type { Question } from '../../../../src/domain/recall/question/question.ts';
import { replyLifts } from '../../../../src/domain/recall/ranking/reply-lifts.ts';

const SEVERAL = { asksSeveral: true } as Question;

const said = (sessionId: string | null, minute: number, { id = `${minute}`, words = 9, isQuestion = false } = {}) =>
  ({
    stored: { memory: { id, name: null, role: null, sessionId, createdAt: minute } },
    evidence: { words, isQuestion, role: null, createdAt: minute },
  }) as unknown as Candidate;
const lifts = (candidates: readonly Candidate[], scores: readonly number[], question = SEVERAL) => [
  ...replyLifts(question, candidates, scores),
];

test('lifts the next message of the session halfway up to its answer', () => {
  const session = [said('a', 3), said('a', 1), said('b', 2), said('a', 2), said('a', 0)];
  expect(lifts(session, [0, 8, 1, 2, 1])).toEqual([1, 0, 0, 3, 0]);
});

test('lifts the replies to the best three only, and each once, as far as the best of them says', () => {
  const session = [said('a', 1), said('a', 2), said('b', 1), said('b', 2), said('c', 1), said('c', 2), said('d', 1)];
  const others = [said('d', 2)];
  expect(lifts([...session, ...others], [8, 0, 6, 0, 4, 0, 2, 0])).toEqual([0, 4, 0, 3, 0, 2, 0, 0]);
});

test('lifts nothing that is no reply, and nothing down', () => {
  const pair = (first: Candidate, second: Candidate) => [first, second];
  expect(lifts(pair(said('a', 1), said('b', 2)), [1, 0])).toEqual([0, 0]);
  expect(lifts(pair(said(null, 1), said(null, 2)), [1, 0])).toEqual([0, 0]);
  expect(lifts(pair(said('a', 2), said('a', 1)), [1, 0])).toEqual([0, 0]);
  expect(lifts(pair(said('a', 1), said('a', 2, { words: 121 })), [1, 0])).toEqual([0, 0]);
  expect(lifts(pair(said('a', 1), said('a', 2, { words: 120 })), [1, 0])).toEqual([0, 0.5]);
  expect(lifts(pair(said('a', 1), said('a', 2)), [0, 1])).toEqual([0, 0]);
});

test('lifts for a question of one thing what replies to a question alone', () => {
  const one = { asksSeveral: false } as Question;
  expect(lifts([said('a', 1), said('a', 2)], [1, 0], one)).toEqual([0, 0]);
  expect(lifts([said('a', 1, { isQuestion: true }), said('a', 2)], [1, 0], one)).toEqual([0, 0.5]);
});
