import { describe, expect, test } from '@jest/globals';
import { areIndependent } from '../../../src/domain/contradictions/contradiction.ts';
import type { Memory } from '../../../src/domain/memory/memory.ts';
import { sampleMemory } from '../../sample-memory.ts';

const LONG = 'An explanation. '.repeat(30);

describe('what is held against what', () => {
  test.each<[string, Partial<Memory>, Partial<Memory>, boolean]>([
    ['an answer and its question', { role: 'assistant' }, { role: 'user' }, false],
    ['an answer and what another agent said in its session', { role: 'assistant' }, { agentId: 'bob' }, false],
    ["an answer and its agent's words elsewhere", { role: 'assistant' }, { sessionId: 's2' }, false],
    ["an answer and another agent's words elsewhere", { role: 'assistant' }, { agentId: 'bob', sessionId: 's2' }, true],
    ["two of a user's messages", { role: 'user' }, { role: 'user' }, true],
    ["an assistant's two notes", { role: 'assistant', sessionId: null }, { role: 'assistant', sessionId: null }, true],
    [
      'a long text of an assistant without a session',
      { role: 'assistant', sessionId: null, content: LONG },
      { role: 'user', sessionId: null },
      false,
    ],
  ])('%s', (_what, one, other, are) => {
    const [a, b] = [one, other].map((fields) => ({
      ...sampleMemory(1),
      content: 'A note.',
      agentId: 'ann',
      sessionId: 's1',
      ...fields,
    }));
    expect(areIndependent(a as Memory, b as Memory)).toBe(are);
    expect(areIndependent(b as Memory, a as Memory)).toBe(are);
  });
});
