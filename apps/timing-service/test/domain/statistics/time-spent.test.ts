import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  MOST_GROUPS,
  type SpentGroup,
  type TimeSpentBy,
  TimeSums,
  timeSpent,
} from '../../../src/domain/statistics/time-spent.ts';
import type { TaskTime } from '../../../src/domain/task.ts';

/** Days of ten milliseconds, in which a twin can look at each. */
const DAYS = ['2026-11-01', '2026-11-02', '2026-11-03'].map((date, index) => ({
  date,
  sinceMs: 100 + index * 10,
  untilMs: 110 + index * 10,
}));
const FATES = ['ok', 'error', 'timeout', 'cancelled', 'active', 'abandoned'] as const;
type Fate = (typeof FATES)[number];

function task(startMs: number, lastsMs: number, fields: { fate?: Fate } & Partial<TaskTime> = {}): TaskTime {
  const { fate = 'ok', ...rest } = fields;
  const ended = fate === 'active' || fate === 'abandoned' ? null : fate;
  return {
    agentId: 'ann',
    project: null,
    taskType: 'build',
    state: ended === null ? (fate as 'active' | 'abandoned') : 'ended',
    outcome: ended,
    startedUs: startMs * 1000,
    durationUs: ended === null ? null : lastsMs * 1000,
    session: null,
    ...rest,
  };
}

function sumsOf(tasks: readonly TaskTime[], by: readonly TimeSpentBy[]) {
  const sums = new TimeSums({ by, days: DAYS });
  for (const one of [...tasks].sort((a, b) => a.startedUs - b.startedUs)) sums.add(one);
  return sums.result();
}

/** Looks at each millisecond of the time, and at each task. */
function naively(tasks: readonly TaskTime[], fromMs: number, toMs: number) {
  const isIn = (one: TaskTime, ms: number) => {
    const endMs = one.state === 'active' ? Number.POSITIVE_INFINITY : (one.startedUs + (one.durationUs ?? 0)) / 1000;
    return one.startedUs / 1000 <= ms && ms < endMs;
  };
  const moments = Array.from({ length: toMs - fromMs }, (_, index) => fromMs + index);
  const msOf = (some: readonly TaskTime[]) =>
    some.reduce((sum, one) => sum + moments.filter((ms) => isIn(one, ms)).length, 0);
  const within = tasks.filter(
    (one) => (one.startedUs >= fromMs * 1000 && one.startedUs < toMs * 1000) || moments.some((ms) => isIn(one, ms)),
  );
  const fateOf = (one: TaskTime) => one.outcome ?? one.state;
  return {
    tasks: within.length,
    spentUs: msOf(within) * 1000,
    busyUs: moments.filter((ms) => within.some((one) => isIn(one, ms))).length * 1000,
    runningUs: msOf(within.filter((one) => fateOf(one) === 'active')) * 1000,
    cutOffUs: msOf(within.filter((one) => ['timeout', 'cancelled'].includes(fateOf(one)))) * 1000,
    longestUs: Math.max(0, ...within.map((one) => msOf([one]) * 1000)),
    outcomes: Object.fromEntries(FATES.map((fate) => [fate, within.filter((one) => fateOf(one) === fate).length])),
  };
}

const anyTask = fc
  .record({
    startMs: fc.integer({ min: 80, max: 140 }),
    lastsMs: fc.integer({ min: 0, max: 40 }),
    fate: fc.constantFrom(...FATES),
    agentId: fc.constantFrom('ann', 'bob'),
    project: fc.constantFrom(null, 'shop'),
    taskType: fc.constantFrom('build', 'test'),
    session: fc.constantFrom(null, 's1', 's2'),
  })
  .map(({ startMs, lastsMs, ...fields }) => task(startMs, lastsMs, fields));

describe('the time spent', () => {
  test('counts side by side twice, the busy time once, and each part on its day', () => {
    const tasks = [task(105, 10), task(107, 2, { fate: 'timeout' }), task(125, 0, { fate: 'active' })];
    const { total, groups } = sumsOf(tasks, ['day']);
    expect(total).toMatchObject({ tasks: 3, spentUs: 17_000, busyUs: 15_000, runningUs: 5_000, cutOffUs: 2_000 });
    expect(groups.map(({ of, tasks, spentUs, busyUs }) => [of.day, tasks, spentUs, busyUs])).toEqual([
      ['2026-11-01', 2, 7_000, 5_000],
      ['2026-11-02', 1, 5_000, 5_000],
      ['2026-11-03', 1, 5_000, 5_000],
    ]);
  });

  test('is that of a twin that looks at each moment, for each group and in all', () => {
    const by = fc.constantFrom<TimeSpentBy[]>(
      ['day'],
      ['task_type'],
      ['project'],
      ['day', 'agent'],
      ['session', 'task_type'],
      ['outcome', 'day'],
    );
    fc.assert(
      fc.property(fc.array(anyTask, { maxLength: 12 }), by, (tasks, by) => {
        const { total, groups } = sumsOf(tasks, by);
        expect(total).toEqual(naively(tasks, 100, 130));
        for (const { of, ...times } of groups) {
          const day = DAYS.find(({ date }) => date === of.day);
          expect(times).toEqual(naively(tasks.filter(isOf(of)), day?.sinceMs ?? 100, day?.untilMs ?? 130));
        }
        // No group is left out: those of a day have all of its tasks.
        if (by.length === 1 && by[0] !== 'day') {
          expect(groups.reduce((sum, one) => sum + one.tasks, 0)).toBe(total.tasks);
        }
        expect(groups.reduce((sum, one) => sum + one.spentUs, 0)).toBe(total.spentUs);
      }),
    );
  });

  test('comes with the most time first, and by name where it is the same', () => {
    const tasks = ['c', 'a', 'b'].map((taskType) => task(101, taskType === 'b' ? 5 : 3, { taskType }));
    expect(sumsOf(tasks, ['task_type']).groups.map(({ of }) => of.task_type)).toEqual(['b', 'a', 'c']);
  });

  test('has a limit of groups, and says how to have fewer', async () => {
    const tasks = Array.from({ length: MOST_GROUPS + 1 }, (_, index) => task(101, 1, { taskType: `type ${index}` }));
    const ask = (some: TaskTime[]) => {
      const times = async function* () {
        yield some;
      };
      return timeSpent({ times }, { whose: { agentId: null, project: null }, days: DAYS, by: ['task_type'] });
    };
    expect((await ask(tasks.slice(1))).groups).toHaveLength(MOST_GROUPS);
    await expect(ask(tasks)).rejects.toThrow(
      'There are more than 5000 groups by task_type: ask about a shorter time, name a task_type or an agent, or leave then_by out.',
    );
  });
});

function isOf(of: SpentGroup['of']) {
  return (one: TaskTime) =>
    (of.agent === undefined || one.agentId === of.agent) &&
    (of.project === undefined || one.project === of.project) &&
    (of.session === undefined || one.session === of.session) &&
    (of.task_type === undefined || one.taskType === of.task_type) &&
    (of.outcome === undefined || (one.outcome ?? one.state) === of.outcome);
}
