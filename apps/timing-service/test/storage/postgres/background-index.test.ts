import type { Postgres } from '@agent-faculties/postgres-kit';
import { createLog } from '@agent-faculties/service-kit';
import { expect, test } from '@jest/globals';
import { BackgroundIndex, DURATIONS } from '../../../src/storage/postgres/background-index.ts';

test('an index that another replica is making is not told of as made', async () => {
  const lines: string[] = [];
  const log = createLog({ name: 'test', level: 'info', destination: { write: (line) => lines.push(line) } });
  const client = { query: async () => ({ rows: [{ mine: false }] }) };
  const postgres = { direct: async (work: (holder: typeof client) => Promise<unknown>) => await work(client) };
  await new BackgroundIndex(postgres as unknown as Postgres, DURATIONS, log).build();
  expect(lines).toEqual([]);
});
