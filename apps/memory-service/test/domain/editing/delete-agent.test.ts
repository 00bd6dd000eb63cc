import { ManualClock } from '@agent-faculties/service-kit';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { emptyState } from '../../../src/domain/cognition/process-state.ts';
import { absorbing } from '../../../src/domain/consolidation/duplicates/absorb.ts';
import { deleteAgentMemories } from '../../../src/domain/editing/delete-agent.ts';
import { updateMemory } from '../../../src/domain/editing/edit.ts';
import type { EditDeps } from '../../../src/domain/editing/edit-deps.ts';
import { NO_EMBEDDING } from '../../../src/domain/embedding/text-embedding.ts';
import type { Memory } from '../../../src/domain/memory/memory.ts';
import type { Change } from '../../../src/store/changes/change.ts';
import { createVolatileJournal, type Journal } from '../../../src/store/changes/journal.ts';
import { MemoryIndexes } from '../../../src/store/indexes/memory-indexes.ts';
import { JournalledStore } from '../../../src/store/journalled-store.ts';
import { anyProject, sampleMemory, sampleStrength } from '../../sample-memory.ts';
import { add } from '../../store/change-store.ts';

const NOW = sampleMemory(100).createdAt;
const PORT = 'The staging database runs on port 5433.';

let store: JournalledStore;
let deps: EditDeps;
/** If set, the store calls it once, before the first change that deletes something. */
let beforeDelete: (() => Promise<unknown>) | null;

beforeEach(() => {
  const journal = createVolatileJournal();
  const racing: Journal = {
    sequence: 0,
    bytes: 0,
    refusal: null,
    append: async (change, apply) => {
      const interfere = deletesSomething(change) ? beforeDelete : null;
      if (interfere) beforeDelete = null;
      await interfere?.();
      await journal.append(change, apply);
    },
    cut: (capture) => journal.cut(capture),
    close: () => journal.close(),
  };
  beforeDelete = null;
  store = new JournalledStore({
    indexes: new MemoryIndexes({ vectors: null }),
    journal: racing,
    clock: new ManualClock(NOW),
  });
  deps = {
    clock: new ManualClock(NOW),
    store,
    archive: null,
    embedding: NO_EMBEDDING,
    ...emptyState(store),
    history: null,
    saveNow: async () => {},
    saveAfterDelete: () => {},
  };
});

function deletesSomething(change: Change): boolean {
  return change.op === 'delete' || (change.op === 'group' && change.changes.some(({ op }) => op === 'delete'));
}

function said(number: number, agentId: string, changes: Partial<Memory> = {}): Memory {
  const text = { gist: PORT, content: PORT, gistEdited: false };
  return sampleMemory(number, {
    ...text,
    agentId,
    kind: 'episodic',
    scope: 'TEAM',
    sources: [],
    supersededBy: null,
    ...changes,
  });
}

async function keep(...memories: Memory[]): Promise<void> {
  for (const [number, memory] of memories.entries()) {
    await add(store, memory, { strength: sampleStrength(number) });
  }
}

/** Merges two memories as a consolidation does. */
async function absorb(survivor: Memory, other: Memory): Promise<void> {
  const [first, second] = [await store.find(survivor.id), await store.find(other.id)];
  if (!first || !second) throw new Error('there is nothing to absorb');
  const { memory, strength } = absorbing({ survivor: first, others: [second] }, NOW);
  const happened = await store.changeTogether({
    expected: [first, second].map((stored) => ({ id: stored.memory.id, updatedAt: stored.memory.updatedAt })),
    changes: [
      { op: 'delete', ids: [other.id] },
      { op: 'update', memory, strength },
    ],
  });
  expect(happened).toBe(true);
}

describe('deleting what an agent said', () => {
  const [anns, bobs] = [said(1, 'ann'), said(2, 'bob')];

  test('leaves what another said the same, when a consolidation absorbs it while the delete is under way', async () => {
    await keep(anns, bobs);
    beforeDelete = () => absorb(anns, bobs);
    await deleteAgentMemories(deps, anyProject('ann'), { authorAgentId: 'ann', erase: false });
    expect((await store.find(anns.id)) ?? null).toBeNull();
    expect((await store.find(bobs.id))?.memory).toEqual(bobs);
  });

  test('takes it out of the memory of another that has absorbed it meanwhile', async () => {
    const [bobsFirst, annsSecond, annsOther] = [
      said(1, 'bob'),
      said(2, 'ann'),
      said(3, 'ann', { content: 'x', gist: 'x' }),
    ];
    await keep(bobsFirst, annsSecond, annsOther);
    beforeDelete = () => absorb(bobsFirst, annsSecond);
    expect(await deleteAgentMemories(deps, anyProject('ann'), { authorAgentId: 'ann', erase: false })).toHaveLength(2);
    expect(await store.find(annsSecond.id)).toBeNull();
    expect((await store.find(bobsFirst.id))?.memory).toMatchObject({ id: bobsFirst.id, agentId: 'bob' });
    expect((await store.find(bobsFirst.id))?.memory.absorbed).toBeUndefined();
  });

  test('takes along the tags, names and importance that only it had brought', async () => {
    const port = (name: string) => ({ name, type: 'other' as const });
    const bobsFirst = said(1, 'bob', { tags: ['db', 'own'], entities: [port('Staging')], importance: 0.2 });
    const annsSecond = said(2, 'ann', {
      tags: ['db', 'secret'],
      entities: [port('STAGING'), port('Ann')],
      importance: 0.9,
    });
    await keep(bobsFirst, annsSecond);
    await absorb(bobsFirst, annsSecond);
    expect((await store.find(bobsFirst.id))?.memory).toMatchObject({ tags: ['db', 'own', 'secret'], importance: 0.9 });
    await updateMemory(deps, anyProject('bob'), {
      id: bobsFirst.id,
      change: { tags: ['db', 'new', 'secret'] },
      ifMatch: null,
    });
    await deleteAgentMemories(deps, anyProject('ann'), { authorAgentId: 'ann', erase: false });
    expect((await store.find(bobsFirst.id))?.memory).toMatchObject({
      tags: ['db', 'new', 'secret'],
      entities: [port('Staging')],
      importance: 0.2,
    });
  });

  test('takes nothing else along', async () => {
    const bobsFirst = said(1, 'bob', { tags: ['db', 'own'] });
    const annsSecond = said(2, 'ann', { tags: ['db', 'secret'] });
    await keep(bobsFirst, annsSecond);
    await absorb(bobsFirst, annsSecond);
    await deleteAgentMemories(deps, anyProject('ann'), { authorAgentId: 'ann', erase: false });
    expect((await store.find(bobsFirst.id))?.memory.tags).toEqual(['db', 'own']);
  });
});
