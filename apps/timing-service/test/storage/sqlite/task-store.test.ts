import { expect, test } from '@jest/globals';
import { endTask, startTask } from '../../../src/domain/record.ts';
import { openDatabase } from '../../../src/storage/sqlite/database.ts';
import { lastEndSequence } from '../../../src/storage/sqlite/task-store.ts';
import { openStores } from '../../stores.ts';

test('ends are numbered one after the other, also over a restart', async () => {
  const stores = openStores();
  const task = { agentId: 'ann', project: null, taskType: 'build', metadata: null };
  const start = (correlationId: string) => startTask(stores.record, { ...task, estimatedSeconds: null, correlationId });
  const end = (correlationId: string) => endTask(stores.record, { ...task, outcome: 'ok', correlationId });
  for (const id of ['c1', 'c2', 'c3']) await start(id);
  for (const id of ['c3', 'c1']) await end(id);
  const rows = stores.database.db.$client
    .prepare('SELECT correlation_id, end_sequence FROM tasks ORDER BY 1')
    .raw()
    .all();
  expect(rows).toEqual([
    ['c1', 2],
    ['c2', null],
    ['c3', 1],
  ]);
  const empty = openDatabase({ path: ':memory:', synchronous: 'normal' });
  expect(lastEndSequence(empty.db)).toBe(0);
  empty.close();
  stores.close();
});
