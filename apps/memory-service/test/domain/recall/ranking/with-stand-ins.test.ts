import { describe, expect, test } from '@jest/globals';
import { withStandIns } from '../../../../src/domain/recall/ranking/with-stand-ins.ts';
import type { Relevance } from '../../../../src/domain/recall/relevance/relevance.ts';
import { sampleMemory, sampleStrength } from '../../../sample-memory.ts';

const said = (number: number, relevance: Relevance = 'high') => {
  const content = `The ledger queue number ${number} runs on host h${number}.`;
  const memory = sampleMemory(number, { content, gist: content, gistEdited: false, kind: 'episodic' });
  return { relevance, entityKeys: ['kestrel'], stored: { memory, strength: sampleStrength(number) } };
};
const derived = (numbers: readonly number[], told = numbers) => {
  const memory = sampleMemory(99, {
    kind: 'semantic',
    gist: told.map((number) => `2026-11-21 Ann: ${said(number).stored.memory.content}`).join('\n'),
    sources: numbers.map((number) => said(number).stored.memory.id),
  });
  return { memory, strength: sampleStrength(99) };
};
const numbers = (answers: readonly ReturnType<typeof said>[], places: number) =>
  answers.slice(0, places).map(({ stored }) => Number(stored.memory.id.slice(-12)));
const from = (semantic: ReturnType<typeof derived>) => (id: string) =>
  semantic.memory.sources.includes(id) ? [semantic] : [];

describe('a semantic memory in an answer', () => {
  test('stands at the place of the best of several members, and what comes next moves up', () => {
    const ranked = [said(1), said(2), said(3), said(4), said(5)];
    const answers = withStandIns(ranked, 4, from(derived([2, 4])));
    expect(numbers(answers, 4)).toEqual([1, 99, 3, 5]);
    // The derived memory names only what its sources name.
    expect(answers[1]?.entityKeys).toEqual([]);
  });

  test.each([
    ['nothing comes next', [said(1), said(2)], derived([1, 2])],
    ['what comes next is of low relevance', [said(1), said(2), said(3, 'low')], derived([1, 2])],
    ['it tells one of them only', [said(1), said(2), said(3)], derived([1, 2], [1])],
    ['only one of them is in the answer', [said(1), said(2), said(3)], derived([1, 3])],
  ])('is not shown when %s', (_why, ranked, semantic) => {
    expect(withStandIns(ranked, 2, from(semantic))).toEqual(ranked);
  });

  test('tells no member again that stands before it: of three, two would have to move up', () => {
    const ranked = [said(1), said(2), said(3), said(4), said(5, 'low')];
    expect(withStandIns(ranked, 3, from(derived([1, 2, 3])))).toEqual(ranked);
  });
});
