import { ManualClock } from '@agent-faculties/service-kit';
import { hasPostgres } from '@agent-faculties/testing';
import { afterEach, describe, expect, test } from '@jest/globals';
import { STALE } from '../../../src/domain/concurrency/until-taken.ts';
import type { PrunedArchive } from '../../../src/domain/consolidation/pruning/pruned-archive.ts';
import { type ArchiveChange, versionOf } from '../../../src/domain/memory/decision.ts';
import type { StoredMemory } from '../../../src/domain/memory/memory-store.ts';
import { PrunedFiles } from '../../../src/persistence/archive/pruned-files.ts';
import { PrunedTable } from '../../../src/persistence/postgres/tables/pruned-table.ts';
import { createVolatileJournal } from '../../../src/store/changes/journal.ts';
import { MemoryIndexes } from '../../../src/store/indexes/memory-indexes.ts';
import { JournalledStore } from '../../../src/store/journalled-store.ts';
import { sampleMemory, sampleStrength } from '../../sample-memory.ts';
import { directoryOf, scratchFolder } from '../../scratch-folder.ts';
import { add } from '../../store/change-store.ts';
import { sharedDatabases } from '../postgres/shared-databases.ts';

const DAY_MS = 86_400_000;
const NOON = Date.parse('2026-11-21T12:00:00Z');
const clock = new ManualClock(NOON);
const memoryOf = (number: number, changes = {}) =>
  sampleMemory(number, { kind: 'episodic', sources: [], supersededBy: null, expiresAt: null, ...changes });
const stored = (number: number, changes = {}): StoredMemory => ({
  memory: memoryOf(number, changes),
  strength: sampleStrength(number),
});
const idOf = (number: number) => sampleMemory(number).id;
const idsIn = async (archive: PrunedArchive) => (await archive.entries()).map(({ id }) => id);

/** An archive and the store beside it. */
interface Held {
  readonly archive: PrunedArchive;
  readonly store: JournalledStore;
  /** What another process, or a later start, finds. */
  readonly again: () => Promise<PrunedArchive>;
}

const undone: (() => void)[] = [];
afterEach(() => {
  for (const undo of undone.splice(0)) undo();
});

async function inFiles(): Promise<Held> {
  const { path, removeScratch } = scratchFolder();
  undone.push(removeScratch);
  const open = () => PrunedFiles.open(directoryOf(path));
  const indexes = new MemoryIndexes({ vectors: null });
  const store = new JournalledStore({ indexes, journal: createVolatileJournal(), clock });
  return { archive: await open(), store, again: open };
}

function isArchive(open: () => Promise<Held>): void {
  const moving = async ({ archive, store }: Held, memories: readonly StoredMemory[], nowMs = NOON) =>
    await archive.move(memories, nowMs, (archived) =>
      store.changeTogether({
        expected: memories.map(({ memory }) => versionOf(memory)),
        changes: [{ op: 'delete', ids: memories.map(({ memory }) => memory.id) }],
        archive: archived,
      }),
    );
  const bringingBack = ({ store }: Held, archive: ArchiveChange, back: readonly StoredMemory[]) =>
    store.changeTogether({
      expected: [],
      absent: { ids: back.map(({ memory }) => memory.id) },
      changes: back.map(({ memory, strength }) => ({ op: 'add', memory, strength, vectors: [] })),
      archive,
    });

  test('gives back whole what it was given, after a restart too', async () => {
    const { archive, again } = await open();
    await archive.keep([stored(1), stored(2)], NOON);
    const later = await again();
    expect(await later.read([idOf(2), 'none', idOf(1)])).toEqual([
      { ...stored(2), prunedAt: NOON },
      { ...stored(1), prunedAt: NOON },
    ]);
    const { scope, project } = memoryOf(2);
    expect(await later.find(idOf(2))).toMatchObject({
      id: idOf(2),
      scope,
      project,
      agentId: 'agent-2',
      prunedAt: NOON,
    });
    expect(await later.find('none')).toBeNull();
    expect(await idsIn(later)).toEqual([idOf(2), idOf(1)]);
  });

  test('takes memories with the change that takes them out of the store', async () => {
    const held = await open();
    for (const number of [1, 2]) await add(held.store, memoryOf(number));
    const memories = await Promise.all(
      [1, 2].map(async (number) => (await held.store.find(idOf(number))) as StoredMemory),
    );
    expect(await moving(held, memories)).toBe(true);
    expect(await held.store.size()).toBe(0);
    expect(await held.archive.read([idOf(1)])).toEqual([{ ...memories[0], prunedAt: NOON }]);
    expect(await idsIn(await held.again())).toEqual([idOf(2), idOf(1)]);
  });

  test('takes nothing where the change does not happen', async () => {
    const held = await open();
    await add(held.store, memoryOf(1));
    const planned = (await held.store.find(idOf(1))) as StoredMemory;
    const edited = { ...planned.memory, updatedAt: planned.memory.updatedAt + 1 };
    const changes = [{ op: 'update' as const, memory: edited }];
    expect(await held.store.changeTogether({ expected: [], changes })).toBe(true);
    expect(await moving(held, [planned])).toBe(false);
    expect([await held.store.size(), await idsIn(await held.again())]).toEqual([1, []]);
  });

  test('lets go of what comes back with the change that brings it', async () => {
    const held = await open();
    await held.archive.keep([stored(1), stored(2)], NOON);
    await held.archive.take([idOf(1), 'none'], async (pruned, archive) => {
      expect(pruned).toEqual([{ ...stored(1), prunedAt: NOON }]);
      expect(await bringingBack(held, archive, pruned)).toBe(true);
      return undefined;
    });
    expect((await held.store.find(idOf(1)))?.memory).toEqual(memoryOf(1));
    expect(await idsIn(await held.again())).toEqual([idOf(2)]);
  });

  test('hands out again what was decided on something that has changed', async () => {
    const held = await open();
    await held.archive.keep([stored(1)], NOON);
    let tries = 0;
    await held.archive.take([idOf(1)], async () => (++tries < 3 ? STALE : undefined));
    expect([tries, await idsIn(held.archive)]).toEqual([3, []]);
  });

  test('what is removed is there no more', async () => {
    const { archive, again } = await open();
    await archive.keep([stored(1), stored(2)], NOON);
    expect(await archive.remove([idOf(1), 'none'])).toEqual([idOf(1)]);
    expect(await archive.remove([])).toEqual([]);
    expect([await archive.find(idOf(1)), await archive.read([idOf(1)])]).toEqual([null, []]);
    expect(await idsIn(await again())).toEqual([idOf(2)]);
  });

  test('what was pruned on two days is there once, as it was last', async () => {
    const { archive, again } = await open();
    await archive.keep([stored(1)], NOON - DAY_MS);
    await archive.keep([stored(1, { tags: ['again'] }), stored(2)], NOON);
    expect(await idsIn(archive)).toEqual([idOf(2), idOf(1)]);
    expect(await archive.read([idOf(1)])).toEqual([{ ...stored(1, { tags: ['again'] }), prunedAt: NOON }]);
    expect(await archive.remove([idOf(1)])).toEqual([idOf(1)]);
    expect(await idsIn(await again())).toEqual([idOf(2)]);
  });

  test('of what was pruned on two days the first expires alone', async () => {
    const { archive } = await open();
    await archive.keep([stored(1)], NOON - 2 * DAY_MS);
    await archive.keep([stored(1)], NOON);
    expect(await archive.expire(NOON - DAY_MS)).toEqual([]);
    expect(await archive.read([idOf(1)])).toEqual([{ ...stored(1), prunedAt: NOON }]);
  });

  test('hands out batches, and keeps what was not taken without a fault', async () => {
    const { archive } = await open();
    const numbers = Array.from({ length: 120 }, (_, i) => i);
    await archive.keep(
      numbers.map((number) => stored(number)),
      NOON,
    );
    const sizes: number[] = [];
    const taking = archive.take([...numbers.map(idOf), 'none'], async (pruned) => {
      sizes.push(pruned.length);
      if (sizes.length === 3) throw new Error('no room');
      return undefined;
    });
    await expect(taking).rejects.toThrow('no room');
    expect(sizes).toEqual([50, 50, 20]);
    expect((await idsIn(archive)).reverse()).toEqual(numbers.slice(100).map(idOf));
  });

  test('expires what was pruned before a moment, to the millisecond', async () => {
    const { archive } = await open();
    await archive.keep([stored(1)], NOON - DAY_MS);
    await archive.keep([stored(2)], NOON - 1);
    await archive.keep([stored(3)], NOON);
    const expired = (await archive.expire(NOON)).map(({ id }) => id).sort();
    expect(expired).toEqual([idOf(1), idOf(2)]);
    expect(await idsIn(archive)).toEqual([idOf(3)]);
    // The clock of the process has parts of one.
    expect(await archive.expire(NOON - 0.25)).toEqual([]);
    expect((await archive.expire(NOON + 0.25)).map(({ id }) => id)).toEqual([idOf(3)]);
  });
}

describe('an archive in files', () => isArchive(inFiles));

(hasPostgres() ? describe : describe.skip)('an archive in a database', () => {
  const { database, newSpace, replica } = sharedDatabases();
  /** The archive of a space as one process has it. */
  const process = (space: string) => {
    const { indexes, store } = replica(space, { clock });
    const storedAmong = async (ids: readonly string[]) => {
      await store.size();
      return ids.filter((id) => indexes.records.ordinalOf(id) !== undefined);
    };
    return { store, archive: new PrunedTable({ postgres: database().postgres, space, onRead: () => {}, storedAmong }) };
  };
  const inTable = async (): Promise<Held> => {
    const space = newSpace();
    const held = process(space);
    // A log that nobody has written to has no head that could be decided on.
    await add(held.store, memoryOf(1_000));
    await held.store.changeTogether({ expected: [], changes: [{ op: 'delete', ids: [idOf(1_000)] }] });
    return { ...held, again: async () => process(space).archive };
  };
  isArchive(inTable);

  test('of two processes that restore and delete the same memories at once, each memory goes one way', async () => {
    const space = newSpace();
    const [one, other] = [process(space), process(space)];
    await add(one.store, memoryOf(1_000));
    const numbers = Array.from({ length: 40 }, (_, i) => i);
    const ids = numbers.map(idOf);
    await one.archive.keep(
      numbers.map((number) => stored(number)),
      NOON,
    );
    const restoring = Promise.all(
      ids.map((id) =>
        one.archive.take([id], async (pruned, archive) => {
          const changes = pruned.map(({ memory }) => ({ op: 'add' as const, memory, vectors: [] }));
          return (await one.store.changeTogether({ expected: [], absent: { ids: [id] }, changes, archive }))
            ? undefined
            : STALE;
        }),
      ),
    );
    const removed = (await Promise.all(ids.map((id) => other.archive.remove([id])))).flat();
    await restoring;
    const restored = (await Promise.all(ids.map((id) => other.store.find(id)))).flatMap(
      (found) => found?.memory.id ?? [],
    );
    expect([...removed, ...restored].sort()).toEqual([...ids].sort());
    expect(await idsIn(other.archive)).toEqual([]);
  });

  test('of two processes that prune the same memory one does, and it is in the archive', async () => {
    const space = newSpace();
    const one = process(space);
    const replicas = [one, process(space)];
    for (let number = 0; number < 20; number++) {
      await add(one.store, memoryOf(number));
      const pruned = (await one.store.find(idOf(number))) as StoredMemory;
      const moved = await Promise.all(
        replicas.map(({ archive, store }) =>
          archive.move([pruned], NOON, (archived) =>
            store.changeTogether({
              expected: [versionOf(pruned.memory)],
              changes: [{ op: 'delete', ids: [pruned.memory.id] }],
              archive: archived,
            }),
          ),
        ),
      );
      expect(moved.sort()).toEqual([false, true]);
      expect(await one.archive.find(idOf(number))).not.toBeNull();
    }
  });

  test('loses the copies of what the store holds, which a killed process may have left', async () => {
    const { archive, store } = process(newSpace());
    await add(store, memoryOf(1));
    await archive.keep([stored(1), stored(2)], NOON);
    expect(await archive.expire(NOON)).toEqual([]);
    expect(await idsIn(archive)).toEqual([idOf(2)]);
  });
});
