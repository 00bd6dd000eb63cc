import type { Logger } from '@agent-faculties/service-kit';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { SpaceAtRest } from '../../src/domain/space/engine.ts';
import { SpaceJobs } from '../../src/jobs/space-jobs.ts';

const HOUR_MS = 3_600_000;

beforeEach(() => {
  jest.useFakeTimers({ now: Date.parse('2026-11-21T10:00:00Z') });
});
afterEach(() => {
  jest.useRealTimers();
});

test('a closed space has the night that the machine slept through', async () => {
  const wanted: boolean[] = [];
  const atRest: SpaceAtRest = {
    lastNight: { startedAt: Date.parse('2026-11-21T03:00:00Z'), isWhole: true },
    isWritten: true,
    hasChanged: true,
    isTaken: false,
  };
  const jobs = new SpaceJobs(
    {
      clock: { now: () => Date.now() },
      log: { info: () => {}, warn: () => {}, error: () => {} } as unknown as Logger,
      closeIdle: async () => {},
      nightOfClosed: async (isWanted) => void wanted.push(isWanted(atRest)),
    },
    { expression: '0 3 * * *', timezone: 'UTC' },
  );
  jobs.start();
  await jest.advanceTimersByTimeAsync(HOUR_MS);
  expect(wanted).toEqual([false]);
  // The timers stood still meanwhile.
  jest.setSystemTime(Date.now() + 20 * HOUR_MS);
  await jest.advanceTimersByTimeAsync(18 * HOUR_MS);
  expect(wanted).toEqual([false, true]);
  await jobs.stop();
});
