import { ConflictError, type Logger, UnavailableError } from '@agent-faculties/service-kit';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Night } from '../../src/domain/consolidation/run-log.ts';
import { Nightly } from '../../src/jobs/nightly-schedule.ts';

const MINUTE_MS = 60_000;
const TEN = Date.parse('2026-11-21T10:00:00Z');

beforeEach(() => {
  jest.useFakeTimers({ now: TEN });
});
afterEach(() => {
  jest.useRealTimers();
});

type Outcome = 'whole' | 'partial' | 'conflict' | 'fault';

function nightly({
  lastNight = null,
  lastSavedAt = null,
  expression = '0 3 * * *',
  outcomes = [],
  isOwner = true,
  othersNights = Promise.resolve(),
}: {
  /** Ends when it is this one's turn. */
  othersNights?: Promise<void>;
  isOwner?: boolean;
  lastNight?: { at: string; isWhole?: boolean } | null;
  lastSavedAt?: string | null;
  expression?: string | null;
  /** The outcomes of the first runs; all later ones are whole. */
  outcomes?: Outcome[];
}) {
  const runs: number[] = [];
  const noted: Night[] = [];
  const state = { revision: 0, during: () => {} };
  const log = { info: () => {}, warn: () => {}, error: () => {} } as unknown as Logger;
  const run = async () => {
    const outcome = outcomes[runs.length] ?? 'whole';
    runs.push(Date.now());
    state.during();
    if (outcome === 'conflict') throw new ConflictError('Another one runs.', { code: 'consolidation_running' });
    if (outcome === 'fault') throw new Error('a fault of ours');
    return { isWhole: outcome === 'whole', summary: {} };
  };
  const made = new Nightly(
    {
      clock: { now: () => Date.now() },
      log,
      run,
      inTurn: (work) => othersNights.then(work),
      revision: () => state.revision,
      isOwner: async () => isOwner,
      lastNight: () => lastNight && { startedAt: Date.parse(lastNight.at), isWhole: lastNight.isWhole ?? true },
      noteNight: async (night) => {
        noted.push(night);
        throw new UnavailableError('The disk is full.');
      },
      wasThereAt: () => (lastSavedAt === null ? null : Date.parse(lastSavedAt)),
    },
    { expression, timezone: 'UTC' },
  );
  made.start();
  return { made, runs, noted, state };
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

  test('is left to the process whose it is', async () => {
    const { made, runs, noted } = nightly({ isOwner: false, lastNight: { at: '2026-11-20T03:00:00Z' } });
    await jest.advanceTimersByTimeAsync(48 * 60 * MINUTE_MS);
    await made.stop();
    expect([runs, noted]).toEqual([[], []]);
  });

  test('that was missed is made up for once nothing has changed for a minute', async () => {
    const { made, runs, state } = nightly({ lastNight: { at: '2026-11-20T03:00:00Z' } });
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
    ['it has run this night', { lastNight: { at: '2026-11-21T03:00:00Z' } }],
    ['the store is new', {}],
    ['the store was last used after it', { lastSavedAt: '2026-11-21T09:00:00Z' }],
    [
      'it runs on weekdays only and has run on Friday',
      { lastNight: { at: '2026-11-20T03:00:00Z' }, expression: '0 3 * * 1-5' },
    ],
    ['it runs once a month and has run', { lastNight: { at: '2026-11-01T03:00:00Z' }, expression: '0 3 1 * *' }],
    ['the clock was ahead when it ran', { lastNight: { at: '2026-11-22T03:00:00Z' } }],
    ['none is scheduled', { lastNight: { at: '2026-11-01T03:00:00Z' }, expression: null }],
  ])('was not missed when %s', async (_why, options) => {
    const { made, runs } = nightly(options);
    await jest.advanceTimersByTimeAsync(10 * MINUTE_MS);
    expect(runs).toEqual([]);
    await made.stop();
  });

  test('that the machine slept through is made up for', async () => {
    const { made, runs } = nightly({ lastNight: { at: '2026-11-21T03:00:00Z' } });
    await jest.advanceTimersByTimeAsync(MINUTE_MS);
    // The timers stood still meanwhile.
    jest.setSystemTime(Date.now() + 20 * 60 * MINUTE_MS);
    await jest.advanceTimersByTimeAsync(18 * 60 * MINUTE_MS);
    await made.stop();
    expect(runs).toHaveLength(1);
  });

  test('of a store that was used before it and never consolidated was missed', async () => {
    const { made, runs } = nightly({ lastSavedAt: '2026-11-20T18:00:00Z' });
    await jest.advanceTimersByTimeAsync(2 * MINUTE_MS);
    expect(runs).toHaveLength(1);
    await made.stop();
  });

  test('that was cut off is made up for after the next start, though it had begun', async () => {
    const { made, runs, noted } = nightly({ lastNight: { at: '2026-11-21T03:00:00Z', isWhole: false } });
    await jest.advanceTimersByTimeAsync(2 * MINUTE_MS);
    expect(runs).toHaveLength(1);
    const [startedAt] = runs;
    expect(noted).toEqual([
      { startedAt, isWhole: false },
      { startedAt, isWhole: true },
    ]);
    await made.stop();
  });

  test('beside a run that somebody has asked for is made up for when it is quiet', async () => {
    const { made, runs } = nightly({ lastNight: { at: '2026-11-20T03:00:00Z' }, outcomes: ['conflict', 'conflict'] });
    await jest.advanceTimersByTimeAsync(1.5 * MINUTE_MS);
    expect(runs).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(3 * MINUTE_MS);
    expect(runs).toHaveLength(3);
    await jest.advanceTimersByTimeAsync(60 * MINUTE_MS);
    expect(runs).toHaveLength(3);
    await made.stop();
  });

  test.each<[string, Outcome]>([
    ['could not do a step', 'partial'],
    ['met a fault', 'fault'],
  ])('that %s is tried again after a quarter of an hour', async (_what, outcome) => {
    const { made, runs, noted } = nightly({ lastNight: { at: '2026-11-20T03:00:00Z' }, outcomes: [outcome] });
    await jest.advanceTimersByTimeAsync(14 * MINUTE_MS);
    expect(runs).toHaveLength(1);
    expect(noted.map(({ isWhole }) => isWhole)).toEqual([false]);
    await jest.advanceTimersByTimeAsync(3 * MINUTE_MS);
    expect(runs).toHaveLength(2);
    expect(noted.map(({ isWhole }) => isWhole)).toEqual([false, false, true]);
    await made.stop();
  });

  test('that waits for the nights of others holds up no stop, and is made up for after the next start', async () => {
    let end = () => {};
    const othersNights = new Promise<void>((resolve) => {
      end = resolve;
    });
    const { made, runs, noted } = nightly({ lastNight: { at: '2026-11-20T03:00:00Z' }, othersNights });
    await jest.advanceTimersByTimeAsync(2 * MINUTE_MS);
    expect(made.isUnderWay).toBe(true);
    await made.stop();
    expect(made.isUnderWay).toBe(false);
    end();
    await othersNights;
    expect(runs).toEqual([]);
    expect(noted).toMatchObject([{ isWhole: false }]);
  });

  test('that ends because the service stops is not tried again', async () => {
    const { made, runs, state } = nightly({ lastNight: { at: '2026-11-20T03:00:00Z' }, outcomes: ['partial'] });
    let stopped = Promise.resolve();
    state.during = () => {
      stopped = made.stop();
    };
    await jest.advanceTimersByTimeAsync(60 * MINUTE_MS);
    await stopped;
    expect(runs).toHaveLength(1);
    expect(jest.getTimerCount()).toBe(0);
  });
});
