import { beforeEach, describe, expect, test } from '@jest/globals';
import { endTask, recordEvent, startTask } from '../../../src/domain/record.ts';
import type { TransferItem } from '../../../src/domain/transfer.ts';
import { STARTED_MS, sampleTask } from '../../domain/sample-task.ts';
import type { ContractStores, OpenStores } from './contract-stores.ts';
import { everyName } from './every-name.ts';

const DAY_MS = 86_400_000;

/** What every engine promises of deletions by age. */
export function expiryStoreContract(open: OpenStores): void {
  let stores: ContractStores;
  beforeEach(async () => {
    stores = await open();
  });

  const record = (agentId: string, taskType: string | null) =>
    recordEvent(stores.record, {
      agentId,
      project: null,
      eventType: 'x',
      taskType,
      metadata: null,
      correlationId: null,
    });
  const start = (correlationId: string, taskType = 'build') =>
    startTask(stores.record, {
      agentId: 'ann',
      project: null,
      taskType,
      metadata: null,
      estimatedSeconds: null,
      correlationId,
    });
  const end = (correlationId: string) =>
    endTask(stores.record, {
      agentId: 'ann',
      project: null,
      taskType: 'build',
      metadata: null,
      outcome: 'ok',
      correlationId,
    });
  const deleteOlderThan = (ms: number) => stores.expiry.deleteBefore(stores.clock.now() - ms);

  describe('a deletion', () => {
    test('takes what ended before, with its events, and leaves running tasks with their starts', async () => {
      await record('old', 'gone type');
      await start('ended');
      await start('running', 'running');
      await start('late');
      stores.clock.advance(1_000);
      await end('ended');
      stores.clock.advance(DAY_MS);
      await end('late');
      await start('kept');
      await end('kept');
      expect(await deleteOlderThan(DAY_MS - 1)).toEqual({ events: 3, tasks: 1 });
      expect(await stores.tasks.find('ended')).toBeNull();
      for (const id of ['running', 'late', 'kept']) expect(await stores.tasks.find(id)).not.toBeNull();
      // The start of the task that ended late is older, and stays with it.
      expect(await stores.count('events')).toBe(5);
      expect(await everyName((page) => stores.events.agents(page))).toEqual(['ann']);
      expect(await stores.events.taskTypes({ agentId: null, project: null })).toEqual(['build', 'running']);
      expect(await deleteOlderThan(DAY_MS - 1)).toEqual({ events: 0, tasks: 0 });
    });

    test('spares what happened at the very instant', async () => {
      await record('ann', null);
      expect(await deleteOlderThan(0)).toEqual({ events: 0, tasks: 0 });
      expect(await deleteOlderThan(-1)).toEqual({ events: 1, tasks: 0 });
    });

    test('goes over many batches and drops the samples in memory', async () => {
      const tasks = Array.from({ length: 1_250 }, (_, index): TransferItem => {
        const ended = { state: 'ended', outcome: 'ok', endedMs: STARTED_MS - 1, durationSeconds: 1 } as const;
        return {
          kind: 'task',
          task: sampleTask({ correlationId: `c${index}`, startedMs: STARTED_MS - 1_001, ...ended }),
        };
      });
      await stores.transfer.import(tasks);
      const before = await stores.history.sample({ agentId: 'ann', project: null }, 'build');
      expect(before.ended.ok.sorted.size).toBe(1_250);
      expect(await deleteOlderThan(0)).toEqual({ events: 0, tasks: 1_250 });
      expect((await stores.history.sample({ agentId: 'ann', project: null }, 'build')).ended.ok.sorted.size).toBe(0);
    });
  });

  describe('names', () => {
    test('that nothing speaks of any more are forgotten, and are known again later', async () => {
      await record('ann', 't1');
      await record('ann', 't2');
      await record('bob', 't1');
      stores.clock.advance(2 * DAY_MS);
      await record('ann', 't2');
      expect(await deleteOlderThan(DAY_MS)).toEqual({ events: 3, tasks: 0 });
      expect(await everyName((page) => stores.events.agents(page))).toEqual(['ann']);
      expect(await stores.events.taskTypes({ agentId: null, project: null })).toEqual(['t2']);
      await record('bob', 't1');
      expect(await everyName((page) => stores.events.agents(page))).toEqual(['ann', 'bob']);
      expect(await stores.events.taskTypes({ agentId: 'bob', project: null })).toEqual(['t1']);
    });

    test('of an agent that has a stopwatch stay', async () => {
      await record('ann', 'build');
      const stopwatch = { name: 'tea', agentId: 'ann', project: null, startedMs: 0, stoppedMs: null };
      await stores.stopwatches.start(stopwatch, 9);
      await deleteOlderThan(-1);
      expect(await everyName((page) => stores.events.agents(page))).toEqual(['ann']);
      expect(await stores.events.taskTypes({ agentId: 'ann', project: null })).toEqual([]);
    });
  });
}
