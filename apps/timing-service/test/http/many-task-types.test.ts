import { ManualClock } from '@agent-faculties/service-kit';
import { expect, test } from '@jest/globals';
import type { EventStore } from '../../src/domain/event.ts';
import type { DurationHistory } from '../../src/domain/statistics/duration-history.ts';
import type { TaskStore } from '../../src/domain/task.ts';
import { statisticsHandlers } from '../../src/http/statistics.ts';
import { sampleOf } from '../domain/statistics/sample-durations.ts';

test('summaries of thousands of task types, whose samples are held, take several turns of the event loop', async () => {
  let most = 0;
  let inTurn = 0;
  let isOver = false;
  const onTurn = () => {
    inTurn = 0;
    if (!isOver) setImmediate(onTurn);
  };
  const sample = sampleOf({ ok: [1, 2] });
  const history = {
    sample: async () => {
      most = Math.max(most, ++inTurn);
      return sample;
    },
  };
  const taskTypes = Array.from({ length: 2_000 }, (_, number) => `type ${number}`);
  const { listSummaries } = statisticsHandlers({
    clock: new ManualClock(0),
    history: history as unknown as DurationHistory,
    events: { taskTypes: async () => taskTypes } as unknown as EventStore,
    tasks: {} as TaskStore,
  });
  setImmediate(onTurn);
  const answer = await listSummaries({ caller: { agentId: '*', project: null } } as never);
  isOver = true;
  expect(answer?.body).toMatchObject({ summaries: taskTypes.map((task_type) => ({ task_type })), without_ok: [] });
  expect(most).toBeLessThan(500);
});
