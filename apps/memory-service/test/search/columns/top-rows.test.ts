import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { TopRows } from '../../../src/search/columns/top-rows.ts';

test('keeps what a full sort puts first, ties by row', () => {
  const cosine = fc.oneof(fc.constantFrom(0, 0.5, -0.5), fc.float({ min: -1, max: 1, noNaN: true }));
  fc.assert(
    fc.property(fc.array(cosine, { maxLength: 60 }), fc.nat({ max: 70 }), (cosines, capacity) => {
      const top = new TopRows(capacity);
      cosines.forEach((cosine, row) => {
        top.offer(row, cosine);
      });
      const sorted = cosines
        .map((cosine, row) => ({ cosine, row }))
        .sort((a, b) => b.cosine - a.cosine || a.row - b.row);
      const first = sorted.slice(0, capacity);
      if (capacity > 0) expect(top.least + 0).toBe((sorted[capacity - 1]?.cosine ?? Number.NEGATIVE_INFINITY) + 0);
      const { rows, cosines: stored } = top.take();
      expect(top.size).toBe(0);
      expect([...rows]).toEqual(first.map(({ row }) => row));
      expect([...stored].map((value) => value + 0)).toEqual(first.map(({ cosine }) => cosine + 0));
    }),
    { numRuns: 500 },
  );
});

test('never keeps what is not a number', () => {
  const top = new TopRows(2);
  for (const cosine of [Number.NaN, 0.1, Number.NaN, 0.2, Number.NaN, 0.3]) top.offer(7, cosine);
  expect([...top.take().cosines].map((value) => value.toFixed(1))).toEqual(['0.3', '0.2']);
});
