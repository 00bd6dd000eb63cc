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
  const ended: string[] = [];
  const early = scheduled.stop().then(() => ended.push('early'));
  await jest.advanceTimersByTimeAsync(4_900);
  expect(ended).toEqual([]);
  await jest.advanceTimersByTimeAsync(200);
  await early;
  await scheduled.stop().then(() => ended.push('late'));
  expect(ended).toEqual(['early', 'late']);
});

test('a job runs at its times and logs what it reports; one that fails is logged and runs again', async () => {
  jest.useFakeTimers({ now: Date.UTC(2026, 0, 1, 0, 0, 59) });
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (text: string) => lines.push(JSON.parse(text)) };
  let runs = 0;
  const run = async () => {
    runs++;
    if (runs === 1) throw new Error('the disk is full');
    return runs === 2 ? null : { abandoned: 4 };
  };
  const log = createLog({ name: 'x', level: 'info', destination });
  const scheduled = schedule([{ name: 'sweep', expression: '* * * * *', run }], log);
  await jest.advanceTimersByTimeAsync(3 * 60_000);
  await scheduled.stop();
  await jest.advanceTimersByTimeAsync(3 * 60_000);
  expect(runs).toBe(3);
  expect(lines.filter(({ job }) => job === 'sweep')).toMatchObject([
    { level: 'error', msg: 'job failed', err: { message: 'the disk is full' } },
    { level: 'info', msg: 'job', abandoned: 4 },
  ]);
});

test('after a day that the machine slept through, a job goes on with its next time, and the log says nothing', async () => {
  const start = Date.UTC(2026, 0, 1, 0, 0, 59);
  jest.useFakeTimers({ now: start });
  const lines: string[] = [];
  const destination = { write: (text: string) => lines.push(text) };
  let runs = 0;
  const run = async () => {
    runs++;
    return null;
  };
  const log = createLog({ name: 'x', level: 'info', destination });
  const scheduled = schedule([{ name: 'sweep', expression: '* * * * *', run }], log);
  await jest.advanceTimersByTimeAsync(2_000);
  expect(runs).toBe(1);
  // The timers stood still meanwhile.
  jest.setSystemTime(start + 24 * 60 * 60_000);
  await jest.advanceTimersByTimeAsync(2 * 60_000);
  expect(runs).toBe(2);
  await scheduled.stop();
  expect(lines).toEqual([]);
});
