import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openNaiveStore } from './naive-store.ts';
import { sampleMemory, sampleStrength, sampleVector } from './sample-memory.ts';

let scratch: string;
let path: string;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'memory-load-'));
  path = join(scratch, 'data');
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

describe('a store', () => {
  test('comes back from the three files as it was', async () => {
    const first = await openNaiveStore(path);
    for (let number = 0; number < 50; number++) {
      const strength = sampleStrength(number);
      const vectors = Array.from({ length: number % 3 }, (_, piece) => sampleVector(number * 10 + piece));
      await first.change({ op: 'add', memory: sampleMemory(number), strength, vectors });
    }
    await first.change({ op: 'update', memory: sampleMemory(4, { gist: 'new' }), vectors: [sampleVector(99)] });
    await first.change({ op: 'delete', ids: [sampleMemory(7).id, sampleMemory(8).id] });
    const report = await first.save();
    expect(report).toMatchObject({ memories: 48, sequence: 52 });
    await first.close();
    expect(readdirSync(path).sort()).toEqual(['entities.json', 'faiss.index', 'memories.json']);

    const second = await openNaiveStore(path);
    expect(second.store.contents()).toEqual(first.store.contents());
    expect([...second.store.records.keys()]).toEqual([...first.store.records.keys()]);
    expect(second.report).toMatchObject({ memories: 48, replayed: 0, vectorsLost: null, losses: [], saveSoon: false });
    await second.close();
  });
});
