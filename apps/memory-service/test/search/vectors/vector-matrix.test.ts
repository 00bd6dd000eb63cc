import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MatrixFullError, VectorMatrix } from '../../../src/search/vectors/vector-matrix.ts';

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
  });
});
