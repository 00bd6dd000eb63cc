import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dotAt } from '../../../src/search/vectors/dot.ts';
import { RowMemory } from '../../../src/search/vectors/row-memory.ts';

const value = fc.oneof(fc.float({ min: -1, max: 1, noNaN: true }), fc.float());

/** A vector and rows of its dimension. */
const vectors = fc.integer({ min: 1, max: 41 }).chain((dimension) => {
  const any = fc.float32Array({ minLength: dimension, maxLength: dimension });
  const usual = fc.array(value, { minLength: dimension, maxLength: dimension }).map((row) => Float32Array.from(row));
  return fc.array(fc.oneof({ arbitrary: usual, weight: 4 }, any), { minLength: 2, maxLength: 12 });
});

/** Products of float64 in four sums; what is left of a dimension goes to the first one. */
function naiveDot(a: Float32Array, b: Float32Array): number {
  const sums = [0, 0, 0, 0];
  const even = a.length - (a.length % 4);
  a.forEach((value, place) => {
    const to = place < even ? place % 4 : 0;
    sums[to] = (sums[to] as number) + value * (b[place] as number);
  });
  const [first, second, third, fourth] = sums as [number, number, number, number];
  return first + second + (third + fourth);
}

describe('a memory of rows', () => {
  test('multiplies vectors to the last bit as float64 does in four sums, and as JavaScript does elsewhere', () => {
    fc.assert(
      fc.property(vectors, (rows) => {
        const [first] = rows as [Float32Array];
        const memory = new RowMemory(first.length);
        rows.forEach((row, at) => {
          memory.reserve(at + 1);
          memory.values.set(row, at * row.length);
        });
        rows.forEach((a, i) => {
          rows.forEach((b, j) => {
            const expected = naiveDot(a, b);
            expect(memory.dot(a, j)).toBe(expected);
            expect(memory.dotRows(i, j)).toBe(expected);
            expect(dotAt(a, 0, b, 0, a.length)).toBe(expected);
          });
          const all = new Float64Array(rows.length);
          memory.dots(a, [...rows.keys()], all);
          expect([...all]).toEqual(rows.map((b) => naiveDot(a, b)));
        });
      }),
    );
  });

  test('shows what is written to a row as bytes', () => {
    const memory = new RowMemory(2);
    memory.reserve(3);
    memory.bytes(1, 2).set(new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer));
    expect([...memory.values]).toEqual([0, 0, 1, 2, 3, 4]);
    expect(memory.dotRows(1, 2)).toBe(11);
  });

  test('multiplies rows that begin beyond 2 GiB, up to the last one', () => {
    const dimension = 1_000_000;
    const most = 1_072;
    expect(RowMemory.mostRows(dimension)).toBe(most);
    const memory = new RowMemory(dimension);
    memory.reserve(most);
    const last = (most - 1) * dimension;
    memory.values[last] = 2;
    memory.values[last + dimension - 1] = 3;
    expect(memory.dotRows(most - 1, most - 1)).toBe(13);
    expect(() => memory.reserve(most + 1_000)).toThrow(RangeError);
  });
});
