import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Change } from '../../src/store/changes/change.ts';
import { sampleMemory, sampleVector } from '../sample-memory.ts';
import { scratchFolder } from '../scratch-folder.ts';
import { type Contents, openNaiveStore } from '../store/naive-store.ts';
import { EVERYTHING, eachFate, type Leftovers, NOTHING_UNSYNCED, PowerCut } from './power-cut.ts';

let scratch: string;
let removeScratch: () => void;
let path: string;
let copies: number;
beforeEach(() => {
  ({ path: scratch, removeScratch } = scratchFolder());
  path = join(scratch, 'data');
  copies = 0;
});
afterEach(() => removeScratch());

/** A start on what is found after the cut. */
async function afterCut(powerCut: PowerCut, leftovers: Leftovers): Promise<Contents> {
  const copy = join(scratch, `copy-${copies++}`);
  powerCut.materialize(copy, leftovers);
  const found = await openNaiveStore(copy);
  expect(found.report).toMatchObject({ vectorsLost: null, losses: [] });
  await found.close();
  rmSync(copy, { recursive: true });
  return found.store.contents();
}

const add = (number: number): Change => ({ op: 'add', memory: sampleMemory(number), vectors: [sampleVector(number)] });

test('a power cut in the middle of a save, at any step, loses nothing and brings nothing back', async () => {
  const open = await openNaiveStore(path);
  for (let number = 0; number < 12; number++) await open.change(add(number));
  await open.save();
  for (let number = 12; number < 16; number++) await open.change(add(number));
  await open.change({ op: 'delete', ids: [sampleMemory(3).id, sampleMemory(13).id] });
  await open.change({ op: 'update', memory: sampleMemory(5, { gist: 'new' }), vectors: [sampleVector(55)] });
  const acknowledged = open.store.contents();
  let steps = 0;
  const powerCut = await PowerCut.watch(path, async () => {
    steps += 1;
    for (const leftovers of [EVERYTHING, ...eachFate(powerCut.unsyncedNames())]) {
      expect(await afterCut(powerCut, leftovers)).toEqual(acknowledged);
    }
  });
  try {
    await open.save();
  } finally {
    powerCut.stop();
  }
  expect(steps).toBeGreaterThan(20);
  expect(await afterCut(powerCut, NOTHING_UNSYNCED)).toEqual(acknowledged);
  await open.close();
});

test('what was acknowledged is on the disk, without any sync after it', async () => {
  const open = await openNaiveStore(path);
  const powerCut = await PowerCut.watch(path);
  try {
    for (let round = 0; round < 6; round++) {
      const numbers = Array.from({ length: 5 }, (_, index) => round * 5 + index);
      await Promise.all(numbers.map((number) => open.change(add(number))));
      await open.change({ op: 'delete', ids: [sampleMemory(round * 5).id] });
      expect(await afterCut(powerCut, NOTHING_UNSYNCED)).toEqual(open.store.contents());
      if (round === 3) await open.save();
    }
  } finally {
    powerCut.stop();
  }
  await open.close();
});
