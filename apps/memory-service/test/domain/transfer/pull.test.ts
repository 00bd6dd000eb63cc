import { InvalidInputError, ManualClock } from '@agent-faculties/service-kit';
import type { JsonFields } from '@agent-faculties/service-kit/http';
import { expect, test } from '@jest/globals';
import { KeyedLock } from '../../../src/domain/concurrency/keyed-lock.ts';
import { rewritingAsMerge } from '../../../src/domain/editing/rewrite.ts';
import { pull } from '../../../src/domain/transfer/pull.ts';
import { createVolatileJournal } from '../../../src/store/changes/journal.ts';
import { MemoryIndexes } from '../../../src/store/indexes/memory-indexes.ts';
import { JournalledStore } from '../../../src/store/journalled-store.ts';
import { sampleMemory, sampleStrength } from '../../sample-memory.ts';

function local() {
  const indexes = new MemoryIndexes({ vectors: null });
  const store = new JournalledStore({ indexes, journal: createVolatileJournal(), clock: new ManualClock(0) });
  const deps = {
    store,
    rewrite: rewritingAsMerge({ store, now: () => 0 }),
    locks: new KeyedLock(),
    maxMemories: 100,
  };
  return { deps, ids: () => [...indexes.capture()].map(({ memory }) => memory.id).sort() };
}

/** Lines of an export, of which only some fields matter here. */
async function* lines(records: readonly (JsonFields | null)[]) {
  for (const [index, fields] of records.entries()) {
    const read = (): JsonFields => {
      if (fields === null) throw new InvalidInputError('is not JSON');
      return fields;
    };
    yield { number: index + 1, bytes: 100, read };
  }
}

/** A memory with the id and scope of the line; its words are its id. */
const parse = async ({ id, scope }: JsonFields) => ({
  memory: sampleMemory(1, {
    id: id as string,
    scope: (scope ?? 'TEAM') as 'TEAM',
    agentId: 'me',
    kind: 'episodic',
    sources: [],
    supersededBy: null,
    content: `Words of ${id}.`,
    gist: `Words of ${id}.`,
  }),
  isDated: true,
  strength: sampleStrength(1),
  vectors: [],
});

const RECORDS = [
  { id: 'a', scope: 'TEAM' },
  { id: 'b', scope: 'PRIVATE' },
  { id: 'c', kind: 'semantic', sources: ['a'] },
  { id: 'd', kind: 'semantic', sources: [] },
  null,
  { id: 'e', kind: 'semantic', sources: 'a' },
];

test.each([
  [false, ['a', 'd', 'e'], 1],
  [true, ['a', 'b', 'd', 'e'], 0],
])('takes PRIVATE memories: %p; derived ones never', async (includePrivate, ids, leftOut) => {
  const { deps, ids: stored } = local();
  const progress: number[] = [];
  const summary = await pull(deps, lines(RECORDS), {
    agentId: 'me',
    includePrivate,
    parse,
    onProgress: (received) => progress.push(received),
  });
  expect(stored()).toEqual(ids);
  expect(summary).toMatchObject({ added: ids.length, leftOut, derived: 1, rejectedCount: 1 });
  expect(summary.withoutVectors).toBe(ids.length);
  // The index counts the lines that were to be merged.
  expect(summary.rejected).toEqual([{ index: ids.length - 1, reason: 'is not JSON' }]);
  // The progress counts the lines that are left out too.
  expect(progress).toEqual([1, 2, 3, 4, 5, 6]);
});

test('a second time brings nothing new', async () => {
  const { deps, ids } = local();
  const options = { agentId: 'me', includePrivate: true, parse, onProgress: () => {} };
  await pull(deps, lines(RECORDS), options);
  expect(await pull(deps, lines(RECORDS), options)).toMatchObject({ added: 0, updated: 0, duplicates: 4 });
  expect(ids()).toEqual(['a', 'b', 'd', 'e']);
});
