import { expect, test } from '@jest/globals';
import { openStores } from '../../stores.ts';

const TYPES = 5_000;

test('thousands of task types are read in several turns of the event loop, each once, in order', async () => {
  const stores = openStores();
  const insert = stores.database.db.$client.prepare('INSERT INTO task_types VALUES (?, ?, ?)');
  const types = Array.from({ length: TYPES }, (_, number) => `type ${String(number).padStart(4, '0')}`);
  stores.database.db.$client.transaction(() => {
    for (const type of types.toReversed()) for (const project of ['', 'shop', 'blog']) insert.run('ann', type, project);
    for (const type of types.slice(0, 10)) insert.run('bob', type, '');
  })();
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  for (const whose of [
    { agentId: null, project: null },
    { agentId: 'ann', project: null },
    { agentId: null, project: 'shop' },
  ]) {
    turns = 0;
    expect(await stores.record.events.taskTypes(whose)).toEqual(types);
    expect(turns).toBeGreaterThan(1);
  }
  expect(await stores.record.events.taskTypes({ agentId: 'bob', project: 'shop' })).toEqual(types.slice(0, 10));
  isOver = true;
  stores.close();
});
