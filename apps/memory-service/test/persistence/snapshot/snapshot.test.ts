import { readdirSync, readFileSync } from 'node:fs';
import { type FileHandle, open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Change } from '../../../src/store/changes/change.ts';
import { sampleMemory, sampleVector } from '../../sample-memory.ts';
import { scratchFolder } from '../../scratch-folder.ts';
import { type Contents, type OpenStore, openNaiveStore } from '../../store/naive-store.ts';
import { EVERYTHING, PowerCut } from '../power-cut.ts';

const SAVED_FILES = ['entities.json', 'faiss.index', 'memories.json', 'memories.packed'];

let scratch: string;
let removeScratch: () => void;
let path: string;
let open: OpenStore;
beforeEach(async () => {
  ({ path: scratch, removeScratch } = scratchFolder());
  path = join(scratch, 'data');
  open = await openNaiveStore(path);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await open.close();
  removeScratch();
});

const add = (number: number): Change => ({ op: 'add', memory: sampleMemory(number), vectors: [sampleVector(number)] });
const generation = () => JSON.parse(readFileSync(join(path, 'memories.json'), 'utf8')).generation;
const withoutLock = () => readdirSync(path).filter((name) => name !== 'lock');

async function foundAfterStop(): Promise<Contents> {
  await open.close();
  const again = await openNaiveStore(path);
  await again.close();
  return again.store.contents();
}

describe('a save', () => {
  test('of an empty store makes the three files', async () => {
    expect(await open.save()).toMatchObject({ memories: 0, sequence: 0 });
    expect(withoutLock().sort()).toEqual(SAVED_FILES);
    expect(await foundAfterStop()).toEqual({});
  });

  test('leaves only what changes while it runs in the journal', async () => {
    for (let number = 0; number < 20; number++) await open.change(add(number));
    const captured = open.nextCapture();
    const saved = open.save();
    await captured;
    const during = Array.from({ length: 10 }, (_, index) => open.change(add(20 + index)));
    expect(await saved).toMatchObject({ memories: 20, sequence: 20 });
    await Promise.all(during);
    expect(withoutLock().sort()).toEqual([...SAVED_FILES, 'journal-20.begun', 'journal-20.ndjson'].sort());
    expect(await foundAfterStop()).toEqual(open.store.contents());
  });

  test('holds rows of the vectors in use only', async () => {
    for (let number = 0; number < 10; number++) await open.change(add(number));
    await open.change({ op: 'update', memory: sampleMemory(2), vectors: [sampleVector(3), sampleVector(4)] });
    await open.change({ op: 'delete', ids: [sampleMemory(0).id] });
    await open.save();
    // 45 bytes of header, then 8 memories with one vector and one with two, of 4 float32 each.
    expect(readFileSync(join(path, 'faiss.index')).byteLength).toBe(45 + 10 * 4 * 4);
    expect(await foundAfterStop()).toEqual(open.store.contents());
  });

  test('is shared by those who ask before it begins, and waited for by those who ask while it runs', async () => {
    await open.change(add(1));
    const captured = open.nextCapture();
    const together = [open.save(), open.save(), open.save()];
    await captured;
    await open.change(add(2));
    const later = [open.save(), open.save()];
    expect((await Promise.all(together)).map(({ memories }) => memories)).toEqual([1, 1, 1]);
    expect((await Promise.all(later)).map(({ memories }) => memories)).toEqual([2, 2]);
    expect(generation()).toBe(2);
  });

  test('that meets a fault at any of its writes and syncs answers so, loses nothing, and the next one works', async () => {
    const handle = await openFile(scratch, 'r');
    const prototype = Object.getPrototypeOf(handle) as FileHandle;
    await handle.close();
    const fault = () => Object.assign(new Error('EIO: the disk says no'), { code: 'EIO', syscall: 'fsync', errno: -5 });
    let faults = 0;
    for (let step = 1, isThrough = false; !isThrough; step++) {
      await open.change(add(step));
      await open.change({ op: 'delete', ids: [sampleMemory(step - 1).id] });
      let left = step;
      for (const method of ['write', 'sync'] as const) {
        const original = prototype[method] as (...args: unknown[]) => Promise<never>;
        jest.spyOn(prototype, method).mockImplementation(function (this: FileHandle, ...args: unknown[]) {
          left -= 1;
          return left === 0 ? Promise.reject(fault()) : original.apply(this, args);
        } as never);
      }
      const error = await open.save().then(
        () => null,
        (reason: unknown) => reason,
      );
      jest.restoreAllMocks();
      isThrough = left > 0;
      if (isThrough) break;
      faults += 1;
      expect(error).toMatchObject({ code: 'storage_unavailable' });
      const copy = join(scratch, `copy-${step}`);
      const everything = await PowerCut.watch(path);
      everything.stop();
      everything.materialize(copy, EVERYTHING);
      const found = await openNaiveStore(copy);
      await found.close();
      expect(found.store.contents()).toEqual(open.store.contents());
      expect(found.report).toMatchObject({ vectorsLost: null, losses: [] });
      if (step % 2 === 0) await open.save();
    }
    // A write and a sync of each file, and four syncs of the folder at least.
    expect(faults).toBeGreaterThanOrEqual(10);
    expect(withoutLock().sort()).toEqual(SAVED_FILES);
    expect(await foundAfterStop()).toEqual(open.store.contents());
  });
});
