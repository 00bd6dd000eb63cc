import { ManualClock } from '@agent-faculties/service-kit';
import { mostInATurn } from '@agent-faculties/testing';
import { expect, test } from '@jest/globals';
import type { EventStore } from '../../src/domain/event.ts';
import type { RecordDeps } from '../../src/domain/record.ts';
import type { DurationHistory } from '../../src/domain/statistics/duration-history.ts';
import type { TaskStore } from '../../src/domain/task.ts';
import { eventHandlers } from '../../src/http/events.ts';
import { statisticsHandlers } from '../../src/http/statistics.ts';
import { sampleTask } from '../domain/sample-task.ts';
import { sampleOf } from '../domain/statistics/sample-durations.ts';

test('summaries of thousands of task types, whose samples are held, take several turns of the event loop', async () => {
  const sample = sampleOf({ ok: [1, 2] });
  const taskTypes = Array.from({ length: 2_000 }, (_, number) => `type ${number}`);
  const most = await mostInATurn(async (counted) => {
    const history = {
      sample: async () => {
        counted();
        return sample;
      },
    };
    const { listSummaries } = statisticsHandlers({
      clock: new ManualClock(0),
      history: history as unknown as DurationHistory,
      events: { taskTypes: async () => taskTypes } as unknown as EventStore,
      tasks: {} as TaskStore,
    });
    const answer = await listSummaries({ caller: { agentId: '*', project: null } } as never);
    expect(answer?.body).toMatchObject({ summaries: taskTypes.map((task_type) => ({ task_type })), without_ok: [] });
  });
  expect(most).toBeLessThan(50);
});

test('of the trends that are asked for at once, one is read and drawn in a turn', async () => {
  const sample = sampleOf({ ok: [1, 2] });
  const task = sampleTask({ state: 'ended', outcome: 'ok', durationSeconds: 1 });
  const most = await mostInATurn(async (counted) => {
    const tasks = {
      list: async () => {
        counted();
        return { items: [task], next: null };
      },
    };
    const { getTrend } = statisticsHandlers({
      clock: new ManualClock(0),
      history: { sample: async () => sample } as unknown as DurationHistory,
      events: {} as EventStore,
      tasks: tasks as unknown as TaskStore,
    });
    const asked = { path: { task_type: 'build' }, query: {}, caller: { agentId: '*', project: null } } as never;
    await Promise.all(Array.from({ length: 20 }, () => getTrend(asked)));
  });
  expect(most).toBe(1);
});

test('a page of a thousand tasks is shaped in several turns', async () => {
  const most = await mostInATurn(async (counted) => {
    const items = Array.from({ length: 1_000 }, (_, number) => ({
      ...sampleTask(),
      get correlationId() {
        counted();
        return `c${number}`;
      },
    }));
    const tasks = { list: async () => ({ items, next: null }) };
    const { listTasks } = eventHandlers({ clock: new ManualClock(0), tasks } as unknown as RecordDeps);
    const answer = await listTasks({ query: {}, caller: { agentId: '*', project: null } } as never);
    expect(answer?.body).toMatchObject({ tasks: Array(1_000).fill({ task_type: 'build' }) });
  });
  expect(most).toBeLessThanOrEqual(200);
});
