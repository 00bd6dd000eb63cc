import { expect, test } from '@jest/globals';

interface Shown {
  readonly ids: string[];
  readonly absorbed: string[];
}

// Written for the browser, without types.
const FILE = new URL('../../../src/dashboard/consolidation/shown-ids.js', import.meta.url).href;
const { shownIds }: { shownIds(report: object, most: Record<string, number>): Shown } = await import(FILE);

const report = {
  ids: {
    semantic_created: [{ id: null, sources: ['a', 'b'], gist: 'planned' }],
    semantic_rebuilt: [
      { id: 'derived', sources: ['c', 'd'] },
      { id: 'other', sources: ['e', 'f'] },
    ],
    deduplicated: [
      { id: 'a', absorbed: ['g', 'h'] },
      { id: 'i', absorbed: ['j'] },
    ],
    pruned: ['k', 'l'],
  },
};

test('a report shows so many of each thing that it did, and reads each memory once', () => {
  expect(shownIds(report, { derived: 2, madeOne: 1, pruned: 1 })).toEqual({
    ids: ['a', 'b', 'derived', 'c', 'd', 'g', 'h', 'k'],
    absorbed: ['g', 'h'],
  });
});

test('a report of a run that did nothing shows none', () => {
  const ids = { semantic_created: [], semantic_rebuilt: [], deduplicated: [], pruned: [] };
  expect(shownIds({ ids }, { derived: 5, madeOne: 5, pruned: 5 })).toEqual({ ids: [], absorbed: [] });
});
