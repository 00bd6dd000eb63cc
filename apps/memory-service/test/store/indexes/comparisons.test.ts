import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Contradiction } from '../../../src/domain/contradictions/contradiction.ts';
import { CONTRADICTION_STATES, contradictionId, stateOf } from '../../../src/domain/contradictions/contradiction.ts';
import type { Memory } from '../../../src/domain/memory/memory.ts';
import { MemoryIndexes } from '../../../src/store/indexes/memory-indexes.ts';
import { sampleMemory } from '../../sample-memory.ts';

const BY = 'model@1';
const memory = (number: number, changes: Partial<Memory> = {}) =>
  sampleMemory(number, {
    kind: 'episodic',
    sources: [],
    scope: 'TEAM',
    project: null,
    supersededBy: null,
    consolidatedInto: null,
    ...changes,
  });
const edited = (one: Memory, changes: Partial<Memory>): Memory => ({
  ...one,
  ...changes,
  updatedAt: one.updatedAt + 1,
});
const between = (a: Memory, b: Memory, changes: Partial<Contradiction> = {}): Contradiction => ({
  id: contradictionId(a.id, b.id),
  a: a.id,
  b: b.id,
  score: 0.8,
  reason: 'number',
  topic: 'release',
  clash: { a: ['5'], b: ['6'] },
  by: BY,
  foundAt: 1,
  decision: null,
  opinion: null,
  ...changes,
});

let indexes: MemoryIndexes;
const [one, two, three] = [memory(1), memory(2), memory(4)];
const waiting = () => indexes.waitingForComparison(10).map(({ id }) => id);
const found = () => [...indexes.comparisons.all()].map(({ id }) => id);
const note = (memories: readonly Memory[], contradictions: readonly Contradiction[] = [], by = BY) =>
  indexes.compared({
    op: 'compared',
    by,
    memories: memories.map(({ id }) => id),
    read: [one, two, three].map(({ id, updatedAt }) => ({ id, updatedAt })),
    found: contradictions,
  });

beforeEach(async () => {
  indexes = new MemoryIndexes({ vectors: null });
  await indexes.comparisons.compareBy(BY);
  for (const each of [one, two, three]) indexes.add(each);
});

// After each test the counters must equal a count of everything.
afterEach(() => {
  const { comparisons } = indexes;
  expect(comparisons.waitingTotal).toBe([...comparisons.waiting].length);
  for (const state of CONTRADICTION_STATES) {
    expect(comparisons.count(state)).toBe([...comparisons.all()].filter((one) => stateOf(one) === state).length);
  }
});

describe('comparisons', () => {
  test('wait for each memory once, the oldest first, and again under another model, until that is gone', async () => {
    expect(waiting()).toEqual([one.id, two.id, three.id]);
    note([one, two]);
    expect(waiting()).toEqual([three.id]);
    await indexes.comparisons.compareBy('model@2');
    expect(waiting().sort()).toEqual([one.id, two.id, three.id].sort());
    await indexes.comparisons.compareBy(BY);
    expect(waiting()).toEqual([three.id]);
  });

  test('leave out what was derived, superseded or absorbed', () => {
    indexes.add(memory(7, { kind: 'semantic' }));
    indexes.add(memory(8, { supersededBy: one.id }));
    indexes.add(memory(10, { consolidatedInto: one.id }));
    expect(waiting()).toEqual([one.id, two.id, three.id]);
  });

  test('are noted of nothing that changed since it was read, nor of what contradicts it', () => {
    indexes.update(edited(two, { tags: ['changed'] }));
    note([one, two, three], [between(one, two)]);
    expect(waiting()).toEqual([one.id, two.id]);
    expect(found()).toEqual([]);
  });

  test('end with the text, and stay when only tags change', () => {
    note([one, two, three], [between(one, two)]);
    indexes.update(edited(one, { tags: ['other'] }));
    expect([waiting(), found().length]).toEqual([[], 1]);
    indexes.update(edited(one, { gist: 'Other words.', gistEdited: true }));
    expect([waiting(), found().length]).toEqual([[one.id], 0]);
  });

  test('end with a project that nobody shares with the other memory, and wait again', () => {
    const inTill = memory(5, { project: 'till' });
    indexes.add(inTill);
    indexes.wasCompared(inTill.id, { by: BY, found: [] });
    note([one, two, three]);
    indexes.comparisons.keep(between(one, inTill));
    indexes.update(edited(one, { project: 'web' }));
    expect(found()).toEqual([]);
    expect(waiting()).toContain(one.id);
  });

  test('end with a deleted memory', () => {
    note([one, two, three], [between(one, two), between(two, three)]);
    indexes.remove([one.id]);
    expect(found()).toEqual([contradictionId(two.id, three.id)]);
  });

  test('of another model give way, but not what was decided', () => {
    const decision = { winner: null, agentId: 'ann', at: 2, note: null };
    note([one, two, three], [between(one, two, { by: 'model@0' }), between(two, three, { by: 'model@0' })], 'model@0');
    indexes.decided(between(two, three, { by: 'model@0', decision }));
    note([one, two, three], [between(two, three, { score: 0.9 })]);
    expect([...indexes.comparisons.all()]).toEqual([between(two, three, { by: 'model@0', decision })]);
  });

  test('of another model stay until both memories were compared, and keep what somebody thinks of them and their day', () => {
    const opinion = { says: 'contradiction', judge: 'model', agentId: 'ann', at: 2, note: null } as const;
    const [kept, gone] = [between(one, two, { by: 'model@0' }), between(two, three, { by: 'model@0' })];
    note([one, two, three], [kept, gone], 'model@0');
    indexes.decided({ ...kept, opinion });
    note([one]);
    note([three]);
    expect([...indexes.comparisons.all()]).toEqual([{ ...kept, opinion }, gone]);
    note([two], [between(one, two, { score: 0.9, foundAt: 5 })]);
    expect([...indexes.comparisons.all()]).toEqual([between(one, two, { score: 0.9, foundAt: 1, opinion })]);
  });

  test('of another model end with their other memory, which nothing compares any more', () => {
    note([one, two], [between(one, two, { by: 'model@0' })], 'model@0');
    indexes.update(edited(two, { supersededBy: three.id }));
    note([one]);
    expect(found()).toEqual([]);
  });

  test('come back from a save as they were', async () => {
    note([one, two], [between(one, two)]);
    const again = new MemoryIndexes({ vectors: null });
    const stored = [...indexes.capture()];
    for (const { memory: each, strength } of stored) again.add(each, { strength });
    for (const { memory: each, comparison } of stored) if (comparison) again.wasCompared(each.id, comparison);
    await again.comparisons.compareBy(BY);
    expect([...again.comparisons.all()]).toEqual([between(one, two)]);
    expect(again.waitingForComparison(10).map(({ id }) => id)).toEqual([three.id]);
  });
});

describe('succession', () => {
  const successorOf = (id: string) => indexes.records.at(indexes.records.ordinalOf(id) as number).memory.supersededBy;

  test.each([
    ['a deleted successor', () => indexes.remove([two.id]), null],
    ['a successor that becomes PRIVATE', () => indexes.update(edited(two, { scope: 'PRIVATE' })), null],
    [
      'a successor with other words',
      () => indexes.update(edited(two, { gist: 'Other words.', gistEdited: true })),
      two.id,
    ],
    ['a successor with other tags', () => indexes.update(edited(two, { tags: ['x'] })), two.id],
  ])('%s is named or not', (_, change, expected) => {
    indexes.update(edited(one, { supersededBy: two.id }));
    change();
    expect(successorOf(one.id)).toBe(expected);
  });

  test('a successor that not all see who see the memory is not named from the start', () => {
    indexes.update(edited(two, { project: 'web' }));
    indexes.update(edited(one, { supersededBy: two.id }));
    expect(successorOf(one.id)).toBeNull();
  });
});
