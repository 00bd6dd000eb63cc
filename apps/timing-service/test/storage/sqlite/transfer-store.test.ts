import { expect, test } from '@jest/globals';
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
