import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { NONE } from '../../../src/search/columns/slot-table.ts';
import type { ChunkId, DistantVectors, NearChunk } from '../../../src/search/vectors/distant-vectors.ts';
import { FaissPool } from '../../../src/search/vectors/faiss/faiss-pool.ts';
import { SpaceVectors } from '../../../src/search/vectors/space-vectors.ts';
import { VectorIndex } from '../../../src/search/vectors/vector-index.ts';
import { VectorMatrix } from '../../../src/search/vectors/vector-matrix.ts';

const DIMENSION = 4;
/** One process for all. */
const pool = new FaissPool();
const opened: SpaceVectors[] = [];
afterEach(async () => {
  for (const vectors of opened.splice(0)) await vectors.index.close();
});

const direction = fc
  .array(fc.integer({ min: -9, max: 9 }), { minLength: DIMENSION, maxLength: DIMENSION })
  .filter((values) => values.some((value) => value !== 0))
  .map((values) => Float32Array.from(values, (value) => value / Math.hypot(...values)));

async function emptyMatrix() {
  const matrix = new VectorMatrix({ dimension: DIMENSION, maximumRows: 1_000 });
  return { matrix, index: await VectorIndex.open({ matrix, log: { warn: () => {} }, pool }) };
}

/** Row r is the one chunk of the memory `m<r>`; those of `dead` belong to nobody. */
async function spaceOf(vectors: readonly Float32Array[], dead: ReadonlySet<number> = new Set()) {
  const space = await SpaceVectors.open(emptyMatrix);
  opened.push(space);
  space.tellOwners({
    chunkOf: (row) => (dead.has(row) ? null : { id: `m${row}`, chunk: 0 }),
    rowOf: ({ id }) => (dead.has(Number(id.slice(1))) ? NONE : Number(id.slice(1))),
    textOf: (id) => ({ id, digest: `text of ${id}` }),
  });
  for (const vector of vectors) space.append([vector]);
  return space;
}

/** Another place, which compares with everything. */
function elsewhere(vectors: readonly Float32Array[]): DistantVectors {
  const near = (rows: readonly number[], query: Float32Array, count: number): NearChunk[] => {
    const dot = (vector: Float32Array) => vector.reduce((sum, value, at) => sum + value * (query[at] as number), 0);
    const chunks = rows.map((row) => ({ ...chunkOf(row), cosine: dot(vectors[row] as Float32Array) }));
    return chunks.sort((a, b) => b.cosine - a.cosine).slice(0, count);
  };
  return {
    fetch: async (texts) => new Map(texts.map(({ id }) => [id, [vectors[Number(id.slice(1))] as Float32Array]])),
    nearest: async (query, count) => near([...vectors.keys()], query, count),
    nearestAmong: async (ids, query, count) =>
      near(
        ids.map((id) => Number(id.slice(1))),
        query,
        count,
      ),
    missed: () => {},
  };
}

function chunkOf(row: number) {
  return { id: `m${row}`, digest: `text of m${row}`, chunk: 0 };
}

describe('vectors of which the first rows are elsewhere', () => {
  const split = fc.record({
    vectors: fc.array(direction, { minLength: 1, maxLength: 12 }),
    first: fc.nat({ max: 12 }),
    query: direction,
    count: fc.integer({ min: 1, max: 14 }),
    dead: fc.uniqueArray(fc.nat({ max: 11 }), { maxLength: 3 }),
  });

  test('are found and read as if all were here', async () => {
    await fc.assert(
      fc.asyncProperty(split, async ({ vectors, first, query, count, dead }) => {
        const gone = new Set(dead.filter((row) => row < vectors.length));
        const whole = await spaceOf(vectors, gone);
        const parted = await spaceOf(vectors, gone);
        await parted.keepElsewhere(Math.min(first, vectors.length), elsewhere(vectors));
        for (const row of gone) for (const space of [whole, parted]) space.remove({ first: row, count: 1 });
        expect(parted.length).toBe(whole.length);

        const rows = [...vectors.keys()].filter((row) => !gone.has(row));
        const [all, some] = await Promise.all([whole.rowsOf(rows), parted.rowsOf(rows)]);
        for (const row of rows) {
          expect(some.dot(query, row)).toBe(all.dot(query, row));
          const products = new Float64Array(rows.length);
          some.dots(query, rows, products);
          expect([...products]).toEqual(rows.map((other) => all.dot(query, other)));
          expect(Array.from(some.row(row))).toEqual(Array.from(all.row(row)));
          for (const other of rows) expect(some.dotRows(row, other)).toBe(all.dotRows(row, other));
        }
        // Equal cosines may come in any order.
        const cosines = async (space: SpaceVectors) => ({
          found: Array.from((await space.search(query, count)).cosines, rounded),
          among: Array.from((await space.nearestAmong(rows, query, count)).cosines, rounded),
        });
        expect(await cosines(parted)).toEqual(await cosines(whole));
      }),
      { numRuns: 30 },
    );
  });

  test('take in new rows under the next numbers, also while the others leave', async () => {
    const vectors = [0, 1, 2, 3].map((axis) => unit(axis));
    const space = await spaceOf(vectors.slice(0, 3));
    const leaving = space.keepElsewhere(2, elsewhere(vectors));
    expect(space.append([unit(3)])).toEqual({ first: 3, count: 1 });
    await leaving;
    expect(space.first).toBe(2);
    expect(Array.from(space.row(3))).toEqual([0, 0, 0, 1]);
    expect(space.append([unit(0), unit(1)])).toEqual({ first: 4, count: 2 });
    expect(Array.from((await space.search(unit(3), 1)).rows)).toEqual([3]);
  });

  test('are read by a request that began before they left', async () => {
    const vectors = [0, 1].map((axis) => unit(axis));
    const space = await spaceOf(vectors);
    const { held } = space;
    await space.keepElsewhere(2, elsewhere(vectors));
    expect(held.dotRows(0, 0)).toBe(1);
    expect(() => space.row(0)).toThrow(RangeError);
  });

  test('are like no other where they are gone, or are here in a newer form', async () => {
    const vectors = [unit(0), unit(1)];
    const space = await spaceOf(vectors);
    const gone: DistantVectors = { ...elsewhere(vectors), fetch: async () => new Map() };
    await space.keepElsewhere(1, gone);
    expect((await space.rowsOf([0])).dot(unit(0), 0)).toBe(0);
    // The other place still has what was row 1 there; here it is held.
    expect(Array.from((await space.search(unit(1), 5)).rows)).toEqual([1, 0]);
  });

  test('begin after those that a start finds elsewhere', async () => {
    const space = await spaceOf([]);
    const chunks: ChunkId[] = [];
    space.beginAfter(7, { ...elsewhere([]), nearest: async () => chunks as NearChunk[] });
    expect(space.append([unit(2)])).toEqual({ first: 7, count: 1 });
    expect(space.length).toBe(8);
    expect(Array.from((await space.search(unit(2), 3)).rows)).toEqual([7]);
  });
});

function unit(axis: number): Float32Array {
  return Float32Array.from({ length: DIMENSION }, (_, at) => Number(at === axis));
}

function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6 + 0;
}
