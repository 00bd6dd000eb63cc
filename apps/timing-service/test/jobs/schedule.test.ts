import { createLog } from '@agent-faculties/service-kit';
import { afterEach, expect, jest, test } from '@jest/globals';
import { schedule } from '../../src/jobs/schedule.ts';

afterEach(() => {
  jest.useRealTimers();
});

test('a stop that is asked for twice waits once for a job that hangs', async () => {
  jest.useFakeTimers({ now: Date.UTC(2026, 0, 1, 0, 0, 59) });
  let started = false;
  const run = () => {
    started = true;
    return new Promise<null>(() => {});
  };
  const scheduled = schedule(
    [{ name: 'hangs', expression: '* * * * *', run }],
    createLog({ name: 'x', level: 'silent' }),
  );
  await jest.advanceTimersByTimeAsync(2_000);
  expect(started).toBe(true);
  const early = scheduled.stop();
  await jest.advanceTimersByTimeAsync(5_000);
  await early;
  await scheduled.stop();
});
