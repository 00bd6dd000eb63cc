import { ManualClock } from '@agent-faculties/service-kit';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { emptyState } from '../../../src/domain/cognition/process-state.ts';
import { absorbing } from '../../../src/domain/consolidation/duplicates/absorb.ts';
import { deleteMemory } from '../../../src/domain/editing/delete.ts';
import { deleteAgentMemories } from '../../../src/domain/editing/delete-agent.ts';
import { versionTag } from '../../../src/domain/editing/precondition.ts';
import { type RevertDeps, revertMemory } from '../../../src/domain/editing/revert.ts';
import { NO_EMBEDDING } from '../../../src/domain/embedding/text-embedding.ts';
import { actOfRun } from '../../../src/domain/memory/change-act.ts';
import type { MemoryHistory } from '../../../src/domain/memory/history.ts';
import type { Memory } from '../../../src/domain/memory/memory.ts';
import type { StoredMemory } from '../../../src/domain/memory/memory-store.ts';
import { createVolatileJournal } from '../../../src/store/changes/journal.ts';
import { MemoryIndexes } from '../../../src/store/indexes/memory-indexes.ts';
import { JournalledStore } from '../../../src/store/journalled-store.ts';
import { anyProject, sampleMemory } from '../../sample-memory.ts';
import { add } from '../../store/change-store.ts';

const DAY_MS = 86_400_000;
const said = (number: number) =>
  sampleMemory(number, { agentId: 'ann', kind: 'episodic', scope: 'TEAM', sources: [], supersededBy: null });
const MEMORY = said(1);
const { id } = MEMORY;
const NOW = MEMORY.createdAt + 1_000;
const ANN = anyProject('ann');

let store: JournalledStore;
let history: MemoryHistory;

beforeEach(async () => {
  const indexes = new MemoryIndexes({ vectors: null, historyMs: 30 * DAY_MS });
  history = indexes.versions;
  store = new JournalledStore({ indexes, journal: createVolatileJournal(), clock: new ManualClock(NOW) });
  await add(store, MEMORY);
});

/** Of a process of its own, which shares the store and its history with others, and no lock. */
function replica(changes: Partial<RevertDeps> = {}): RevertDeps {
  return {
    clock: new ManualClock(NOW),
    store,
    archive: null,
    embedding: NO_EMBEDDING,
    ...emptyState(store),
    history,
    saveNow: async () => {},
    saveAfterDelete: () => {},
    maxMemories: 10,
    onWithoutVectors: () => {},
    ...changes,
  };
}

const revert = (deps: RevertDeps) =>
  revertMemory(deps, ANN, { id, version: versionTag(MEMORY), reason: null, ifMatch: null });

const ERASURES: [string, (deps: RevertDeps) => Promise<unknown>][] = [
  ['a memory', (deps) => deleteMemory(deps, ANN, { id, ifMatch: null, erase: true })],
  ['an agent', (deps) => deleteAgentMemories(deps, ANN, { authorAgentId: 'ann', erase: true })],
];

describe.each(ERASURES)('an erasure of %s at one replica, beside a revert at another', (_what, erase) => {
  test('leaves nothing to a revert that had read the history before it', async () => {
    await deleteMemory(replica(), ANN, { id, ifMatch: null, erase: false });
    let erased: Promise<unknown> | null = null;
    const vectorsOf = async () => {
      erased ??= erase(replica());
      await erased;
      return [];
    };
    const reverting = revert(replica({ embedding: { ...NO_EMBEDDING, vectorsOf } }));
    await expect(reverting).rejects.toMatchObject({ code: 'unknown_memory' });
    expect(await store.find(id)).toBeNull();
  });

  test('takes what a revert has brought back since it was read', async () => {
    await deleteMemory(replica(), ANN, { id, ifMatch: null, erase: false });
    await erase(replica({ history: historyBeforeWhoseErasure(() => revert(replica())) }));
    expect(await store.find(id)).toBeNull();
    expect(await history.versionsOf(id)).toEqual([]);
  });

  test('takes what it had absorbed and a revert has brought back since it was deleted', async () => {
    await absorbInto(said(2));
    await erase(replica({ history: historyBeforeWhoseErasure(() => revert(replica())) }));
    expect(await store.find(id)).toBeNull();
    expect(await history.versionsOf(id)).toEqual([]);
  });
});

/** A history that lets another replica do something before the first erasure of this one. */
function historyBeforeWhoseErasure(interfere: () => Promise<unknown>): MemoryHistory {
  let interfered: Promise<unknown> | null = null;
  return {
    keptMs: history.keptMs,
    versionsOf: (one) => history.versionsOf(one),
    versionsOfRun: (run) => history.versionsOfRun(run),
    scan: () => history.scan(),
    expire: (nowMs) => history.expire(nowMs),
    erase: async (ids) => {
      interfered ??= interfere();
      await interfered;
      await history.erase(ids);
    },
  };
}

/** As a consolidation makes the memory one with another one. */
async function absorbInto(survivor: Memory): Promise<void> {
  await add(store, survivor);
  const [first, second] = [await store.find(survivor.id), await store.find(id)];
  const { memory, strength } = absorbing({ survivor: first as StoredMemory, others: [second as StoredMemory] }, NOW);
  await store.changeTogether({
    expected: [],
    changes: [
      { op: 'delete', ids: [id] },
      { op: 'update', memory, strength },
    ],
    act: actOfRun('absorb', { run: 'a run', at: NOW }),
  });
}
