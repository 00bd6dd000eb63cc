import { join } from 'node:path';
import { atOnce } from '@agent-faculties/service-kit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { nextTurn } from '../../../src/domain/concurrency/next-turn.ts';
import type { Memory } from '../../../src/domain/memory/memory.ts';
import { readQuestion } from '../../../src/domain/recall/question/question.ts';
import { writeEntities } from '../../../src/persistence/snapshot/entities-file.ts';
import { openPacked, writePacked } from '../../../src/persistence/snapshot/packed-file.ts';
import type { ReadRecord } from '../../../src/persistence/snapshot/record-unpacker.ts';
import { readingInSteps } from '../../../src/store/indexes/indexed-memory.ts';
import { MemoryIndexes } from '../../../src/store/indexes/memory-indexes.ts';
import type { SnapshotRecord } from '../../../src/store/records/snapshot-records.ts';
import { anyProject, sampleMemory, sampleStrength } from '../../sample-memory.ts';
import { scratchFolder } from '../../scratch-folder.ts';

let path: string;
let removeScratch: () => void;
beforeEach(() => {
  const scratch = scratchFolder();
  path = join(scratch.path, 'memories.packed');
  removeScratch = scratch.removeScratch;
});
afterEach(() => removeScratch());

const HEADER = {
  generation: 1,
  savedAt: '2026-11-23T09:30:00.000Z',
  sequence: 1,
  vectors: null,
  entities: null,
  versions: null,
  deleted: [],
};
const COUNT = 800;
const PLAIN = {
  kind: 'episodic',
  sources: [],
  supersededBy: null,
  supersession: null,
  validFrom: null,
  validUntil: null,
  invalidation: null,
  expiresAt: null,
} as const;

/** Most are of the form that stays packed; some have what others have to do with. */
function memoryAt(number: number): Memory {
  const changes = { id: idAt(number), createdAt: 1_760_000_000_000 + (number % 50) * 1_000 };
  if (number % 100 === 7) return sampleMemory(number, { ...changes, supersededBy: idAt(number + 1), sources: [] });
  if (number % 100 === 9) return sampleMemory(number, changes);
  return sampleMemory(number, { ...PLAIN, ...changes });
}

/** As this service gives them, and as others do. */
function idAt(number: number): string {
  return number % 5 === 0 ? `other-${number}` : number.toString(16).padStart(32, '0');
}

const RECORDS = Array.from({ length: COUNT }, (_, number): SnapshotRecord => {
  const memory = memoryAt(number);
  return {
    memory,
    strength: sampleStrength(number),
    rows: null,
    comparison: { by: number % 3 === 0 ? null : 'rules', found: [] },
    reading: memory.kind === 'episodic' ? atOnce(readingInSteps(memory)) : undefined,
  };
});

async function written(records: readonly SnapshotRecord[] = RECORDS): Promise<ReadRecord[]> {
  await writePacked(path, HEADER, records);
  const packed = await openPacked(path);
  if (typeof packed === 'string') throw new Error(packed);
  const read: ReadRecord[] = [];
  for await (const some of packed.read()) read.push(...some);
  return read;
}

/** Filled as a start fills them. */
async function filled({ packed }: { packed: boolean }): Promise<MemoryIndexes> {
  const indexes = new MemoryIndexes({ vectors: null });
  for (const record of await written()) {
    const { strength, rows, reading, comparison } = record;
    if (packed && record.packed && reading) {
      indexes.addPacked(record.packed, { strength, rows, reading, comparedBy: comparison?.by ?? null });
    } else {
      indexes.add(record.memory, { strength, rows, reading });
      if (comparison) indexes.wasCompared(record.memory.id, comparison);
    }
  }
  return indexes;
}

/** All that a save holds of them. */
function contents(indexes: Pick<MemoryIndexes, 'capture'>): unknown[] {
  return Array.from(indexes.capture(), ({ memory, strength, rows, comparison, reading }) => {
    return { memory, strength, rows, comparison, reading };
  });
}

function seen(indexes: MemoryIndexes): unknown {
  const { records, entities } = indexes;
  const viewers = ['agent-0', 'agent-1', 'agent-2', 'nobody'].map(anyProject);
  return {
    order: records.order.snapshot(),
    characters: records.characters,
    size: records.size,
    revision: indexes.revision,
    waiting: [...indexes.comparisons.waiting],
    ordinals: Array.from({ length: COUNT }, (_, number) => records.ordinalOf(idAt(number))),
    saidAt: Array.from({ length: COUNT }, (_, number) => records.saidAt(idAt(number))),
    keys: RECORDS.map(({ memory }) => records.ordinalOfKey(memory)),
    ofViewers: viewers.map((viewer) => ({
      counts: [...records.counts(viewer)],
      projects: [...records.projectCounts(viewer)],
      kestrel: entities.fan('kestrel', viewer),
      versions: [0, 1, 2, 3].map((number) => entities.linkedTo(`v${number}`, () => true)),
      waiting: indexes.waitingCount(viewer),
    })),
    names: Array.from({ length: COUNT }, (_, ordinal) => entities.keysOf(ordinal)),
  };
}

test('memories that stay packed are in all indexes as those that do not', async () => {
  const [packed, unpacked] = [await filled({ packed: true }), await filled({ packed: false })];
  const stillPacked = Array.from({ length: COUNT }, (_, ordinal) => packed.records.isPacked(ordinal)).filter(Boolean);
  expect(stillPacked.length).toBeGreaterThan(COUNT / 2);
  await packed.comparisons.compareBy('rules');
  await unpacked.comparisons.compareBy('rules');
  expect(seen(packed)).toEqual(seen(unpacked));
  expect(contents(packed)).toEqual(contents(unpacked));
  await packed.records.unpacked();
  expect(seen(packed)).toEqual(seen(unpacked));
  expect(contents(packed)).toEqual(contents(unpacked));
});

test('changes of packed memories come to the same, and a copy made before them stays', async () => {
  const [packed, unpacked] = [await filled({ packed: true }), await filled({ packed: false })];
  const before = packed.capture();
  const expected = contents(unpacked);
  for (const indexes of [packed, unpacked]) {
    for (let number = 0; number < COUNT; number += 3) {
      const memory = memoryAt(number);
      if (number % 2 === 0) indexes.remove([memory.id]);
      else if (number % 5 === 0) indexes.strengthen(memory.id, { ...sampleStrength(number), recallCount: 9 });
      else indexes.update({ ...memory, scope: 'SHARED', project: 'moved' });
    }
  }
  expect(seen(packed)).toEqual(seen(unpacked));
  expect(contents(packed)).toEqual(contents(unpacked));
  expect(contents({ capture: () => before })).toEqual(expected);
});

test('a copy for a save unpacks nothing for good, and what is asked for is one object from then on', async () => {
  const indexes = await filled({ packed: true });
  const { records } = indexes;
  const packed = Array.from({ length: COUNT }, (_, ordinal) => ordinal).filter((ordinal) => records.isPacked(ordinal));
  for (const { memory } of indexes.capture()) memory.gist.at(0);
  expect(packed.every((ordinal) => records.isPacked(ordinal))).toBe(true);
  const [first = 0, ...others] = packed;
  expect(records.at(first)).toBe(records.at(first));
  expect([records.isPacked(first), others.every((ordinal) => records.isPacked(ordinal))]).toEqual([false, true]);
  await records.unpacked();
  expect(packed.some((ordinal) => records.isPacked(ordinal))).toBe(false);
});

test('a memory whose id is known takes the place of the one before', async () => {
  const indexes = await filled({ packed: true });
  const again = RECORDS.slice(10, 13).map((record) => ({
    ...record,
    memory: { ...record.memory, gist: 'told anew', content: 'told anew' },
  }));
  for (const { packed, strength, rows, reading } of await written(again)) {
    if (!packed || !reading) throw new Error('it is to stay packed');
    indexes.addPacked(packed, { strength, rows, reading, comparedBy: 'rules' });
  }
  const { records } = indexes;
  expect(records.size).toBe(COUNT);
  for (const { memory } of again) expect(records.at(records.ordinalOf(memory.id) as number).memory).toEqual(memory);
});

test('many packed memories are unpacked in a turn of their own, few are not', async () => {
  const { records } = await filled({ packed: true });
  const packed = Array.from({ length: COUNT }, (_, ordinal) => ordinal).filter((ordinal) => records.isPacked(ordinal));
  const [few, many] = [packed.slice(0, 199), packed.slice(199, 399)];
  expect(records.unpackMany(few)).toBe(false);
  expect([records.unpackMany(many), many.some((ordinal) => records.isPacked(ordinal))]).toEqual([true, false]);
  expect(records.unpackMany(many)).toBe(false);
});

/** Of 200,000 characters each, which take 1 ms to unpack where they are in Cyrillic. */
async function long(): Promise<MemoryIndexes> {
  const content = 'ключ '.repeat(40_000);
  const records = RECORDS.filter((_, number) => number % 50 === 1).map((record) => ({
    ...record,
    memory: { ...record.memory, gist: 'ключ', content },
  }));
  const indexes = new MemoryIndexes({ vectors: null });
  for (const { packed, strength, rows, reading } of await written(records)) {
    if (!packed || !reading) throw new Error('it is to stay packed');
    indexes.addPacked(packed, { strength, rows, reading, comparedBy: null });
  }
  return indexes;
}

/** How many memories were unpacked in each turn of the event loop until the work was done. */
async function unpackedInTurnsOf({ records }: MemoryIndexes, work: () => Promise<unknown>): Promise<number[]> {
  const left = () => records.order.snapshot().filter((ordinal) => records.isPacked(ordinal)).length;
  const turns: number[] = [];
  let before = left();
  let isDone = false;
  const done = work().finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await nextTurn();
    const now = left();
    turns.push(before - now);
    before = now;
  }
  await done;
  return turns;
}

describe('of long packed memories no more are unpacked in one turn than take a few ms', () => {
  const MOST = 3;

  test('where all are, by two at once', async () => {
    const indexes = await long();
    const { records } = indexes;
    const turns = await unpackedInTurnsOf(indexes, () => Promise.all([records.unpacked(), records.unpacked()]));
    expect(Math.max(...turns)).toBe(MOST);
    expect(turns.reduce((sum, unpacked) => sum + unpacked)).toBe(records.size);
  });

  test('as candidates of a recall', async () => {
    const indexes = await long();
    const viewer = anyProject('agent-1');
    const question = readQuestion('release', { speakers: indexes.knownTo(viewer, null).speakers, now: 0 });
    const request = { vector: null, namedKeys: [], filter: { viewer }, limit: 10, exceptId: null };
    let found = 0;
    const turns = await unpackedInTurnsOf(indexes, async () => {
      found = (await indexes.search.retrieve(question, request)).candidates.length;
    });
    expect(found).toBeGreaterThan(2 * MOST);
    // What is left after the first turn begins at once.
    expect(Math.max(...turns)).toBeLessThanOrEqual(2 * MOST);
  });

  test('for the list of entities of a save', async () => {
    const indexes = await long();
    let read = 0;
    let most = 0;
    const records = Array.from(indexes.capture(), (record) => ({
      strength: sampleStrength(0),
      rows: null,
      get memory() {
        read++;
        return record.memory;
      },
    }));
    const done = writeEntities(`${path}.entities`, { generation: 1, memories: records });
    for (let before = 0; before < records.length; await nextTurn()) {
      most = Math.max(most, read - before);
      before = read;
    }
    await done;
    expect(most).toBe(MOST);
  });
});
