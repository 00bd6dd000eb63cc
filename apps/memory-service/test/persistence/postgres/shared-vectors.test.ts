import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLog, ManualClock } from '@agent-faculties/service-kit';
import { expect, test } from '@jest/globals';
import type { MemoryDatabase } from '../../../src/persistence/postgres/memory-database.ts';
import { SharedVectors } from '../../../src/persistence/postgres/vectors/shared-vectors.ts';
import { SpaceVectors } from '../../../src/search/vectors/space-vectors.ts';
import { VectorIndex } from '../../../src/search/vectors/vector-index.ts';
import { VectorMatrix } from '../../../src/search/vectors/vector-matrix.ts';
import { MemoryIndexes } from '../../../src/store/indexes/memory-indexes.ts';
import { sampleMemory } from '../../sample-memory.ts';

const DIMENSION = 4;
/** More than lose their vectors in one turn of the event loop. */
const MEMORIES = 5_100;
const log = createLog({ name: 'test', level: 'silent' });

test('vectors can be asked for while many are lost, because a checkpoint without any was read anew', async () => {
  const vectors = await SpaceVectors.open(async () => {
    const matrix = new VectorMatrix({ dimension: DIMENSION });
    return { matrix, index: await VectorIndex.open({ matrix, log }) };
  });
  const indexes = new MemoryIndexes({ vectors });
  // Never asked: the checkpoint has no table.
  const { postgres } = {} as MemoryDatabase;
  const shared = new SharedVectors({
    postgres,
    space: 'default',
    model: { id: 'test', dimension: DIMENSION },
    indexes,
    above: 1,
    isOwner: async () => false,
    clock: new ManualClock(0),
    log,
  });
  const nothing = { fetch: async () => new Map(), nearest: async () => [], nearestAmong: async () => [], missed() {} };
  vectors.beginAfter(MEMORIES, nothing);
  const memories = Array.from({ length: MEMORIES }, (_, number) => sampleMemory(number, { expiresAt: null }));
  for (const [first, memory] of memories.entries()) indexes.add(memory, { rows: { first, count: 1 } });
  const losing = shared.wasReadAnew(null);
  await nextTurn();
  expect(indexes.rows.waiting.size).toBeLessThan(MEMORIES);
  expect(await indexes.rows.copiesOf(memories.map(({ id }) => id))).toEqual(memories.map(() => []));
  await losing;
  expect([indexes.rows.waiting.size, vectors.areElsewhere]).toEqual([MEMORIES, false]);
  await vectors.close();
});
