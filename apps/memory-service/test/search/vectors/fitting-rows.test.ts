import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { nearestFitting } from '../../../src/search/vectors/fitting-rows.ts';
import { SpaceVectors } from '../../../src/search/vectors/space-vectors.ts';
import { VectorIndex } from '../../../src/search/vectors/vector-index.ts';
import { VectorMatrix } from '../../../src/search/vectors/vector-matrix.ts';

const DIMENSION = 8;
const opened: VectorIndex[] = [];
afterEach(async () => {
  jest.restoreAllMocks();
  for (const index of opened.splice(0)) await index.close();
});

/** Rows that turn away from the query, row 0 nearest. */
async function turningAway(count: number) {
  const matrix = new VectorMatrix({ dimension: DIMENSION, maximumRows: count });
  for (let row = 0; row < count; row++) {
    const angle = (row / count) * Math.PI;
    matrix.append(Float32Array.from({ length: DIMENSION }, (_, i) => [Math.cos(angle), Math.sin(angle)][i] ?? 0));
  }
  const index = await VectorIndex.open({ matrix, log: { warn: () => {} } });
  const source = await SpaceVectors.open(async () => ({ matrix, index }));
  opened.push(index);
  const query = Float32Array.from({ length: DIMENSION }, (_, i) => (i === 0 ? 1 : 0));
  return { source, query, search: jest.spyOn(index, 'search') };
}

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);
async function* inTurns(...stretches: number[][]) {
  yield* stretches;
}
const never = () => {
  throw new Error('there is no need to look at all rows');
};

describe('the nearest rows that fit', () => {
  test('come from one search where most fit', async () => {
    const { source, query, search } = await turningAway(5_000);
    const fits = (row: number) => row % 10 !== 0;
    const wanted = { count: 100, share: 0.9, fitting: never, fits };
    const found = await nearestFitting(query, { source, wanted });
    expect(Array.from(found)).toEqual(numbers(0, 112).filter(fits).slice(0, 100));
    expect(search.mock.calls.map(([, asked]) => asked)).toEqual([112]);
  });

  test('are found behind any number of nearer ones that do not fit', async () => {
    const { source, query } = await turningAway(5_000);
    const wanted = { count: 100, share: 0.5, fitting: never, fits: (row: number) => row >= 2_500 };
    const found = await nearestFitting(query, { source, wanted });
    expect(Array.from(found)).toEqual(numbers(2_500, 100));
  });

  test('are compared without a search where few fit, or nobody knows how many', async () => {
    const { source, query, search } = await turningAway(3_000);
    const fitting = () => inTurns([2_999], [17, 5]);
    for (const share of [null, 0.001]) {
      const wanted = { count: 2, share, fitting, fits: never };
      expect(Array.from(await nearestFitting(query, { source, wanted }))).toEqual([5, 17]);
    }
    expect(search).not.toHaveBeenCalled();
  });

  test('are searched for where very many fit', async () => {
    const { source, query } = await turningAway(30_000);
    const fits = (row: number) => row % 4 !== 0;
    const fitting = () => inTurns(numbers(0, 10).filter(fits), numbers(10, 29_990).filter(fits));
    const found = await nearestFitting(query, { source, wanted: { count: 50, share: null, fitting, fits } });
    expect(Array.from(found).slice(0, 25)).toEqual(numbers(0, 100).filter(fits).slice(0, 25));
  });

  test('are none where none fits', async () => {
    const { source, query } = await turningAway(300);
    const wanted = { count: 10, share: 0, fitting: () => inTurns(), fits: () => false };
    expect(Array.from(await nearestFitting(query, { source, wanted }))).toEqual([]);
    const hopeful = { ...wanted, share: 1 };
    expect(Array.from(await nearestFitting(query, { source, wanted: hopeful }))).toEqual([]);
  });
});
