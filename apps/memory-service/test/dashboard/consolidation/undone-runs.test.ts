import { expect, test } from '@jest/globals';

interface Undone {
  readonly derived: number;
  readonly madeOne: number;
  readonly isWhole: boolean;
  readonly kept: number;
}
interface UndoneRuns {
  undoneOf(run: string | null): Undone;
  noteUndone(run: string, part: Partial<Undone>): void;
  leftOf(report: object, undone: Undone): [number, string, string][];
}

// Written for the browser, without types.
const FILE = new URL('../../../src/dashboard/consolidation/undone-runs.js', import.meta.url).href;
const { undoneOf, noteUndone, leftOf }: UndoneRuns = await import(FILE);

const report = { semantic_created: 2, semantic_rebuilt: 1, deduplicated: 3, pruned: 4, semantic_removed: 0 };

test('what was taken back of a run adds up, apart from other runs', () => {
  noteUndone('one', { derived: 1 });
  noteUndone('one', { madeOne: 2 });
  noteUndone('other', { isWhole: true });
  expect(undoneOf('one')).toEqual({ derived: 1, madeOne: 2, isWhole: false, kept: 0 });
  expect(undoneOf('other').isWhole).toBe(true);
  expect(undoneOf(null)).toEqual({ derived: 0, madeOne: 0, isWhole: false, kept: 0 });
});

test('what is left of a run is what it did without what was taken back, which is counted for itself', () => {
  const counts = leftOf(report, { derived: 3, madeOne: 1, isWhole: false, kept: 0 }).map(([count, one]) => [
    count,
    one,
  ]);
  expect(counts).toEqual([
    [2, 'memory made one with another'],
    [4, 'memory put into the archive'],
    [4, 'undone'],
  ]);
});
