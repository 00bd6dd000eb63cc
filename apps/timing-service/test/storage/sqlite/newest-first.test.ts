import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openStores, type Stores } from '../../stores.ts';
import { turnsOf } from '../../turns-of.ts';

let stores: Stores;
beforeEach(() => {
  stores = openStores();
});
afterEach(() => stores.close());

/** Events of ann, of which every `nth` is of the type 'rare', with so many bytes of metadata. */
function insert(count: number, { nth = Number.POSITIVE_INFINITY, bytes = 0 }): void {
  const statement = stores.database.db.$client.prepare(
    "INSERT INTO events (id, agent_id, event_type, timestamp_us, metadata) VALUES (?, 'ann', ?, ?, ?)",
  );
  const metadata = bytes > 0 ? JSON.stringify('x'.repeat(bytes - 2)) : null;
  stores.database.db.$client.transaction(() => {
    for (let index = 1; index <= count; index++) {
      statement.run(`e${index}`, index % nth === 0 ? 'rare' : 'x', index, metadata);
    }
  })();
}
const list = (eventType: string | undefined, limit: number, agentId: string | null = 'ann') =>
  stores.events.list({ agentId, project: null, eventType }, { limit, after: null });

test('a large page is read in several turns, and a small one in one', async () => {
  insert(1_500, {});
  const large = await turnsOf(() => list(undefined, 1_000, null));
  expect(large.result.items).toHaveLength(1_000);
  expect(large.turns).toBeGreaterThanOrEqual(10);
  const small = await turnsOf(() => list(undefined, 100, null));
  expect([small.result.items.length, small.turns]).toEqual([100, 1]);
});

test('rare rows are found over many windows, with a turn for others between them', async () => {
  insert(10_000, { nth: 2_500 });
  const { result: page, turns } = await turnsOf(() => list('rare', 10));
  expect(page.items.map(({ id }) => id)).toEqual(['e10000', 'e7500', 'e5000', 'e2500']);
  expect(page.next).toBeNull();
  // 10,000 rows are five windows of 2,000.
  expect(turns).toBeGreaterThanOrEqual(5);
});

test('a page ends where it is full, also amid a window, and goes on behind its last row', async () => {
  insert(300, {});
  const first = await list(undefined, 120);
  expect([first.items.length, first.items.at(-1)?.id, first.next]).toEqual([
    120,
    'e181',
    { timeUs: 181, sequence: 181 },
  ]);
  const second = await stores.events.list({ agentId: 'ann', project: null }, { limit: 180, after: first.next });
  expect([second.items[0]?.id, second.items.length, second.next]).toEqual(['e180', 180, null]);
});

test('a page ends early with more than 1 MiB of metadata, and the next one goes on there', async () => {
  insert(40, { bytes: 64 * 1024 });
  const first = await list(undefined, 1_000);
  // 16 of 64 KiB are 1 MiB; the 17th is beyond it.
  expect([first.items.length, first.next]).toEqual([17, { timeUs: 24, sequence: 24 }]);
  const second = await stores.events.list({ agentId: 'ann', project: null }, { limit: 1_000, after: first.next });
  expect(second.items[0]?.id).toBe('e23');
});

test('nothing is an empty page', async () => {
  expect(await list(undefined, 5, null)).toEqual({ items: [], next: null });
});
