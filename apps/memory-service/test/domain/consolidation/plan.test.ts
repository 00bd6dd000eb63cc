import { describe, expect, test } from '@jest/globals';
import { TimeSlicer } from '../../../src/domain/concurrency/time-slicer.ts';
import { type PlanOptions, planConsolidation } from '../../../src/domain/consolidation/plan.ts';
import { ALWAYS_VALID, type Memory, NOT_SUPERSEDED } from '../../../src/domain/memory/memory.ts';
import type { StoredMemory } from '../../../src/domain/memory/memory-store.ts';
import { sampleMemory } from '../../sample-memory.ts';

const DAY_MS = 86_400_000;
const NOW = sampleMemory(0).createdAt + 400 * DAY_MS;

/** A clock that moves on by a millisecond at each reading. */
class TickingClock {
  #now = 0;

  now(): number {
    return ++this.#now;
  }
}

function optionsFor(onPause: () => void = () => {}): PlanOptions {
  const pause = async () => onPause();
  return {
    deduplicate: true,
    cluster: true,
    prune: { olderThanDays: 90, importance: 1, retention: 1, keepPerAgent: 10 },
    model: 'none',
    store: { embeddingsOf: async (ids) => ids.map(() => null), decidedAmong: async () => new Set() },
    now: NOW,
    slicer: new TimeSlicer({ clock: new TickingClock(), pause, isStopped: () => false }),
  };
}

function said(number: number, content: string, changes: Partial<Memory> = {}): Memory {
  const text = { gist: content, content, gistEdited: false, entities: [], name: null, role: null };
  return sampleMemory(number, {
    ...text,
    agentId: 'ann',
    kind: 'episodic',
    scope: 'TEAM',
    project: null,
    sources: [],
    ...NOT_SUPERSEDED,
    ...ALWAYS_VALID,
    ...changes,
  });
}

const stored = (memory: Memory): StoredMemory => ({
  memory,
  strength: { lastRecalledAt: null, recallCount: 0, stabilityDays: 1 },
});

describe('a plan', () => {
  test('clusters a survivor by the names that it is going to have', async () => {
    const entities = [{ name: 'Kestrel', type: 'project' as const }];
    const start = sampleMemory(0).createdAt;
    const words = 'kettle boiler pressure valve gauge';
    const memories = [
      said(1, `The ${words} was replaced.`, { createdAt: start }),
      said(2, `The ${words} was replaced.`, { createdAt: start + DAY_MS, agentId: 'bob', entities }),
      said(3, `The ${words} was inspected.`, { createdAt: start + 60 * DAY_MS, entities }),
      said(4, `The ${words} was measured.`, { createdAt: start + 120 * DAY_MS, entities }),
    ];
    const { duplicates, clusters } = await planConsolidation(memories.map(stored), { ...optionsFor(), prune: null });
    expect(duplicates.map(({ others }) => others.length)).toEqual([1]);
    expect(clusters.map(({ sources }) => sources.map(({ memory }) => memory.id))).toEqual([
      [1, 3, 4].map((number) => sampleMemory(number).id),
    ]);
  });

  test('gathers and prunes of what others see the same, whatever an agent keeps for itself', async () => {
    const words = ['pressure rose', 'valve stuck', 'gauge broke'];
    const told = words.map((what, number) => said(number, `The kettle boiler ${what}.`));
    const small = ['Rain fell on Lisbon yesterday.', 'Grandmother bakes plum cake.', 'Trains were crowded again.'];
    const old = small.map((text, number) => said(10 + number, text));
    const own = { scope: 'PRIVATE' as const };
    const secrets = [
      said(20, 'I look after plants.', { ...own, name: 'Kettle Boiler' }),
      ...words.map((what, number) => said(21 + number, `My salary talk ${what}.`, own)),
      said(24, 'Somebody else wore them.', { ...own, supersededBy: sampleMemory(10).id }),
    ];
    const planned = async (memories: readonly Memory[]) => {
      const prune = { olderThanDays: 90, importance: 1, retention: 1, keepPerAgent: 4 };
      const { clusters, pruned } = await planConsolidation(memories.map(stored), { ...optionsFor(), prune });
      const seen = ({ memory }: StoredMemory) => (memory.scope === 'TEAM' ? [memory.id] : []);
      return { clusters: clusters.map(({ sources }) => sources.flatMap(seen)), pruned: pruned.flatMap(seen) };
    };
    const without = await planned([...told, ...old]);
    expect(without).toEqual({ clusters: [told.map(({ id }) => id)], pruned: [expect.any(String), expect.any(String)] });
    const { clusters, pruned } = await planned([...told, ...old, ...secrets]);
    expect(clusters.filter((cluster) => cluster.length > 0)).toEqual(without.clusters);
    expect(pruned).toEqual(without.pruned);
  });

  test('rests wherever it looks at many memories', async () => {
    let looks = 0;
    let mostLooks = 0;
    const counting = (memory: Memory): StoredMemory => ({
      get memory() {
        looks++;
        return memory;
      },
      strength: { lastRecalledAt: null, recallCount: 0, stabilityDays: 1 },
    });
    const count = 2_400;
    const textOf = (number: number) =>
      number % 2 === 0
        ? `Shelf ${number % 1_800} of aisle ${number % 6} holds box ${number % 1_800} of pallet p${number % 90}.`
        : `Alpha${number} beta${number} gamma${number} delta${number}.`;
    const memories = Array.from({ length: count }, (_, number) =>
      said(number, textOf(number), { entities: [{ name: `p${number % 90}`, type: 'identifier' }] }),
    );
    const options = optionsFor(() => {
      mostLooks = Math.max(mostLooks, looks);
      looks = 0;
    });
    const { pruned, duplicates } = await planConsolidation(memories.map(counting), options);
    expect([pruned.length > 0, duplicates.length]).toEqual([true, 300]);
    expect(Math.max(mostLooks, looks)).toBeLessThan(count / 2);
  });
});
