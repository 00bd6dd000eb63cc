import { beforeEach, describe, expect, test } from '@jest/globals';
import { endTask, recordEvent, startTask } from '../../../src/domain/record.ts';
import { STARTED_MS, sampleEnd, sampleTask } from '../../domain/sample-task.ts';
import { A_FAULT } from './a-fault.ts';
import type { ContractStores, OpenStores, ReplicaStores } from './contract-stores.ts';
import { exportedItems } from './exported-items.ts';

const ALL = { agentId: null, project: null };
const WORK = { agentId: 'ann', project: null, taskType: 'build', metadata: null };

/** What is asked of two replicas at the same time happens as if it came one after the other. */
export function raceContract(open: OpenStores, { deletesAtOnce }: { readonly deletesAtOnce: boolean }): void {
  let stores: ContractStores;
  beforeEach(async () => {
    stores = await open();
  });

  /** Calls at both replicas in turn, all at once. */
  const atOnce = <Result>(count: number, work: (stores: ReplicaStores, index: number) => Promise<Result>) =>
    Promise.allSettled(
      Array.from({ length: count }, (_, index) => work(index % 2 === 0 ? stores : stores.other, index)),
    );
  const values = <Result>(settled: PromiseSettledResult<Result>[]): Result[] =>
    settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const codes = (settled: PromiseSettledResult<unknown>[]) =>
    settled.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
  const start = ({ record }: ReplicaStores, correlationId: string | null, fields = {}) =>
    startTask(record, { ...WORK, estimatedSeconds: null, correlationId, ...fields });
  const end = ({ record }: ReplicaStores, correlationId: string | null, fields = {}) =>
    endTask(record, { ...WORK, outcome: 'ok', correlationId, ...fields });

  describe('two replicas', () => {
    test('start a task of one id once, and answer all with that start', async () => {
      const answers = values(await atOnce(16, (replica) => start(replica, 'c1')));
      expect(answers).toHaveLength(16);
      expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
      expect(new Set(answers.map(({ event }) => event.id)).size).toBe(1);
      expect([await stores.count('events'), await stores.count('tasks')]).toEqual([1, 1]);
    });

    test('give an id to one of two different tasks, and refuse the other', async () => {
      const settled = await atOnce(12, (replica, index) => start(replica, 'c1', { taskType: `type-${index % 2}` }));
      const types = new Set(values(settled).map(({ task }) => task.taskType));
      expect(types.size).toBe(1);
      expect(codes(settled)).toEqual(Array(6).fill('correlation_id_in_use'));
      expect(await stores.count('tasks')).toBe(1);
    });

    test('end a task once, and answer all with that end', async () => {
      await start(stores, 'c1');
      const answers = values(await atOnce(16, (replica) => end(replica, 'c1')));
      expect(answers).toHaveLength(16);
      expect(new Set(answers.map(({ event }) => event.id)).size).toBe(1);
      expect([await stores.count('events'), await stores.count('tasks')]).toEqual([2, 1]);
    });

    test('end the only active task of a type once, without an id', async () => {
      await start(stores, 'c1');
      const settled = await atOnce(8, (replica) => end(replica, null));
      expect(values(settled)).toHaveLength(1);
      expect(codes(settled)).toEqual(Array(7).fill('no_active_task'));
    });

    test('start and end tasks, and every statistic has each of them once', async () => {
      await atOnce(24, async (replica, index) => {
        await start(replica, `c${index}`);
        await end(index % 3 === 0 ? stores : stores.other, `c${index}`);
        return await replica.history.sample(ALL, 'build');
      });
      for (const replica of [stores, stores.other]) {
        const { ended, activeStartsMs } = await replica.history.sample(ALL, 'build');
        expect([ended.ok.sorted.size, activeStartsMs.size]).toEqual([24, 0]);
      }
    });

    test('give up a task or end it late, never both ways', async () => {
      for (let run = 0; run < 6; run++) await start(stores, `c${run}`);
      const ids = Array.from({ length: 6 }, (_, index) => `c${index}`);
      const settled = await atOnce(12, async (replica, index) =>
        index < 6 ? (await end(replica, `c${index}`)).task : await replica.tasks.abandon(ids, STARTED_MS),
      );
      expect(values(settled)).toHaveLength(12);
      const { items } = await stores.tasks.list(ALL, { limit: 9, after: null });
      expect(items.map(({ state }) => state)).toEqual(Array(6).fill('ended'));
      const { ended, activeStartsMs, abandonedCount } = await stores.other.history.sample(ALL, 'build');
      expect([ended.ok.sorted.size, activeStartsMs.size, abandonedCount]).toEqual([6, 0, 0]);
    });

    test('import the same batch, in any order, once', async () => {
      const items = Array.from({ length: 20 }, (_, index) => ({
        kind: 'task' as const,
        task: sampleTask({ correlationId: `c${index}` }),
      }));
      const batches = values(
        await atOnce(4, (replica, index) => replica.transfer.import(index % 2 === 0 ? items : items.toReversed())),
      );
      expect(batches.flat().filter((outcome) => outcome === 'imported')).toHaveLength(20);
      expect(batches.flat().filter((outcome) => outcome === 'duplicate')).toHaveLength(60);
    });

    test('import tasks that others start, and each is there once', async () => {
      const items = Array.from({ length: 20 }, (_, index) => ({
        kind: 'task' as const,
        task: sampleTask({ correlationId: `c${index}` }),
      }));
      const settled = await atOnce(24, async (replica, index) =>
        index < 20 ? void (await start(replica, `c${index}`)) : void (await replica.transfer.import(items)),
      );
      expect(codes(settled)).toEqual([]);
      expect(await stores.count('tasks')).toBe(20);
    });

    test('keep to the limit of stopwatches', async () => {
      const results = values(
        await atOnce(20, ({ stopwatches }, index) =>
          stopwatches.start({ name: `w${index}`, agentId: 'ann', project: null, startedMs: 0, stoppedMs: null }, 5),
        ),
      );
      expect(results.filter((result) => result === 'started')).toHaveLength(5);
      expect(results.filter((result) => result === 'full')).toHaveLength(15);
      expect(await stores.count('stopwatches')).toBe(5);
    });

    test('delete a stopwatch once', async () => {
      const which = { name: 'tea', agentId: 'ann', project: null };
      await stores.stopwatches.start({ ...which, startedMs: 0, stoppedMs: null }, 5);
      const deleted = values(await atOnce(6, ({ stopwatches }) => stopwatches.delete(which)));
      expect(deleted.filter((one) => one !== null)).toHaveLength(1);
    });

    // Periods go a period at a time: their own tests have it.
    if (deletesAtOnce)
      test('delete what is old once, and lose nothing that is written meanwhile, nor its name', async () => {
        for (let index = 0; index < 30; index++) await start(stores, `old-${index}`);
        for (let index = 0; index < 30; index++) await end(stores, `old-${index}`);
        stores.clock.advance(1_000);
        const before = stores.clock.now();
        const settled = await atOnce(12, async (replica, index) => {
          if (index < 4) return await replica.expiry.deleteBefore(before);
          await recordEvent(replica.record, { ...WORK, taskType: `new-${index}`, eventType: 'x', correlationId: null });
          return { events: 0, tasks: 0 };
        });
        const sum = values(settled).reduce((all, one) => ({
          events: all.events + one.events,
          tasks: all.tasks + one.tasks,
        }));
        expect(sum).toEqual({ events: 60, tasks: 30 });
        expect(await stores.count('events')).toBe(8);
        expect(await stores.events.taskTypes(ALL)).toEqual(
          Array.from({ length: 8 }, (_, index) => `new-${index + 4}`).sort(),
        );
      });

    test('number what they write in the order in which it can be seen', async () => {
      const seen: string[] = [];
      let last = 0;
      let isDone = false;
      const reader = (async () => {
        while (!isDone) {
          const found = await stores.other.events.since(last, { ...ALL, limit: 1_000 });
          seen.push(...found.map(({ id }) => id));
          last = found.at(-1)?.sequence ?? last;
          await new Promise(setImmediate);
        }
      })();
      await atOnce(40, ({ events }, index) => events.record(sampleEnd({ id: `e${index}`, correlationId: null })));
      isDone = true;
      await reader;
      const rest = await stores.events.since(last, { ...ALL, limit: 1_000 });
      const stored = await stores.events.since(0, { ...ALL, limit: 1_000 });
      expect([...seen, ...rest.map(({ id }) => id)]).toEqual(stored.map(({ id }) => id));
      expect(stored).toHaveLength(40);
    });
  });

  describe('what fails in the middle', () => {
    test('of a batch leaves nothing of it', async () => {
      const good = { kind: 'task' as const, task: sampleTask() };
      const bad = { kind: 'task' as const, task: sampleTask({ correlationId: 'c2', startedMs: Number.NaN }) };
      await expect(stores.transfer.import([good, bad])).rejects.toEqual(A_FAULT);
      expect(await exportedItems(stores.transfer, ALL)).toEqual([]);
      expect([await stores.count('agents'), await stores.count('task_types')]).toEqual([0, 0]);
      expect((await stores.history.sample(ALL, 'build')).activeStartsMs.size).toBe(0);
      expect(await stores.transfer.import([good])).toEqual(['imported']);
    });

    test('of a start or an end leaves neither event nor task', async () => {
      const event = sampleEnd({ eventType: 'task_start', timestampMs: STARTED_MS });
      const refused = stores.tasks.start(event, () => ({ write: sampleTask({ startedMs: Number.NaN }) }));
      await expect(refused).rejects.toEqual(A_FAULT);
      expect([await stores.count('events'), await stores.count('tasks')]).toEqual([0, 0]);
      await start(stores, 'c1');
      const half = { ...sampleTask(), state: 'ended' as const, outcome: 'ok' as const, endedMs: Number.NaN };
      // The id of an event that is there is refused after the task was changed.
      const taken = (await stores.events.since(0, { ...ALL, limit: 1 }))[0]?.id as string;
      await expect(stores.tasks.end(sampleEnd({ id: taken }), () => ({ write: half }))).rejects.toEqual(A_FAULT);
      expect([await stores.count('events'), (await stores.tasks.find('c1'))?.state]).toEqual([1, 'active']);
      const sample = await stores.history.sample(ALL, 'build');
      expect([sample.activeStartsMs.size, sample.ended.ok.sorted.size]).toEqual([1, 0]);
    });

    test('takes no other call with it', async () => {
      await stores.events.record(sampleEnd({ id: 'taken', correlationId: null }));
      const settled = await atOnce(9, ({ events }, index) =>
        events.record(sampleEnd({ id: index % 3 === 1 ? 'taken' : `e${index}`, correlationId: null })),
      );
      expect(settled.map(({ status }) => status === 'fulfilled')).toEqual(
        Array.from({ length: 9 }, (_, index) => index % 3 !== 1),
      );
      expect(await stores.count('events')).toBe(7);
    });
  });
}
