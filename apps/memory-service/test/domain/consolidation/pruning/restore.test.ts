import { ConflictError, ManualClock, UnavailableError } from '@agent-faculties/service-kit';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { ConsolidationStore } from '../../../../src/domain/consolidation/consolidation-store.ts';
import { ARCHIVE_MS } from '../../../../src/domain/consolidation/pruning/pruned-archive.ts';
import { listPruned, restorePruned } from '../../../../src/domain/consolidation/pruning/restore.ts';
import type { MemoryHistory } from '../../../../src/domain/memory/history.ts';
import type { Keyed } from '../../../../src/domain/memory/memory.ts';
import type { ListPosition, StoredMemory } from '../../../../src/domain/memory/memory-store.ts';
import { PrunedFiles } from '../../../../src/persistence/archive/pruned-files.ts';
import { anyProject, sampleMemory, sampleStrength } from '../../../sample-memory.ts';
import { directoryOf, scratchFolder } from '../../../scratch-folder.ts';

const NOON = Date.parse('2026-11-21T12:00:00Z');
const stored = (number: number, changes = {}): StoredMemory => ({
  memory: sampleMemory(number, { scope: 'TEAM', supersededBy: null, ...changes }),
  strength: sampleStrength(number),
});
const idOf = (number: number) => sampleMemory(number).id;
const range = (length: number) => Array.from({ length }, (_, i) => i);

let removeScratch: () => void;
let archive: PrunedFiles;
let held: Map<string, StoredMemory>;
let changeTogether: jest.Mock<ConsolidationStore['changeTogether']>;
let onWithoutVectors: jest.Mock<() => void>;
beforeEach(async () => {
  const scratch = scratchFolder();
  removeScratch = scratch.removeScratch;
  archive = await PrunedFiles.open(directoryOf(scratch.path));
  held = new Map();
  onWithoutVectors = jest.fn();
  changeTogether = jest.fn<ConsolidationStore['changeTogether']>(async ({ changes }) => {
    for (const change of changes) {
      if (change.op === 'add') held.set(change.memory.id, { memory: change.memory, strength: sampleStrength(0) });
    }
    return true;
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  removeScratch();
});

function deps({ maxMemories = 1_000_000, nowMs = NOON, takenKeys = [] as string[] } = {}) {
  const find = async (id: string) => held.get(id) ?? null;
  const findByIdempotencyKey = async ({ idempotencyKey }: Keyed) =>
    takenKeys.includes(idempotencyKey as string) ? stored(99) : null;
  const store = { find, findByIdempotencyKey, changeTogether, size: async () => held.size } as unknown as Parameters<
    typeof listPruned
  >[0]['store'];
  return { clock: new ManualClock(nowMs), store, archive, history: null, maxMemories, onWithoutVectors };
}

async function idsOfPages(limit: number, beforeEachPage = async () => {}) {
  const ids: string[] = [];
  let after: ListPosition | null = null;
  do {
    await beforeEachPage();
    const page = await listPruned(deps(), anyProject('ann'), { limit, after });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    ids.push(...page.items.map(({ memory }) => memory.id));
    after = page.next;
  } while (after);
  return ids;
}

describe('the list of what was pruned', () => {
  test('comes in pages that neither skip nor repeat, while more is pruned too', async () => {
    await archive.keep(
      range(7).map((i) => stored(i)),
      NOON - 1,
    );
    await archive.keep(
      range(7).map((i) => stored(10 + i)),
      NOON,
    );
    const all = [
      ...range(7)
        .map((i) => idOf(10 + i))
        .reverse(),
      ...range(7).map(idOf).reverse(),
    ];
    for (const limit of [1, 3, 14, 100]) expect(await idsOfPages(limit)).toEqual(all);
    let later = 100;
    expect((await idsOfPages(3, () => archive.keep([stored(later++)], NOON + later))).slice(1)).toEqual(all);
    expect((await listPruned(deps(), anyProject('ann'), { limit: 3, after: null })).total).toBe(14 + later - 100);
  });

  test('has nothing that is in the store, that is past its time, or that is PRIVATE to others', async () => {
    await archive.keep([stored(1)], NOON - ARCHIVE_MS - 1);
    await archive.keep([stored(2), stored(3), stored(4, { scope: 'PRIVATE', agentId: 'bob' })], NOON - ARCHIVE_MS);
    held.set(idOf(3), stored(3, { scope: 'PRIVATE' }));
    expect(await idsOfPages(10)).toEqual([idOf(2)]);
    expect((await restorePruned(deps(), anyProject('ann'), null)).restored).toEqual([idOf(2)]);
  });

  test.each([
    ['anybody sees', {}, true],
    ['the reader alone sees', { scope: 'PRIVATE', agentId: 'ann' }, true],
    ['another agent alone sees', { scope: 'PRIVATE', agentId: 'bob' }, false],
  ])('names a successor that %s: %p', async (_who, winner, isNamed) => {
    await archive.keep([stored(1, { supersededBy: idOf(9), scope: 'PRIVATE', agentId: 'ann' })], NOON);
    held.set(idOf(9), stored(9, winner));
    const [pruned] = (await listPruned(deps(), anyProject('ann'), { limit: 1, after: null })).items;
    expect(pruned?.memory.supersededBy).toBe(isNamed ? idOf(9) : null);
  });

  test('names a successor that was pruned too, and what is in the place of one that is gone', async () => {
    const superseded = (number: number, by: number) => stored(number, { supersededBy: idOf(by) });
    await archive.keep([superseded(1, 2), stored(2), superseded(3, 4), superseded(5, 6)], NOON);
    held.set(idOf(9), stored(9));
    const gone = { ...superseded(4, 9), operation: 'delete', after: null };
    const history = { versionsOf: async (id: string) => (id === idOf(4) ? [{ ...gone, before: gone }] : []) };
    const about = { ...deps(), history: history as unknown as MemoryHistory };
    const { items } = await listPruned(about, anyProject('ann'), { limit: 9, after: null });
    const successors = new Map(items.map(({ memory }) => [memory.id, memory.supersededBy]));
    expect([1, 2, 3, 5].map((number) => successors.get(idOf(number)))).toEqual([idOf(2), null, idOf(9), null]);
  });
});

describe('restoring', () => {
  test('brings the pruned successors of a memory back with it, but for those that the caller may not see', async () => {
    const superseded = (number: number, by: number, changes = {}) =>
      stored(number, { supersededBy: idOf(by), ...changes });
    await archive.keep([superseded(1, 2), superseded(4, 5), stored(6)], NOON - 1);
    await archive.keep([superseded(2, 3), stored(3), stored(5, { scope: 'PRIVATE', agentId: 'bob' })], NOON);
    const { restored } = await restorePruned(deps(), anyProject('ann'), [idOf(1), idOf(4)]);
    expect(restored.sort()).toEqual([1, 2, 3, 4].map(idOf));
    const successors = [1, 2, 3, 4].map((number) => held.get(idOf(number))?.memory.supersededBy);
    expect(successors).toEqual([idOf(2), idOf(3), null, null]);
    expect((await archive.entries()).map(({ id }) => id)).toEqual([idOf(5), idOf(6)]);
  });

  test('leaves out the keys that are taken since, wherever they are kept, and names the memory', async () => {
    const telling = (key: string) => ({ key, said: { content: 'x1' } });
    const part = { idempotencyKey: 'part', tellings: [telling('k'), telling('l')] };
    const absorbed = [{ memory: stored(5, part).memory, strength: sampleStrength(0) }];
    const whole = { idempotencyKey: 'own', tellings: [telling('own'), telling('m')], absorbed };
    await archive.keep([stored(1, whole), stored(2, { idempotencyKey: 'free' })], NOON);
    const back = await restorePruned(deps({ takenKeys: ['own', 'k'] }), anyProject('ann'), null);
    expect(back.restored.sort()).toEqual([idOf(1), idOf(2)]);
    expect(back.withoutKey).toEqual([idOf(1)]);
    expect(held.get(idOf(1))?.memory).toMatchObject({
      idempotencyKey: null,
      tellings: [telling('m')],
      absorbed: [{ memory: { idempotencyKey: 'part', tellings: [telling('l')] } }],
    });
  });

  test('leaves what was deleted since it was listed', async () => {
    await archive.keep([stored(1), stored(2)], NOON);
    const take = archive.take.bind(archive);
    jest.spyOn(archive, 'take').mockImplementationOnce(async (...args) => {
      await archive.remove([idOf(1)]);
      await take(...args);
    });
    expect((await restorePruned(deps(), anyProject('ann'), null)).restored).toEqual([idOf(2)]);
    expect([...held.keys()]).toEqual([idOf(2)]);
  });

  test('is refused when there is no room for all, and then none is back', async () => {
    await archive.keep(
      range(60).map((i) => stored(i)),
      NOON,
    );
    const restoring = restorePruned(deps({ maxMemories: 59 }), anyProject('ann'), null);
    await expect(restoring).rejects.toThrow(ConflictError);
    await expect(restoring).rejects.toMatchObject({ code: 'memory_limit_reached' });
    expect(held.size).toBe(0);
    const { restored } = await restorePruned(deps({ maxMemories: 59 }), anyProject('ann'), range(59).map(idOf));
    expect(restored).toHaveLength(59);
  });

  test('of many reads and writes a file of the archive once, and changes the store in batches', async () => {
    await archive.keep(
      range(800).map((i) => stored(i)),
      NOON,
    );
    const take = jest.spyOn(archive, 'take');
    expect((await restorePruned(deps(), anyProject('ann'), null)).restored).toHaveLength(800);
    expect(take).toHaveBeenCalledTimes(1);
    expect(changeTogether.mock.calls.map(([{ changes }]) => changes.length)).toEqual(range(16).map(() => 50));
    expect(await archive.entries()).toEqual([]);
  });

  test('that the disk ends keeps what is back, out of the archive and with vectors to come', async () => {
    await archive.keep(
      range(80).map((i) => stored(i)),
      NOON,
    );
    const change = changeTogether.getMockImplementation() as ConsolidationStore['changeTogether'];
    changeTogether.mockImplementationOnce(change).mockRejectedValueOnce(new UnavailableError('The disk is full.'));
    await expect(restorePruned(deps(), anyProject('ann'), null)).rejects.toThrow(UnavailableError);
    expect(held.size).toBe(50);
    expect((await archive.entries()).length).toBe(30);
    expect(onWithoutVectors).toHaveBeenCalledTimes(1);
  });
});
