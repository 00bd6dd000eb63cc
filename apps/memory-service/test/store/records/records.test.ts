import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { initialStrength } from '../../../src/domain/cognition/retention.ts';
import { KINDS, type Kind, type Memory, SCOPES, type Scope } from '../../../src/domain/memory/memory.ts';
import type { AgentCounts } from '../../../src/domain/memory/memory-store.ts';
import { isVisibleTo, type Viewer } from '../../../src/domain/memory/visibility.ts';
import { Records } from '../../../src/store/records/records.ts';
import { anyProject, sampleMemory } from '../../sample-memory.ts';

const AGENTS = ['ann', 'bob', '__proto__'] as const;
const STRENGTH = initialStrength(0.5);

/** The naive twin: counts the whole list each time. */
function naiveCounts(memories: readonly Memory[], viewer: Viewer): Record<string, AgentCounts> {
  const counts = new Map<string, AgentCounts>();
  for (const { agentId, kind, scope, project, createdAt } of memories) {
    if (!isVisibleTo(viewer, { scope, agentId, project })) continue;
    const before = counts.get(agentId) ?? { episodic: 0, semantic: 0, private: 0, lastActiveAt: 0 };
    counts.set(agentId, {
      episodic: before.episodic + Number(kind === 'episodic'),
      semantic: before.semantic + Number(kind === 'semantic'),
      private: before.private + Number(scope === 'PRIVATE'),
      lastActiveAt: Math.max(before.lastActiveAt, createdAt),
    });
  }
  return Object.fromEntries(counts);
}

function naiveProjectCounts(memories: readonly Memory[], viewer: Viewer): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const memory of memories) {
    const { project } = memory;
    if (project !== null && isVisibleTo(viewer, memory)) counts[project] = (counts[project] ?? 0) + 1;
  }
  return counts;
}

const scope = fc.constantFrom<Scope>('TEAM', 'SHARED', 'PRIVATE');
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      agentId: fc.constantFrom(...AGENTS),
      scope,
      project: fc.constantFrom(null, 'shop', 'till'),
      kind: fc.constantFrom<Kind>('episodic', 'semantic'),
      createdAt: fc.integer({ min: 1, max: 9 }),
      key: fc.constantFrom('k1', 'k2', '["', null),
    }),
  },
  fc.record({ remove: fc.nat() }),
  fc.record({ change: fc.nat(), scope }),
  fc.record({ ask: fc.constantFrom(...AGENTS), project: fc.constantFrom(null, 'shop') }),
);

describe('the records', () => {
  test('count, find and order as a naive list does, whatever is added, changed and removed', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
        const records = new Records();
        const naive = new Map<number, Memory>();
        const taken = new Set<string>();
        for (const [number, one] of steps.entries()) {
          if ('agentId' in one) {
            const { key, ...fields } = one;
            const isFree = key !== null && !taken.has(JSON.stringify([one.agentId, key]));
            if (isFree) taken.add(JSON.stringify([one.agentId, key]));
            const memory = { ...sampleMemory(number, fields), idempotencyKey: isFree ? key : null };
            naive.set(records.add(memory, STRENGTH), memory);
          } else if ('ask' in one) {
            // A question between the changes would show an old answer that was kept.
            const viewer = { agentId: one.ask, project: one.project };
            const memories = [...naive.values()];
            expect(Object.fromEntries(records.counts(viewer))).toEqual(naiveCounts(memories, viewer));
            expect(Object.fromEntries(records.projectCounts(viewer))).toEqual(naiveProjectCounts(memories, viewer));
          } else {
            const place = 'remove' in one ? one.remove : one.change;
            const [ordinal, memory] = [...naive][place % Math.max(1, naive.size)] ?? [];
            if (ordinal === undefined || !memory) continue;
            if ('remove' in one) {
              records.remove(ordinal);
              naive.delete(ordinal);
              taken.delete(JSON.stringify([memory.agentId, memory.idempotencyKey]));
            } else {
              naive.set(ordinal, { ...memory, scope: one.scope });
              records.replace(ordinal, { ...memory, scope: one.scope });
            }
          }
        }
        expect(records.size).toBe(naive.size);
        for (const kind of KINDS) {
          for (const scope of SCOPES) {
            const fitting = [...naive.values()].filter((memory) => memory.kind === kind && memory.scope === scope);
            expect(records.total(kind, scope)).toBe(fitting.length);
          }
        }
        expect(records.end).toBe(steps.filter((one) => 'agentId' in one).length);
        for (const agentId of [...AGENTS, 'nobody']) {
          expect(Object.fromEntries(records.counts(anyProject(agentId)))).toEqual(
            naiveCounts([...naive.values()], anyProject(agentId)),
          );
          for (const key of ['k1', 'k2', '["']) {
            const expected = [...naive].find(
              ([, memory]) => memory.agentId === agentId && memory.project === null && memory.idempotencyKey === key,
            );
            expect(records.ordinalOfKey({ agentId, project: null, idempotencyKey: key })).toBe(expected?.[0]);
          }
        }
        for (const [ordinal, memory] of naive) {
          expect([records.ordinalOf(memory.id), records.has(ordinal), records.at(ordinal).memory]).toEqual([
            ordinal,
            true,
            memory,
          ]);
        }
        const inOrder = [...naive].sort(([, a], [, b]) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
        expect(records.order.snapshot()).toEqual(inOrder.map(([ordinal]) => ordinal));
      }),
      { numRuns: 300 },
    );
  });

  test('keep strength through a change of the memory, and the memory through a change of strength', () => {
    const records = new Records();
    const ordinal = records.add(sampleMemory(1), STRENGTH);
    const stronger = { ...STRENGTH, recallCount: 7 };
    records.strengthen(ordinal, stronger);
    records.replace(ordinal, sampleMemory(1, { gist: 'new' }));
    expect(records.at(ordinal)).toEqual({ memory: sampleMemory(1, { gist: 'new' }), strength: stronger });
  });

  test('know nothing of what was removed', () => {
    const records = new Records();
    const ordinal = records.add(sampleMemory(1), STRENGTH);
    records.remove(ordinal);
    expect(records.has(ordinal)).toBe(false);
    expect(records.ordinalOf(sampleMemory(1).id)).toBeUndefined();
    expect(() => records.at(ordinal)).toThrow(RangeError);
  });
});
