import { expect, test } from '@jest/globals';
import type { ModelKind } from '../../../src/domain/embedding/text-embedding.ts';
import type { Candidate } from '../../../src/domain/recall/evidence.ts';
import { newerStatement } from '../../../src/domain/recall/newer-statement.ts';
import type { Question } from '../../../src/domain/recall/question.ts';

const PRESENT = { asksPresent: true, speaker: null, text: 'How much is it?' } as Question;
const CHANGED = 'From Monday it costs 12.';

/** A candidate with the score `fused`, said on `day`. */
const said = (fused: number, day: number, text = 'It costs 10.', words = 5) => ({
  fused,
  text,
  candidate: { evidence: { createdAt: day, words, cosine: 0.5 } } as Candidate,
});
const alike = (cosine: number, model: ModelKind = 'contextual') => ({ likeness: () => cosine, model });

test('is the newest that says otherwise among the first ten', () => {
  const others = Array.from({ length: 6 }, () => said(1.4, 3));
  const ranked = [said(2, 1), said(1.9, 2, CHANGED), said(1.8, 3), said(1.5, 4, 'Now it is more.'), ...others];
  expect(newerStatement(PRESENT, ranked, alike(0.5))).toBe(3);
  expect(newerStatement(PRESENT, [...ranked, said(1.4, 9, CHANGED)], alike(0.5))).toBe(3);
  expect(newerStatement(PRESENT, [...ranked.slice(0, -1), said(1.4, 9, CHANGED)], alike(0.5))).toBe(9);
});

test('may have another value of the kind that is asked for, without a word of change', () => {
  const ranked = [said(2, 1), said(1.9, 2, 'It costs 12.')];
  expect(newerStatement(PRESENT, ranked, alike(0.5))).toBe(1);
  expect(newerStatement({ ...PRESENT, text: 'When does it open?' }, ranked, alike(0.5))).toBeNull();
});

test('may be little alike where it has another value of the same thing', () => {
  const opens = { ...PRESENT, text: 'Until what time is it open on Thursday?' };
  const ranked = [
    said(2, 1, 'Tuesday to Sunday 10 to 18, on Thursday until 20:00.'),
    said(1.2, 2, 'Thursday until 21:00.'),
  ];
  expect(newerStatement(opens, ranked, alike(0.2))).toBe(1);
  expect(newerStatement(opens, ranked, alike(0.19))).toBeNull();
  const other = [ranked[0] as (typeof ranked)[0], said(1.2, 2, 'Supper until 21:00.')];
  expect(newerStatement(opens, other, alike(0.49))).toBeNull();
});

test('is the surest, even where another is newer', () => {
  const title = { ...PRESENT, text: 'What is the price of the pass?' };
  const pass = said(1.5, 2, 'The pass is 12 from May.');
  const ranked = [said(2, 1, 'The pass costs 10.'), pass, said(1.4, 3, 'Now the mug costs 7.')];
  expect(newerStatement(title, ranked, alike(0.5))).toBe(1);
  expect(newerStatement(title, [...ranked, said(1.3, 4, 'The pass is 14.')], alike(0.5))).toBe(3);
});

test('fits just as well where there is no value to compare', () => {
  const who = { ...PRESENT, text: 'Who runs the bar?' };
  const after = (fused: number) => [said(2, 1, 'Ann runs the bar.'), said(fused, 2, 'The bar is run by Bob.')];
  expect(newerStatement(who, after(1.95), alike(0.5))).toBe(1);
  expect(newerStatement(who, after(1.85), alike(0.5))).toBeNull();
  expect(newerStatement(who, after(1.95), alike(0.49))).toBeNull();
});

test('says it of the subject that is asked for', () => {
  const asks = { ...PRESENT, text: 'Which diesel does the walnut press run on?' };
  const older = said(2, 1, 'The walnut press runs on diesel 4.');
  const after = (text: string, question: Question = asks) =>
    newerStatement(question, [older, said(1.95, 2, text)], alike(0.9));
  expect(after('The honey mixer runs on diesel 7.')).toBeNull();
  expect(after('The walnut press runs on diesel 7.')).toBe(1);
  expect(after('It runs on diesel 7 now.')).toBe(1);
  // The question names neither of them.
  expect(after('The honey mixer runs on diesel 7.', { ...PRESENT, text: 'Which diesel do we run on?' })).toBe(1);
});

test('may be less alike where it says that the older value holds no more', () => {
  const ranked = [said(2, 1, 'Smith makes the sign.'), said(1.2, 2, 'No Smith, I paint that board.')];
  expect(newerStatement(PRESENT, ranked, alike(0.4))).toBe(1);
  expect(newerStatement(PRESENT, ranked, alike(0.39))).toBeNull();
  const silent = [said(2, 1, 'Smith makes the sign.'), said(1.2, 2, 'Smith likes that board.')];
  expect(newerStatement(PRESENT, silent, alike(0.4))).toBeNull();
});

test.each([
  ['a question of the past', { asksPresent: false } as Question, said(1.9, 2, CHANGED), 0.5],
  ['an older one', PRESENT, said(1.9, 0, CHANGED), 0.5],
  ['an answer about a person', { ...PRESENT, speaker: 'ann' } as Question, said(1.9, 2, CHANGED), 0.5],
  ['one of another subject', PRESENT, said(1.9, 2, CHANGED), 0.49],
  ['one that fits much less', PRESENT, said(0.9, 2, CHANGED), 0.5],
  ['one that tells of no change', PRESENT, said(1.9, 2, 'It costs 10, as I say.'), 0.5],
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

test('has to be nearly as close to the question', () => {
  const newer = said(1.9, 2, CHANGED);
  const at = (cosine: number) => ({
    ...newer,
    candidate: { evidence: { ...newer.candidate.evidence, cosine } } as Candidate,
  });
  expect(newerStatement(PRESENT, [said(2, 1), at(0.34)], alike(0.5))).toBeNull();
  expect(newerStatement(PRESENT, [said(2, 1), at(0.36)], alike(0.5))).toBe(1);
});

test('is none of nothing', () => {
  expect(newerStatement(PRESENT, [], alike(1))).toBeNull();
});
