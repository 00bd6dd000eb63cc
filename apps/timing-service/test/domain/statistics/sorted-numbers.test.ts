import { seededRandom } from '@agent-faculties/stats-math';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SortedNumbers } from '../../../src/domain/statistics/sorted-numbers.ts';

/** The naive twin: a plain sorted array. */
class NaiveNumbers {
  values: number[] = [];

  add(value: number): void {
    this.values.push(value);
    this.values.sort((a, b) => a - b);
  }

  remove(value: number): boolean {
    const index = this.values.indexOf(value);
    if (index === -1) return false;
    this.values.splice(index, 1);
    return true;
  }
}

function expectSame(actual: SortedNumbers, values: readonly number[], probes: readonly number[]): void {
  expect(actual.size).toBe(values.length);
  expect([...actual]).toEqual(values);
  for (const probe of probes) {
    expect(actual.countAtMost(probe)).toBe(values.filter((value) => value <= probe).length);
    expect(actual.countBelow(probe)).toBe(values.filter((value) => value < probe).length);
  }
  for (const index of [0, Math.floor(values.length / 3), values.length - 1]) {
    if (index >= 0 && index < values.length) expect(actual.at(index)).toBe(values[index]);
  }
}

describe('sorted numbers', () => {
  test('agree with a plain sorted array after any mix of additions and removals', () => {
    const step = fc.tuple(fc.constantFrom('add', 'add', 'add', 'remove'), fc.integer({ min: 0, max: 20 }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 150 }), (steps) => {
        const actual = new SortedNumbers();
        const naive = new NaiveNumbers();
        for (const [kind, value] of steps) {
          if (kind === 'remove') expect(actual.remove(value)).toBe(naive.remove(value));
          else {
            actual.add(value);
            naive.add(value);
          }
        }
        expectSame(actual, naive.values, [-1, 0, 5, 10.5, 20, 21]);
      }),
      { seed: 1, numRuns: 100 },
    );
  });

  test.each([
    ['few distinct values', 7],
    ['many distinct values', 100_000],
  ])('agree with a plain sorted array beyond the size of one chunk, with %s', (_name, distinct) => {
    const random = seededRandom(42);
    const draw = () => Math.floor(random.next() * distinct);
    const actual = new SortedNumbers();
    const values: number[] = [];
    for (let index = 0; index < 6_000; index++) {
      const value = draw();
      actual.add(value);
      values.push(value);
    }
    values.sort((a, b) => a - b);
    const probes = [-1, 0, 1, 3, distinct / 2, distinct - 1, distinct];
    expectSame(actual, values, probes);
    for (const value of values.splice(1_000, 4_500)) expect(actual.remove(value)).toBe(true);
    expectSame(actual, values, probes);
  });

  test('take values in bulk and go on with single ones', () => {
    const actual = new SortedNumbers();
    const values = Array.from({ length: 5_500 }, (_, index) => Math.floor(index / 3));
    for (const value of values) actual.append(value);
    for (const value of [0, 900, 900.5, 5_000]) {
      actual.add(value);
      values.push(value);
    }
    values.sort((a, b) => a - b);
    expectSame(actual, values, [0, 1, 900, 900.5, 1_833, 5_000]);
  });

  test('say that a value is not there instead of removing its neighbour', () => {
    const actual = new SortedNumbers();
    for (const value of [1, 3, 3, 5]) actual.add(value);
    expect([0, 2, 4, 6].map((value) => actual.remove(value))).toEqual([false, false, false, false]);
    expect([...actual]).toEqual([1, 3, 3, 5]);
    expect([actual.remove(3), actual.remove(3), actual.remove(3)]).toEqual([true, true, false]);
    expect([...actual]).toEqual([1, 5]);
  });

  test('refuse an index that is outside', () => {
    const actual = new SortedNumbers();
    actual.add(1);
    for (const index of [-1, 1, Number.NaN]) expect(() => actual.at(index)).toThrow(RangeError);
  });

  test('are empty to begin with and can become empty again', () => {
    const actual = new SortedNumbers();
    expect([actual.size, actual.countAtMost(1), actual.countBelow(1), actual.remove(1)]).toEqual([0, 0, 0, false]);
    actual.add(1);
    actual.remove(1);
    expect([actual.size, actual.countAtMost(1), [...actual]]).toEqual([0, 0, []]);
    actual.add(2);
    expect([...actual]).toEqual([2]);
  });
});
