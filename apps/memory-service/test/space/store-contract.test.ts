import { ManualClock } from '@agent-faculties/service-kit';
import { hasPostgres } from '@agent-faculties/testing';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Contradiction, contradictionId } from '../../src/domain/contradictions/contradiction.ts';
import { type Absent, type Decision, versionOf } from '../../src/domain/memory/decision.ts';
import { ALWAYS_VALID, type Memory, NOT_SUPERSEDED, type Scope } from '../../src/domain/memory/memory.ts';
import type { Viewer } from '../../src/domain/memory/visibility.ts';
import type { SpaceStore } from '../../src/domain/space/stored-space.ts';
import type { Change } from '../../src/store/changes/change.ts';
import { createVolatileJournal, type Journal } from '../../src/store/changes/journal.ts';
import { MemoryIndexes } from '../../src/store/indexes/memory-indexes.ts';
import { JournalledStore } from '../../src/store/journalled-store.ts';
import { type SharedDatabases, sharedDatabases } from '../persistence/postgres/shared-databases.ts';
import { anyProject, sampleMemory } from '../sample-memory.ts';
import { add, remove } from '../store/change-store.ts';
import { InMemoryStore } from './in-memory-store.ts';

const SAID = Date.parse('2026-11-20T09:30:00Z');

function journalled(clock = new ManualClock(SAID)): SpaceStore {
  return new JournalledStore({
    indexes: new MemoryIndexes({ vectors: null }),
    journal: createVolatileJournal(),
    clock,
  });
}

function shared(databases: SharedDatabases) {
  return (clock = new ManualClock(SAID)): SpaceStore => databases.replica(databases.newSpace(), { clock }).store;
}

/** A memory of few different words, agents and names, so that memories of different numbers share some. */
function memoryOf(number: number, changes: Partial<Memory> = {}): Memory {
  const content = `Word ${number % 3} is said ${['today', 'on Fridays', 'in December'][number % 3]}.`;
  return sampleMemory(number, {
    gist: content,
    content,
    gistEdited: false,
    tags: [],
    agentId: ['ann', 'bob'][number % 2] as string,
    sessionId: null,
    scope: 'TEAM',
    project: null,
    kind: 'episodic',
    role: null,
    name: null,
    entities: [{ name: ['Kestrel', 'Osprey'][number % 2] as string, type: 'project' }],
    createdAt: SAID + number * 1_000,
    updatedAt: SAID + number * 1_000,
    sources: [],
    ...NOT_SUPERSEDED,
    ...ALWAYS_VALID,
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

const databases = hasPostgres() ? sharedDatabases() : null;

describe.each([
  ['the journalled store', journalled],
  ...(databases ? [['a space of a database', shared(databases)] as const] : []),
  ['a map', (clock = new ManualClock(SAID)) => new InMemoryStore({ clock })],
] as const)('%s', (_engine, open) => {
  test('gives back what was added, by its id, its key and its words', async () => {
    const store = open();
    const memory = memoryOf(1, { idempotencyKey: 'k' });
    await add(store, memory);
    expect((await store.find(memory.id))?.memory).toEqual(memory);
    expect((await store.findByIdempotencyKey({ agentId: 'bob', project: null, idempotencyKey: 'k' }))?.memory).toEqual(
      memory,
    );
    expect(await store.findByIdempotencyKey({ agentId: 'ann', project: null, idempotencyKey: 'k' })).toBeNull();
    const again = memoryOf(7, { content: '  WORD 1 is\nsaid on Fridays. ' });
    expect((await store.findSameWords(again))?.memory).toEqual(memory);
    expect(await store.findSameWords({ ...again, scope: 'SHARED' })).toBeNull();
    expect(await store.findSameWords({ ...again, createdAt: memory.createdAt + 86_400_000 })).toBeNull();
  });

  test.each<[string, Absent]>([
    ['an id that is there', { ids: [idOf(1)] }],
    ['the id of one that was absorbed', { ids: [idOf(9)] }],
    ['an id that was deleted', { tombstones: [idOf(2)] }],
    ['a key that is taken', { keysOf: [{ agentId: 'bob', project: null, idempotencyKey: 'k' }] }],
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

  test('finds a memory by the keys of its tellings, and takes one beside which others decide for another', async () => {
    const store = open();
    const strength = { lastRecalledAt: null, recallCount: 0, stabilityDays: 1 };
    const [memory, other] = [memoryOf(1), memoryOf(2, { absorbed: [{ memory: memoryOf(9), strength }] })];
    for (const one of [memory, other]) await add(store, one);
    const telling = (key: string) => ({ tellings: [{ key, said: {} }] });
    const told = { ...memory, ...telling('k') };
    const toldOfAbsorbed = { ...other, absorbed: [{ memory: { ...memoryOf(9), ...telling('l') }, strength }] };
    for (const [before, after] of [
      [memory, told],
      [other, toldOfAbsorbed],
    ] as const) {
      const changes = [{ op: 'update', memory: after }] as const;
      expect(await store.changeTogether({ expected: [versionOf(before)], changes })).toBe(true);
      expect(await store.changeTogether({ expected: [versionOf(before)], changes })).toBe(false);
    }
    const keyed = (idempotencyKey: string) => ({ agentId: 'bob', project: null, idempotencyKey });
    expect((await store.findByIdempotencyKey(keyed('k')))?.memory).toEqual(told);
    expect((await store.findByIdempotencyKey(keyed('l')))?.memory).toEqual(toldOfAbsorbed);
    for (const key of ['k', 'l']) {
      expect(await store.changeTogether(adding(memoryOf(4), { keysOf: [keyed(key)] }))).toBe(false);
    }
    await remove(store, [memory.id, other.id]);
    expect(await Promise.all(['k', 'l'].map((key) => store.findByIdempotencyKey(keyed(key))))).toEqual([null, null]);
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

  test('tells what an author said before and after a memory in its session, among what all see who see the memory', async () => {
    const store = open();
    const said = (number: number, changes: Partial<Memory> = {}) =>
      memoryOf(number, { agentId: 'ann', sessionId: 's', project: 'web', ...changes });
    const [first, secret, shared, other, last] = [
      said(1),
      said(2, { scope: 'PRIVATE' }),
      said(3, { scope: 'SHARED' }),
      said(4, { sessionId: 'other' }),
      said(5),
    ] as const;
    for (const memory of [last, other, shared, secret, first, said(6, { agentId: 'bob' })]) await add(store, memory);
    const before = async (memory: Memory) => (await store.saidBefore(memory))?.id ?? null;
    expect(await Promise.all([first, secret, shared, other, last].map(before))).toEqual([
      null,
      first.id,
      null,
      null,
      shared.id,
    ]);
    // Of memories that are not there yet.
    expect(await before(said(7))).toBe(last.id);
    expect(await before(said(7, { createdAt: first.createdAt + 500 }))).toBe(first.id);
    expect(await before(said(7, { scope: 'PRIVATE', createdAt: secret.createdAt + 500 }))).toBe(secret.id);
    expect(await before(said(7, { sessionId: 'new' }))).toBeNull();
  });

  test('brings the newest before an instant, newest first, and looks at so many at most', async () => {
    const store = open();
    const secret = memoryOf(4, { scope: 'PRIVATE', agentId: 'bob' });
    // Of one moment, which their ids put in order, and one that is told late.
    const together = memoryOf(3, { createdAt: memoryOf(2).createdAt });
    for (const memory of [secret, together, memoryOf(2), memoryOf(7), memoryOf(1)]) await add(store, memory);
    const newest = async (number: number, { most = 99, agentId = 'ann' } = {}) => {
      const ids: string[] = [];
      const filter = { viewer: anyProject(agentId) };
      for await (const batch of store.newestBefore(memoryOf(number).createdAt, { filter, most }))
        ids.push(...batch.map(({ memory }) => memory.id));
      return ids.map((id) => Number(id.slice(-12)));
    };
    expect(await newest(8)).toEqual([7, 3, 2, 1]);
    expect(await newest(7)).toEqual([3, 2, 1]);
    expect(await newest(2)).toEqual([1]);
    expect(await newest(1)).toEqual([]);
    expect(await newest(8, { agentId: 'bob' })).toEqual([7, 4, 3, 2, 1]);
    expect(await newest(8, { most: 3 })).toEqual([7, 3]);
    await remove(store, [idOf(7)]);
    expect(await newest(8, { most: 3 })).toEqual([3, 2]);
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

  test('ends a succession, and forgets who made it, when the successor is gone, and not when it says something else', async () => {
    const store = open();
    const memories = [1, 2, 3, 4].map((number) => memoryOf(number));
    for (const memory of memories) await add(store, memory);
    const [gone, changed, one, two] = memories as [Memory, Memory, Memory, Memory];
    const supersession = { agentId: 'ann', at: SAID, reason: 'told anew' };
    for (const [loser, successor] of [
      [one, gone],
      [two, changed],
    ] as const) {
      const memory = later(loser, { supersededBy: successor.id, supersession });
      await store.changeTogether({ expected: [versionOf(loser)], changes: [{ op: 'update', memory }] });
      expect((await store.find(loser.id))?.memory).toEqual(memory);
    }
    await remove(store, [gone.id]);
    const other = later(changed, { gist: 'Other words.', gistEdited: true });
    await store.changeTogether({ expected: [versionOf(changed)], changes: [{ op: 'update', memory: other }] });
    const found = async ({ id }: Memory) => (await store.find(id))?.memory;
    expect(await found(one)).toMatchObject({ ...NOT_SUPERSEDED, updatedAt: one.updatedAt + 2 });
    expect(await found(two)).toMatchObject({
      supersededBy: changed.id,
      supersession,
      updatedAt: two.updatedAt + 1,
    });
  });

  test('puts what had replaced a successor in the place of that one, where all who see the memory see it', async () => {
    const clock = new ManualClock(SAID);
    const supersession = { agentId: 'ann', at: SAID, reason: 'told anew' };
    const by = (number: number, more: Partial<Memory> = {}) => ({ supersededBy: idOf(number), supersession, ...more });
    const expired = { expiresAt: SAID + MINUTE };
    const ofAnn = { agentId: 'ann', scope: 'PRIVATE' as const };
    const store = open(clock);
    for (const memory of [
      memoryOf(10),
      // 1 was superseded by 2, and 2 by 10.
      memoryOf(2, by(10)),
      memoryOf(1, by(2)),
      // The same with two that expire in between.
      memoryOf(5, by(10, expired)),
      memoryOf(4, by(5, expired)),
      memoryOf(3, by(4)),
      // 7 and 8 are seen by ann alone.
      memoryOf(8, ofAnn),
      memoryOf(7, by(8, ofAnn)),
      memoryOf(6, by(7, ofAnn)),
    ])
      await add(store, memory);
    const linkOf = async (number: number) => {
      const memory = (await store.find(idOf(number)))?.memory;
      return [memory?.supersededBy, memory?.supersession?.reason];
    };
    const change = async (number: number, more: Partial<Memory>) => {
      const memory = later((await store.find(idOf(number)))?.memory as Memory, more);
      await store.changeTogether({ expected: [], changes: [{ op: 'update', memory }] });
    };
    await remove(store, [idOf(2)]);
    clock.advance(2 * MINUTE);
    const replaced = 'what replaced it was replaced';
    expect(await Promise.all([1, 3].map(linkOf))).toEqual([
      [idOf(10), replaced],
      [idOf(10), replaced],
    ]);
    await change(8, { scope: 'TEAM' });
    // Everybody sees 6 and 8 from now on, and ann alone 7.
    await change(6, { scope: 'TEAM' });
    expect(await linkOf(6)).toEqual([idOf(8), replaced]);
    await change(8, { scope: 'PRIVATE' });
    expect(await linkOf(6)).toEqual([null, undefined]);
  });

  test('lets a memory wait for a comparison again once nothing supersedes it any more', async () => {
    const store = open();
    await store.compareBy('rules');
    const memories = [1, 2].map((number) => memoryOf(number)) as [Memory, Memory];
    for (const memory of memories) await add(store, memory);
    await store.noteCompared({ by: 'rules', memories, read: memories, found: [] });
    const [one, successor] = memories;
    const loser = later(one, { supersededBy: successor.id });
    await store.changeTogether({ expected: [versionOf(one)], changes: [{ op: 'update', memory: loser }] });
    expect(await store.waitingMemories(5)).toEqual([]);
    await remove(store, [successor.id]);
    expect((await store.waitingMemories(5)).map(({ id }) => id)).toEqual([one.id]);
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

  test('opens what a memory has lost again, with the change by which nothing supersedes it', async () => {
    const store = open();
    const memories = [1, 2, 3].map((number) => memoryOf(number));
    for (const memory of memories) await add(store, memory);
    const [one, two, three] = memories as [Memory, Memory, Memory];
    const [lost, won] = [contradictionOf(one, two), contradictionOf(one, three)];
    const about = { agentId: 'ann', at: SAID, note: null };
    const loser = later(one, { supersededBy: two.id });
    await store.decide({ ...lost, decision: { ...about, winner: two.id } }, { read: [one, two], changed: [loser] });
    await store.decide({ ...won, decision: { ...about, winner: one.id } }, { read: [loser, three], changed: [] });
    const free = later(loser, { supersededBy: null });
    await store.changeTogether({ expected: [versionOf(loser)], changes: [{ op: 'update', memory: free }] });
    expect((await store.contradiction(lost.id))?.decision).toBeNull();
    expect((await store.contradiction(won.id))?.decision?.winner).toBe(one.id);
    // To dismiss one is a decision that stays.
    const again = later(free, { supersededBy: two.id });
    await store.decide({ ...lost, decision: { ...about, winner: two.id } }, { read: [free, two], changed: [again] });
    const apart = later(again, { supersededBy: null });
    await store.decide({ ...lost, decision: { ...about, winner: null } }, { read: [again, two], changed: [apart] });
    expect((await store.contradiction(lost.id))?.decision).toEqual({ ...about, winner: null });
  });
});

function contradictionOf(a: Memory, b: Memory): Contradiction {
  const clash = { a: ['one'], b: ['two'] };
  const found = {
    id: contradictionId(a.id, b.id),
    a: a.id,
    b: b.id,
    score: 0.9,
    reason: 'number',
    topic: 'word',
    clash,
  };
  return { ...found, by: 'rules', foundAt: SAID, decision: null, opinion: null } as Contradiction;
}

async function candidatesOf(
  store: SpaceStore,
  viewer: Viewer,
  { limit = 10, exceptId = null, ...filter }: { limit?: number; exceptId?: string | null; tags?: undefined } = {},
) {
  const question = {
    text: 'word',
    terms: ['word'],
    names: [],
    denseText: 'word',
    speaker: null,
    saidBy: null,
    asksWhen: false,
    asksPresent: false,
    namesThing: false,
    asksStill: false,
    asksPast: false,
    asksSeveral: false,
    asksList: false,
    telling: [],
    hasMeaning: true,
    wordsTell: false,
    asked: 'other' as const,
    ofKind: null,
    owesValue: false,
    asksState: false,
    asksWordsOf: false,
    period: null,
    asksAhead: false,
    days: [],
    circumstance: null,
  };
  const options = { vector: null, namedKeys: [], filter: { viewer, ...filter }, limit, exceptId };
  return (await store.retrieve(question, options)).candidates;
}

type Step = (store: SpaceStore, clock: ManualClock) => Promise<unknown>;

const MINUTE = 60_000;

const number = fc.integer({ min: 0, max: 7 });
const scope = fc.constantFrom<Scope>('TEAM', 'SHARED', 'PRIVATE');
const key = fc.constantFrom(null, 'k', 'l');
const expiresAt = fc.option(
  fc.integer({ min: 1, max: 9 }).map((minutes) => SAID + minutes * MINUTE),
  { nil: null, freq: 2 },
);

/** A decision that rests on the store as it is, or on the store as it was one step before. */
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({
        number,
        scope,
        key,
        expiresAt,
        minutes: fc.integer({ min: -1, max: 2_000 }),
        most: fc.integer({ min: 3, max: 9 }),
      })
      .map(
        ({ number: n, scope: s, key: idempotencyKey, expiresAt: at, minutes, most }): Step =>
          async (store) => {
            const createdAt = SAID + minutes * MINUTE;
            const memory = memoryOf(n, { scope: s, idempotencyKey, createdAt, expiresAt: at });
            const absent = { ids: [memory.id], tombstones: [memory.id], keysOf: [memory], wordsOf: [memory] };
            return await store.changeTogether({ ...adding(memory, absent), mostMemories: most });
          },
      ),
  },
  fc.record({ number, scope, words: fc.constantFrom('Other words.', null), expiresAt, isStale: fc.boolean() }).map(
    ({ number: n, scope: s, words, expiresAt: at, isStale }): Step =>
      async (store) => {
        const found = await store.find(idOf(n));
        if (!found) return null;
        const text = words === null ? {} : { gist: words, gistEdited: true };
        const memory = later(found.memory, { scope: s, expiresAt: at, ...text });
        const expected = [{ id: memory.id, updatedAt: found.memory.updatedAt - Number(isStale) }];
        return await store.changeTogether({ expected, changes: [{ op: 'update', memory }] });
      },
  ),
  // A change that was decided before its memory expired.
  fc.record({ number, expiresAt }).map(
    ({ number: n, expiresAt: at }): Step =>
      async (store, clock) => {
        const found = await store.find(idOf(n));
        if (!found) return null;
        clock.advance(2 * MINUTE);
        const change = { op: 'update', memory: later(found.memory, { expiresAt: at }) } as const;
        return await store.changeTogether({ expected: [versionOf(found.memory)], changes: [change] });
      },
  ),
  fc.integer({ min: 1, max: 3 }).map(
    (minutes): Step =>
      async (_, clock) =>
        clock.advance(minutes * MINUTE),
  ),
  {
    weight: 4,
    arbitrary: fc.record({ number, other: number }).map(
      ({ number: n, other }): Step =>
        async (store, clock) => {
          const [one, successor] = [await store.find(idOf(n)), await store.find(idOf(other))];
          if (!one || !successor || n === other) return null;
          const expected = [versionOf(one.memory), versionOf(successor.memory)];
          const supersession = { agentId: 'ann', at: clock.now(), reason: 'told anew' };
          const memory = later(one.memory, { supersededBy: successor.memory.id, supersession });
          return await store.changeTogether({ expected, changes: [{ op: 'update', memory }] });
        },
    ),
  },
  fc.constant(async (store: SpaceStore) => (await store.removeExpired()).map(({ id }) => id).sort()),
  number.map(
    (n): Step =>
      async (store) =>
        (await store.removeExpired({ isMeant: ({ id }) => id === idOf(n) })).map(({ id }) => id),
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
  const named: string[][] = [];
  for (const term of ['on=2026-11-20', 'every=5', 'in=2026-12']) {
    const ids: string[] = [];
    for await (const batch of store.naming(term, { viewer })) ids.push(...batch.map(({ memory }) => memory.id));
    named.push(ids.sort());
  }
  const newest: unknown[] = [];
  for await (const batch of store.newestBefore(SAID + 5_000, { filter: { viewer }, most: 4 })) newest.push(...batch);
  const numbers = [0, 1, 2, 3, 4, 5, 6, 7];
  return {
    pages,
    scanned,
    newest,
    named,
    counts: byKey(await store.counts(viewer)),
    projectCounts: byKey(await store.projectCounts(viewer)),
    found: await Promise.all(numbers.map((n) => store.find(idOf(n)))),
    deleted: await Promise.all(numbers.map((n) => store.wasDeleted(idOf(n)))),
    sameWords: await Promise.all(numbers.map(async (n) => (await store.findSameWords(memoryOf(n))) !== null)),
    keyed: await Promise.all(['k', 'l'].map((one) => store.findByIdempotencyKey({ ...viewer, idempotencyKey: one }))),
    fans: await store.fansOf(['kestrel', 'osprey'], viewer),
    links: await store.linksOf(['kestrel', 'osprey'], viewer, { newest: 99 }),
    waiting: await store.waitingCount(viewer),
    size: await store.size(),
  };
}

/** The order of a map that an engine answers means nothing. */
function byKey(counts: ReadonlyMap<string, unknown>) {
  return [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
}

test('both engines take the same decisions and tell the same, whatever happens', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25, size: 'max' }), async (steps) => {
      const clocks = [new ManualClock(SAID), new ManualClock(SAID)] as const;
      const [one, other] = [journalled(clocks[0]), new InMemoryStore({ clock: clocks[1] })];
      for (const store of [one, other]) await store.compareBy('rules');
      for (const take of steps) {
        expect(await take(one, clocks[0])).toEqual(await take(other, clocks[1]));
      }
      for (const viewer of ['ann', 'bob', '']) {
        expect(await told(one, anyProject(viewer))).toEqual(await told(other, anyProject(viewer)));
      }
    }),
    { numRuns: 300 },
  );
});

(databases ? test : test.skip)('two processes over one database tell what one tells, whichever is asked', async () => {
  const { newSpace, replica } = databases as SharedDatabases;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, fc.boolean()), { maxLength: 20 }), async (steps) => {
      const clocks = [new ManualClock(SAID), new ManualClock(SAID)] as const;
      const space = newSpace();
      const replicas = [replica(space, { clock: clocks[0] }), replica(space, { clock: clocks[0] })] as const;
      const other = new InMemoryStore({ clock: clocks[1] });
      for (const store of [replicas[0].store, replicas[1].store, other]) await store.compareBy('rules');
      for (const [take, isFirst] of steps) {
        const { store, journal } = isFirst ? replicas[0] : replicas[1];
        expect(await take(store, clocks[0])).toEqual(await take(other, clocks[1]));
        await journal.flush();
      }
      for (const viewer of ['ann', 'bob', '']) {
        const expected = await told(other, anyProject(viewer));
        for (const { store } of replicas) expect(await told(store, anyProject(viewer))).toEqual(expected);
      }
    }),
    { numRuns: 40 },
  );
});

/** A journal that keeps what it was given, and does it at once. */
function recording(): Journal & { readonly changes: Change[] } {
  const changes: Change[] = [];
  return {
    sequence: 0,
    bytes: 0,
    refusal: null,
    changes,
    append: async (change, apply) => {
      changes.push(change);
      apply();
    },
    cut: async (capture) => ({ captured: capture(), sequence: 0, discard: async () => {} }),
    close: async () => {},
  };
}

/** Reads changes as a start does, before it knows what has expired. */
function replayed(changes: readonly Change[]): MemoryIndexes {
  const indexes = new MemoryIndexes({ vectors: null });
  for (const change of changes) {
    if (change.op === 'group' && !indexes.isAsExpected(change.expected)) continue;
    for (const one of change.op === 'group' ? change.changes : [change]) {
      if (one.op === 'add') indexes.add(one.memory, { strength: one.strength });
      else if (one.op === 'update') indexes.update(one.memory, { strength: one.strength });
      else if (one.op === 'delete') indexes.remove(one.ids);
    }
  }
  return indexes;
}

/** Takes the steps, reads their journal as a start does, and expects what the process told that took them. */
async function expectSameFromJournal(steps: readonly Step[]): Promise<void> {
  const clock = new ManualClock(SAID);
  const journal = recording();
  const store = new JournalledStore({ indexes: new MemoryIndexes({ vectors: null }), journal, clock });
  for (const take of steps) await take(store, clock);
  const again = new JournalledStore({ indexes: replayed(journal.changes), journal: createVolatileJournal(), clock });
  for (const viewer of ['ann', 'bob', '']) {
    const [before, after] = [await told(store, anyProject(viewer)), await told(again, anyProject(viewer))];
    // A recall is not in the journal.
    const withoutStrength = (_: string, value: unknown) => (_ === 'strength' ? undefined : value);
    expect(JSON.stringify(after, withoutStrength)).toBe(JSON.stringify(before, withoutStrength));
  }
  const gone = async (one: SpaceStore) =>
    (await one.removeExpired()).map(versionOf).sort((a, b) => (a.id < b.id ? -1 : 1));
  expect(await gone(again)).toEqual(await gone(store));
}

test('a start that reads the journal comes to what was answered, whatever has expired meanwhile', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 25 }), expectSameFromJournal), { numRuns: 300 });
});

describe('a memory that has expired', () => {
  const expiresSoon = { expiresAt: SAID + MINUTE, scope: 'SHARED' as const };
  const supersession = { agentId: 'ann', at: SAID, reason: 'told anew' };
  const superseded = memoryOf(0, { ...expiresSoon, supersededBy: idOf(1), supersession });
  const successor = memoryOf(1, expiresSoon);
  const both: Step[] = [
    (store) => store.changeTogether(adding(successor)),
    (store) => store.changeTogether(adding(superseded)),
    async (_, clock) => clock.advance(2 * MINUTE),
    (store) => store.size(),
  ];
  const deleted =
    (id: string): Step =>
    async (store) =>
      await store.changeTogether({ expected: [], changes: [{ op: 'delete', ids: [id] }] });

  test('loses its successor as one does that has not', async () => {
    await expectSameFromJournal([...both, deleted(idOf(1))]);
  });

  test('has what had replaced its successor in the place of that one, until that one is gone too', async () => {
    const last = (store: SpaceStore) => store.changeTogether(adding(memoryOf(2, { scope: 'SHARED' })));
    const replaced = { ...successor, supersededBy: idOf(2), supersession };
    const [, ...rest] = both;
    await expectSameFromJournal([
      last,
      (store) => store.changeTogether(adding(replaced)),
      ...rest,
      deleted(idOf(1)),
      deleted(idOf(2)),
    ]);
  });

  test('is gone with its successor, whichever goes first', async () => {
    for (const first of [0, 1]) {
      const clock = new ManualClock(SAID);
      const store = journalled(clock);
      for (const take of both) await take(store, clock);
      const isFirst = ({ id }: Memory) => id === idOf(first);
      const removed = [...(await store.removeExpired({ isMeant: isFirst })), ...(await store.removeExpired())];
      expect(removed.map(({ id }) => id)).toEqual([idOf(first), idOf(1 - first)]);
      expect(await store.removeExpired()).toEqual([]);
    }
  });

  test('is gone with its successor in one night, however many there are', async () => {
    const clock = new ManualClock(SAID);
    const store = journalled(clock);
    for (let n = 0; n < 240; n++) {
      const fate = n < 120 ? {} : { expiresAt: SAID + 2 * MINUTE, supersededBy: idOf(n - 120), supersession };
      await store.changeTogether(adding(memoryOf(n, { ...expiresSoon, ...fate })));
    }
    clock.advance(3 * MINUTE);
    expect(await store.removeExpired()).toHaveLength(240);
  });
});
