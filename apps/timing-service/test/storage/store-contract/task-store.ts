import { DAY_MS } from '@agent-faculties/service-kit';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { endTask, startTask } from '../../../src/domain/record.ts';
import type { Outcome } from '../../../src/domain/task.ts';
import { STARTED_MS, sampleEnd, sampleTask } from '../../domain/sample-task.ts';
import type { ContractStores, OpenStores } from './contract-stores.ts';
import { timeBatches } from './task-times.ts';

/** What every engine promises of tasks. */
export function taskStoreContract(open: OpenStores): void {
  let stores: ContractStores;
  beforeEach(async () => {
    stores = await open();
  });

  const start = (
    correlationId: string,
    fields: { agentId?: string; taskType?: string; estimatedSeconds?: number; toldMs?: number } = {},
  ) =>
    startTask(stores.record, {
      agentId: 'ann',
      project: null,
      taskType: 'build',
      metadata: null,
      estimatedSeconds: null,
      correlationId,
      ...fields,
    });
  const end = (correlationId: string, { outcome = 'ok' as Outcome, taskType = 'build' } = {}) =>
    endTask(stores.record, { agentId: 'ann', project: null, taskType, metadata: null, outcome, correlationId });
  const startEvent = sampleEnd({ id: 'e1', eventType: 'task_start', timestampMs: STARTED_MS });

  describe('a start and an end', () => {
    test('are shown the task of their id, and write what was decided with the event', async () => {
      const seen: unknown[] = [];
      const task = sampleTask({ metadata: { a: [1] }, estimatedSeconds: 3 });
      const started = await stores.tasks.start(startEvent, (existing) => {
        seen.push(existing);
        return { write: task };
      });
      expect(started).toEqual({ event: { ...startEvent, sequence: 1 }, task, replayed: false });
      const ended = sampleTask({
        ...task,
        state: 'ended',
        outcome: 'error',
        endedMs: STARTED_MS + 2_500,
        durationSeconds: 2.5,
        endEventId: 'e2',
      });
      await stores.tasks.end(sampleEnd(), (candidates) => {
        seen.push(candidates);
        return { write: ended };
      });
      expect(seen).toEqual([null, [task]]);
      expect(await stores.tasks.find('c1')).toEqual(ended);
      expect(await stores.tasks.find('c2')).toBeNull();
    });

    test('write nothing when the decision is a refusal', async () => {
      const refuse = () => {
        throw new Error('refused');
      };
      await expect(stores.tasks.start(startEvent, refuse)).rejects.toThrow('refused');
      await expect(stores.tasks.end(sampleEnd(), refuse)).rejects.toThrow('refused');
      for (const table of ['events', 'tasks', 'agents', 'task_types'] as const)
        expect(await stores.count(table)).toBe(0);
    });

    test('last from when the start was told, where that lies ahead of the end', async () => {
      await start('c1', { toldMs: STARTED_MS + 200_000 });
      stores.clock.advance(12_000);
      expect((await end('c1')).task.durationSeconds).toBeCloseTo(12, 2);
    });

    test('are replayed with the event that they wrote first', async () => {
      const { event: first } = await start('c1');
      const { event: last } = await end('c1');
      const known = (await stores.tasks.find('c1')) ?? sampleTask();
      const again = await stores.tasks.start({ ...startEvent, id: 'e8' }, () => ({ replay: known }));
      expect(again).toEqual({ event: first, task: known, replayed: true });
      const over = await stores.tasks.end(sampleEnd({ id: 'e9' }), () => ({ replay: known }));
      expect(over).toEqual({ event: last, task: known, replayed: true });
    });

    test('of a task that was imported without its events are replayed with the call itself', async () => {
      const task = sampleTask({
        state: 'ended',
        outcome: 'ok',
        endedMs: STARTED_MS + 1_000,
        durationSeconds: 1,
        endEventId: 'gone',
      });
      await stores.transfer.import([{ kind: 'task', task }]);
      expect(await stores.tasks.end(sampleEnd(), ([known = task]) => ({ replay: known }))).toEqual({
        event: { ...sampleEnd(), sequence: 0 },
        task,
        replayed: true,
      });
    });

    test('without an id see the active tasks of agent and type, oldest first, at most a hundred', async () => {
      for (let index = 0; index < 103; index++) {
        stores.clock.advance(1_000);
        await start(`c${index}`);
      }
      await start('other agent', { agentId: 'bob' });
      await start('other type', { taskType: 'test' });
      await end('c0');
      await stores.tasks.abandon(['c1'], STARTED_MS);
      let ids: string[] = [];
      const refused = stores.tasks.end(sampleEnd({ correlationId: null }), (candidates) => {
        ids = candidates.map(({ correlationId }) => correlationId);
        throw new Error('refused');
      });
      await expect(refused).rejects.toThrow('refused');
      expect(ids).toEqual(Array.from({ length: 100 }, (_, index) => `c${index + 2}`));
    });
  });

  describe('a list of tasks', () => {
    test('is newest start first and filters by each field', async () => {
      for (const [id, taskType, agentId] of [
        ['c1', 'build', 'ann'],
        ['c2', 'test', 'ann'],
        ['c3', 'build', 'bob'],
        ['c4', 'build', 'ann'],
      ] as const) {
        await start(id, { taskType, agentId });
        stores.clock.advance(1_000);
      }
      await end('c1', { outcome: 'cancelled' });
      await stores.tasks.abandon(['c2'], STARTED_MS);
      const ids = async (filter: object) =>
        (await stores.tasks.list({ agentId: null, project: null, ...filter }, { limit: 10, after: null })).items.map(
          ({ correlationId }) => correlationId,
        );
      expect(await ids({})).toEqual(['c4', 'c3', 'c2', 'c1']);
      expect(await ids({ agentId: 'ann' })).toEqual(['c4', 'c2', 'c1']);
      expect(await ids({ taskType: 'build' })).toEqual(['c4', 'c3', 'c1']);
      expect(await ids({ state: 'active' })).toEqual(['c4', 'c3']);
      expect(await ids({ state: 'abandoned' })).toEqual(['c2']);
      expect(await ids({ state: 'ended', taskType: 'build', agentId: 'ann' })).toEqual(['c1']);
      expect(await ids({ outcome: 'cancelled' })).toEqual(['c1']);
      expect(await ids({ outcome: 'ok' })).toEqual([]);
      expect(await ids({ sinceMs: STARTED_MS + 1_000, untilMs: STARTED_MS + 3_000 })).toEqual(['c3', 'c2']);
    });

    test('of active ones comes with their starts, or without where they were imported', async () => {
      const { event, task } = await start('c1');
      const imported = sampleTask({ correlationId: 'c2', startedMs: STARTED_MS - 1 });
      await stores.transfer.import([{ kind: 'task', task: imported }]);
      expect(await stores.tasks.active({ agentId: 'ann', project: null, limit: 5 })).toEqual([
        { task, start: event },
        { task: imported, start: null },
      ]);
      expect(await stores.tasks.active({ agentId: 'ann', project: null, limit: 1 })).toHaveLength(1);
      expect(await stores.tasks.countActive()).toBe(2);
    });

    test('that have run since before an instant is oldest first, page by page', async () => {
      for (let index = 0; index < 7; index++) {
        if (index % 3 === 0) stores.clock.advance(1_000);
        await start(`c${index}`);
      }
      const seen: string[] = [];
      let after = null;
      do {
        const page: Awaited<ReturnType<typeof stores.tasks.activeSince>> = await stores.tasks.activeSince({
          startedBeforeMs: STARTED_MS + 3_000,
          limit: 2,
          after,
        });
        seen.push(...page.items.map(({ correlationId }) => correlationId));
        after = page.next;
      } while (after);
      expect(seen).toEqual(['c0', 'c1', 'c2', 'c3', 'c4', 'c5']);
    });
  });

  describe('abandoning', () => {
    test('changes only what is still active, and returns that', async () => {
      for (const id of ['c1', 'c2', 'c3']) await start(id);
      await end('c2');
      const changed = await stores.tasks.abandon(['c1', 'c2', 'none'], STARTED_MS + 5_000);
      const abandoned = { correlationId: 'c1', state: 'abandoned', abandonedMs: STARTED_MS + 5_000, endedMs: null };
      expect(changed).toMatchObject([abandoned]);
      expect(await stores.tasks.abandon(['c1'], STARTED_MS + 6_000)).toEqual([]);
      expect(await stores.tasks.find('c1')).toMatchObject(abandoned);
      expect(await stores.tasks.countActive()).toBe(1);
    });
  });

  describe('ratios of actual to estimated time', () => {
    const ratios = async (agentId: string | null, limit: number) =>
      (await stores.tasks.pastEstimates({ agentId, project: null }, limit)).map(({ ratio }) => ratio);

    test('are those of the newest tasks that ended ok and had an estimate', async () => {
      for (const [id, agentId, estimatedSeconds] of [
        ['c1', 'ann', 10],
        ['c2', 'ann', 4],
        ['c3', 'bob', 5],
        ['failed', 'ann', 1],
        ['none', 'ann', undefined],
      ] as const) {
        await start(id, { agentId, ...(estimatedSeconds === undefined ? {} : { estimatedSeconds }) });
      }
      stores.clock.advance(20_000);
      for (const id of ['c1', 'c2', 'c3', 'none']) await end(id);
      await end('failed', { outcome: 'error' });
      expect([...(await ratios(null, 9))]).toEqual([4, 5, 2]);
      expect([...(await ratios('ann', 9))]).toEqual([5, 2]);
      expect([...(await ratios(null, 1))]).toEqual([4]);
      expect([...(await ratios('nobody', 9))]).toEqual([]);
    });
  });

  describe('the times of tasks', () => {
    const HOUR_MS = 3_600_000;
    /** Of ann's imported tasks; `c2` of bob. */
    const imported = async (
      fields: Record<string, { startHours: number; hours?: number; state?: 'active' | 'abandoned' }>,
    ) => {
      const items = Object.entries(fields).map(([taskType, { startHours, hours, state }]) => {
        const startedMs = STARTED_MS + startHours * HOUR_MS;
        const end =
          hours === undefined
            ? { state: state ?? 'active' }
            : {
                state: 'ended' as const,
                outcome: 'ok' as const,
                endedMs: startedMs + hours * HOUR_MS,
                durationSeconds: hours * 3_600,
              };
        return { kind: 'task' as const, task: sampleTask({ correlationId: taskType, taskType, startedMs, ...end }) };
      });
      await stores.transfer.import(items);
    };
    const typesBetween = async (sinceHours: number, untilHours: number, filter = {}) => {
      const [sinceMs, untilMs] = [sinceHours, untilHours].map((hours) => STARTED_MS + hours * HOUR_MS) as [
        number,
        number,
      ];
      const whose = { agentId: 'ann', project: null };
      const batches = await timeBatches(stores.tasks, { ...whose, ...filter, sinceMs, untilMs });
      return batches.flat().map(({ taskType }) => taskType);
    };

    test('are those that began in the time or went on in it, by start', async () => {
      await imported({
        'runs since long': { startHours: -900 },
        'given up long ago': { startHours: -800, state: 'abandoned' },
        'goes beyond': { startHours: -700, hours: 1_000 },
        'reaches into it': { startHours: -2, hours: 3 },
        'ends with its begin': { startHours: -1, hours: 1 },
        'took no time': { startHours: 0, hours: 0 },
        'given up': { startHours: 1, state: 'abandoned' },
        runs: { startHours: 2 },
        'begins with its end': { startHours: 4, hours: 1 },
      });
      const all = ['runs since long', 'goes beyond', 'reaches into it', 'took no time', 'given up', 'runs'];
      expect(await typesBetween(0, 4)).toEqual(all);
      expect(await typesBetween(0, 4, { agentId: null })).toEqual(all);
      expect(await typesBetween(0, 4, { agentId: 'bob' })).toEqual([]);
      expect(await typesBetween(0, 4, { taskType: 'reaches into it' })).toEqual(['reaches into it']);
      expect(await typesBetween(-650, -600)).toEqual(['runs since long', 'goes beyond']);
    });

    test('name the session that the metadata names, where it is asked for and the metadata are small', async () => {
      const named = {
        none: null,
        text: 'session',
        number: { session: 7 },
        small: { session: 's\u00e9 1', cwd: '\u0000' },
      };
      const large = { session: 's2', log: 'x'.repeat(5_000) };
      for (const [correlationId, metadata] of Object.entries({ ...named, large }))
        await stores.transfer.import([{ kind: 'task', task: sampleTask({ correlationId, metadata }) }]);
      const sessions = async (asked: object) => {
        const filter = { agentId: null, project: null, sinceMs: STARTED_MS, untilMs: STARTED_MS + 1, ...asked };
        return (await timeBatches(stores.tasks, filter)).flat().map(({ session }) => session);
      };
      expect(await sessions({ withSession: true })).toEqual([null, null, null, 's\u00e9 1', null]);
      expect(await sessions({})).toEqual([null, null, null, null, null]);
    });

    test('come whole where they are more than one batch', async () => {
      const tasks = Array.from({ length: 4_501 }, (_, index) => ({ kind: 'task' as const, task: numbered(index) }));
      for (let from = 0; from < tasks.length; from += 500) await stores.transfer.import(tasks.slice(from, from + 500));
      const filter = { agentId: 'ann', project: null, sinceMs: STARTED_MS, untilMs: STARTED_MS + DAY_MS };
      const batches = await timeBatches(stores.tasks, filter);
      expect(batches.length).toBeGreaterThan(1);
      const seconds = batches.flat().map(({ durationUs }) => (durationUs ?? 0) / 1e6);
      expect(seconds).toEqual(tasks.map((_, index) => index));
    });
  });
}

/** Three begin in the same microsecond. */
function numbered(index: number) {
  const startedMs = STARTED_MS + Math.floor(index / 3);
  const end = {
    state: 'ended' as const,
    outcome: 'ok' as const,
    endedMs: startedMs + index * 1000,
    durationSeconds: index,
  };
  return sampleTask({ correlationId: `n${index}`, startedMs, ...end });
}
