import { expect, test } from '@jest/globals';
import type { Candidate } from '../../../../src/domain/recall/evidence/evidence.ts';
import type { Question } from '../../../../src/domain/recall/question/question.ts';
import { replyLifts } from '../../../../src/domain/recall/ranking/reply-lifts.ts';

const SEVERAL = { asksSeveral: true, text: 'Which jobs are there?' } as Question;

const said = (
  sessionId: string | null,
  minute: number,
  { id = `${minute}`, words = 9, isQuestion = false, name = null as string | null, content = '' } = {},
) =>
  ({
    stored: {
      memory: { id, name, role: null, sessionId, createdAt: minute, content, gist: content, kind: 'episodic' },
    },
    evidence: { words, isQuestion, role: null, createdAt: minute },
  }) as unknown as Candidate;
const lifts = (candidates: readonly Candidate[], scores: readonly number[], question = SEVERAL) => [
  ...replyLifts(question, candidates, scores).lifts,
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
  const one = { ...SEVERAL, asksSeveral: false };
  expect(lifts([said('a', 1), said('a', 2)], [1, 0], one)).toEqual([0, 0]);
  expect(lifts([said('a', 1, { isQuestion: true }), said('a', 2)], [1, 0], one)).toEqual([0, 0.5]);
});

const PRESENT = { asksSeveral: false, asksPresent: true, speaker: null, text: 'How many slots are there?' } as Question;

/** A proposal in each of so many sessions and the reply to it, which may be the verdict. */
const decided = (sessions: number, reply = { name: 'Bob', content: 'Five, then.' }) =>
  Array.from({ length: sessions }, (_, at) => [
    said(`${at}`, 1, { name: 'Ann', content: 'Six are too many.' }),
    said(`${at}`, 2, reply),
  ]).flat();

test('lifts what may be the verdict on one of the best ten halfway up to it, beside what it gains as a reply', () => {
  const candidates = decided(11);
  const scores = Array.from({ length: 22 }, (_, at) => (at % 2 === 0 ? 24 - at : 2));
  const { lifts, verdictLifts, verdicts } = replyLifts(PRESENT, candidates, scores);
  expect([...lifts]).toEqual(Array(22).fill(0));
  const best = Array.from({ length: 10 }, (_, at) => [0, 11 - at]).flat();
  expect([...verdictLifts]).toEqual([...best, 0, 0]);
  expect([...verdicts.keys()]).toEqual([1, 3, 5, 7, 9, 11, 13, 15, 17, 19]);
  expect(verdicts.get(19)).toMatchObject({ proposal: candidates[18], later: [] });
});

test('tells what was said in the session after a verdict', () => {
  const [proposal, verdict] = decided(1);
  const later = said('0', 3, { name: 'Ann', content: 'Forget it, we keep six.' });
  const { verdicts } = replyLifts(PRESENT, [later, verdict, said('1', 4), proposal] as Candidate[], [1, 2, 1, 12]);
  expect([...verdicts.keys()]).toEqual([1]);
  expect(verdicts.get(1)).toMatchObject({ proposal, later: [later], verdict: { values: [{ value: 5 }] } });
});

test.each([
  ['a question about the past', { ...PRESENT, asksPresent: false }, decided(1)],
  ['what somebody said', { ...PRESENT, speaker: 'Bob' }, decided(1)],
  ['who goes on himself', PRESENT, decided(1, { name: 'Ann', content: 'Five, then.' })],
  ['a reply without a value', PRESENT, decided(1, { name: 'Bob', content: 'That was quick.' })],
])('lifts no verdict: %s', (_, question, candidates) => {
  const { verdictLifts, verdicts } = replyLifts(question as Question, candidates, [12, 2]);
  expect([...verdictLifts, verdicts.size]).toEqual([0, 0, 0]);
});
