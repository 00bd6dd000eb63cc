import { describe, expect, test } from '@jest/globals';
import { checkSuccession, isSucceededBy } from '../../../src/domain/memory/supersession.ts';
import { anyProject, sampleMemory, sampleStrength } from '../../sample-memory.ts';

/** A memory, and so many more, each in the place of the one before. */
function chain(length: number) {
  const memories = Array.from({ length: length + 1 }, (_, number) => {
    const { id: supersededBy } = sampleMemory(number + 1);
    return sampleMemory(number, { supersededBy: number < length ? supersededBy : null });
  });
  const byId = new Map(memories.map((memory) => [memory.id, { memory, strength: sampleStrength(1) }]));
  const [first, ...others] = memories as [(typeof memories)[number], ...typeof memories];
  return { first, ids: others.map(({ id }) => id), store: { find: async (id: string) => byId.get(id) ?? null } };
}

describe('whether one of some memories came in the place of another', () => {
  test.each([1, 3])('is so for each of %d successors, and for no other one', async (length) => {
    const { first, ids, store } = chain(length);
    for (const id of ids) expect(await isSucceededBy(store, first, new Set([id]))).toBe(true);
    expect(await isSucceededBy(store, first, new Set(['another']))).toBe(false);
  });

  test('is so for a chain that is too long to be followed, and never for none', async () => {
    const { first, ids, store } = chain(1_100);
    expect(await isSucceededBy(store, first, new Set([ids.at(-1) as string]))).toBe(true);
    expect(await isSucceededBy(store, first, new Set())).toBe(false);
  });
});

describe('what has absorbed the successor of a memory', () => {
  const loser = sampleMemory(1, { scope: 'TEAM' });
  const winner = sampleMemory(2, { supersededBy: 'absorbed', scope: 'TEAM' });
  const store = {
    find: async (id: string) => (id === 'absorbed' ? { memory: loser, strength: sampleStrength(1) } : null),
  };

  test('came in its place', async () => {
    expect(await isSucceededBy(store, winner, new Set([loser.id]))).toBe(true);
  });

  test('is not superseded by it, which would be a circle', async () => {
    await expect(checkSuccession(store, anyProject(loser.agentId), { winner, loser })).rejects.toMatchObject({
      code: 'superseded_in_a_circle',
    });
  });
});
