import { ManualClock } from '@agent-faculties/service-kit';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Undone, undoRun } from '../../../src/domain/consolidation/undo.ts';
import { actOfRun } from '../../../src/domain/memory/change-act.ts';
import type { MemoryHistory } from '../../../src/domain/memory/history.ts';
import type { Memory } from '../../../src/domain/memory/memory.ts';
import { createVolatileJournal } from '../../../src/store/changes/journal.ts';
import { MemoryIndexes } from '../../../src/store/indexes/memory-indexes.ts';
import { JournalledStore } from '../../../src/store/journalled-store.ts';
import { anyProject, sampleMemory } from '../../sample-memory.ts';
import { add, remove } from '../../store/change-store.ts';

const DAY_MS = 86_400_000;
const NOW = sampleMemory(100).createdAt;
const RUN = 'a run';
const memory = (number: number, changes: Partial<Memory> = {}) =>
  sampleMemory(number, { scope: 'TEAM', sources: [], supersededBy: null, supersession: null, ...changes });
const LAST = memory(3);
const SUPERSESSION = { agentId: 'ann', at: NOW, reason: 'told anew' };
/** As a merge brings it: derived by another store, which has a successor for it. */
const DERIVED = memory(1, { kind: 'semantic', supersededBy: memory(2).id, supersession: SUPERSESSION });

let indexes: MemoryIndexes;
let store: JournalledStore;
beforeEach(() => {
  indexes = new MemoryIndexes({ vectors: null, historyMs: 30 * DAY_MS });
  store = new JournalledStore({ indexes, journal: createVolatileJournal(), clock: new ManualClock(NOW) });
});

async function undo(history: MemoryHistory): Promise<Undone> {
  const deps = {
    clock: new ManualClock(NOW),
    store,
    history,
    archive: null,
    maxMemories: 10,
    pause: async () => {},
    onWithoutVectors: () => {},
  };
  return await undoRun(deps, anyProject('ann'), { run: RUN });
}

async function derivedAgainAndUndone(meanwhile: () => Promise<void>): Promise<Memory | undefined> {
  const again = { ...DERIVED, gist: 'Derived again.', supersededBy: null, supersession: null, updatedAt: NOW };
  const act = actOfRun('derive', { run: RUN, at: NOW });
  await store.changeTogether({ expected: [], changes: [{ op: 'add', memory: again, vectors: [] }], act });
  await meanwhile();
  const undone = await undo(indexes.versions);
  expect(undone).toMatchObject({ putBack: [DERIVED.id], notUndone: [] });
  return (await store.find(DERIVED.id))?.memory;
}

describe('an undo puts a derived memory back', () => {
  test('behind its successor, where that is there', async () => {
    for (const one of [memory(2), DERIVED]) await add(store, one);
    expect(await derivedAgainAndUndone(async () => {})).toMatchObject({ supersededBy: memory(2).id });
  });

  test('behind nothing, where its successor is gone', async () => {
    for (const one of [memory(2), DERIVED]) await add(store, one);
    const back = await derivedAgainAndUndone(() => remove(store, [memory(2).id]));
    expect(back).toMatchObject({ gist: DERIVED.gist, supersededBy: null, supersession: null });
  });

  test('behind what had superseded its successor, where that one alone is left', async () => {
    const successor = memory(2, { supersededBy: LAST.id, supersession: SUPERSESSION });
    for (const one of [LAST, successor, DERIVED]) await add(store, one);
    const back = await derivedAgainAndUndone(async () => {
      const act = { ...actOfRun('delete', { run: 'none', at: NOW }), agentId: 'ann', run: null };
      await store.changeTogether({ expected: [], changes: [{ op: 'delete', ids: [successor.id] }], act });
    });
    expect(back).toMatchObject({ supersededBy: LAST.id, supersession: { reason: 'what replaced it was replaced' } });
  });
});

test.each(['prune', 'remove'] as const)(
  'an undo of "%s" brings nothing back that was erased since it was read',
  async (what) => {
    const gone = memory(1, { kind: 'semantic' });
    await add(store, gone);
    const act = actOfRun(what, { run: RUN, at: NOW });
    await store.changeTogether({ expected: [], changes: [{ op: 'delete', ids: [gone.id] }], act });
    const { versions } = indexes;
    const history: MemoryHistory = {
      keptMs: versions.keptMs,
      versionsOf: (id) => versions.versionsOf(id),
      scan: () => versions.scan(),
      expire: (nowMs) => versions.expire(nowMs),
      erase: (ids) => versions.erase(ids),
      async *versionsOfRun(run) {
        yield* versions.versionsOfRun(run);
        await versions.erase([gone.id]);
      },
    };
    expect(await undo(history)).toMatchObject({ putBack: [], restored: [], notUndone: [{ id: gone.id }] });
    expect(await store.find(gone.id)).toBeNull();
  },
);

test('an undo brings back what superseded a memory before that memory, so that it comes back superseded', async () => {
  // A PRIVATE memory keeps no memory that others see from being pruned, also not its successor.
  const superseded = memory(1, {
    scope: 'PRIVATE',
    agentId: 'ann',
    supersededBy: memory(2).id,
    supersession: SUPERSESSION,
  });
  const ids = [superseded.id, memory(2).id, LAST.id];
  for (const one of [LAST, memory(2, { supersededBy: LAST.id, supersession: SUPERSESSION }), superseded])
    await add(store, one);
  const act = actOfRun('prune', { run: RUN, at: NOW });
  await store.changeTogether({ expected: [], changes: [{ op: 'delete', ids }], act });
  expect((await undo(indexes.versions)).restored.sort()).toEqual([...ids].sort());
  const successors = ids.map(async (id) => (await store.find(id))?.memory.supersededBy);
  expect(await Promise.all(successors)).toEqual([memory(2).id, LAST.id, null]);
});
