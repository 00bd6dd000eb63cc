import type { Logger } from '@agent-faculties/service-kit';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Nightly } from '../../src/jobs/nightly.ts';

const MINUTE_MS = 60_000;
const TEN = Date.parse('2026-11-21T10:00:00Z');

beforeEach(() => {
  jest.useFakeTimers({ now: TEN });
});
afterEach(() => {
  jest.useRealTimers();
});

function nightly({
  lastRunAt = null,
  lastSavedAt = null,
  expression = '0 3 * * *',
}: {
  lastRunAt?: string | null;
  lastSavedAt?: string | null;
  expression?: string | null;
}) {
  const runs: number[] = [];
  const state = { revision: 0 };
  const log = { info: () => {}, error: () => {} } as unknown as Logger;
  const run = async () => {
    runs.push(Date.now());
    return {};
  };
  const made = new Nightly(
    {
      clock: { now: () => Date.now() },
      log,
      run,
      revision: () => state.revision,
      lastRunAt: () => (lastRunAt === null ? null : Date.parse(lastRunAt)),
      lastSavedAt: () => (lastSavedAt === null ? null : Date.parse(lastSavedAt)),
    },
    { expression, timezone: 'UTC' },
  );
  made.start();
  return { made, runs, state };
}

describe('the nightly run', () => {
  test('is at its time, in its time zone, each day', async () => {
    const { made, runs } = nightly({});
    expect(made.nextRunAt).toBe(Date.parse('2026-11-22T03:00:00Z'));
    await jest.advanceTimersByTimeAsync(48 * 60 * MINUTE_MS);
    await made.stop();
    expect(runs.map((at) => Math.round(at / 1_000))).toEqual([
      Date.parse('2026-11-22T03:00:00Z') / 1_000,
      Date.parse('2026-11-23T03:00:00Z') / 1_000,
    ]);
    expect(made.nextRunAt).toBeNull();
  });

  test('that was missed is made up for once nothing has changed for a minute', async () => {
    const { made, runs, state } = nightly({ lastRunAt: '2026-11-20T03:00:00Z' });
    await jest.advanceTimersByTimeAsync(MINUTE_MS / 2);
    state.revision++;
    await jest.advanceTimersByTimeAsync(MINUTE_MS);
    expect(runs).toEqual([]);
    await jest.advanceTimersByTimeAsync(MINUTE_MS / 2);
    expect(runs).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(10 * MINUTE_MS);
    expect(runs).toHaveLength(1);
    await made.stop();
  });

  test.each([
    ['it has run this night', { lastRunAt: '2026-11-21T03:00:00Z' }],
    ['the store is new', {}],
    ['the store was last used after it', { lastSavedAt: '2026-11-21T09:00:00Z' }],
    ['none is scheduled', { lastRunAt: '2026-11-01T03:00:00Z', expression: null }],
  ])('was not missed when %s', async (_why, options) => {
    const { made, runs } = nightly(options);
    await jest.advanceTimersByTimeAsync(10 * MINUTE_MS);
    expect(runs).toEqual([]);
    await made.stop();
  });

  test('of a store that was used before it and never consolidated was missed', async () => {
    const { made, runs } = nightly({ lastSavedAt: '2026-11-20T18:00:00Z' });
    await jest.advanceTimersByTimeAsync(2 * MINUTE_MS);
    expect(runs).toHaveLength(1);
    await made.stop();
  });
});
