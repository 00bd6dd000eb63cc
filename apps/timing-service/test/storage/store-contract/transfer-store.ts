import { beforeEach, describe, expect, test } from '@jest/globals';
import type { TransferItem } from '../../../src/domain/transfer.ts';
import { STARTED_MS, sampleEnd, sampleTask } from '../../domain/sample-task.ts';
import type { ContractStores, OpenStores } from './contract-stores.ts';
import { everyName } from './every-name.ts';
import { exportedItems } from './exported-items.ts';

/** What every engine promises of exports and imports. */
export function transferStoreContract(open: OpenStores): void {
  let stores: ContractStores;
  beforeEach(async () => {
    stores = await open();
  });

  const ended = (fields = {}) =>
    sampleTask({
      state: 'ended',
      outcome: 'ok',
      endedMs: STARTED_MS + 2_500,
      durationSeconds: 2.5,
      endEventId: 'e2',
      metadata: { a: 1 },
      estimatedSeconds: 3,
      ...fields,
    });
  const taskItem = (task = ended()): TransferItem => ({ kind: 'task', task });

  const exported = (from: ContractStores, agentId: string | null) =>
    exportedItems(from.transfer, { agentId, project: null });

  describe('an export', () => {
    test('ends a batch where its metadata is more than one turn of the event loop takes', async () => {
      const metadata = { note: 'x'.repeat(60_000) };
      const items = Array.from({ length: 120 }, (_, number) =>
        taskItem(ended({ correlationId: `c${number}`, metadata })),
      );
      for (let from = 0; from < items.length; from += 20) await stores.transfer.import(items.slice(from, from + 20));
      const batches: number[] = [];
      for await (const batch of stores.transfer.export({ agentId: null, project: null })) batches.push(batch.length);
      expect(Math.max(...batches)).toBeLessThanOrEqual(50);
      expect(batches.reduce((sum, length) => sum + length, 0)).toBe(120);
    });

    test('that is imported elsewhere gives the same export, and all of it is a duplicate the second time', async () => {
      const items: TransferItem[] = [
        { kind: 'event', event: sampleEnd({ metadata: { a: [1, null] } }) },
        taskItem(),
        taskItem(sampleTask({ correlationId: 'c2' })),
        taskItem(sampleTask({ correlationId: 'c3', state: 'abandoned' })),
        {
          kind: 'stopwatch',
          stopwatch: { name: 'tea', agentId: 'ann', project: null, startedMs: STARTED_MS, stoppedMs: null },
        },
        {
          kind: 'stopwatch',
          stopwatch: { name: 'eggs', agentId: 'ann', project: null, startedMs: 0, stoppedMs: STARTED_MS },
        },
      ];
      expect(await stores.transfer.import(items)).toEqual(items.map(() => 'imported'));
      const other = await open();
      const copy = await exported(stores, null);
      expect(copy).toEqual(
        items.map((item) => (item.kind === 'event' ? { ...item, event: { ...item.event, sequence: 1 } } : item)),
      );
      expect(await other.transfer.import(copy)).toEqual(items.map(() => 'imported'));
      expect(await exported(other, null)).toEqual(copy);
      expect(await other.transfer.import(copy)).toEqual(items.map(() => 'duplicate'));
      expect(await exported(other, null)).toEqual(copy);
    });
  });

  test('an imported stopwatch is one too many where its agent has 1,000, and known ones are duplicates', async () => {
    const watch = (number: number, agentId = 'ann'): TransferItem => ({
      kind: 'stopwatch',
      stopwatch: { name: `w${number}`, agentId, project: null, startedMs: STARTED_MS, stoppedMs: null },
    });
    const items = Array.from({ length: 1_000 }, (_, number) => watch(number));
    const more = [watch(1_000), watch(0), watch(1_000, 'bob')];
    const outcomes = await stores.transfer.import([...items, ...more]);
    expect(outcomes).toEqual([...items.map(() => 'imported'), 'full', 'duplicate', 'imported']);
    expect(await stores.stopwatches.list({ agentId: 'ann', project: null })).toHaveLength(1_000);
  });

  describe('an imported task', () => {
    const known = async () => [
      ...(await stores.history.sample({ agentId: 'ann', project: null }, 'build')).ended.ok.sorted,
    ];

    test('counts at once in the sample in memory and makes its names known', async () => {
      expect(await known()).toEqual([]);
      await stores.transfer.import([taskItem()]);
      expect(await known()).toEqual([2.5]);
      expect(await stores.events.taskTypes({ agentId: 'ann', project: null })).toEqual(['build']);
      expect(await everyName((page) => stores.events.agents(page))).toEqual(['ann']);
    });

    test.each(['active', 'abandoned'] as const)('that is %s takes the end of its ended form, once', async (state) => {
      await stores.transfer.import([taskItem(sampleTask({ state, metadata: { mine: true } }))]);
      const before = await stores.history.sample({ agentId: 'ann', project: null }, 'build');
      expect([before.activeStartsMs.size, before.abandonedCount]).toEqual(state === 'active' ? [1, 0] : [0, 1]);
      expect(await stores.transfer.import([taskItem(), taskItem()])).toEqual(['updated', 'duplicate']);
      expect(await stores.tasks.find('c1')).toEqual(ended({ metadata: { mine: true }, estimatedSeconds: null }));
      const after = await stores.history.sample({ agentId: 'ann', project: null }, 'build');
      expect([await known(), after.activeStartsMs.size, after.abandonedCount]).toEqual([[2.5], 0, 0]);
    });

    test('that is known as ended is not opened again', async () => {
      await stores.transfer.import([taskItem()]);
      expect(await stores.transfer.import([taskItem(sampleTask())])).toEqual(['duplicate']);
      expect(await stores.tasks.find('c1')).toEqual(ended());
    });

    test.each([
      ['another agent', { agentId: 'bob' }],
      ['another type', { taskType: 'test' }],
      ['another start', { startedMs: STARTED_MS + 1 }],
      ['another end', { endedMs: STARTED_MS + 3_000, durationSeconds: 3 }],
      ['another outcome', { outcome: 'error' as const }],
    ])('with %s than the one of its id is a conflict and changes nothing', async (_what, fields) => {
      await stores.transfer.import([taskItem()]);
      expect(await stores.transfer.import([taskItem(ended(fields))])).toEqual(['conflict']);
      expect(await stores.tasks.find('c1')).toEqual(ended());
      expect(await stores.count('tasks')).toBe(1);
    });
  });

  describe('an imported stopwatch', () => {
    test('leaves one of its name as it is', async () => {
      const mine = { name: 'tea', agentId: 'ann', project: null, startedMs: STARTED_MS, stoppedMs: null };
      await stores.stopwatches.start(mine, 9);
      const other = { ...mine, startedMs: 0 };
      expect(await stores.transfer.import([{ kind: 'stopwatch', stopwatch: other }])).toEqual(['duplicate']);
      expect(await stores.stopwatches.find({ agentId: 'ann', project: null, name: 'tea' })).toEqual(mine);
    });
  });
}
