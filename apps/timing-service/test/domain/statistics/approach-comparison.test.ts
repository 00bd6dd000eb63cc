import { seededRandom } from '@agent-faculties/stats-math';
import { describe, expect, test } from '@jest/globals';
import { compareApproaches } from '../../../src/domain/statistics/approach-comparison.ts';
import type { DurationHistory, DurationSample } from '../../../src/domain/statistics/duration-history.ts';
import type { TaskStore } from '../../../src/domain/task.ts';
import { STARTED_MS } from '../sample-task.ts';
import { bucketedSampleOf } from './bucketed-durations.ts';
import { logNormal } from './log-normal.ts';
import { type Durations, sampleOf } from './sample-durations.ts';

const tasks = {
  pastEstimates: async () => [],
  list: async () => ({ items: [], next: null }),
} as unknown as TaskStore;
const nowMs = STARTED_MS;

/** A history that is the same for every type, and records which types were asked for. */
function recordedHistory(durations: number[]): { history: DurationHistory; asked: string[] } {
  const asked: string[] = [];
  const sample = async (_agent: string | null, type: string) => {
    asked.push(type);
    return sampleOf({ ok: durations });
  };
  return { history: { sample } as unknown as DurationHistory, asked };
}

/** How many turns of the event loop an operation takes. */
async function turnsOf(operation: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  count();
  await operation;
  isOver = true;
  return turns;
}

test('a large comparison reads each history once and is made in many turns', async () => {
  const { history, asked } = recordedHistory([1, 2, 3, 4, 5]);
  const approaches = Array.from({ length: 10 }, (_, approach) => ({
    name: `n${approach}`,
    steps: Array.from({ length: 20 }, (_, step) => ({ taskType: `t${step}`, estimatedSeconds: null })),
  }));
  const comparison = compareApproaches(
    { history, tasks },
    { whose: { agentId: null, project: null }, approaches, nowMs },
  );
  // 200 steps, five in a turn.
  expect(await turnsOf(comparison)).toBeGreaterThan(40);
  expect(asked).toEqual(Array.from({ length: 20 }, (_, step) => `t${step}`));
  const { approaches: ranked, verdict } = await comparison;
  expect(verdict).toBe('too_close_to_call');
  // 20 steps of median and mean 3 and variance 2: the median of 10,000 draws has a standard error of 0.08. All have the same steps: a tie.
  for (const { totals } of ranked) {
    expect(Math.abs((totals?.p50 ?? 0) - 60)).toBeLessThan(0.4);
    expect(totals?.probabilityFastest).toBeCloseTo(0.1, 9);
  }
  expect(ranked.reduce((sum, { totals }) => sum + (totals?.probabilityFastest ?? 0), 0)).toBeCloseTo(1, 9);
});

test('a tie is shared among those that are fastest', async () => {
  const { history } = recordedHistory([7]);
  const approaches = ['a', 'b', 'c'].map((name) => ({
    name,
    steps: Array.from({ length: name === 'c' ? 2 : 1 }, () => ({ taskType: 'x', estimatedSeconds: null })),
  }));
  const { approaches: ranked } = await compareApproaches(
    { history, tasks },
    { whose: { agentId: null, project: null }, approaches, nowMs },
  );
  expect(ranked.map(({ name, totals }) => [name, totals?.mean, totals?.probabilityFastest])).toEqual([
    ['a', 7, 0.5],
    ['b', 7, 0.5],
    ['c', 14, 0],
  ]);
});

test('durations in buckets are within a thousandth, and the comparison says so', async () => {
  const durations = { ok: Array.from({ length: 2_000 }, (_, index) => 3 + index / 1e6) };
  const compared = (sample: DurationSample) =>
    compareApproaches(
      { history: { sample: async () => sample } as unknown as DurationHistory, tasks },
      {
        whose: { agentId: null, project: null },
        approaches: [{ name: 'a', steps: [{ taskType: 'x', estimatedSeconds: null }] }],
        nowMs,
      },
    );
  const [near, exact] = [await compared(bucketedSampleOf(durations)), await compared(sampleOf(durations))];
  expect([near.error, exact.error]).toEqual([0.001, 0]);
  const [middle, median] = [near, exact].map(({ approaches }) => approaches[0]?.totals?.p50 ?? 0) as [number, number];
  expect(Math.abs(middle - median)).toBeLessThan(median * 0.001);
});

/** Compares approaches with these histories: of one step each, if nothing else is said. */
function compared(
  histories: Readonly<Record<string, Durations>>,
  typesOf: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
    Object.keys(histories).map((one) => [one, [one]]),
  ),
) {
  const samples = new Map(Object.entries(histories).map(([name, durations]) => [name, sampleOf(durations)]));
  const history = { sample: async (_whose: unknown, type: string) => samples.get(type) } as unknown as DurationHistory;
  const approaches = Object.entries(typesOf).map(([name, types]) => ({
    name,
    steps: types.map((taskType) => ({ taskType, estimatedSeconds: null })),
  }));
  return compareApproaches({ history, tasks }, { whose: { agentId: null, project: null }, approaches, nowMs });
}

const times = <Value>(count: number, value: (index: number) => Value) =>
  Array.from({ length: count }, (_, i) => value(i));

describe('a verdict', () => {
  test.each([5, 10, 30])(
    'is clear for one in twenty pairs that take equally long, after %i runs of each',
    async (runs) => {
      const draw = logNormal(seededRandom(runs), { median: 60, sigma: 0.5 });
      let clear = 0;
      for (let pair = 0; pair < 100; pair++) {
        const { verdict } = await compared({ a: { ok: times(runs, draw) }, b: { ok: times(runs, draw) } });
        if (verdict === 'clear') clear++;
      }
      // Binomial of 100 with 5 %: at most 11 but for one in 200.
      expect(clear).toBeLessThanOrEqual(11);
    },
  );

  test('is clear for what takes one and a half times as long, once there are runs enough', async () => {
    // P(A < B) is 0.72 for log-normal durations of sigma 0.5.
    const random = seededRandom(4);
    const [a, b] = [60, 90].map((median) => logNormal(random, { median, sigma: 0.5 })) as [() => number, () => number];
    let clear = 0;
    for (let pair = 0; pair < 50; pair++) {
      const { verdict, recommendation } = await compared({ b: { ok: times(60, b) }, a: { ok: times(60, a) } });
      if (verdict === 'clear' && recommendation === 'a') clear++;
    }
    expect(clear).toBeGreaterThanOrEqual(40);
  });

  test('is too close to call for a difference that is sure and does not matter', async () => {
    const a = times(1_000, (index) => 60 + index / 10);
    const histories = { a: { ok: a }, b: { ok: a.map((seconds) => seconds * 1.05) } };
    expect((await compared(histories)).verdict).toBe('too_close_to_call');
  });

  test('rests on half as many runs where one type is two steps', async () => {
    // P(A < B) is 0.72 for sums of two. By chance alone it is 0.68 or more with 20 runs behind each, and 0.76 with 10.
    const a = { ok: times(20, (index) => 10 + index) };
    const b = { ok: times(20, (index) => 13.4 + index) };
    const histories = { a, a2: a, b, b2: b };
    const apart = await compared(histories, { a: ['a', 'a2'], b: ['b', 'b2'] });
    expect(apart.verdict).toBe('clear');
    expect(apart.probabilityBeatsSecond).toBeCloseTo(0.72, 1);
    expect((await compared(histories, { a: ['a', 'a'], b: ['b', 'b'] })).verdict).toBe('too_close_to_call');
  });

  test('is about what differs: a long step of both hides nothing, however it varies and wherever it stands', async () => {
    const build = { ok: times(50, (index) => 100 + 20 * index), timeout: times(30, () => 1_100) };
    const histories = {
      build,
      few: { ok: times(6, (index) => 30 + index) },
      all: { ok: times(60, (index) => 60 + index / 10) },
    };
    const { verdict, recommendation, probabilityBeatsSecond } = await compared(histories, {
      all: ['all', 'build'],
      few: ['build', 'few'],
    });
    expect({ verdict, recommendation, probabilityBeatsSecond }).toEqual({
      verdict: 'clear',
      recommendation: 'few',
      probabilityBeatsSecond: 1,
    });
  });

  test('is clear against the same with one step more', async () => {
    const histories = { a: { ok: times(20, (index) => 10 + index) }, b: { ok: times(20, (index) => 1 + index) } };
    const { verdict, recommendation } = await compared(histories, { longer: ['b', 'a'], shorter: ['a'] });
    expect({ verdict, recommendation }).toEqual({ verdict: 'clear', recommendation: 'shorter' });
  });

  test('is a tie between the same steps in another order, to the last bit', async () => {
    const third = { ok: times(9, (index) => index / 3 + 0.1) };
    const histories = { a: third, b: third, c: third };
    const { probabilityBeatsSecond } = await compared(histories, { one: ['a', 'b', 'c'], other: ['c', 'b', 'a'] });
    expect(probabilityBeatsSecond).toBe(0.5);
  });

  test('is not clear where the fastest was often cut off, before the second takes as long', async () => {
    const b = { ok: times(50, (index) => 25 + index / 10) };
    const a = times(30, (index) => 10 + index / 100);
    expect((await compared({ a: { ok: a }, b })).verdict).toBe('clear');
    const cutOff = await compared({ a: { ok: a, timeout: times(20, () => 20) }, b });
    expect(cutOff).toMatchObject({ verdict: 'too_close_to_call', probabilityBeatsSecond: 1 });
  });
});

test('runs that were cut off count as longer: the restricted mean of exponential durations', async () => {
  // Mean 10, cut off at 20: 10 (1 - exp(-2)) = 8.647; those that ended have a mean of 6.87.
  const random = seededRandom(5);
  const durations = times(4_000, () => -10 * Math.log(1 - random.next()));
  const ok = durations.filter((seconds) => seconds <= 20);
  const timeout = durations.filter((seconds) => seconds > 20).map(() => 20);
  const { approaches } = await compared({ a: { ok, timeout } });
  expect(approaches[0]?.steps[0]?.sampleCount).toBe(ok.length);
  // Standard error of the mean of the sample 0.10, of the draws 0.06.
  expect(Math.abs((approaches[0]?.totals?.mean ?? 0) - 8.647)).toBeLessThan(0.36);
  expect(Math.abs((approaches[0]?.totals?.p50 ?? 0) - 10 * Math.LN2)).toBeLessThan(0.6);
  expect(approaches[0]?.totals?.p95).toBe(20);
});

describe('what takes the least time on average', () => {
  const gamble = { ok: times(50, (index) => (index % 5 === 4 ? 300 : 10)) };
  const sure = { ok: times(50, (index) => 29 + (index % 3)) };

  test('stands beside what is mostly the fastest, with what it saves and a warning', async () => {
    const { recommendation, verdict, onAverage, warning } = await compared({ gamble, sure });
    expect({ recommendation, verdict }).toEqual({ recommendation: 'gamble', verdict: 'clear' });
    // By hand: (40 * 10 + 10 * 300) / 50 = 68, and (17 * 29 + 17 * 30 + 16 * 31) / 50 = 29.98.
    expect(onAverage).toMatchObject({ approach: 'sure', other: 'gamble' });
    expect(onAverage?.seconds).toBeCloseTo(68 - 29.98, 9);
    // t of 49.0 degrees of freedom is 2.0096; the standard error is that of gamble, 290 * sqrt(0.2 * 0.8 / 49) = 16.571, and hardly more.
    expect(onAverage?.interval[0]).toBeCloseTo(38.02 - 2.0096 * 16.572, 1);
    expect(onAverage?.interval[1]).toBeCloseTo(38.02 + 2.0096 * 16.572, 1);
    expect(warning).toBe(
      "'gamble' is mostly the fastest and now and then very slow: on average 'sure' takes less time.",
    );
  });

  test('is said to be perhaps chance where the interval holds 0', async () => {
    const { onAverage, warning } = await compared({ gamble: { ok: [10, 10, 10, 10, 10, 10, 10, 300] }, sure });
    expect(onAverage?.interval[0]).toBeLessThan(0);
    expect(warning).toMatch(/on average 'sure' takes less time so far, which may be chance\.$/);
  });

  test('is told where no one is mostly the fastest', async () => {
    const level = { ok: gamble.ok.map((seconds, index) => (seconds === 300 ? 300 : 29 + (index % 3))) };
    const { verdict, recommendation, warning } = await compared({
      level,
      sure: { ok: sure.ok.map((one) => one + 0.1) },
    });
    expect({ verdict, recommendation }).toEqual({ verdict: 'too_close_to_call', recommendation: 'level' });
    expect(warning).toMatch(
      /^Which is mostly .* on average 'sure' takes less time than 'level': take it where many runs add up\.$/,
    );
  });

  test('is the recommendation beside the next, and no warning, where both say the same', async () => {
    const { onAverage, warning } = await compared({ slow: { ok: sure.ok.map((seconds) => 2 * seconds) }, sure });
    expect(onAverage).toMatchObject({ approach: 'sure', other: 'slow' });
    expect(onAverage?.seconds).toBeCloseTo(29.98, 9);
    expect(warning).toBeNull();
  });

  test('leaves out the steps of both: they differ by nothing, to the last bit', async () => {
    const histories = { gamble, sure };
    const both = await compared(histories, { a: ['gamble', 'sure'], b: ['sure', 'gamble'] });
    expect(both).toMatchObject({ onAverage: { seconds: 0, interval: [0, 0] }, warning: null });
    const longer = await compared(histories, { a: ['gamble', 'sure'], b: ['gamble', 'sure', 'sure'] });
    const { interval } = longer.onAverage ?? { interval: [0, 0] };
    expect((interval[1] ?? 0) - (interval[0] ?? 0)).toBeLessThan(1);
  });

  test.each<[string, Durations, readonly (number | null | object)[]]>([
    [
      'no upper end where the slower was cut off',
      { ...gamble, timeout: times(10, () => 400) },
      [expect.any(Number), null],
    ],
    ['neither end after four runs', { ok: [100, 200, 300, 400] }, [null, null]],
  ])('has %s', async (_what, durations, interval) => {
    expect((await compared({ sure, other: durations })).onAverage).toMatchObject({ approach: 'sure', interval });
  });

  test('has both ends after 4,000 runs of which one was cut off, before the longest ended', async () => {
    const many = { ok: times(4_000, (index) => 50 + index / 100), timeout: [55] };
    expect((await compared({ sure, many })).onAverage?.interval).not.toContain(null);
  });

  test('has an interval that holds the true difference in 95 of 100 pairs of 20 log-normal runs', async () => {
    const random = seededRandom(11);
    const [a, b] = [60, 90].map((median) => logNormal(random, { median, sigma: 0.5 })) as [() => number, () => number];
    const truth = 30 * Math.exp(0.125);
    let holds = 0;
    for (let pair = 0; pair < 100; pair++) {
      const { onAverage } = await compared({ a: { ok: times(20, a) }, b: { ok: times(20, b) } });
      const { approach, interval } = onAverage ?? { approach: '', interval: [0, 0] };
      const [low, high] = approach === 'a' ? interval : [-(interval[1] ?? 0), -(interval[0] ?? 0)];
      if ((low ?? 0) <= truth && truth <= (high ?? 0)) holds++;
    }
    // Binomial of 100 with 95 %: at least 90 but for one in 80.
    expect(holds).toBeGreaterThanOrEqual(90);
  });
});

test('an estimate is no less than what a run of the step took that was cut off', async () => {
  const samples = { new: sampleOf({ timeout: [60, 20], error: [5] }), old: sampleOf({ ok: [10, 10, 10] }) };
  const history = {
    sample: async (_whose: unknown, type: keyof typeof samples) => samples[type],
  } as unknown as DurationHistory;
  const steps = (taskType: string, estimatedSeconds: number | null) => [{ taskType, estimatedSeconds }];
  const approaches = [
    { name: 'told', steps: steps('new', 3) },
    { name: 'known', steps: steps('old', null) },
    { name: 'longer', steps: steps('new', 90) },
  ];
  const past = (ratios: number[]) =>
    ({ ...tasks, pastEstimates: async () => ratios.map((ratio) => ({ ratio })) }) as unknown as TaskStore;
  const figures = async (ratios: number[]) => {
    const whose = { agentId: null, project: null };
    const made = await compareApproaches({ history, tasks: past(ratios) }, { whose, approaches, nowMs });
    const totals = made.approaches.map(({ name, totals }) => [
      name,
      totals?.adjustedSeconds,
      totals?.mean,
      totals?.atLeast,
    ]);
    return { recommendation: made.recommendation, totals };
  };
  expect(await figures([])).toEqual({
    recommendation: 'known',
    totals: [
      ['known', 10, 10, []],
      ['told', 60, 60, ['mean', 'p50', 'p80', 'p95']],
      ['longer', 90, 90, []],
    ],
  });
  // By past ratios 3 s are 3, 30 and 93 s: the least two are refuted. 90 s are 90, 900 and 2,790 s.
  expect(await figures([1, 10, 31])).toEqual({
    recommendation: 'known',
    totals: [
      ['known', 10, 10, []],
      ['told', 60, 71, ['mean', 'p50', 'p80', 'p95']],
      ['longer', 900, 1_260, []],
    ],
  });
});
