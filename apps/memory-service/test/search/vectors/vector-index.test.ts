import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FaissError, FaissProcess } from '../../../src/search/vectors/faiss/faiss-process.ts';
import { planFor } from '../../../src/search/vectors/index-plan.ts';
import { VectorIndex, type VectorIndexOptions } from '../../../src/search/vectors/vector-index.ts';
import { VectorMatrix } from '../../../src/search/vectors/vector-matrix.ts';

const warnings: unknown[] = [];
const log = { warn: (...args: unknown[]) => void warnings.push(args) };
const opened: VectorIndex[] = [];
afterEach(async () => {
  for (const index of opened.splice(0)) await index.close();
  warnings.length = 0;
});

async function openIndex(matrix: VectorMatrix, options: Partial<VectorIndexOptions> = {}): Promise<VectorIndex> {
  const index = await VectorIndex.open({ matrix, log, approximateAfterSearches: 0, ...options });
  opened.push(index);
  return index;
}

/** Made-up vectors of unit length, all different and in no order. */
function madeUpVector(dimension: number, seed: number): Float32Array {
  const values = Float32Array.from({ length: dimension }, (_, i) => Math.sin(seed * 12_989.8 + i * 78.233 + seed * i));
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

function appendMany(matrix: VectorMatrix, count: number): void {
  for (let i = 0; i < count; i++) matrix.append(madeUpVector(matrix.dimension, matrix.length));
}

class CountingMatrix extends VectorMatrix {
  /** How often a row was read. */
  read = 0;

  override row(row: number, count = 1): Float32Array {
    this.read += count;
    return super.row(row, count);
  }
}

function naiveDot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (const [i, value] of a.entries()) sum += value * (b[i] as number);
  return sum;
}

/** The nearest living rows by a plain sort. */
function naiveSearch(matrix: VectorMatrix, query: Float32Array, { count, dead }: { count: number; dead: Set<number> }) {
  return Array.from({ length: matrix.length }, (_, row) => row)
    .filter((row) => !dead.has(row))
    .map((row) => ({ row, cosine: naiveDot(matrix.row(row), query) }))
    .sort((a, b) => b.cosine - a.cosine)
    .slice(0, count);
}

/** FAISS adds up in float32, so rows whose cosines differ by less than its rounding may change places. */
const ROUNDING = 1e-5;

async function expectExact(
  index: VectorIndex,
  matrix: VectorMatrix,
  { query, count = 10, dead = new Set() }: { query: Float32Array; count?: number; dead?: Set<number> },
): Promise<void> {
  const { rows, cosines } = await index.search(query, count);
  const expected = naiveSearch(matrix, query, { count, dead });
  expect(rows).toHaveLength(expected.length);
  expect(new Set(rows).size).toBe(rows.length);
  for (const [i, row] of rows.entries()) {
    expect(dead.has(row)).toBe(false);
    expect(Math.abs((cosines[i] as number) - (expected[i]?.cosine as number))).toBeLessThan(ROUNDING);
    expect(Math.abs((cosines[i] as number) - matrix.dot(query, row))).toBeLessThan(ROUNDING);
  }
}

describe('a vector index', () => {
  test('is closed when the rows are written that FAISS is given in a file, which goes then', async () => {
    const [dimension, rows] = [384, 40_000];
    const matrix = new CountingMatrix({ dimension, maximumRows: rows });
    const index = await openIndex(matrix);
    appendMany(matrix, 64);
    index.noteAppended();
    await index.rebuild();
    matrix.append(new Float32Array((rows - 64) * dimension));
    index.noteAppended();
    await index.close();
    expect(matrix.read).toBeGreaterThanOrEqual(rows);
  });

  test('finds what a plain sort finds, after any adds, removals, crashes and rebuilds, without waiting for any', async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ add: fc.integer({ min: 1, max: 150 }) }) },
      { weight: 2, arbitrary: fc.record({ remove: fc.nat(), rows: fc.integer({ min: 1, max: 20 }) }) },
      { weight: 6, arbitrary: fc.record({ search: fc.nat(), count: fc.integer({ min: 0, max: 60 }) }) },
      { weight: 1, arbitrary: fc.constantFrom({ crash: true }, { rebuild: true }, { settle: true }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 12 }), fc.array(step, { maxLength: 25 }), async (dimension, steps) => {
        const matrix = new VectorMatrix({ dimension });
        const index = await openIndex(matrix);
        const dead = new Set<number>();
        for (const step of steps) {
          if ('add' in step) {
            appendMany(matrix, step.add);
            index.noteAppended();
          } else if ('remove' in step) {
            const first = step.remove % (matrix.length + 1);
            const count = Math.min(step.rows, matrix.length - first);
            index.remove(first, count);
            for (let row = first; row < first + count; row++) dead.add(row);
          } else if ('search' in step) {
            await expectExact(index, matrix, { query: madeUpVector(dimension, -step.search), count: step.count, dead });
          } else if ('crash' in step) {
            if (index.processId) process.kill(index.processId, 'SIGKILL');
          } else if ('rebuild' in step) void index.rebuild();
          else await index.rebuild();
        }
        await index.rebuild();
        await expectExact(index, matrix, { query: madeUpVector(dimension, 0.5), count: 20, dead });
        await index.close();
      }),
      { numRuns: 15 },
    );
  });

  test('answers at once, while FAISS is starting and taking thousands of rows, and the same when it has them', async () => {
    const matrix = new VectorMatrix({ dimension: 24 });
    appendMany(matrix, 6_500);
    const index = await openIndex(matrix);
    expect(index.processId).toBeUndefined();
    const query = madeUpVector(24, 0.25);
    await expectExact(index, matrix, { query, count: 50 });
    await index.rebuild();
    expect(index.processId).toBeGreaterThan(0);
    await expectExact(index, matrix, { query, count: 50 });
    appendMany(matrix, 1);
    await expectExact(index, matrix, { query: matrix.row(6_500), count: 1 });
  });

  test('compares the rows here where FAISS is held up, and asks it again once it has answered', async () => {
    const matrix = new VectorMatrix({ dimension: 8 });
    appendMany(matrix, 500);
    const index = await openIndex(matrix, { lostBytesLimit: Number.POSITIVE_INFINITY });
    await index.rebuild();
    const child = index.processId as number;
    process.kill(child, 'SIGSTOP');
    // Nobody waited until the process is given up, which is then another one.
    for (const seed of [0.5, 1.5, 2.5]) await expectExact(index, matrix, { query: madeUpVector(8, seed) });
    expect(index.processId).toBe(child);
    process.kill(child, 'SIGCONT');
    await expectExact(index, matrix, { query: madeUpVector(8, 3.5) });
    expect(index.processId).toBe(child);
    expect(warnings).toEqual([]);
  });

  test('leaves the vectors of many rows in the file that FAISS has read, and finds the same', async () => {
    const matrix = new VectorMatrix({ dimension: 24 });
    appendMany(matrix, 6_500);
    const index = await openIndex(matrix, { filedFromRows: 6_000 });
    await index.rebuild();
    expect(matrix.bytesHeld).toBe(2_048 * 8 * 24 * 4);
    const query = madeUpVector(24, 0.25);
    const dead = new Set<number>();
    await expectExact(index, matrix, { query, count: 50 });
    appendMany(matrix, 100);
    index.noteAppended();
    await expectExact(index, matrix, { query: madeUpVector(24, 6_550), count: 1 });
    process.kill(index.processId as number, 'SIGKILL');
    await expectExact(index, matrix, { query, count: 50 });
    index.remove(3_000, 1);
    dead.add(3_000);
    await index.rebuild();
    // A file with a gap has other rows.
    expect(matrix.bytesHeld).toBe((2_048 * 8 + 100) * 24 * 4);
    await expectExact(index, matrix, { query, count: 50, dead });
  });

  test('has each row once where the matrix cannot keep them in the file', async () => {
    class WithoutRoom extends VectorMatrix {
      override keepInFile(): void {
        throw new RangeError('no address space');
      }
    }
    const matrix = new WithoutRoom({ dimension: 24 });
    appendMany(matrix, 2_500);
    const index = await openIndex(matrix, { filedFromRows: 2_000 });
    await index.rebuild();
    appendMany(matrix, 100);
    index.noteAppended();
    await expectExact(index, matrix, { query: madeUpVector(24, 0.25), count: 50 });
    expect(matrix.bytesHeld).toBe(matrix.bytes);
  });

  test('keeps fewer in memory', async () => {
    const matrix = new VectorMatrix({ dimension: 24 });
    appendMany(matrix, 2_500);
    const index = await openIndex(matrix, { filedFromRows: 2_501 });
    await index.rebuild();
    expect([index.size, matrix.bytesHeld]).toEqual([2_500, matrix.bytes]);
  });

  test('is asked by many at once and answers each its own', async () => {
    const matrix = new VectorMatrix({ dimension: 16 });
    appendMany(matrix, 500);
    const index = await openIndex(matrix);
    await index.rebuild();
    const found = await Promise.all(
      Array.from({ length: 100 }, async (_, row) => (await index.search(matrix.row(row), 1)).rows[0]),
    );
    expect(found).toEqual(Array.from({ length: 100 }, (_, row) => row));
  });

  test('loses its process in the middle of searches: each still finds all, and another process takes over', async () => {
    const matrix = new VectorMatrix({ dimension: 16 });
    appendMany(matrix, 3_000);
    const index = await openIndex(matrix);
    await index.rebuild();
    const first = index.processId as number;
    const searches = Array.from({ length: 20 }, (_, i) =>
      expectExact(index, matrix, { query: madeUpVector(16, i + 0.5) }),
    );
    process.kill(first, 'SIGKILL');
    await Promise.all(searches);
    await index.rebuild();
    expect(index.processId).not.toBe(first);
    expect(index.processId).toBeGreaterThan(0);
    await expectExact(index, matrix, { query: madeUpVector(16, 0.5) });
    expect(String(warnings)).toMatch(/FAISS failed/);
  });

  test('cannot start FAISS: searches find all, and say why once', async () => {
    const options = process.env.NODE_OPTIONS;
    process.env.NODE_OPTIONS = '--no-such-flag';
    try {
      const matrix = new VectorMatrix({ dimension: 3 });
      appendMany(matrix, 100);
      const index = await openIndex(matrix);
      await index.rebuild();
      expect(index.processId).toBeUndefined();
      await expectExact(index, matrix, { query: madeUpVector(3, 0.5) });
      expect(JSON.stringify(warnings)).toMatch(/ended with code 9.*no-such-flag/);
    } finally {
      if (options === undefined) delete process.env.NODE_OPTIONS;
      else process.env.NODE_OPTIONS = options;
    }
  });

  test('finds the living among any number of dead rows that lie nearer', async () => {
    const matrix = new VectorMatrix({ dimension: 4 });
    appendMany(matrix, 30);
    const near = madeUpVector(4, 0.5);
    for (let i = 0; i < 500; i++) matrix.append(near);
    const index = await openIndex(matrix);
    await index.rebuild();
    index.remove(30, 499);
    const dead = new Set(Array.from({ length: 499 }, (_, i) => 30 + i));
    await expectExact(index, matrix, { query: near, count: 5, dead });
    expect((await index.search(near, 1)).rows[0]).toBe(529);
  });

  test('starts FAISS for the first rows that are enough, and compares those before, and new ones until they are, here', async () => {
    const matrix = new VectorMatrix({ dimension: 4 });
    const index = await openIndex(matrix);
    const add = async (count: number) => {
      appendMany(matrix, count);
      index.noteAppended();
      await expectExact(index, matrix, { query: madeUpVector(4, 0.5), count: matrix.length });
    };
    await add(63);
    await index.rebuild();
    expect([index.processId, index.size]).toEqual([undefined, 0]);
    await add(1);
    await index.rebuild(); // joins the one under way
    expect([index.processId, index.size]).toEqual([expect.any(Number), 64]);
    await add(63);
    expect(index.size).toBe(64);
    await add(1);
    expect(index.size).toBe(128);
    expect(warnings).toEqual([]);
  });

  test('is made anew without the dead rows when they are many', async () => {
    const matrix = new VectorMatrix({ dimension: 4 });
    appendMany(matrix, 5_000);
    const index = await openIndex(matrix);
    await index.rebuild();
    const first = index.processId;
    index.remove(0, 2_000);
    await expectExact(index, matrix, { query: madeUpVector(4, 0.5), dead: new Set(Array(2_000).keys()) });
    expect(index.processId).toBe(first);
    expect(index.size).toBe(5_000);
    index.remove(2_000, 100);
    await index.rebuild(); // joins the one under way
    expect(index.processId).not.toBe(first);
    expect(index.size).toBe(2_900);
    await expectExact(index, matrix, { query: madeUpVector(4, 0.5), dead: new Set(Array(2_100).keys()) });
  });

  test('replaces a process that has lost too much memory, without a gap', async () => {
    const matrix = new VectorMatrix({ dimension: 8 });
    appendMany(matrix, 100);
    const index = await openIndex(matrix, { lostBytesLimit: 1_000 });
    await index.rebuild();
    const first = index.processId;
    for (let i = 0; i < 40; i++) await expectExact(index, matrix, { query: madeUpVector(8, i + 0.5) });
    await index.rebuild();
    expect(index.processId).not.toBe(first);
    expect(warnings).toEqual([]);
  });

  test('refuses a query of another dimension, and finds nothing in nothing', async () => {
    const index = await openIndex(new VectorMatrix({ dimension: 3 }));
    await expect(index.search(new Float32Array(4), 5)).rejects.toThrow(
      new RangeError('a query of 4 values for vectors of 3'),
    );
    expect((await index.search(new Float32Array(3), 5)).rows).toHaveLength(0);
  });

  test('closed while it starts leaves no process behind', async () => {
    const matrix = new VectorMatrix({ dimension: 3 });
    appendMany(matrix, 100);
    const index = await VectorIndex.open({ matrix, log });
    await index.close();
    expect(index.processId).toBeUndefined();
    await expectExact(index, matrix, { query: madeUpVector(3, 0.5) });
    expect(warnings).toEqual([]);
  });
});

describe('an approximate index', () => {
  /** Rows around a hundred centres, as texts lie around topics. */
  function appendTopics(matrix: VectorMatrix, count: number): void {
    for (let i = 0; i < count; i++) {
      const topic = madeUpVector(matrix.dimension, 1_000_000 + (matrix.length % 100));
      const own = madeUpVector(matrix.dimension, matrix.length);
      const mixed = own.map((value, i) => 0.7 * value + (topic[i] as number));
      const length = Math.hypot(...mixed);
      matrix.append(mixed.map((value) => value / length));
    }
  }

  /** The share of the exact 50 nearest that a search finds; what it finds has its exact cosine, and no row is dead. */
  async function recallAt50(index: VectorIndex, matrix: VectorMatrix, dead = new Set<number>()): Promise<number> {
    let hits = 0;
    for (let i = 0; i < 20; i++) {
      const query = matrix.row((i * 7919) % matrix.length).map((value, at) => value + 0.02 * Math.sin(i + at));
      const { rows, cosines } = await index.search(query, 50);
      expect(rows).toHaveLength(50);
      for (const [at, row] of rows.entries()) {
        expect(cosines[at]).toBeCloseTo(matrix.dot(query, row), 5);
        expect(dead.has(row)).toBe(false);
      }
      const exact = new Set(naiveSearch(matrix, query, { count: 50, dead }).map(({ row }) => row));
      hits += rows.filter((row) => exact.has(row)).length;
    }
    return hits / (20 * 50);
  }

  test('takes over when the rows are many, and searches before, during and after it find every new row', async () => {
    const matrix = new VectorMatrix({ dimension: 16 });
    const index = await openIndex(matrix, { approximateFromRows: 2_000 });
    await index.rebuild();
    const flat = index.processId;
    while (matrix.length < 3_000) {
      const first = matrix.length;
      appendTopics(matrix, 50);
      index.noteAppended();
      if (first % 500 === 0) {
        const { rows, cosines } = await index.search(matrix.row(matrix.length - 1), 1);
        expect([...rows]).toEqual([matrix.length - 1]);
        expect(cosines[0]).toBeCloseTo(1, 5);
      }
    }
    await index.rebuild(); // joins the one under way, or makes another
    expect(index.processId).not.toBe(flat);
    expect(await recallAt50(index, matrix)).toBeGreaterThan(0.98);
    const approximate = index.processId;
    appendTopics(matrix, 500);
    index.noteAppended();
    expect(await recallAt50(index, matrix)).toBeGreaterThan(0.98);
    index.remove(0, 400);
    expect(await recallAt50(index, matrix, new Set(Array(400).keys()))).toBeGreaterThan(0.98);
    expect(index.processId).toBe(approximate);
    expect(warnings).toEqual([]);
  });

  test('scans for a search that wants thousands of rows, and finds exactly those', async () => {
    const matrix = new VectorMatrix({ dimension: 8 });
    appendMany(matrix, 3_000);
    const index = await openIndex(matrix, { approximateFromRows: 1_000 });
    await index.rebuild();
    await expectExact(index, matrix, { query: madeUpVector(8, 0.5), count: 2_500 });
  });

  test('closed while it is trained leaves no process behind, and waits for none', async () => {
    const matrix = new VectorMatrix({ dimension: 16 });
    appendMany(matrix, 20_000);
    const index = await openIndex(matrix, { approximateFromRows: 20_001 });
    await index.rebuild();
    appendMany(matrix, 1);
    index.noteAppended();
    const rebuilding = index.rebuild();
    await index.close();
    await rebuilding;
    expect(index.processId).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  test('dies: a flat index takes over at once, and then an approximate one again', async () => {
    const matrix = new VectorMatrix({ dimension: 8 });
    appendTopics(matrix, 2_500);
    const index = await openIndex(matrix, { approximateFromRows: 2_000 });
    await index.rebuild();
    process.kill(index.processId as number, 'SIGKILL');
    expect(await recallAt50(index, matrix)).toBeGreaterThan(0.98);
    await index.rebuild();
    expect(await recallAt50(index, matrix)).toBeGreaterThan(0.98);
  });
});

describe('a plan', () => {
  test('is flat for few rows, and looks into ever smaller shares of ever more lists beyond', () => {
    const plans = [49_999, 50_000, 100_000, 250_000].map((rows) => planFor(rows, { approximateFromRows: 50_000 }));
    expect(plans).toEqual([
      { lists: 0, probes: 0, sampleRows: 0, outgrownAt: 50_000 },
      { lists: 447, probes: 183, sampleRows: 17_880, outgrownAt: 100_000 },
      { lists: 632, probes: 205, sampleRows: 25_280, outgrownAt: 200_000 },
      { lists: 1000, probes: 239, sampleRows: 40_000, outgrownAt: 500_000 },
    ]);
  });
});

describe('the process that runs FAISS', () => {
  test('says what FAISS refuses, and goes on', async () => {
    const faiss = await FaissProcess.start();
    await faiss.ask({ do: 'open', index: 1, settings: { dimension: 3, lists: 0, probes: 0 } });
    await expect(faiss.ask({ do: 'add', index: 1, values: new Float32Array(4) })).rejects.toThrow(FaissError);
    await expect(faiss.ask({ do: 'load', index: 1, path: '/no/such/file' })).rejects.toThrow(/could not open/);
    expect(await faiss.ask({ do: 'add', index: 1, values: new Float32Array(6) })).toEqual({ held: 2 });
    faiss.retire();
    await faiss.ended;
  });

  test('that is retired answers what it was asked before', async () => {
    const faiss = await FaissProcess.start();
    await faiss.ask({ do: 'open', index: 1, settings: { dimension: 2, lists: 0, probes: 0 } });
    const answer = faiss.ask({ do: 'add', index: 1, values: Float32Array.of(1, 0) });
    faiss.retire();
    expect(await answer).toEqual({ held: 1 });
    expect(await faiss.ended).toBe('it was replaced');
    await expect(faiss.ask({ do: 'search', index: 1, query: Float32Array.of(1, 0), count: 1 })).rejects.toThrow(
      'it was replaced',
    );
  });
});
