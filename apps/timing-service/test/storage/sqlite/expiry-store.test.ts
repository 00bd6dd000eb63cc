import { expect, test } from '@jest/globals';
import { recordEvent, startTask } from '../../../src/domain/record.ts';
import { openStores } from '../../stores.ts';
import { turnsOf } from '../../turns-of.ts';
import { everyName } from '../store-contract/every-name.ts';

const DAY_MS = 86_400_000;

test('names that nothing speaks of any more are forgotten, one in a turn, and are known again later', async () => {
  const stores = openStores();
  const record = (agentId: string, taskType: string | null) =>
    recordEvent(stores.record, {
      agentId,
      project: null,
      eventType: 'x',
      taskType,
      metadata: null,
      correlationId: null,
    });
  const deleteOlderThan = (ms: number) => stores.expiry.deleteBefore(stores.clock.now() - ms);
  const insert = stores.database.db.$client.prepare(
    "INSERT INTO events (id, agent_id, event_type, task_type, timestamp_us) VALUES (?, 'ann', 'x', ?, 0)",
  );
  const name = stores.database.db.$client.prepare("INSERT INTO task_types (agent_id, task_type) VALUES ('ann', ?)");
  for (let index = 0; index < 1_500; index++) {
    insert.run(`e${index}`, `t${index}`);
    name.run(`t${index}`);
  }
  stores.database.db.$client.exec("INSERT INTO agents VALUES ('ann')");
  await record('bob', 't1');
  await record('ann', 't2');
  const { result, turns } = await turnsOf(() => deleteOlderThan(DAY_MS));
  expect(result).toEqual({ events: 1_500, tasks: 0 });
  expect(turns).toBeGreaterThan(1_500);
  expect(await stores.events.taskTypes({ agentId: 'ann', project: null })).toEqual(['t2']);
  expect(await stores.events.taskTypes({ agentId: 'bob', project: null })).toEqual(['t1']);
  stores.clock.advance(2 * DAY_MS);
  await deleteOlderThan(DAY_MS);
  expect(await everyName((page) => stores.events.agents(page))).toEqual([]);
  await record('ann', 't2');
  expect(await everyName((page) => stores.events.agents(page))).toEqual(['ann']);
  expect(await stores.events.taskTypes({ agentId: 'ann', project: null })).toEqual(['t2']);
  stores.close();
});

test('what stays is walked over once and in many turns, and what lies behind it goes', async () => {
  const stores = openStores();
  await startTask(stores.record, {
    agentId: 'ann',
    project: null,
    taskType: 'build',
    metadata: null,
    estimatedSeconds: null,
    correlationId: 'running',
  });
  const { $client } = stores.database.db;
  const insert = $client.prepare(
    "INSERT INTO events (id, agent_id, event_type, timestamp_us, correlation_id) VALUES (?, 'ann', 'x', ?, ?)",
  );
  // Several share an instant, and the batches end among them.
  for (let index = 0; index < 3_000; index++) insert.run(`kept${index}`, Math.floor(index / 7), 'running');
  for (let index = 0; index < 600; index++) insert.run(`gone${index}`, 1_000, index % 2 === 0 ? null : 'no task');
  const { result, turns } = await turnsOf(() => stores.expiry.deleteBefore(stores.clock.now() - DAY_MS));
  expect(result).toEqual({ events: 600, tasks: 0 });
  expect(stores.count('events')).toBe(3_001);
  // 3,600 events by 500, and a turn for each name.
  expect(turns).toBeGreaterThanOrEqual(8);
  expect(turns).toBeLessThan(16);
  stores.close();
});
