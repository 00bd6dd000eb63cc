import { ManualClock } from '@agent-faculties/service-kit';
import { mostInATurn } from '@agent-faculties/testing';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { KeyedLock } from '../../../src/domain/concurrency/keyed-lock.ts';
import { rewritingAsMerge } from '../../../src/domain/editing/rewrite.ts';
import type { Memory, Scope, Strength } from '../../../src/domain/memory/memory.ts';
import type { Viewer } from '../../../src/domain/memory/visibility.ts';
import { withDryRunStore } from '../../../src/domain/transfer/dry-run-store.ts';
import { emptyReport, type IncomingRecord, mergeAll } from '../../../src/domain/transfer/merge.ts';
import type { MergeDeps, MergeRecord } from '../../../src/domain/transfer/merge-record.ts';
import { createVolatileJournal } from '../../../src/store/changes/journal.ts';
import { MemoryIndexes } from '../../../src/store/indexes/memory-indexes.ts';
import { JournalledStore } from '../../../src/store/journalled-store.ts';
import { anyProject, sampleMemory } from '../../sample-memory.ts';
import { add, replace } from '../../store/change-store.ts';

const SAID = Date.parse('2026-11-20T09:30:00Z');
const DAY = 86_400_000;

function remote() {
  const indexes = new MemoryIndexes({ vectors: null });
  const store = new JournalledStore({ indexes, journal: createVolatileJournal(), clock: new ManualClock(0) });
  const deps: MergeDeps = {
    store,
    rewrite: rewritingAsMerge({ store, now: () => SAID }),
    locks: new KeyedLock(),
    maxMemories: 1_000,
  };
  return { store, deps, contents: () => contentsOf(indexes) };
}

/** What the store holds, by id. */
function contentsOf(indexes: MemoryIndexes): Record<string, unknown> {
  const all = [...indexes.capture()].map(({ memory, strength }) => [memory.id, { memory, strength }] as const);
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function merge(deps: MergeDeps, viewer: Viewer, records: readonly MergeRecord[]) {
  const report = emptyReport();
  await mergeAll(deps, viewer, { records: incoming(records), report });
  return report;
}

async function* incoming(records: readonly MergeRecord[]): AsyncGenerator<IncomingRecord> {
  for (const record of records) yield { bytes: 1_000, read: () => record };
}

const AGENTS = ['ann', 'bob'] as const;

const idOf = (number: number) => `0193a000-0000-7000-8000-${String(number).padStart(12, '0')}`;

/** One version of a memory. Equal id, agent and version mean equal words, as in stores that nobody tampered with. */
function version(number: number, edit: number, { agent, scope, recalls }: Shape): MergeRecord {
  const words = `Fact ${number} in edition ${edit}.`;
  const strength: Strength = {
    lastRecalledAt: recalls === 0 ? null : SAID + recalls,
    recallCount: recalls,
    stabilityDays: 1 + recalls,
  };
  const memory: Memory = {
    ...sampleMemory(1),
    id: idOf(number),
    gist: edit === 0 ? `Fact ${number}.` : words,
    content: `Fact ${number}.`,
    gistEdited: edit > 0,
    agentId: agent,
    scope,
    sessionId: null,
    createdAt: SAID + number * 2 * DAY,
    updatedAt: SAID + number * 2 * DAY + edit,
    supersededBy: null,
    idempotencyKey: null,
  };
  return { memory, isDated: true, strength, vectors: [] };
}

interface Shape {
  readonly agent: string;
  readonly scope: Scope;
  readonly recalls: number;
}

const agentOf = (number: number) => AGENTS[number % AGENTS.length] as string;
/** The scope depends on the number, so that all versions of a memory have the same one; another test changes scopes. */
const scopeOf = (number: number): Scope => (number % 5 === 4 ? 'PRIVATE' : number % 3 === 0 ? 'SHARED' : 'TEAM');

const honest = fc
  .record({ number: fc.nat(9), edit: fc.nat(3), recalls: fc.nat(4) })
  .map(({ number, edit, recalls }) =>
    version(number, edit, { agent: agentOf(number), scope: scopeOf(number), recalls }),
  );
/** A record that names any agent and any scope. */
const forged = fc
  .record({
    number: fc.nat(9),
    edit: fc.integer({ min: 4, max: 9 }),
    agent: fc.constantFrom(...AGENTS, 'eve'),
    scope: fc.constantFrom<Scope>('TEAM', 'SHARED', 'PRIVATE'),
    recalls: fc.constant(0),
  })
  .map(({ number, edit, ...shape }) => version(number, edit, shape));
const stores = fc.array(honest, { maxLength: 30 });

describe('a merge', () => {
  test.each([{ supersededBy: idOf(0) }, { consolidatedInto: idOf(0) }])(
    'looks at the links of many records over several turns of the event loop: %j',
    async (link) => {
      const { store, deps } = remote();
      const records = Array.from({ length: 2_000 }, (_, number) => {
        const record = version(number, 0, { agent: 'ann', scope: 'TEAM', recalls: 0 });
        return number === 0 ? record : { ...record, memory: { ...record.memory, ...link } };
      });
      const most = await mostInATurn(async (counted) => {
        const [find, wasDeleted] = [store.find.bind(store), store.wasDeleted.bind(store)];
        store.find = (id) => {
          counted();
          return find(id);
        };
        store.wasDeleted = (id) => {
          counted();
          return wasDeleted(id);
        };
        await merge({ ...deps, maxMemories: 2_000 }, anyProject('ann'), records);
      });
      expect(most).toBeLessThan(1_500);
    },
  );

  test('twice is a merge once', async () => {
    await fc.assert(
      fc.asyncProperty(stores, fc.constantFrom(...AGENTS), async (records, caller) => {
        const { deps, contents } = remote();
        const first = await merge(deps, anyProject(caller), records);
        const before = contents();
        const again = await merge(deps, anyProject(caller), records);
        expect(contents()).toEqual(before);
        expect(again).toEqual({
          ...emptyReport(),
          received: records.length,
          ...refusedOf(first),
          duplicates: again.duplicates,
        });
        expect(again.duplicates + again.rejectedCount).toBe(records.length);
      }),
      { numRuns: 100 },
    );
  });

  test('of two stores gives the same in either order, and what a map of the latest versions holds', async () => {
    await fc.assert(
      fc.asyncProperty(stores, stores, fc.constantFrom(...AGENTS), async (a, b, caller) => {
        const [one, other] = [remote(), remote()];
        await merge(one.deps, anyProject(caller), a);
        await merge(one.deps, anyProject(caller), b);
        await merge(other.deps, anyProject(caller), [...b, ...a]);
        expect(one.contents()).toEqual(other.contents());
        expect(one.contents()).toEqual(latest([...a, ...b], caller));
      }),
      { numRuns: 100 },
    );
  });

  test('never changes whose a memory is, nor shows a PRIVATE one to others, whatever is sent by whom', async () => {
    await fc.assert(
      fc.asyncProperty(stores, fc.array(forged, { maxLength: 10 }), async (own, others) => {
        const { deps, contents } = remote();
        for (const caller of AGENTS) await merge(deps, anyProject(caller), own);
        const before = contents() as Record<string, MergeRecord>;
        await merge(deps, anyProject('eve'), others);
        const after = contents() as Record<string, MergeRecord>;
        for (const [id, { memory }] of Object.entries(before)) {
          expect(after[id]?.memory.agentId).toBe(memory.agentId);
          if (memory.scope === 'PRIVATE') expect(after[id]?.memory).toEqual(memory);
          expect(after[id]?.memory.scope === 'PRIVATE').toBe(memory.scope === 'PRIVATE');
        }
      }),
      { numRuns: 100 },
    );
  });

  test('that is a dry run reports what the real one then reports, and changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(stores, fc.array(fc.oneof(honest, forged), { maxLength: 30 }), async (before, records) => {
        const { deps, contents } = remote();
        await merge(deps, anyProject('ann'), before);
        const untouched = contents();
        const dryRun = await merge(withDryRunStore(deps), anyProject('ann'), records);
        expect(contents()).toEqual(untouched);
        // A dry run keeps no texts, so it cannot tell whether a second edition in the same request has other words.
        const { withoutVectors: _, ...told } = dryRun;
        expect(await merge(deps, anyProject('ann'), records)).toMatchObject(told);
      }),
      { numRuns: 100 },
    );
  });

  test('of what a consolidation made one leaves it so, and keeps what others said apart from new words', async () => {
    const { store, deps } = remote();
    const [ours, theirs] = [
      version(0, 0, { agent: 'ann', scope: 'TEAM', recalls: 0 }),
      version(1, 0, { agent: 'bob', scope: 'TEAM', recalls: 0 }),
    ];
    const absorbed = [{ memory: theirs.memory, strength: theirs.strength }];
    await add(store, { ...ours.memory, absorbed }, ours);
    expect(await merge(deps, anyProject('ann'), [ours, theirs])).toEqual({
      ...emptyReport(),
      received: 2,
      duplicates: 2,
    });
    const news = version(1, 2, { agent: 'bob', scope: 'TEAM', recalls: 0 });
    expect((await merge(deps, anyProject('ann'), [news])).rejected[0]?.reason).toMatch(/has become one with another/);
    const forger = version(1, 2, { agent: 'ann', scope: 'TEAM', recalls: 0 });
    expect((await merge(deps, anyProject('ann'), [forger])).rejected[0]?.reason).toMatch(
      /belongs to a memory of agent 'bob'/,
    );
    const closed = version(0, 1, { agent: 'ann', scope: 'PRIVATE', recalls: 0 });
    expect(await merge(deps, anyProject('ann'), [closed])).toMatchObject({ updated: 1 });
    expect((await store.find(theirs.memory.id))?.memory).toEqual(theirs.memory);
    expect((await store.find(ours.memory.id))?.memory).toMatchObject({
      scope: 'PRIVATE',
      gist: 'Fact 0 in edition 1.',
    });
  });

  test('decides anew when a memory changes between its reading and its writing', async () => {
    const { store, deps } = remote();
    const old = version(0, 0, { agent: 'ann', scope: 'TEAM', recalls: 0 });
    await merge(deps, anyProject('ann'), [old]);
    let interfered = false;
    const racing: MergeDeps = {
      ...deps,
      rewrite: async (rewriting, viewer) => {
        if (!interfered) {
          interfered = true;
          await replace(store, version(0, 3, { agent: 'ann', scope: 'TEAM', recalls: 0 }).memory);
        }
        return await deps.rewrite(rewriting, viewer);
      },
    };
    expect(
      await merge(racing, anyProject('ann'), [version(0, 2, { agent: 'ann', scope: 'TEAM', recalls: 0 })]),
    ).toMatchObject({
      updated: 0,
      duplicates: 1,
    });
    expect((await store.find(old.memory.id))?.memory.gist).toBe('Fact 0 in edition 3.');
  });
});

const refusedOf = ({ rejected, rejectedCount }: { rejected: unknown; rejectedCount: number }) => ({
  rejected,
  rejectedCount,
});

/** The simplest store that merges: it keeps the latest version of each id and the highest value of each counter. */
function latest(records: readonly MergeRecord[], caller: string): Record<string, unknown> {
  const stored = new Map<string, { memory: Memory; strength: Strength }>();
  for (const { memory, strength } of records) {
    if (memory.scope === 'PRIVATE' && memory.agentId !== caller) continue;
    const known = stored.get(memory.id);
    const recalls = Math.max(strength.recallCount, known?.strength.recallCount ?? 0);
    stored.set(memory.id, {
      memory: known && known.memory.updatedAt >= memory.updatedAt ? known.memory : memory,
      strength: {
        lastRecalledAt: recalls === 0 ? null : SAID + recalls,
        recallCount: recalls,
        stabilityDays: 1 + recalls,
      },
    });
  }
  return Object.fromEntries([...stored].sort(([a], [b]) => (a < b ? -1 : 1)));
}
