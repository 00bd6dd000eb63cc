import { parseAgentId } from '@agent-faculties/agent-identity';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SCOPES } from '../../../src/domain/memory/memory.ts';
import {
  type Audience,
  audienceKey,
  isSeenByAllWhoSee,
  isVisibleTo,
  NOBODY,
  type Viewer,
} from '../../../src/domain/memory/visibility.ts';
import { anyProject } from '../../sample-memory.ts';

test.each([
  ['TEAM', 'ann', true],
  ['TEAM', 'bob', true],
  ['SHARED', 'ann', true],
  ['SHARED', 'bob', true],
  ['PRIVATE', 'ann', true],
  ['PRIVATE', 'bob', false],
  ['PRIVATE', 'Ann', false],
  ['PRIVATE', '*', false],
  ['PRIVATE', NOBODY.agentId, false],
  ['TEAM', NOBODY.agentId, true],
] as const)('a %s memory of ann is visible to %j: %p', (scope, agentId, isVisible) => {
  expect(isVisibleTo(anyProject(agentId), { scope, agentId: 'ann', project: null })).toBe(isVisible);
});

// Viewer in: no project (all of them), its own, another one.
test.each([
  ['TEAM', null, [true, true, true]],
  ['TEAM', 'shop', [true, true, false]],
  ['SHARED', 'shop', [true, true, true]],
  ['PRIVATE', 'shop', [true, true, false]],
  ['PRIVATE', null, [true, true, true]],
] as const)('a %s memory of project %j is visible in all projects, in shop and in till: %j', (scope, project, seen) => {
  const memory = { scope, agentId: 'ann', project };
  expect([null, 'shop', 'till'].map((asked) => isVisibleTo({ agentId: 'ann', project: asked }, memory))).toEqual(seen);
});

test('no agent can have the id of nobody', () => {
  expect(() => parseAgentId(NOBODY.agentId, 'agent_id')).toThrow('agent_id is empty');
});

const PROJECTS = [null, 'shop', 'till'];
const AGENTS = ['ann', 'bob'];
const VIEWERS: Viewer[] = AGENTS.flatMap((agentId) => PROJECTS.map((project) => ({ agentId, project })));
const audiences: fc.Arbitrary<Audience> = fc.record({
  scope: fc.constantFrom(...SCOPES),
  agentId: fc.constantFrom(...AGENTS),
  project: fc.constantFrom(...PROJECTS),
});

test('who sees a memory and who sees another follow from who sees each', () => {
  const seenBy = (memory: Audience) => VIEWERS.filter((viewer) => isVisibleTo(viewer, memory));
  fc.assert(
    fc.property(audiences, audiences, (memory, other) => {
      const others = seenBy(other);
      expect(isSeenByAllWhoSee(memory, other)).toBe(seenBy(memory).every((viewer) => others.includes(viewer)));
      if (audienceKey(memory) === audienceKey(other)) expect(others).toEqual(seenBy(memory));
    }),
  );
});
