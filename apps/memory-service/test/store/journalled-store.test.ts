import { UnavailableError } from '@agent-faculties/service-kit';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Change } from '../../src/store/change.ts';
import { createVolatileJournal, type Journal } from '../../src/store/journal.ts';
import { JournalledStore } from '../../src/store/journalled-store.ts';
import { MemoryIndexes } from '../../src/store/memory-indexes.ts';
import { sampleMemory } from '../sample-memory.ts';

/** A journal whose disk can be held up, or refuse. */
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
beforeEach(() => {
  journal = new SlowJournal();
  indexes = new MemoryIndexes({ vectors: null });
  store = new JournalledStore({ indexes, journal });
});

const open = (number: number) => sampleMemory(number, { scope: 'TEAM' });
const ids = async () =>
  (await store.list({ callerAgentId: 'x' }, { limit: 1_000, after: null })).items.map(({ memory }) => memory.id);

describe('the journalled store', () => {
  test('shows a change once the journal has it, and not before', async () => {
    let letGo = () => {};
    journal.hold = new Promise((resolve) => {
      letGo = resolve;
    });
    const adding = store.add(open(1), []);
    expect([await store.find(open(1).id), await ids()]).toEqual([null, []]);
    letGo();
    await adding;
    expect((await store.find(open(1).id))?.memory).toEqual(open(1));
  });

  test('counts what is on its way once, and what was refused not at all', async () => {
    const sizes: Promise<number>[] = [];
    journal.onApplied = () => void sizes.push(store.size());
    const adding = [1, 2, 3].map((number) => store.add(open(number), []));
    expect(await store.size()).toBe(3);
    await Promise.all(adding);
    expect(await Promise.all(sizes)).toEqual([3, 3, 3]);
    expect(await store.size()).toBe(3);
    journal.refuses = true;
    const refused = store.add(open(4), []);
    expect(await store.size()).toBe(4);
    await expect(refused).rejects.toThrow(UnavailableError);
    expect([await store.size(), await store.find(open(4).id)]).toEqual([3, null]);
  });

  test('changes nothing where the journal refuses', async () => {
    await store.add(open(1), []);
    journal.refuses = true;
    await expect(store.replace({ ...open(1), gist: 'new' })).rejects.toThrow(UnavailableError);
    await expect(store.remove([open(1).id])).rejects.toThrow(UnavailableError);
    expect((await store.find(open(1).id))?.memory).toEqual(open(1));
  });

  test('says what was there to be removed or replaced, and journals nothing for what never was', async () => {
    await store.add(open(1), []);
    await store.add(open(2), []);
    expect(await store.remove(['never', open(1).id, open(1).id, open(2).id])).toEqual([open(1).id, open(2).id]);
    const { length } = journal.changes;
    expect(await store.remove(['never', open(1).id])).toEqual([]);
    expect(journal.changes.length).toBe(length);
    expect(await store.replace(open(1))).toBe(false);
    expect(await ids()).toEqual([]);
  });

  test('takes many out in batches, between which others have their turn', async () => {
    for (let number = 0; number < 1_000; number++) indexes.add(open(number), null, null);
    const sizes: number[] = [];
    const watch = setImmediate(function look() {
      sizes.push(indexes.records.size);
      if (indexes.records.size > 0) setImmediate(look);
    });
    const all = Array.from({ length: 1_000 }, (_, number) => open(number).id);
    expect(await store.remove(all)).toEqual(all);
    clearImmediate(watch);
    expect(sizes.filter((size) => size > 0 && size < 1_000).length).toBeGreaterThanOrEqual(4);
  });

  test('lets a memory be removed by one of two who ask at once', async () => {
    await store.add(open(1), []);
    const removed = await Promise.all([store.remove([open(1).id]), store.remove([open(1).id])]);
    expect(removed.flat()).toEqual([open(1).id]);
  });

  test('lists what is there when its turn comes, while others write and delete', async () => {
    // So long that looking at them takes several turns of the event loop.
    const long = (number: number) => ({ ...open(number), content: 'x'.repeat(100_000) });
    for (let number = 0; number < 20; number++) indexes.add(long(number), null, null);
    const listing = store.list({ callerAgentId: 'x' }, { limit: 100, after: null });
    await store.add(open(99), []);
    // The oldest are looked at last.
    await store.remove([open(0).id, open(1).id]);
    const { items, total, next } = await listing;
    expect([items.length, total, next]).toEqual([18, 18, null]);
    expect(items[0]?.memory.id).toBe(open(19).id);
    expect((await ids())[0]).toBe(open(99).id);
  });
});
