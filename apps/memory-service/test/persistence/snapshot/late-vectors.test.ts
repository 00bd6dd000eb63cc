import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLog, ManualClock } from '@agent-faculties/service-kit';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type OpenStore, openStore } from '../../../src/persistence/open-store.ts';
import { sampleMemory } from '../../sample-memory.ts';
import { scratchFolder } from '../../scratch-folder.ts';
import { add, remove } from '../../store/change-store.ts';

const clock = new ManualClock(Date.parse('2026-11-22T09:30:00Z'));

let scratch: ReturnType<typeof scratchFolder>;
let file: string;

beforeEach(() => {
  scratch = scratchFolder();
  file = join(scratch.path, 'faiss.index');
});

afterEach(() => scratch.removeScratch());

function open(): Promise<OpenStore> {
  return openStore({
    dataDir: scratch.path,
    model: { id: 'test', dimension: 4 },
    maxMemories: 1_000,
    lateFromRows: 1,
    repair: false,
    clock,
    log: createLog({ name: 'test', level: 'silent' }),
    process: { pid: process.pid, hostname: 'test' },
  });
}

const vector = (number: number) => Float32Array.from([Math.cos(number), Math.sin(number), 0, 0]);
const vectorsIn = ({ store }: OpenStore, numbers: readonly number[]) =>
  Promise.all(numbers.map((number) => store.vectorsOf(sampleMemory(number).id)));
const isWhole = ({ indexes }: OpenStore) => indexes.vectors?.matrix.isWhole;

/** @returns the bytes of faiss.index */
async function saved(numbers: readonly number[]): Promise<Buffer> {
  const { store, persistence, close } = await open();
  for (const number of numbers) await add(store, sampleMemory(number), { vectors: [vector(number)] });
  await persistence.save();
  await close();
  return readFileSync(file);
}

/** A file that gives its bytes when somebody writes them into it. */
function asPipe(): void {
  rmSync(file);
  execFileSync('mkfifo', [file]);
}

test('memories are served while their vectors are read, take changes, and have all of them afterwards', async () => {
  const bytes = await saved([1, 2, 3]);
  asPipe();
  const late = await open();
  expect([await late.store.size(), isWhole(late)]).toEqual([3, false]);
  expect(late.figures.waitingForVectors()).toBe(3);
  await add(late.store, sampleMemory(4), { vectors: [vector(4)] });
  await remove(late.store, [sampleMemory(2).id]);
  const save = late.persistence.save();
  expect(isWhole(late)).toBe(false);
  await writeFile(file, bytes);
  await save;
  const expected = [[vector(1)], [], [vector(3)], [vector(4)]];
  expect(await vectorsIn(late, [1, 2, 3, 4])).toEqual(expected);
  expect(isWhole(late)).toBe(true);
  expect(late.figures.waitingForVectors()).toBe(0);
  await late.close();

  const again = await open();
  expect(await vectorsIn(again, [1, 2, 3, 4])).toEqual(expected);
  await again.close();
});

test('a stop waits for the vectors, so that what is saved has them', async () => {
  const bytes = await saved([1, 2]);
  asPipe();
  const late = await open();
  await add(late.store, sampleMemory(3), { vectors: [vector(3)] });
  const closed = late.close();
  await writeFile(file, bytes);
  await closed;
  const again = await open();
  expect(await vectorsIn(again, [1, 2, 3])).toEqual([[vector(1)], [vector(2)], [vector(3)]]);
  await again.close();
});

test.each([
  ['is cut', (bytes: Buffer) => bytes.subarray(0, -1)],
  ['has other values', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -1), Buffer.of(1)])],
  ['is something else', () => Buffer.from('something else')],
])('vectors are made again where their file %s', async (_, spoil) => {
  const bytes = await saved([1, 2]);
  writeFileSync(file, spoil(bytes));
  const late = await open();
  await add(late.store, sampleMemory(3), { vectors: [vector(3)] });
  expect(await vectorsIn(late, [1, 2, 3])).toEqual([[], [], [vector(3)]]);
  const waiting = late.indexes.rows.waitingMemories(10, new Set());
  expect(waiting.map(({ id }) => id)).toEqual([sampleMemory(1).id, sampleMemory(2).id]);
  await late.close();
});
