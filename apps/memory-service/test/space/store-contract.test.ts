import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { type Absent, type Decision, versionOf } from '../../src/domain/memory/decision.ts';
import type { Memory, Scope } from '../../src/domain/memory/memory.ts';
import type { Viewer } from '../../src/domain/memory/visibility.ts';
import type { SpaceStore } from '../../src/domain/space/space.ts';
import { createVolatileJournal } from '../../src/store/journal.ts';
import { JournalledStore } from '../../src/store/journalled-store.ts';
import { MemoryIndexes } from '../../src/store/memory-indexes.ts';
import { anyProject, sampleMemory } from '../sample-memory.ts';
import { add, remove } from '../store/change-store.ts';
import { InMemoryStore } from './in-memory-store.ts';

// A hundred runs of a property over both engines take seconds on a busy machine.
jest.setTimeout(120_000);

const SAID = Date.parse('2026-11-20T09:30:00Z');

function journalled(): SpaceStore {
  return new JournalledStore({ indexes: new MemoryIndexes({ vectors: null }), journal: createVolatileJournal() });
}

/** A memory of few different words, agents and names, so that memories of different numbers share some. */
function memoryOf(number: number, changes: Partial<Memory> = {}): Memory {
  const content = `Word ${number % 3} is said.`;
  return sampleMemory(number, {
    gist: content,
    content,
    gistEdited: false,
    tags: [],
    agentId: ['ann', 'bob'][number % 2] as string,
    sessionId: null,
    scope: 'TEAM',
    kind: 'episodic',
    role: null,
    name: null,
    entities: [{ name: ['Kestrel', 'Osprey'][number % 2] as string, type: 'project' }],
    createdAt: SAID + number * 1_000,
    updatedAt: SAID + number * 1_000,
    sources: [],
    supersededBy: null,
    idempotencyKey: null,
    ...changes,
  });
}

const idOf = (number: number) => memoryOf(number).id;
const later = (memory: Memory, changes: Partial<Memory>) => ({
  ...memory,
  ...changes,
  updatedAt: memory.updatedAt + 1,
});
const adding = (memory: Memory, absent: Absent = {}): Decision => ({
  expected: [],
  absent,
  changes: [{ op: 'add', memory, vectors: [] }],
});

describe.each([
  ['the journalled store', journalled],
  ['a map', () => new InMemoryStore()],
])('%s', (_engine, open) => {
  test('gives back what was added, by its id, its key and its words', async () => {
    const store = open();
    const memory = memoryOf(1, { idempotencyKey: 'k' });
    await add(store, memory);
    expect((await store.find(memory.id))?.memory).toEqual(memory);
    expect((await store.findByIdempotencyKey('bob', 'k'))?.memory).toEqual(memory);
    expect(await store.findByIdempotencyKey('ann', 'k')).toBeNull();
    const again = memoryOf(7, { content: '  WORD 1 is\nsaid. ' });
    expect((await store.findSameWords(again))?.memory).toEqual(memory);
    expect(await store.findSameWords({ ...again, scope: 'SHARED' })).toBeNull();
    expect(await store.findSameWords({ ...again, createdAt: memory.createdAt + 86_400_000 })).toBeNull();
  });

  test.each<[string, Absent]>([
    ['an id that is there', { ids: [idOf(1)] }],
    ['the id of one that was absorbed', { ids: [idOf(9)] }],
    ['an id that was deleted', { tombstones: [idOf(2)] }],
    ['a key that is taken', { keysOf: [{ agentId: 'bob', idempotencyKey: 'k' }] }],
    ['words that were said', { wordsOf: [memoryOf(7)] }],
  ])('refuses what was decided without %s', async (_what, absent) => {
    const store = open();
    const absorbed = [{ memory: memoryOf(9), strength: { lastRecalledAt: null, recallCount: 0, stabilityDays: 1 } }];
    await add(store, memoryOf(1, { idempotencyKey: 'k', absorbed }));
    await add(store, memoryOf(2));
    await remove(store, [idOf(2)]);
    expect(await store.changeTogether(adding(memoryOf(4), absent))).toBe(false);
    expect(await store.find(idOf(4))).toBeNull();
    expect(await store.changeTogether(adding(memoryOf(4), { ids: [idOf(5)], keysOf: [memoryOf(4)] }))).toBe(true);
  });

  test('makes all changes of a decision or none', async () => {
    const store = open();
    await add(store, memoryOf(1));
    await add(store, memoryOf(2));
    const [one, two] = [memoryOf(1), memoryOf(2)];
    const decision: Decision = {
      expected: [versionOf(one), versionOf(two)],
      changes: [
        { op: 'update', memory: later(one, { gist: 'Other words.', gistEdited: true }) },
        { op: 'delete', ids: [two.id] },
      ],
    };
    await store.changeTogether({ expected: [], changes: [{ op: 'update', memory: later(two, { tags: ['t'] }) }] });
    expect(await store.changeTogether(decision)).toBe(false);
    expect([(await store.find(one.id))?.memory, (await store.find(two.id))?.memory.tags]).toEqual([one, ['t']]);
  });

  test('forgets what was derived from a memory that says something else, or is gone', async () => {
    const store = open();
    await add(store, memoryOf(1));
    await add(store, memoryOf(2));
    const derived = memoryOf(3, { kind: 'semantic', sources: [idOf(1), idOf(2)] });
    await add(store, derived);
    expect([await store.hasDerived(), (await store.derivedFrom([idOf(1), idOf(2)])).length]).toEqual([true, 1]);
    const touched = later(memoryOf(1), { importance: 1 });
    await store.changeTogether({ expected: [], changes: [{ op: 'update', memory: touched }] });
    expect(await store.find(derived.id)).not.toBeNull();
    await remove(store, [idOf(2)]);
    expect([await store.find(derived.id), await store.hasDerived()]).toEqual([null, false]);
  });

  test('shows nobody what is PRIVATE to another', async () => {
    const store = open();
    await add(store, memoryOf(1, { scope: 'PRIVATE' }));
    const seen = async (viewer: Viewer) => [
      (await store.list({ viewer }, { limit: 10, after: null })).total,
      (await store.counts(viewer)).size,
      await store.fansOf(['osprey'], viewer),
      await store.namedIn('Where is Osprey?', viewer),
      (await candidatesOf(store, viewer)).length,
    ];
    expect(await seen(anyProject('bob'))).toEqual([1, 1, [1], ['osprey'], 1]);
    expect(await seen(anyProject('ann'))).toEqual([0, 0, [0], [], 0]);
    expect([...(await store.knownEntities(['osprey'], null))]).toEqual([]);
  });

  test('brings at least as many candidates as are asked for, where so many fit', async () => {
    const store = open();
    for (let number = 0; number < 30; number++) await add(store, memoryOf(number));
    const found = await candidatesOf(store, anyProject('ann'), { limit: 20, exceptId: idOf(1), tags: undefined });
    expect(found.length).toBeGreaterThanOrEqual(20);
    const ids = found.map(({ stored }) => stored.memory.id);
    expect(ids).not.toContain(idOf(1));
    expect(new Set(ids).size).toBe(ids.length);
    expect(
      found.every(({ stored, entityKeys }) => entityKeys.includes(stored.memory.entities[0]?.name.toLowerCase() ?? '')),
    ).toBe(true);
  });

  test('lets a memory wait for a comparison until one of it as it is was noted', async () => {
    const store = open();
    await store.compareBy('rules');
    await add(store, memoryOf(1));
    expect((await store.waitingMemories(5)).map(({ id }) => id)).toEqual([idOf(1)]);
    const stale = later(memoryOf(1), {});
    await store.noteCompared({ by: 'rules', memories: [stale], read: [stale], found: [] });
    expect(await store.waitingCount(anyProject('ann'))).toBe(1);
    await store.noteCompared({ by: 'rules', memories: [memoryOf(1)], read: [memoryOf(1)], found: [] });
    expect([await store.waitingCount(anyProject('ann')), [...(await store.waitingAmong([idOf(1)]))]]).toEqual([0, []]);
  });
});

async function candidatesOf(
  store: SpaceStore,
  viewer: Viewer,
  { limit = 10, exceptId = null, ...filter }: { limit?: number; exceptId?: string | null; tags?: undefined } = {},
) {
  const question = {
    text: 'word',
    terms: ['word'],
    denseText: 'word',
    speaker: null,
    saidBy: null,
    asksWhen: false,
    asksPresent: false,
    period: null,
  };
  const options = { vector: null, namedKeys: [], filter: { viewer, ...filter }, limit, exceptId };
  return (await store.retrieve(question, options)).candidates;
}

type Step = (store: SpaceStore) => Promise<unknown>;

const number = fc.integer({ min: 0, max: 7 });
const scope = fc.constantFrom<Scope>('TEAM', 'SHARED', 'PRIVATE');
const key = fc.constantFrom(null, 'k', 'l');

/** A decision that rests on the store as it is, or on the store as it was one step before. */
const step: fc.Arbitrary<Step> = fc.oneof(
  fc
    .record({ number, scope, key, minutes: fc.integer({ min: -1, max: 2_000 }), most: fc.integer({ min: 3, max: 9 }) })
    .map(
      ({ number: n, scope: s, key: idempotencyKey, minutes, most }): Step =>
        async (store) => {
          const memory = memoryOf(n, { scope: s, idempotencyKey, createdAt: SAID + minutes * 60_000 });
          const absent = { ids: [memory.id], tombstones: [memory.id], keysOf: [memory], wordsOf: [memory] };
          return await store.changeTogether({ ...adding(memory, absent), mostMemories: most });
        },
    ),
  fc.record({ number, scope, words: fc.constantFrom('Other words.', null), isStale: fc.boolean() }).map(
    ({ number: n, scope: s, words, isStale }): Step =>
      async (store) => {
        const found = await store.find(idOf(n));
        if (!found) return null;
        const text = words === null ? {} : { gist: words, gistEdited: true };
        const memory = later(found.memory, { scope: s, ...text });
        const expected = [{ id: memory.id, updatedAt: found.memory.updatedAt - Number(isStale) }];
        return await store.changeTogether({ expected, changes: [{ op: 'update', memory }] });
      },
  ),
  fc.record({ number, other: number }).map(
    ({ number: n, other }): Step =>
      async (store) => {
        const found = await store.find(idOf(n));
        const expected = found ? [versionOf(found.memory)] : [];
        return await store.changeTogether({ expected, changes: [{ op: 'delete', ids: [idOf(n), idOf(other)] }] });
      },
  ),
  fc.record({ number, recallCount: fc.integer({ min: 0, max: 3 }) }).map(
    ({ number: n, recallCount }): Step =>
      (store) =>
        store.strengthen([
          { id: idOf(n), strength: { lastRecalledAt: SAID + recallCount, recallCount, stabilityDays: 9 } },
        ]),
  ),
);

/** All that a caller can learn. */
async function told(store: SpaceStore, viewer: Viewer) {
  const pages: unknown[] = [];
  for (let after = null; ; ) {
    const page = await store.list({ viewer }, { limit: 2, after, text: 'WORD' });
    pages.push(page);
    if (!page.next) break;
    after = page.next as never;
  }
  const scanned: unknown[] = [];
  for await (const batch of store.scan({ viewer, scope: 'TEAM' })) scanned.push(...batch);
  const numbers = [0, 1, 2, 3, 4, 5, 6, 7];
  return {
    pages,
    scanned,
    counts: Object.fromEntries(await store.counts(viewer)),
    found: await Promise.all(numbers.map((n) => store.find(idOf(n)))),
    deleted: await Promise.all(numbers.map((n) => store.wasDeleted(idOf(n)))),
    sameWords: await Promise.all(numbers.map(async (n) => (await store.findSameWords(memoryOf(n))) !== null)),
    keyed: await Promise.all(['k', 'l'].map((one) => store.findByIdempotencyKey(viewer.agentId, one))),
    fans: await store.fansOf(['kestrel', 'osprey'], viewer),
    links: await store.linksOf(['kestrel', 'osprey'], viewer, { newest: 99 }),
    waiting: await store.waitingCount(viewer),
    size: await store.size(),
  };
}

test('both engines take the same decisions and tell the same, whatever happens', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const [one, other] = [journalled(), new InMemoryStore()];
      for (const store of [one, other]) await store.compareBy('rules');
      for (const take of steps) {
        expect(await take(one)).toEqual(await take(other));
      }
      for (const viewer of ['ann', 'bob', '']) {
        expect(await told(one, anyProject(viewer))).toEqual(await told(other, anyProject(viewer)));
      }
    }),
  );
});
