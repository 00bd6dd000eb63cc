import { describe, expect, test } from '@jest/globals';
import type { Relevance } from '../../../../src/domain/recall/relevance/relevance.ts';
import { asRelevantSuccessors } from '../../../../src/domain/recall/succession/as-relevant-successors.ts';

const judged = (...all: readonly (readonly [id: string, relevance: Relevance, supersededBy?: string])[]) =>
  all.map(([id, relevance, supersededBy = null]) => ({ stored: { memory: { id, supersededBy } }, relevance }));
const told = (all: ReturnType<typeof judged>) =>
  asRelevantSuccessors(all).map(({ stored: { memory }, relevance }) => `${memory.id} ${relevance}`);

describe('what came in the place of a memory', () => {
  test('is at least as relevant as that', () => {
    expect(told(judged(['new', 'low'], ['old', 'medium', 'new'], ['x', 'low']))).toEqual([
      'new medium',
      'old medium',
      'x low',
    ]);
    expect(told(judged(['old', 'low', 'new'], ['new', 'high']))).toEqual(['old low', 'new high']);
  });

  test('is so at the end of a chain too', () => {
    const chain = judged(['first', 'high', 'second'], ['second', 'low', 'third'], ['third', 'medium']);
    expect(told(chain)).toEqual(['first high', 'second high', 'third high']);
    expect(told(chain.toReversed())).toEqual(['third high', 'second high', 'first high']);
  });

  test('may be elsewhere, or in a circle', () => {
    expect(told(judged(['old', 'high', 'not here'], ['x', 'low']))).toEqual(['old high', 'x low']);
    expect(told(judged(['a', 'low', 'b'], ['b', 'medium', 'a']))).toEqual(['a medium', 'b medium']);
  });
});
