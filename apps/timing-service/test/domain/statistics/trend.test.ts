import { orderedSample, seededRandom } from '@agent-faculties/stats-math';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ListPosition, PageRequest } from '../../../src/domain/page.ts';
import { type TrendBasis, trendOf, trendOfNewest } from '../../../src/domain/statistics/trend.ts';
import type { Task, TaskFilter } from '../../../src/domain/task.ts';
import { STARTED_MS, sampleTask } from '../sample-task.ts';
import { logNormal } from './log-normal.ts';
import { ONE_TO_TEN, upTo } from './sample-durations.ts';

const ended = (durationSeconds: number, index: number): Task =>
  sampleTask({
    correlationId: `c${index}`,
    state: 'ended',
    outcome: 'ok',
    durationSeconds,
    startedMs: STARTED_MS + index,
  });

const naiveMedian = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
};

const ALL: TrendBasis = {
  settledMs: undefined,
  sinceMs: null,
  history: orderedSample(Float64Array.of(1)),
  isOutgrown: false,
};
const halves = (tasks: Task[]) => trendOf(tasks, ALL);

describe('a trend', () => {
  const BASE = Array.from({ length: 20 }, (_, index) => 10 + ((index * 7) % 11) / 10);

  test.each([
    ['slower', 2, 1],
    ['faster', 0.5, 0],
    ['steady', 1, 0.5],
  ])('is %s when the newer half takes %d times as long', (direction, factor, probabilitySlower) => {
    const trend = halves([...BASE, ...BASE.map((seconds) => seconds * factor)].map(ended));
    expect(trend).toMatchObject({ direction, probabilitySlower });
    expect(trend.ratio).toBeCloseTo(factor, 12);
    expect(trend.previousMedian).toBeCloseTo(naiveMedian(BASE), 12);
    expect(trend.recentMedian).toBeCloseTo(naiveMedian(BASE) * factor, 12);
    const [low, high] = trend.interval;
    expect(low).toBeLessThanOrEqual(factor);
    expect(high).toBeGreaterThanOrEqual(factor);
  });

  test('is unknown below ten tasks and known from ten on', () => {
    expect(halves(ONE_TO_TEN.slice(0, 9).map(ended))).toMatchObject({
      direction: 'unknown',
      ratio: null,
      interval: [null, null],
      probabilitySlower: null,
      previousMedian: null,
      recentMedian: null,
    });
    expect(halves(ONE_TO_TEN.map(ended))).toMatchObject({ previousMedian: 3, recentMedian: 8, ratio: 8 / 3 });
  });

  test('of an odd number gives the middle task to the newer half', () => {
    expect(halves(upTo(11).map(ended))).toMatchObject({ previousMedian: 3, recentMedian: 8.5 });
  });

  test('answers the same when asked again', () => {
    const tasks = [...BASE, ...BASE.map((seconds) => seconds * 1.1)].map(ended);
    expect(halves(tasks)).toEqual(halves(tasks));
  });

  test('has each task with the median of it and up to eight before', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 30 }), (durations) => {
        const { points } = halves(durations.map(ended));
        expect(points.map((point) => [point.task.correlationId, point.durationSeconds])).toEqual(
          durations.map((seconds, index) => [`c${index}`, seconds]),
        );
        for (const [index, { runningMedian }] of points.entries()) {
          expect(runningMedian).toBeCloseTo(naiveMedian(durations.slice(Math.max(0, index - 8), index + 1)), 12);
        }
      }),
      { seed: 65, numRuns: 50 },
    );
  });

  test('compares those since a change with those before, where there are five on each side', () => {
    // 40 tasks, of which the newest 6 take twice as long: the median of the newer half hardly moves.
    const tasks = [...BASE, ...BASE.slice(0, 14), ...BASE.slice(0, 6).map((seconds) => seconds * 2)].map(ended);
    const sinceMs = STARTED_MS + 34;
    expect(halves(tasks)).toMatchObject({ direction: 'steady', sinceMs: null });
    expect(trendOf(tasks, { ...ALL, sinceMs })).toMatchObject({
      direction: 'slower',
      sinceMs,
      previousMedian: naiveMedian([...BASE, ...BASE.slice(0, 14)]),
      recentMedian: 2 * naiveMedian(BASE.slice(0, 6)),
    });
    expect(trendOf(tasks, { ...ALL, sinceMs: STARTED_MS + 36 })).toEqual(halves(tasks));
  });

  test('compares those since a change with the whole history, where the change lies further back than the newest tasks', () => {
    const slow = [...BASE, ...BASE].map((seconds) => seconds * 2);
    const tasks = slow.map(ended);
    const history = orderedSample(
      Float64Array.from([...Array.from({ length: 30 }, () => BASE).flat(), ...slow]).sort(),
    );
    for (const sinceMs of [STARTED_MS + 10, STARTED_MS - 1_000]) {
      const trend = trendOf(tasks, { ...ALL, sinceMs, history });
      expect(trend).toMatchObject({ direction: 'slower', sinceMs, recentMedian: 2 * naiveMedian(BASE) });
      // 600 of 640 runs are as those of BASE.
      expect(Math.abs((trend.ratio ?? 0) - 2)).toBeLessThan(0.1);
    }
    expect(trendOf(tasks, { ...ALL, history })).toEqual(halves(tasks));
  });

  test('of many agents at work is not faster because of those that have just begun the short ones have ended', () => {
    // A run each eight seconds, about 40 at a time; of durations that vary much.
    const nowMs = STARTED_MS;
    const settledMs = nowMs - 1_100_000;
    let [faster, biased] = [0, 0];
    for (let seed = 0; seed < 100; seed++) {
      const draw = logNormal(seededRandom(seed), { median: 300, sigma: 0.8 });
      const runs = Array.from({ length: 300 }, (_, index) => ({
        seconds: draw(),
        startedMs: nowMs - (300 - index) * 8_000,
      }));
      const tasks = runs
        .filter(({ seconds, startedMs }) => startedMs + seconds * 1_000 <= nowMs)
        .map(({ seconds, startedMs }, index) => ({ ...ended(seconds, index), startedMs }));
      if (trendOf(tasks, { ...ALL, settledMs }).direction === 'faster') faster++;
      if (halves(tasks).direction === 'faster') biased++;
    }
    // By chance 2.5 of 100; more than 8 but for one in 300.
    expect(faster).toBeLessThanOrEqual(8);
    expect(biased).toBeGreaterThan(20);
  });

  test('has a point for each task, also where it is not compared', () => {
    const tasks = upTo(14).map(ended);
    const trend = trendOf(tasks, { ...ALL, settledMs: STARTED_MS + 10 });
    expect(trend.points).toHaveLength(14);
    expect(trend).toMatchObject({ previousMedian: 3, recentMedian: 8 });
    // With fewer than ten that are settled, all are compared.
    expect(trendOf(tasks, { ...ALL, settledMs: STARTED_MS + 9 })).toEqual(halves(tasks));
  });

  test('of tasks that took no time has medians of 0, and a ratio all the same', () => {
    const trend = halves([...upTo(5).map(() => 0), ...upTo(5).map(() => 1)].map(ended));
    expect(trend).toMatchObject({ direction: 'slower', ratio: 1e6, previousMedian: 0, recentMedian: 1 });
    expect(trend.points[0]).toMatchObject({ durationSeconds: 0, runningMedian: 0 });
  });
});

describe('the trend of the newest tasks', () => {
  /** Pages of three, as large metadata makes them. */
  function shortPages(all: readonly Task[]) {
    const asked: { filter: TaskFilter; limit: number }[] = [];
    const list = async (filter: TaskFilter, { limit, after }: PageRequest) => {
      asked.push({ filter, limit });
      const from = after?.sequence ?? 0;
      const items = all.slice(from, from + Math.min(limit, 3));
      const end = from + items.length;
      const next: ListPosition | null = end < all.length ? { timeUs: 0, sequence: end } : null;
      return { items, next };
    };
    return { asked, tasks: { list } };
  }
  const newestFirst = upTo(12).map(ended);

  test('reads short pages until it has as many as it is asked for, oldest first', async () => {
    const { asked, tasks } = shortPages(newestFirst);
    const trend = await trendOfNewest(tasks, {
      agentId: null,
      project: null,
      taskType: 'build',
      limit: 10,
      basis: ALL,
    });
    expect(trend?.points.map(({ durationSeconds }) => durationSeconds)).toEqual([...ONE_TO_TEN].reverse());
    expect(asked.map(({ limit }) => limit)).toEqual([10, 7, 4, 1]);
    expect(asked[0]?.filter).toEqual({
      agentId: null,
      project: null,
      taskType: 'build',
      state: 'ended',
      outcome: 'ok',
    });
  });

  test('takes what there is, and is null where there is nothing', async () => {
    const few = await trendOfNewest(shortPages(newestFirst.slice(0, 5)).tasks, {
      agentId: 'ann',
      project: null,
      taskType: 'x',
      limit: 200,
      basis: ALL,
    });
    expect(few?.points).toHaveLength(5);
    expect(
      await trendOfNewest(shortPages([]).tasks, {
        agentId: 'ann',
        project: null,
        taskType: 'x',
        limit: 200,
        basis: ALL,
      }),
    ).toBeNull();
  });
});
