import type { Postgres } from '@agent-faculties/postgres-kit';
import { expect, test } from '@jest/globals';
import { SpaceDatabase } from '../../../src/storage/postgres/space-database.ts';

test('long readings, each of which has a connection of its own, are made one at a time, also after one that failed', async () => {
  const connections: string[] = [];
  const direct = async (work: (client: unknown) => Promise<unknown>) => {
    connections.push('opened');
    try {
      return await work({ query: async () => ({ rows: [] }) });
    } finally {
      connections.push('closed');
    }
  };
  const space = new SpaceDatabase({ direct } as unknown as Postgres, 'home');
  const failing = () => Promise.reject(new Error('refused'));
  const results = await Promise.allSettled([
    space.longReading(async () => 1),
    space.longReading(failing),
    space.longReading(async () => 3),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(connections).toEqual(Array.from({ length: 3 }, () => ['opened', 'closed']).flat());
});
