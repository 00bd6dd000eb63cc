import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { FaissPool } from '../../../../src/search/vectors/faiss/faiss-pool.ts';
import { VectorIndex } from '../../../../src/search/vectors/vector-index.ts';
import { VectorMatrix } from '../../../../src/search/vectors/vector-matrix.ts';

const log = { warn: () => {} };
let pool: FaissPool;
const opened: VectorIndex[] = [];
beforeEach(() => {
  pool = new FaissPool();
});
afterEach(async () => {
  for (const index of opened.splice(0)) await index.close();
});

/** An index of rows on a circle; each index turns its rows by another angle. */
async function openIndex(
  turned: number,
  options: { lostBytesLimit?: number; approximateFromRows?: number; approximateAfterSearches?: number } = {},
) {
  const matrix = new VectorMatrix({ dimension: 2 });
  for (let row = 0; row < 100; row++) matrix.append(vectorAt(turned + row / 20));
  const index = await VectorIndex.open({ matrix, log, pool, approximateAfterSearches: 0, ...options });
  opened.push(index);
  return index;
}

const vectorAt = (angle: number) => Float32Array.of(Math.cos(angle), Math.sin(angle));
/** The row that an index, turned by this angle, finds at the place of a row. */
const nearest = async (index: VectorIndex, turned: number, row: number) =>
  (await index.search(vectorAt(turned + row / 20), 1)).rows[0];

/** Twice, with a turn between: a WeakRef holds what it was made of until its turn ends. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 2; round++) {
    await nextTurn();
    collect();
  }
}

describe('several indexes', () => {
  test('are in one process, and each finds its own', async () => {
    const [one, other] = await Promise.all([openIndex(0), openIndex(0.013)]);
    await Promise.all([one.rebuild(), other.rebuild()]);
    expect(one.processId).toBeGreaterThan(0);
    expect(other.processId).toBe(one.processId);
    for (const row of [0, 7, 99]) {
      expect(await Promise.all([nearest(one, 0, row), nearest(other, 0.013, row)])).toEqual([row, row]);
    }
  });

  test('go on when one of them is closed or made anew', async () => {
    const [one, other, third] = await Promise.all([openIndex(0), openIndex(1), openIndex(2)]);
    await Promise.all([one.rebuild(), other.rebuild(), third.rebuild()]);
    const shared = one.processId;
    await third.close();
    await other.rebuild();
    expect([one.processId, other.processId, third.processId]).toEqual([shared, shared, undefined]);
    expect(await Promise.all([nearest(one, 0, 5), nearest(other, 1, 6)])).toEqual([5, 6]);
    await other.close();
    await one.rebuild();
    // An index that is alone in its process gets a new process, and the end of the old one gives its memory back.
    expect(one.processId).not.toBe(shared);
    expect(await nearest(one, 0, 5)).toBe(5);
  });

  test('are let go of once closed, with their rows, while others stay in the process', async () => {
    const stays = await openIndex(0);
    await stays.rebuild();
    const closed = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const matrix = new VectorMatrix({ dimension: 2 });
        for (let row = 0; row < 64; row++) matrix.append(vectorAt(1));
        const index = await VectorIndex.open({ matrix, log, pool });
        await index.rebuild();
        expect(index.processId).toBe(stays.processId);
        await index.close();
        return new WeakRef(matrix);
      }),
    );
    await collectGarbage();
    expect(closed.map((matrix) => matrix.deref())).toEqual(Array(5).fill(undefined));
    expect(await nearest(stays, 0, 5)).toBe(5);
  });

  test('lose their process together, and are in one again', async () => {
    const [one, other] = await Promise.all([openIndex(0), openIndex(1)]);
    await Promise.all([one.rebuild(), other.rebuild()]);
    const shared = one.processId as number;
    process.kill(shared, 'SIGKILL');
    expect(await Promise.all([nearest(one, 0, 5), nearest(other, 1, 6)])).toEqual([5, 6]);
    await Promise.all([one.rebuild(), other.rebuild()]);
    expect(one.processId).not.toBe(shared);
    expect(other.processId).toBe(one.processId);
    expect(await Promise.all([nearest(one, 0, 5), nearest(other, 1, 6)])).toEqual([5, 6]);
  });

  test('leave a process that has lost too much, each with its next search', async () => {
    const limits = { lostBytesLimit: 500 };
    const [one, other] = await Promise.all([openIndex(0, limits), openIndex(1, limits)]);
    await Promise.all([one.rebuild(), other.rebuild()]);
    const shared = one.processId;
    for (let i = 0; i < 60; i++) await nearest(one, 0, 5);
    await one.rebuild();
    expect(other.processId).toBe(shared);
    await nearest(other, 1, 6);
    await other.rebuild();
    expect([one.processId, other.processId].filter((id) => id === shared || id === undefined)).toEqual([]);
    expect(await Promise.all([nearest(one, 0, 5), nearest(other, 1, 6)])).toEqual([5, 6]);
  });

  test('of which one is approximate: it has a process of its own', async () => {
    const [one, large] = await Promise.all([openIndex(0), openIndex(1, { approximateFromRows: 50 })]);
    await Promise.all([one.rebuild(), large.rebuild()]);
    await large.rebuild();
    expect(large.processId).toBeGreaterThan(0);
    expect(large.processId).not.toBe(one.processId);
    expect(await Promise.all([nearest(one, 0, 5), nearest(large, 1, 6)])).toEqual([5, 6]);
  });

  test('of which one is large: it becomes approximate with the search after which that is worth its building', async () => {
    const large = await openIndex(1, { approximateFromRows: 50, approximateAfterSearches: 3 });
    const one = await openIndex(0);
    await Promise.all([one.rebuild(), large.rebuild()]);
    for (const row of [5, 6]) {
      expect(await nearest(large, 1, row)).toBe(row);
      await large.rebuild();
      expect(large.processId).toBe(one.processId);
    }
    expect(await nearest(large, 1, 7)).toBe(7);
    while (large.processId === one.processId) await nextTurn();
    expect(large.processId).toBeGreaterThan(0);
    expect(await nearest(large, 1, 8)).toBe(8);
  });
});
