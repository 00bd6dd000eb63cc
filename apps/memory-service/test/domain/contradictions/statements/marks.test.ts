import { expect, test } from '@jest/globals';
import { type Marks, marksIn, NO_MARKS } from '../../../../src/domain/contradictions/statements/marks.ts';

test.each<[string, Partial<Marks>]>([
  ['The pool opens at seven.', {}],
  ['Does the pool open at seven?', { isQuestion: true }],
  ['He said “does it open?”', { isQuestion: true }],
  ['Nobody asked whether the pool opens.', { isQuestion: true }],
  ['If it rains, the pool is closed.', { isConditional: true }],
  // Here "if" asks; it sets no condition.
  ['I am not sure if the pool opens.', { isQuestion: true }],
  ['Perhaps the pool opens.', { isDoubtful: true }],
  ['Rumour has it that the pool opens.', { isDoubtful: true }],
  ['The pool should open.', { isPlan: true }],
  ['The pool used to open at seven.', { isPast: true }],
  ['The pool now opens at nine.', { isNow: true }],
  ['The pool usually opens at seven.', { isRough: true }],
  ['The pool also has a slide.', { isAdditive: true }],
  ['Maybe it usually rains?', { isQuestion: true, isDoubtful: true, isRough: true }],
  ["I'm trying to open the pool.", { isIntent: true }],
  ['', {}],
])('%j', (sentence, marks) => {
  expect(marksIn(sentence)).toEqual({ ...NO_MARKS, ...marks });
});
