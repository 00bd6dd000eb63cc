import { ManualClock, UnavailableError } from '@agent-faculties/service-kit';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Absent, versionOf } from '../../src/domain/memory/decision.ts';
import type { Change } from '../../src/store/changes/change.ts';
import { createVolatileJournal, type Journal } from '../../src/store/changes/journal.ts';
import { MemoryIndexes } from '../../src/store/indexes/memory-indexes.ts';
import { JournalledStore } from '../../src/store/journalled-store.ts';
import { anyProject, sampleMemory } from '../sample-memory.ts';
import { add, remove, replace } from './change-store.ts';

/** A journal whose disk can wait or refuse. */
class SlowJournal implements Journal {
  readonly #journal = createVolatileJournal();
  readonly changes: Change[] = [];
  hold: Promise<void> = Promise.resolve();
  refuses = false;
  /** Called between the apply of a change and its answer. */
  onApplied = () => {};

  get sequence(): number {
    return this.#journal.sequence;
  }

  readonly bytes = 0;
  readonly refusal = null;

  async append(change: Change, apply: () => void): Promise<void> {
    await this.hold;
    if (this.refuses) throw new UnavailableError('The disk is full.', { code: 'storage_unavailable' });
    this.changes.push(change);
    await this.#journal.append(change, () => {
      apply();
      this.onApplied();
    });
  }

  cut<Captured>(capture: () => Captured) {
    return this.#journal.cut(capture);
  }

  close(): Promise<void> {
    return this.#journal.close();
  }
}

let journal: SlowJournal;
let indexes: MemoryIndexes;
let store: JournalledStore;
let clock: ManualClock;
beforeEach(() => {
  clock = new ManualClock(0);
  journal = new SlowJournal();
  indexes = new MemoryIndexes({ vectors: null });
  store = new JournalledStore({ indexes, journal, clock });
});

const open = (number: number) => sampleMemory(number, { scope: 'TEAM' });
const ids = async () =>
  (await store.list({ viewer: anyProject('x') }, { limit: 1_000, after: null })).items.map(({ memory }) => memory.id);

describe('the journalled store', () => {
  test('shows a change once the journal has it, and not before', async () => {
    let letGo = () => {};
    journal.hold = new Promise((resolve) => {
      letGo = resolve;
    });
    const adding = add(store, open(1));
    expect([await store.find(open(1).id), await ids()]).toEqual([null, []]);
    letGo();
    await adding;
    expect((await store.find(open(1).id))?.memory).toEqual(open(1));
  });

  describe('frees what an expired memory supersedes', () => {
    const expiresAt = sampleMemory(0).createdAt + 1_000;
    const superseded = Array.from({ length: 50 }, (_, i) => i + 1);
    const stillSuperseded = () =>
      superseded.filter((number) => indexes.storedOrExpired(open(number).id)?.memory.supersededBy);
    beforeEach(async () => {
      await add(store, { ...open(99), supersededBy: null, expiresAt });
      for (const number of superseded)
        await add(store, { ...open(number), supersededBy: open(99).id, expiresAt: null });
      clock.set(expiresAt);
      journal.changes.length = 0;
    });

    test('each in a change of its own, as many long memories are longer than a change may be', async () => {
      await Promise.all([store.size(), store.size()]);
      expect(stillSuperseded()).toEqual([]);
      const sizes = journal.changes.map((change) => (change.op === 'group' ? change.changes.length : 0));
      expect(sizes).toEqual(superseded.map(() => 1));
    });

    test('later where the disk refuses, and answers meanwhile', async () => {
      journal.refuses = true;
      expect(await store.size()).toBe(50);
      expect(stillSuperseded()).toEqual(superseded);
      journal.refuses = false;
      expect(await store.size()).toBe(50);
      expect(stillSuperseded()).toEqual([]);
    });
  });

  test('counts what is on its way once, and what was refused not at all', async () => {
    const sizes: Promise<number>[] = [];
    journal.onApplied = () => void sizes.push(store.size());
    const adding = [1, 2, 3].map((number) => add(store, open(number)));
    expect(await store.size()).toBe(3);
    await Promise.all(adding);
    expect(await Promise.all(sizes)).toEqual([3, 3, 3]);
    expect(await store.size()).toBe(3);
    journal.refuses = true;
    const refused = add(store, open(4));
    expect(await store.size()).toBe(4);
    await expect(refused).rejects.toThrow(UnavailableError);
    expect([await store.size(), await store.find(open(4).id)]).toEqual([3, null]);
  });

  test('changes nothing where the journal refuses', async () => {
    await add(store, open(1));
    journal.refuses = true;
    await expect(replace(store, { ...open(1), gist: 'new' })).rejects.toThrow(UnavailableError);
    await expect(remove(store, [open(1).id])).rejects.toThrow(UnavailableError);
    expect((await store.find(open(1).id))?.memory).toEqual(open(1));
  });

  test('makes no change where a memory is not as it was read, and says so', async () => {
    await add(store, open(1));
    const [version] = [versionOf(open(1))];
    const other = { ...open(1), gist: 'new', updatedAt: open(1).updatedAt + 1 };
    const edit = () => store.changeTogether({ expected: [version], changes: [{ op: 'update', memory: other }] });
    expect([await edit(), await edit()]).toEqual([true, false]);
    const drop = { expected: [version], changes: [{ op: 'delete', ids: [open(1).id] }] } as const;
    expect(await store.changeTogether(drop)).toBe(false);
    expect((await store.find(open(1).id))?.memory).toEqual(other);
  });

  test('refuses a memory whose id, key or words are on their way, once they have arrived', async () => {
    const { id, idempotencyKey, agentId, project } = open(2);
    let letGo = () => {};
    journal.hold = new Promise((resolve) => {
      letGo = resolve;
    });
    const adding = add(store, open(2));
    const adds = (absent: Absent) =>
      store.changeTogether({ expected: [], absent, changes: [{ op: 'add', memory: open(3), vectors: [] }] });
    const answers = [{ ids: [id] }, { keysOf: [{ agentId, project, idempotencyKey }] }, { wordsOf: [open(2)] }].map(
      async (absent) => [await adds(absent), await ids()],
    );
    letGo();
    await adding;
    expect(await Promise.all(answers)).toEqual(Array(3).fill([false, [id]]));
  });

  test('lets no more in than it may hold, those on their way counted', async () => {
    const adds = (number: number) =>
      store.changeTogether({
        expected: [],
        mostMemories: 2,
        changes: [{ op: 'add', memory: open(number), vectors: [] }],
      });
    expect(await Promise.all([1, 2, 3].map(adds))).toEqual([true, true, false]);
    await remove(store, [open(1).id]);
    expect(await adds(3)).toBe(true);
  });

  test('keeps the greatest of several strengths, in whatever order they come', async () => {
    await add(store, open(1), { strength: { lastRecalledAt: 5, recallCount: 1, stabilityDays: 2 } });
    const { id } = open(1);
    await store.strengthen([
      { id, strength: { lastRecalledAt: 9, recallCount: 2, stabilityDays: 4 } },
      { id, strength: { lastRecalledAt: 7, recallCount: 3, stabilityDays: 3 } },
      { id: 'gone', strength: { lastRecalledAt: 7, recallCount: 3, stabilityDays: 3 } },
    ]);
    const strength = { lastRecalledAt: 9, recallCount: 3, stabilityDays: 4 };
    expect((await store.find(id))?.strength).toEqual(strength);
  });

  test('lists what is there when its turn comes, while others write and delete', async () => {
    // So many that a look at all takes several turns of the event loop.
    const long = (number: number) => ({ ...open(number), content: 'x'.repeat(100_000) });
    for (let number = 0; number < 20; number++) indexes.add(long(number));
    const listing = store.list({ viewer: anyProject('x') }, { limit: 100, after: null });
    await add(store, open(99));
    // The oldest are looked at last.
    await remove(store, [open(0).id, open(1).id]);
    const { items, total, next } = await listing;
    expect([items.length, total, next]).toEqual([18, 18, null]);
    expect(items[0]?.memory.id).toBe(open(19).id);
    expect((await ids())[0]).toBe(open(99).id);
  });
});
