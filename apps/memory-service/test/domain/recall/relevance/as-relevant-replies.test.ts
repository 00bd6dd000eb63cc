import { expect, test } from '@jest/globals';
import type { Candidate } from '../../../../src/domain/recall/evidence/evidence.ts';
import { asRelevantReplies } from '../../../../src/domain/recall/relevance/as-relevant-replies.ts';
import type { Relevance } from '../../../../src/domain/recall/relevance/relevance.ts';

const said = (minute: number, isQuestion = false, sessionId = 'a') =>
  ({
    stored: { memory: { id: `${minute}`, name: null, role: null, sessionId, createdAt: minute } },
    evidence: { words: 9, isQuestion, role: null, createdAt: minute },
  }) as unknown as Candidate;
const judged = (candidates: readonly Candidate[], levels: readonly Relevance[], scores = levels.map(() => 1)) =>
  levels.map((_, index) => asRelevantReplies(candidates, { scores, judged: (at) => levels[at] as Relevance })(index));

test('makes the reply to a question as relevant as that, and nothing less relevant', () => {
  expect(judged([said(1, true), said(2)], ['medium', 'low'])).toEqual(['medium', 'medium']);
  expect(judged([said(1, true), said(2)], ['low', 'high'])).toEqual(['low', 'high']);
  expect(judged([said(1), said(2)], ['medium', 'low'])).toEqual(['medium', 'low']);
  expect(judged([said(1, true), said(2), said(3)], ['high', 'low', 'low'])).toEqual(['high', 'high', 'low']);
});

test('looks at the best ten', () => {
  const others = Array.from({ length: 10 }, (_, at) => said(at, false, `${at}`));
  const all = [...others, said(1, true), said(2)];
  const levels = all.map((): Relevance => 'low');
  levels[10] = 'medium';
  expect(
    judged(
      all,
      levels,
      all.map((_, at) => (at === 10 ? 0.5 : 1)),
    )[11],
  ).toBe('low');
  expect(
    judged(
      all,
      levels,
      all.map((_, at) => (at === 10 ? 2 : 1)),
    )[11],
  ).toBe('medium');
});
