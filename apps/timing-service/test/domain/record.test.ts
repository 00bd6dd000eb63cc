import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Change } from '../../src/domain/change-feed.ts';
import type { TimingEvent } from '../../src/domain/event.ts';
import { checkMetadata, endTask, METADATA_LIMIT_BYTES, recordEvent, startTask } from '../../src/domain/record.ts';
import type { Task } from '../../src/domain/task.ts';
import { openStores, type Stores } from '../stores.ts';
import { refusalOf } from './refusal-of.ts';
import { STARTED_MS } from './sample-task.ts';

let stores: Stores;
let published: Change[];
beforeEach(() => {
  stores = openStores();
  published = [];
  stores.feed.subscribe((change) => published.push(change));
});
afterEach(() => stores.close());

const START = {
  agentId: 'ann',
  project: null,
  taskType: 'build',
  metadata: null,
  estimatedSeconds: null,
  correlationId: null,
};
const END = {
  agentId: 'ann',
  project: null,
  taskType: 'build',
  metadata: null,
  outcome: 'ok',
  correlationId: null,
} as const;
const EVENT = {
  agentId: 'ann',
  project: null,
  eventType: 'deploy',
  taskType: null,
  metadata: null,
  correlationId: null,
};

describe('an event', () => {
  test('is stored under a new id at the time of the clock, and published', async () => {
    const { event, task, replayed } = await recordEvent(stores.record, { ...EVENT, taskType: 'x', metadata: { a: 1 } });
    expect([task, replayed]).toEqual([null, false]);
    expect(event).toEqual({
      ...EVENT,
      taskType: 'x',
      metadata: { a: 1 },
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      timestampMs: STARTED_MS,
      sequence: 1,
    });
    expect(await stores.events.find(event.id)).toEqual(event);
    expect(published).toEqual([{ kind: 'timing', agentId: 'ann', project: null, event, task: null }]);
  });

  test('task_start and task_end with an id and a type pair as a start and an end do', async () => {
    const input = { ...EVENT, taskType: 'build', correlationId: 'c1' };
    const opened = await recordEvent(stores.record, { ...input, eventType: 'task_start' });
    expect(opened.task).toMatchObject({ state: 'active', correlationId: 'c1', estimatedSeconds: null });
    stores.clock.advance(4_000);
    const closed = await recordEvent(stores.record, { ...input, eventType: 'task_end' });
    expect(closed.task).toMatchObject({ state: 'ended', outcome: 'ok', durationSeconds: 4 });
    const again = await recordEvent(stores.record, { ...input, eventType: 'task_end' });
    expect(again).toEqual({ ...closed, replayed: true });
    expect(published).toHaveLength(2);
  });

  test.each(['task_start', 'task_end'])('%s without an id is only an event', async (eventType) => {
    const { task } = await recordEvent(stores.record, { ...EVENT, eventType, taskType: 'build' });
    expect([task, stores.count('tasks'), stores.count('events')]).toEqual([null, 0, 1]);
  });

  test.each(['task_start', 'task_end'])('%s with an id needs a type', async (eventType) => {
    expect(await refusalOf(() => recordEvent(stores.record, { ...EVENT, eventType, correlationId: 'c1' }))).toEqual({
      name: 'InvalidInputError',
      code: 'invalid_input',
      message: `body/task_type is needed with event_type '${eventType}' and a correlation_id.`,
    });
    expect([stores.count('events'), published]).toEqual([0, []]);
  });

  test('of any other type with an id and no type is stored', async () => {
    expect((await recordEvent(stores.record, { ...EVENT, correlationId: 'c1' })).event.correlationId).toBe('c1');
  });
});

describe('a task', () => {
  test('starts with all that it was told, under a new id', async () => {
    const input = { ...START, metadata: { branch: 'main' }, estimatedSeconds: 60 };
    const { event, task, replayed } = await startTask(stores.record, input);
    expect(replayed).toBe(false);
    expect(task).toEqual({
      correlationId: expect.stringMatching(/^[0-9a-f]{32}$/),
      agentId: 'ann',
      project: null,
      taskType: 'build',
      state: 'active',
      outcome: null,
      startedMs: STARTED_MS,
      endedMs: null,
      abandonedMs: null,
      durationSeconds: null,
      estimatedSeconds: 60,
      metadata: { branch: 'main' },
      endEventId: null,
    });
    expect(event).toMatchObject({
      eventType: 'task_start',
      correlationId: task.correlationId,
      metadata: input.metadata,
    });
    expect(event.id).not.toBe(task.correlationId);
    expect(published).toEqual([{ kind: 'timing', agentId: 'ann', project: null, event, task }]);
    expect(await stores.tasks.find(task.correlationId)).toEqual(task);
  });

  test('that another agent ends is published for the one that sent the end', async () => {
    const { task } = await startTask(stores.record, { ...START, correlationId: 'mine' });
    stores.clock.advance(5_000);
    const ended = await endTask(stores.record, { ...END, agentId: 'bob', correlationId: 'mine' });
    expect(ended.task).toMatchObject({ agentId: task.agentId, durationSeconds: 5 });
    expect(published.at(-1)).toMatchObject({ agentId: 'bob' });
  });

  test('that is started or ended again is replayed and publishes nothing', async () => {
    const first = await startTask(stores.record, { ...START, correlationId: 'mine' });
    expect(await startTask(stores.record, { ...START, correlationId: 'mine' })).toEqual({ ...first, replayed: true });
    stores.clock.advance(1_000);
    const ended = await endTask(stores.record, { ...END, correlationId: 'mine' });
    stores.clock.advance(1_000);
    const again = await endTask(stores.record, { ...END, outcome: 'error', correlationId: 'mine' });
    expect(again).toEqual({ ...ended, replayed: true });
    expect([published.length, stores.count('events')]).toEqual([2, 2]);
  });

  test('ends without an id as the only one of its agent and type', async () => {
    const { task } = await startTask(stores.record, START);
    await startTask(stores.record, { ...START, agentId: 'bob' });
    await startTask(stores.record, { ...START, taskType: 'test' });
    expect((await endTask(stores.record, END)).task.correlationId).toBe(task.correlationId);
    expect(await refusalOf(() => endTask(stores.record, END))).toMatchObject({ code: 'no_active_task' });
  });

  test('names the abandoned tasks of the type where there is no active one to end', async () => {
    await startTask(stores.record, { ...START, correlationId: 'lost' });
    await startTask(stores.record, { ...START, agentId: 'bob', correlationId: 'of bob' });
    await stores.tasks.abandon(['lost', 'of bob'], STARTED_MS);
    expect(await refusalOf(() => endTask(stores.record, END))).toEqual({
      name: 'NotFoundError',
      code: 'no_active_task',
      message:
        "The agent 'ann' has no active task of type 'build', but 1 that nobody ended for so long that the service took it for abandoned: " +
        `send the correlation_id of the one that has ended ('lost', started ${new Date(STARTED_MS).toISOString()}), or start one first.`,
      extra: { correlation_ids: ['lost'] },
    });
    expect((await endTask(stores.record, { ...END, correlationId: 'lost' })).task.state).toBe('ended');
    expect(await refusalOf(() => endTask(stores.record, END))).not.toHaveProperty('extra');
  });

  test('whose end a clock that was set back puts before the start is reported once', async () => {
    const steps: [Task, TimingEvent][] = [];
    const deps = { ...stores.record, onClockStep: (task: Task, event: TimingEvent) => steps.push([task, event]) };
    await startTask(deps, { ...START, correlationId: 'mine' });
    await startTask(deps, { ...START, correlationId: 'other' });
    await endTask(deps, { ...END, correlationId: 'other' });
    stores.clock.advance(-10_000);
    const ended = await endTask(deps, { ...END, correlationId: 'mine' });
    await endTask(deps, { ...END, correlationId: 'mine' });
    expect(steps.map(([task, event]) => [task.correlationId, event.id])).toEqual([['mine', ended.event.id]]);
    expect(ended.task).toMatchObject({ durationSeconds: 0, endedMs: STARTED_MS });
  });

  test('that was told to start ahead of the clock here lasts from when that was told, where its end is told without a time', async () => {
    const steps: Task[] = [];
    const deps = { ...stores.record, onClockStep: (task: Task) => steps.push(task) };
    const toldMs = STARTED_MS + 200_000;
    await startTask(deps, { ...START, correlationId: 'mine', toldMs });
    stores.clock.advance(12_000);
    const ended = await endTask(deps, { ...END, correlationId: 'mine' });
    // An id has whole milliseconds.
    expect(ended.task.durationSeconds).toBeCloseTo(12, 2);
    expect(ended.task).toMatchObject({ startedMs: toldMs, endedMs: toldMs + (ended.task.durationSeconds ?? 0) * 1000 });
    expect(await endTask(deps, { ...END, correlationId: 'mine' })).toEqual({ ...ended, replayed: true });
    expect(steps).toEqual([]);
  });
});

describe('metadata', () => {
  test('may have 64 KiB as JSON, counted in bytes', () => {
    // Two quotation marks, and two bytes for each ü.
    expect(() => checkMetadata('ü'.repeat(METADATA_LIMIT_BYTES / 2 - 1), 'body/metadata')).not.toThrow();
    expect(() => checkMetadata(null, 'body/metadata')).not.toThrow();
  });

  test('beyond that is refused, and nothing is stored', async () => {
    const metadata = `${'ü'.repeat(METADATA_LIMIT_BYTES / 2 - 1)}x`;
    for (const work of [
      () => recordEvent(stores.record, { ...EVENT, metadata }),
      () => startTask(stores.record, { ...START, metadata }),
      () => endTask(stores.record, { ...END, metadata }),
    ]) {
      expect(await refusalOf(work)).toEqual({
        name: 'InvalidInputError',
        code: 'invalid_input',
        message:
          'body/metadata has 65537 bytes as JSON, at most 65536 are kept: store the rest elsewhere and send a reference.',
      });
    }
    expect([stores.count('events'), stores.count('tasks')]).toEqual([0, 0]);
  });
});
