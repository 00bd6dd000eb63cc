import { backgroundAudit, createLog, ManualClock } from '@agent-faculties/service-kit';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { KeyedLock } from '../../../src/domain/concurrency/keyed-lock.ts';
import { type DecideDeps, decideContradiction, type Verdict } from '../../../src/domain/contradictions/decide.ts';
import { ContradictionFinder } from '../../../src/domain/contradictions/find-contradictions.ts';
import {
  type ContradictionDeps,
  type ContradictionRequest,
  listContradictions,
} from '../../../src/domain/contradictions/list-contradictions.ts';
import type { Memory } from '../../../src/domain/memory/memory.ts';
import { createVolatileJournal } from '../../../src/store/changes/journal.ts';
import { MemoryIndexes } from '../../../src/store/indexes/memory-indexes.ts';
import { JournalledStore } from '../../../src/store/journalled-store.ts';
import { anyProject, sampleMemory } from '../../sample-memory.ts';
import { add, remove } from '../../store/change-store.ts';

// The real store and the real finder with the rules alone, which are surest of numbers with a unit that differ.

const clock = new ManualClock(Date.UTC(2026, 10, 21, 9));
const log = createLog({ name: 'test', level: 'silent' });
let store: JournalledStore;
let deps: ContradictionDeps & DecideDeps;
beforeEach(async () => {
  store = new JournalledStore({
    indexes: new MemoryIndexes({ vectors: null }),
    journal: createVolatileJournal(),
    clock,
  });
  const finder = new ContradictionFinder({
    store,
    history: null,
    scorer: null,
    confirmer: null,
    clock,
    log,
    audit: backgroundAudit(log),
  });
  await store.compareBy(finder.by);
  deps = { clock, log, store, finder, locks: new KeyedLock() };
});

async function said(number: number, agentId: string, gist: string, changes: Partial<Memory> = {}): Promise<string> {
  const memory = sampleMemory(number, {
    agentId,
    gist,
    content: gist,
    gistEdited: false,
    scope: 'TEAM',
    kind: 'episodic',
    sources: [],
    supersededBy: null,
    name: null,
    role: null,
    entities: [],
    sessionId: null,
    idempotencyKey: null,
    ...changes,
  });
  await add(store, memory);
  return memory.id;
}

const DAYS = (days: number) => `Backups of the Kestrel ledger are kept for ${days} days.`;
const ALL: ContradictionRequest = {
  threshold: 0,
  agentIds: [],
  states: ['open', 'resolved', 'dismissed'],
  includeSameAgent: false,
  limit: 100,
};
const list = (agentId: string, request: Partial<ContradictionRequest> = {}) =>
  listContradictions(deps, anyProject(agentId), { ...ALL, ...request });
const pairs = async (agentId: string, request: Partial<ContradictionRequest> = {}) =>
  (await list(agentId, request)).items.map(({ a, b }) => [a.id, b.id]);

describe('a list of contradictions', () => {
  test('compares what is new, and names both sides, the older first', async () => {
    const a = await said(1, 'ann', DAYS(30));
    const b = await said(2, 'bob', DAYS(90));
    const { items, total, compared, pending } = await list('eve');
    expect([total, compared, pending]).toEqual([1, 2, 0]);
    expect(items[0]).toMatchObject({
      contradiction: { reason: 'number', clash: { a: ['30 days'], b: ['90 days'] }, decision: null, by: 'rules-23' },
      a: { id: a },
      b: { id: b },
    });
  });

  test('knows a verb in its irregular participle too', async () => {
    await said(1, 'ann', 'We keep logs for 30 days.');
    await said(2, 'bob', 'Logs are kept for 90 days.');
    const { items } = await list('eve', { threshold: 0.6 });
    expect(items).toMatchObject([{ contradiction: { reason: 'number', clash: { a: ['30 days'], b: ['90 days'] } } }]);
  });

  test('holds what one agent said against itself only when that is asked for', async () => {
    await said(1, 'ann', DAYS(30));
    await said(2, 'ann', DAYS(90));
    expect(await pairs('ann')).toEqual([]);
    expect(await pairs('ann', { includeSameAgent: true })).toHaveLength(1);
  });

  test.each([
    ['of two people that one agent told', ['ann', 'Dana'], ['ann', 'Jonas'], 1],
    ['of a person and of the agent that told it', ['ann', 'Dana'], ['ann', null], 1],
    ['of one name that two agents told', ['ann', 'Dana'], ['bob', 'Dana'], 1],
    ['of one person, however the name is written', ['ann', 'Dana'], ['ann', ' dana '], 0],
    ['of an agent that names itself', ['ann', 'Ann'], ['ann', null], 0],
  ] as const)('holds memories %s against each other as those of two agents', async (_who, first, second, count) => {
    await said(1, first[0], DAYS(30), { name: first[1] });
    await said(2, second[0], DAYS(90), { name: second[1] });
    expect(await pairs('ann')).toHaveLength(count);
    expect(await pairs('ann', { includeSameAgent: true })).toHaveLength(1);
  });

  test('holds a memory against three other speakers of its agent, as against three other agents', async () => {
    for (const [number, days] of [30, 45, 60].entries())
      await said(number + 1, 'ann', DAYS(days), { name: `P${days}` });
    const last = await said(4, 'ann', DAYS(90), { name: 'Dana' });
    expect((await pairs('ann')).filter(([, b]) => b === last)).toHaveLength(3);
  });

  test('shows a PRIVATE memory to its agent alone, and holds it against nobody else', async () => {
    await said(1, 'ann', DAYS(30), { scope: 'PRIVATE' });
    await said(2, 'ann', DAYS(60));
    await said(3, 'bob', DAYS(90));
    expect(await pairs('ann', { includeSameAgent: true })).toHaveLength(2);
    expect(await pairs('bob', { includeSameAgent: true })).toHaveLength(1);
    // It does not count waiting or compared memories either.
    expect(await list('bob')).toMatchObject({ compared: 2, pending: 0 });
  });

  test.each<[string[], number]>([
    [[], 3],
    [['ann'], 2],
    [['ann', 'bob'], 1],
    [['ann', 'bob', 'eve'], 3],
    [['nobody'], 0],
  ])('of the agents %j has %i', async (agentIds, count) => {
    await said(1, 'ann', DAYS(30));
    await said(2, 'bob', DAYS(60));
    await said(3, 'eve', DAYS(90));
    expect((await list('ann', { agentIds })).total).toBe(count);
  });

  test('is ordered by score, bounded, and counts all', async () => {
    await said(1, 'ann', DAYS(30));
    await said(2, 'bob', DAYS(60));
    await said(3, 'eve', DAYS(90));
    const { items } = await list('ann');
    const scores = items.map(({ contradiction }) => contradiction.score);
    expect(scores).toEqual([...scores].sort((x, y) => y - x));
    expect(await list('ann', { limit: 1 })).toMatchObject({ items: [items[0]], total: 3 });
    const [best] = scores as [number];
    expect((await list('ann', { threshold: best + 0.001 })).total).toBe(0);
    expect((await list('ann', { threshold: best })).total).toBeGreaterThan(0);
  });

  test('forgets a pair once one of its memories is gone', async () => {
    await said(1, 'ann', DAYS(30));
    const b = await said(2, 'bob', DAYS(90));
    expect(await pairs('ann')).toHaveLength(1);
    await remove(store, [b]);
    expect(await pairs('ann')).toEqual([]);
  });
});

describe('a decision', () => {
  let a: string;
  let b: string;
  let id: string;
  beforeEach(async () => {
    a = await said(1, 'ann', DAYS(30));
    b = await said(2, 'bob', DAYS(90));
    id = (await list('ann')).items[0]?.contradiction.id as string;
  });

  const decide = (verdict: Verdict, note: string | null = null, agentId = 'eve') =>
    decideContradiction(deps, anyProject(agentId), { id, verdict, note });
  const successors = async () => [
    (await store.find(a))?.memory.supersededBy,
    (await store.find(b))?.memory.supersededBy,
  ];
  const states = async (state: ContradictionRequest['states'][number]) => await pairs('ann', { states: [state] });

  test('for a winner has it supersede the loser, with who decided, when and why', async () => {
    const { contradiction } = await decide({ kind: 'winner', memoryId: b }, 'Measured.');
    expect(contradiction.decision).toEqual({ winner: b, agentId: 'eve', at: clock.now(), note: 'Measured.' });
    expect(await successors()).toEqual([b, null]);
    expect([await states('open'), await states('resolved')]).toEqual([[], [[a, b]]]);
  });

  test('may be made again, the other way, dismissed, or taken back', async () => {
    await decide({ kind: 'winner', memoryId: b });
    await decide({ kind: 'winner', memoryId: a });
    expect(await successors()).toEqual([null, a]);
    await decide({ kind: 'dismiss' });
    expect([await successors(), await states('dismissed')]).toEqual([[null, null], [[a, b]]]);
    await decide({ kind: 'reopen' });
    expect([await successors(), await states('open')]).toEqual([[null, null], [[a, b]]]);
  });

  test('names one of the two', async () => {
    await expect(decide({ kind: 'winner', memoryId: 'x' })).rejects.toThrow(`send '${a}' or '${b}'`);
    expect(await successors()).toEqual([null, null]);
  });

  test('is made only by who sees both', async () => {
    const hidden = await said(3, 'ann', DAYS(60), { scope: 'PRIVATE' });
    const own = (await list('ann', { includeSameAgent: true })).items.find(({ b }) => b.id === hidden);
    id = own?.contradiction.id as string;
    await expect(decide({ kind: 'dismiss' }, null, 'bob')).rejects.toMatchObject({ code: 'unknown_contradiction' });
    // A PRIVATE memory supersedes no memory that others see.
    const winning = decide({ kind: 'winner', memoryId: hidden }, null, 'ann');
    await expect(winning).rejects.toMatchObject({ code: 'private_winner' });
    await decide({ kind: 'winner', memoryId: a }, null, 'ann');
    expect((await store.find(hidden))?.memory.supersededBy).toBe(a);
  });

  test('that would make a memory its own successor is refused', async () => {
    const c = await said(3, 'eve', DAYS(60));
    const open = (await list('ann')).items;
    const idOf = (one: string, other: string) =>
      open.find(({ a, b }) => a.id === one && b.id === other)?.contradiction.id as string;
    id = idOf(a, b);
    await decide({ kind: 'winner', memoryId: b });
    id = idOf(b, c);
    await decide({ kind: 'winner', memoryId: c });
    id = idOf(a, c);
    await expect(decide({ kind: 'winner', memoryId: a })).rejects.toMatchObject({ code: 'superseded_in_a_circle' });
    expect(await successors()).toEqual([b, c]);
  });
});
