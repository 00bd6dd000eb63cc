import { readFile, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { UnavailableError } from '@agent-faculties/service-kit';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { HEADER_BYTES, writeFlatIndex } from '../../../src/search/vectors/faiss/faiss-file.ts';
import { FiledRows } from '../../../src/search/vectors/filed-rows.ts';
import { MatrixFullError, VectorMatrix } from '../../../src/search/vectors/vector-matrix.ts';
import { scratchFolder } from '../../scratch-folder.ts';

const value = fc.float({ min: -1, max: 1, noNaN: true });

/** Rows of one dimension. */
const rowsOfOneDimension = fc
  .integer({ min: 1, max: 19 })
  .chain((dimension) =>
    fc.array(fc.array(value, { minLength: dimension, maxLength: dimension }), { minLength: 1, maxLength: 20 }),
  );

const naiveDot = (a: number[], b: number[]) => a.reduce((sum, value, i) => sum + value * (b[i] as number), 0);

describe('a vector matrix', () => {
  test('gives back what was appended, and dot products as a plain sum has them, in any dimension', () => {
    fc.assert(
      fc.property(rowsOfOneDimension, (rows) => {
        const matrix = new VectorMatrix({ dimension: (rows[0] as number[]).length });
        expect(rows.map((row) => matrix.append(Float32Array.from(row)))).toEqual(rows.map((_, i) => i));
        expect(matrix.length).toBe(rows.length);
        rows.forEach((row, i) => {
          expect([...matrix.row(i)]).toEqual(row);
          expect(matrix.dot(Float32Array.from(row), 0)).toBeCloseTo(naiveDot(row, rows[0] as number[]), 12);
          expect(matrix.dotRows(i, rows.length - 1)).toBeCloseTo(naiveDot(row, rows.at(-1) as number[]), 12);
        });
      }),
    );
  });

  test('takes several rows at once and returns the first', () => {
    const matrix = new VectorMatrix({ dimension: 2 });
    expect(matrix.append(Float32Array.of(1, 2))).toBe(0);
    expect(matrix.append(Float32Array.of(3, 4, 5, 6))).toBe(1);
    expect([...matrix.row(1, 2)]).toEqual([3, 4, 5, 6]);
    expect(matrix.length).toBe(3);
  });

  test('numbers rows that come later in front of those that are appended meanwhile', async () => {
    const matrix = new VectorMatrix({ dimension: 2 });
    const { bytes, arrived } = matrix.expect(2);
    let isThere = false;
    const whole = matrix.whole().then(() => {
      isThere = true;
    });
    expect(matrix.append(Float32Array.of(5, 6))).toBe(2);
    new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length).set(
      new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer),
    );
    expect([matrix.isWhole, isThere]).toEqual([false, false]);
    arrived();
    await whole;
    expect([matrix.isWhole, isThere]).toEqual([true, true]);
    expect([...matrix.row(0, 3)]).toEqual([1, 2, 3, 4, 5, 6]);
    await matrix.whole();
    expect(() => matrix.expect(1)).toThrow(RangeError);
    const closed = new VectorMatrix({ dimension: 2 });
    closed.expect(2).givenUp(new Error('closed'));
    await expect(closed.whole()).rejects.toThrow('closed');
    expect(closed.isWhole).toBe(false);
    expect(() => new VectorMatrix({ dimension: 2, maximumRows: 3 }).expect(4)).toThrow(MatrixFullError);
  });

  test('may wait for no rows at all', () => {
    const matrix = new VectorMatrix({ dimension: 2 });
    const { bytes, arrived } = matrix.expect(0);
    arrived();
    expect([bytes.length, matrix.isWhole, matrix.append(Float32Array.of(5, 6))]).toEqual([0, true, 0]);
  });

  test('keeps rows and earlier views of them while it grows', () => {
    const matrix = new VectorMatrix({ dimension: 3 });
    const first = matrix.row(matrix.append(Float32Array.of(1, 2, 3)));
    const block = new Float32Array(3 * 1000).map((_, i) => i);
    for (let i = 0; i < 50; i++) matrix.append(block);
    expect([...first]).toEqual([1, 2, 3]);
    expect([...matrix.row(50_000)]).toEqual([2997, 2998, 2999]);
    expect(matrix.dot(Float32Array.of(1, 0, 0), 49_001)).toBe(0);
    expect(matrix.dot(Float32Array.of(1, 0, 0), 49_002)).toBe(3);
  });

  test('refuses values that make no whole row, rows that are not there, and more than it may hold', () => {
    const matrix = new VectorMatrix({ dimension: 2, maximumRows: 3 });
    for (const values of [[], [1], [1, 2, 3]]) {
      expect(() => matrix.append(Float32Array.from(values))).toThrow(RangeError);
    }
    matrix.append(Float32Array.of(1, 2, 3, 4));
    for (const row of [-1, 2]) expect(() => matrix.row(row)).toThrow(RangeError);
    expect(() => matrix.row(1, 2)).toThrow(RangeError);
    matrix.append(Float32Array.of(5, 6));
    expect(() => matrix.append(Float32Array.of(7, 8))).toThrow(MatrixFullError);
    expect(matrix.length).toBe(3);
    expect([...matrix.row(2)]).toEqual([5, 6]);
    expect(new VectorMatrix({ dimension: 1_000 }).maximumRows).toBe(1_073_724);
  });

  test('is like no vector in a row that is not there', () => {
    const matrix = new VectorMatrix({ dimension: 2 });
    matrix.append(Float32Array.of(1, 2));
    for (const row of [-2, -1, 1, 5_000]) {
      expect(matrix.dot(Float32Array.of(1, 2), row)).toBeNaN();
      expect(matrix.dotRows(0, row)).toBeNaN();
      expect(matrix.dotRows(row, 0)).toBeNaN();
    }
  });
});

describe('a vector matrix whose first rows are in a file', () => {
  const DIMENSION = 3;
  const rows = fc.array(fc.array(value, { minLength: DIMENSION, maxLength: DIMENSION }), {
    minLength: 20,
    maxLength: 60,
  });
  const reading = fc.record({ a: fc.nat(), b: fc.nat(), count: fc.integer({ min: 1, max: 20 }) });

  const { path: folder, removeScratch } = scratchFolder();
  afterAll(removeScratch);

  /** The first rows of a matrix as a file, of which so many groups are kept in memory. */
  async function filedRows(matrix: VectorMatrix, { count, groups }: { count: number; groups: number }) {
    const path = join(folder, 'rows');
    await writeFlatIndex(path, { matrix, rows: Int32Array.from({ length: count }, (_, row) => row), durable: false });
    const filed = await FiledRows.open(path, { offset: HEADER_BYTES, dimension: DIMENSION, count, groups });
    return { path, filed };
  }

  test('answers everything as one that has all of them in memory, however few are kept, and whatever comes later', async () => {
    const of = fc.record({
      rows,
      later: rows,
      counts: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
      groups: fc.integer({ min: 1, max: 4 }),
      readings: fc.array(reading, { minLength: 1, maxLength: 30 }),
    });
    await fc.assert(
      fc.asyncProperty(of, async ({ rows, later, counts, groups, readings }) => {
        const [parted, whole] = [
          new VectorMatrix({ dimension: DIMENSION }),
          new VectorMatrix({ dimension: DIMENSION }),
        ];
        for (const row of rows) for (const matrix of [parted, whole]) matrix.append(Float32Array.from(row));
        const wanted = counts.map((count) => 1 + (count % rows.length)).sort((a, b) => a - b);
        for (const count of wanted) {
          const { path, filed } = await filedRows(parted, { count, groups });
          await rm(path);
          parted.keepInFile(filed);
        }
        for (const row of later) for (const matrix of [parted, whole]) matrix.append(Float32Array.from(row));
        expect([parted.length, parted.bytes]).toEqual([whole.length, whole.bytes]);
        const inFile = wanted.at(-1) as number;
        expect(parted.bytesHeld).toBe((whole.length - inFile + groups * 8) * DIMENSION * 4);
        for (const { a, b, count } of readings) {
          const [one, other] = [a % whole.length, b % whole.length];
          const many = Math.min(count, whole.length - one);
          expect(parted.dotRows(one, other)).toBe(whole.dotRows(one, other));
          expect(parted.dot(whole.row(other), one)).toBe(whole.dot(whole.row(other), one));
          const products = new Float64Array(whole.length);
          parted.dots(whole.row(one), [...products.keys()], products);
          expect([...products]).toEqual(Array.from(products, (_, row) => whole.dot(whole.row(one), row)));
          expect([...parted.row(one, many)]).toEqual([...whole.row(one, many)]);
        }
        expect(() => parted.row(whole.length)).toThrow(RangeError);
        parted.close();
      }),
      { numRuns: 50 },
    );
  });

  test('keeps no value of rows that were forgotten', async () => {
    const matrix = new VectorMatrix({ dimension: DIMENSION });
    for (let row = 1; row <= 12; row++) matrix.append(Float32Array.of(row, row, row));
    const { path, filed } = await filedRows(matrix, { count: 10, groups: 2 });
    matrix.keepInFile(filed);
    expect([...matrix.row(8)]).toEqual([9, 9, 9]);
    matrix.forget(7, 2);
    matrix.forget(9, 2);
    const values = Array.from({ length: 12 }, (_, row) => matrix.dot(Float32Array.of(1, 0, 0), row));
    expect(values).toEqual([1, 2, 3, 4, 5, 6, 7, 0, 0, 0, 11, 12]);
    const inFile = new Float32Array((await readFile(path)).buffer.slice(HEADER_BYTES));
    expect([...inFile.subarray(7 * DIMENSION)]).toEqual(Array(3 * DIMENSION).fill(0));
    expect([...inFile.subarray(0, DIMENSION)]).toEqual([1, 1, 1]);
    matrix.close();
  });

  test('stay in memory, all of them, where there is no address space for what is left of it', async () => {
    const matrix = new VectorMatrix({ dimension: DIMENSION });
    for (let row = 1; row <= 12; row++) matrix.append(Float32Array.of(row, row, row));
    const { filed } = await filedRows(matrix, { count: 10, groups: 2 });
    const { WebAssembly } = globalThis as unknown as { WebAssembly: { Memory: () => unknown } };
    const memory = jest.spyOn(WebAssembly, 'Memory').mockImplementation(() => {
      throw new RangeError('no address space');
    });
    expect(() => matrix.keepInFile(filed)).toThrow('no address space');
    memory.mockRestore();
    filed.close();
    expect(matrix.append(Float32Array.of(13, 13, 13))).toBe(12);
    const values = Array.from({ length: 13 }, (_, row) => matrix.dot(Float32Array.of(1, 0, 0), row));
    expect(values).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  });

  test('says so when they cannot be read any more', async () => {
    const matrix = new VectorMatrix({ dimension: DIMENSION });
    for (let row = 0; row < 20; row++) matrix.append(Float32Array.of(row, 0, 1));
    const { path, filed } = await filedRows(matrix, { count: 20, groups: 1 });
    matrix.keepInFile(filed);
    expect(matrix.dot(Float32Array.of(1, 0, 0), 19)).toBe(19);
    await truncate(path, HEADER_BYTES + 10 * DIMENSION * 4);
    expect(matrix.dot(Float32Array.of(1, 0, 0), 7)).toBe(7);
    for (let attempt = 0; attempt < 2; attempt++) {
      expect(() => matrix.dot(Float32Array.of(1, 0, 0), 15)).toThrow(UnavailableError);
    }
    expect(matrix.dot(Float32Array.of(1, 0, 0), 1)).toBe(1);
    matrix.close();
    expect(() => matrix.row(0, 2)).toThrow(UnavailableError);
  });
});
