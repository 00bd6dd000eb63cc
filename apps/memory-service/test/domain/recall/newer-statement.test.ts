import { expect, test } from '@jest/globals';
import type { ModelKind } from '../../../src/domain/embedding/text-embedding.ts';
import type { Candidate } from '../../../src/domain/recall/evidence.ts';
import { newerStatement } from '../../../src/domain/recall/newer-statement.ts';
import type { Question } from '../../../src/domain/recall/question.ts';

const PRESENT = { asksPresent: true } as Question;
const CHANGED = 'From Monday it costs 12.';

/** Fits by `fused`, said on `day`. */
const said = (fused: number, day: number, text = 'It costs 10.', words = 5) => ({
  fused,
  text,
  candidate: { evidence: { createdAt: day, words } } as Candidate,
});
const alike = (cosine: number, model: ModelKind = 'contextual') => ({ likeness: () => cosine, model });

test('is the newest that says otherwise among the first five', () => {
  const ranked = [
    said(2, 1),
    said(1.9, 2, CHANGED),
    said(1.8, 3),
    said(1.5, 4, 'Now it is 13.'),
    said(1.4, 3, CHANGED),
  ];
  expect(newerStatement(PRESENT, ranked, alike(0.5))).toBe(3);
  expect(newerStatement(PRESENT, [...ranked, said(1.4, 9, CHANGED)], alike(0.5))).toBe(3);
});

test.each([
  ['a question of the past', { asksPresent: false } as Question, said(1.9, 2, CHANGED), 0.5],
  ['an older one', PRESENT, said(1.9, 0, CHANGED), 0.5],
  ['one of another subject', PRESENT, said(1.9, 2, CHANGED), 0.39],
  ['one that fits much less', PRESENT, said(1.1, 2, CHANGED), 0.5],
  ['one that tells of no change', PRESENT, said(1.9, 2, 'It costs 12.'), 0.5],
  ['a long answer', PRESENT, said(1.9, 2, CHANGED, 121), 0.5],
])('is not %s', (_, question, other, cosine) => {
  expect(newerStatement(question, [said(2, 1), other], alike(cosine))).toBeNull();
});

test('has to be as much alike as the vectors of the model tell', () => {
  const ranked = [said(2, 1), said(1.9, 2, CHANGED)];
  expect(newerStatement(PRESENT, ranked, alike(0.59, 'static'))).toBeNull();
  expect(newerStatement(PRESENT, ranked, alike(0.6, 'static'))).toBe(1);
  expect(newerStatement(PRESENT, ranked, alike(1, 'none'))).toBeNull();
});

test('is none of nothing', () => {
  expect(newerStatement(PRESENT, [], alike(1))).toBeNull();
});
