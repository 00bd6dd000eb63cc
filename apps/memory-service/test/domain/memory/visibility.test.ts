import { parseAgentId } from '@agent-faculties/agent-identity';
import { expect, test } from '@jest/globals';
import { isVisibleTo, NOBODY } from '../../../src/domain/memory/visibility.ts';

test.each([
  ['TEAM', 'ann', true],
  ['TEAM', 'bob', true],
  ['SHARED', 'ann', true],
  ['SHARED', 'bob', true],
  ['PRIVATE', 'ann', true],
  ['PRIVATE', 'bob', false],
  ['PRIVATE', 'Ann', false],
  ['PRIVATE', '*', false],
  ['PRIVATE', NOBODY, false],
  ['TEAM', NOBODY, true],
] as const)('a %s memory of ann is visible to %j: %p', (scope, agentId, isVisible) => {
  expect(isVisibleTo(agentId, { scope, agentId: 'ann' })).toBe(isVisible);
});

test('no agent can have the id of nobody', () => {
  expect(() => parseAgentId(NOBODY, 'agent_id')).toThrow('agent_id is empty');
});
