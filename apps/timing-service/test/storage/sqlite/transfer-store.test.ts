import { expect, jest, test } from '@jest/globals';
import type { TransferItem } from '../../../src/domain/transfer.ts';
import { sampleTask } from '../../domain/sample-task.ts';
import { openStores } from '../../stores.ts';
import { exportedItems } from '../store-contract/exported-items.ts';

test('an export of one agent has only what is its own, also when it is rare among many', async () => {
  const stores = openStores();
  const exported = (agentId: string | null) => exportedItems(stores.transfer, { agentId, project: null });
  const insert = stores.database.db.$client.prepare(
    "INSERT INTO events (id, agent_id, event_type, timestamp_us) VALUES (?, ?, 'x', 0)",
  );
  stores.database.db.$client.transaction(() => {
    for (let index = 1; index <= 11_000; index++) insert.run(`e${index}`, index % 4_000 === 0 ? 'rare' : 'ann');
  })();
  const ids = (await exported('rare')).map((item) => item.kind === 'event' && item.event.id);
  expect(ids).toEqual(['e4000', 'e8000']);
  expect(await exported(null)).toHaveLength(11_000);
  expect(await exported('nobody')).toEqual([]);
  stores.close();
});

test('an import makes no statement for a line: that took longer than the line, and a batch blocked all requests', async () => {
  const stores = openStores();
  const made = jest.spyOn(stores.database.db.$client, 'prepare');
  const task = sampleTask({ correlationId: 'run-1', state: 'active' });
  const stopwatch = { name: 'tea', agentId: 'ann', project: null, startedMs: 0, stoppedMs: null };
  const lines: TransferItem[] = [
    { kind: 'task', task },
    { kind: 'task', task: { ...task, state: 'ended', outcome: 'ok', endedMs: task.startedMs, durationSeconds: 0 } },
    { kind: 'stopwatch', stopwatch },
    { kind: 'stopwatch', stopwatch },
  ];
  expect(await stores.transfer.import(lines)).toEqual(['imported', 'updated', 'imported', 'duplicate']);
  expect(made).not.toHaveBeenCalled();
  stores.close();
});
