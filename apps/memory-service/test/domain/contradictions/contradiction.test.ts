import { describe, expect, test } from '@jest/globals';
import {
  contradictionId,
  inOrder,
  isComparable,
  mayBeCompared,
  stateOf,
} from '../../../src/domain/contradictions/contradiction.ts';
import type { Memory } from '../../../src/domain/memory/memory.ts';
import { sampleMemory } from '../../sample-memory.ts';

const [A, B] = [1, 2].map((number) => `0193a000-0000-7000-8000-00000000000${number}`) as [string, string];
const said = (changes: Partial<Memory> = {}) => sampleMemory(1, { kind: 'episodic', scope: 'TEAM', ...changes });

test('the id of a contradiction is a UUID of version 8 made of the SHA-256 of its ids, whichever comes first', () => {
  // Python: h = hashlib.sha256(f'{a} {b}'.encode()).hexdigest(); version and variant digits are replaced by 8.
  expect(contradictionId(A, B)).toBe('57de8fa0-c7a4-8564-8fdd-11200e017a1a');
  expect(contradictionId(B, A)).toBe('57de8fa0-c7a4-8564-8fdd-11200e017a1a');
});

test('no decision leaves it open, a winner resolves it, none dismisses it', () => {
  const decision = { agentId: 'ann', at: 0, note: null };
  expect(stateOf({ decision: null })).toBe('open');
  expect(stateOf({ decision: { ...decision, winner: A } })).toBe('resolved');
  expect(stateOf({ decision: { ...decision, winner: null } })).toBe('dismissed');
});

describe('a memory', () => {
  test.each<[string, Partial<Memory>, boolean]>([
    ['that was said', {}, true],
    ['that is PRIVATE', { scope: 'PRIVATE' }, true],
    ['that was derived', { kind: 'semantic' }, false],
    ['that was absorbed', { consolidatedInto: B }, false],
    ['that was superseded', { supersededBy: B }, false],
  ])('%s is compared: %p', (_what, changes, isCompared) => {
    expect(isComparable(said({ supersededBy: null, ...changes }))).toBe(isCompared);
  });

  test.each([
    ['TEAM', 'ann', 'SHARED', 'bob', true],
    ['PRIVATE', 'ann', 'PRIVATE', 'ann', true],
    ['PRIVATE', 'ann', 'TEAM', 'ann', true],
    ['PRIVATE', 'ann', 'TEAM', 'bob', false],
    ['PRIVATE', 'ann', 'PRIVATE', 'bob', false],
  ] as const)('%s of %s against %s of %s: %p', (scope, agentId, otherScope, otherAgent, may) => {
    const [one, other] = [said({ scope, agentId }), said({ scope: otherScope, agentId: otherAgent })];
    expect([mayBeCompared(one, other), mayBeCompared(other, one)]).toEqual([may, may]);
  });

  test.each([
    [said({ id: B, createdAt: 1 }), said({ id: A, createdAt: 2 })],
    [said({ id: A, createdAt: 1 }), said({ id: B, createdAt: 1 })],
  ])('the older stands first, and of one moment the smaller id', (first, second) => {
    expect(inOrder(first, second)).toEqual([first, second]);
    expect(inOrder(second, first)).toEqual([first, second]);
  });
});
