import { seededRandom } from '@agent-faculties/stats-math';
import { describe, expect, test } from '@jest/globals';
import type { DurationHistory } from '../../../src/domain/statistics/duration-history.ts';
import { percentileOf } from '../../../src/domain/statistics/percentile.ts';
import { type BasisDeps, basisOf, basisOfTimeout } from '../../../src/domain/statistics/recent-runs.ts';
import type { Outcome, Task } from '../../../src/domain/task.ts';
import { STARTED_MS, sampleTask } from '../sample-task.ts';
import { logNormal } from './log-normal.ts';
import { sampleOf } from './sample-durations.ts';

const HOUR_MS = 3_600_000;
const INPUT = { whose: { agentId: 'ann', project: null }, taskType: 'build', nowMs: STARTED_MS };

type Run = number | readonly [end: Outcome | 'active' | 'abandoned', seconds: number];

/** A history of runs, an hour apart, the last one an hour before now; a running one has run for its seconds. */
function historyOf(runs: readonly Run[], apartMs = HOUR_MS) {
  const tasks = runs.map((run, index): Task => {
    const [outcome, seconds] = typeof run === 'number' ? (['ok', run] as const) : run;
    const startedMs = STARTED_MS - (outcome === 'active' ? seconds * 1000 : (runs.length - index) * apartMs);
    const end = { state: 'ended', outcome: outcome as Outcome, durationSeconds: seconds } as const;
    if (outcome === 'abandoned') return sampleTask({ startedMs, state: outcome });
    return sampleTask({ startedMs, ...(outcome !== 'active' && end) });
  });
  const secondsOf = (wanted: Outcome) =>
    tasks.flatMap((task) => (task.outcome === wanted ? (task.durationSeconds ?? 0) : []));
  const [ok, error, timeout, cancelled] = (['ok', 'error', 'timeout', 'cancelled'] as const).map(secondsOf);
  const active = tasks.flatMap(({ state, startedMs }) => (state === 'active' ? [(STARTED_MS - startedMs) / 1000] : []));
  const sample = sampleOf({ ...({ ok, error, timeout, cancelled } as Record<Outcome, number[]>), active });
  const newestFirst = tasks.toReversed();
  let lists = 0;
  const list: BasisDeps['tasks']['list'] = async ({ untilMs = Number.POSITIVE_INFINITY }, { limit, after }) => {
    lists++;
    const listed = newestFirst.filter(({ startedMs }) => startedMs < untilMs);
    const from = after?.sequence ?? 0;
    const next = from + limit < listed.length ? { timeUs: 0, sequence: from + limit } : null;
    return { items: listed.slice(from, from + limit), next };
  };
  const history = { sample: async () => sample } as unknown as DurationHistory;
  return { deps: { history, tasks: { list } }, sample, lists: () => lists };
}

/** Log-normal runs around a median. */
function runsAround(median: number, count: number, seed: number): number[] {
  return Array.from({ length: count }, logNormal(seededRandom(seed), { median, sigma: 0.4 }));
}

describe('the runs that an answer about the next one rests on', () => {
  test('are all, while the newest are like those before', async () => {
    const { deps, sample } = historyOf(runsAround(10, 100, 1));
    expect(await basisOf(deps, INPUT)).toEqual({ sample, change: null, newestCutOffAfter: null });
  });

  test('are those since the change when a type has become twice as slow', async () => {
    const { deps } = historyOf([...runsAround(10, 300, 2), ...runsAround(20, 80, 3)]);
    const { sample, change } = await basisOf(deps, INPUT);
    expect(change).toEqual({ direction: 'slower', since: { startMs: STARTED_MS - 80 * HOUR_MS, runs: 80 } });
    expect(sample.ended.ok.sorted.size).toBe(80);
    expect(sample.ended.ok.sorted.at(40)).toBeGreaterThan(17);
    expect(await basisOfTimeout(deps, INPUT)).toEqual({ sample, change, newestCutOffAfter: null });
  });

  test('are the newest 20 right after it', async () => {
    const { deps } = historyOf([...runsAround(10, 300, 4), ...runsAround(30, 20, 5)]);
    expect((await basisOf(deps, INPUT)).change?.since?.runs).toBe(20);
  });

  test('are the newest for an estimate, and all for a timeout, when a type has become faster', async () => {
    const { deps, sample } = historyOf([...runsAround(20, 300, 6), ...runsAround(10, 40, 7)]);
    expect((await basisOf(deps, INPUT)).change).toMatchObject({ direction: 'faster', since: { runs: 40 } });
    expect(await basisOfTimeout(deps, INPUT)).toEqual({ sample, change: null, newestCutOffAfter: null });
  });

  test('are all for a timeout after a crash that left many running: the few of the newest that ended were no slower', async () => {
    const left = Array.from({ length: 12 }, (): Run => ['active', 7_200]);
    const { deps, sample } = historyOf([...runsAround(10, 300, 26), ...runsAround(7, 8, 27), ...left]);
    const basis = await basisOf(deps, INPUT);
    expect(basis.change).toMatchObject({ direction: 'slower', since: { runs: 20 } });
    // The longest of them took less than the p95 of all.
    expect(percentileOf(basis.sample, 0.95, STARTED_MS).seconds).toBeLessThan(
      percentileOf(sample, 0.95, STARTED_MS).seconds,
    );
    const change = { direction: 'slower', since: null };
    expect(await basisOfTimeout(deps, INPUT)).toEqual({ sample, change, newestCutOffAfter: null });
  });

  test('hold those that were cut off and that run as longer than they took', async () => {
    const runs: Run[] = runsAround(20, 15, 8);
    const { deps } = historyOf([
      ...runsAround(10, 100, 9),
      ...runs,
      ['timeout', 30],
      ['cancelled', 30],
      ['error', 1],
      ['active', 25],
      ['active', 40],
      ['active', 50],
    ]);
    const { sample, change } = await basisOf(deps, INPUT);
    expect(change).toMatchObject({ direction: 'slower', since: { runs: 20 } });
    expect([...sample.ended.timeout.sorted, ...sample.ended.cancelled.sorted]).toEqual([30, 30]);
    expect(sample.activeStartsMs.size).toBe(3);
  });

  test('hold those that failed since the change, which decide nothing, and none from before it', async () => {
    const { deps } = historyOf([
      ...runsAround(10, 100, 22),
      ['error', 600],
      ...runsAround(30, 20, 23).flatMap((seconds): Run[] => [seconds, ['error', 1_800]]),
    ]);
    const { sample, change } = await basisOf(deps, INPUT);
    expect(change?.since).toEqual({ startMs: STARTED_MS - 40 * HOUR_MS, runs: 20 });
    expect([...sample.ended.error.sorted]).toEqual(Array(20).fill(1_800));
  });

  test('are all where nearly all of the newest were cut off, and the answer says so', async () => {
    const { deps, sample } = historyOf([
      ...runsAround(10, 100, 10),
      ...Array.from({ length: 20 }, (): Run => ['timeout', 30]),
    ]);
    const change = { direction: 'slower', since: null };
    expect(await basisOf(deps, INPUT)).toEqual({ sample, change, newestCutOffAfter: 30 });
  });

  test('are all while the long ones of the newest still run, or were cut off early', async () => {
    const short = runsAround(7, 12, 11);
    for (const outcome of ['active', 'cancelled'] as const) {
      const { deps } = historyOf([...runsAround(10, 100, 12), ...short, ...short.map((): Run => [outcome, 1])]);
      expect((await basisOf(deps, INPUT)).change).toBeNull();
    }
  });

  /** As 30 agents leave it that begin a run of about four minutes every eight seconds: what has not ended yet runs. */
  function fleetOf(durations: readonly number[]) {
    const apartMs = 8_000;
    const runs = durations.map((seconds, index): Run => {
      const ageSeconds = ((durations.length - index) * apartMs) / 1000;
      return seconds > ageSeconds ? ['active', ageSeconds] : seconds;
    });
    return historyOf(runs, apartMs).deps;
  }

  test('are those since the change also where more run at a time than are looked at', async () => {
    const deps = fleetOf([...runsAround(240, 600, 24), ...runsAround(480, 200, 25)]);
    const { sample, change } = await basisOf(deps, INPUT);
    expect(change).toMatchObject({ direction: 'slower', since: { runs: 160 } });
    // Those that still run count as longer than they have; the median is 480 s.
    expect(Math.abs(percentileOf(sample, 0.5, STARTED_MS).seconds - 480)).toBeLessThan(80);
  });

  test('are the newest of one agent, also the last ones, while one more runs', async () => {
    // The p95 of all is 100 s, and the last 30 runs began within it.
    const before = Array.from({ length: 100 }, (_, index) => (index % 10 === 0 ? 100 : 1));
    const { deps } = historyOf([...before, ...Array<number>(30).fill(3), ['active', 1]], 3_000);
    expect((await basisOf(deps, INPUT)).change?.direction).toBe('slower');
  });

  test('are all of many agents that have not changed, but for one history in a hundred', async () => {
    let changed = 0;
    for (let seed = 0; seed < 300; seed++)
      if ((await basisOf(fleetOf(runsAround(240, 300, 5_000 + seed)), INPUT)).change) changed++;
    // 1 % of 300: 3; more than 9 but for one in a thousand.
    expect(changed).toBeLessThanOrEqual(9);
  });

  test('are all after a timeout was raised: what it cut off before would have taken as long', async () => {
    const cutAt =
      (limit: number) =>
      (seconds: number): Run =>
        seconds > limit ? ['timeout', limit] : seconds;
    let slower = 0;
    for (let seed = 0; seed < 200; seed++) {
      const runs = runsAround(10, 220, 3_000 + seed);
      const { deps } = historyOf([...runs.slice(0, 200).map(cutAt(10)), ...runs.slice(200).map(cutAt(100))]);
      if ((await basisOf(deps, INPUT)).change?.direction === 'slower') slower++;
    }
    // 0.5 % of 200: 1.
    expect(slower).toBeLessThanOrEqual(4);
  });

  test('are all where none of the newest thousand ended ok or were cut off, and no more are listed', async () => {
    const failed = Array.from({ length: 5_000 }, (): Run => ['error', 1]);
    const { deps, sample, lists } = historyOf([...runsAround(10, 100, 18), ...runsAround(30, 20, 19), ...failed]);
    const basis = await basisOf(deps, INPUT);
    expect(basis.sample).toBe(sample);
    expect(basis.change).toBeNull();
    expect(lists()).toBe(50);
    const { deps: fewer } = historyOf([...runsAround(10, 100, 18), ...runsAround(30, 20, 19), ...failed.slice(0, 900)]);
    expect((await basisOf(fewer, INPUT)).change?.direction).toBe('slower');
  });

  test('count what was cut off before as half longer', async () => {
    const times = (count: number, run: Run) => Array<Run>(count).fill(run);
    // By hand: 13 s beats the 20 ok runs and ties with the 20 others, U = 600 of 800; z = 200 / sqrt(800 * 61 / 12) = 3.1.
    const { deps } = historyOf([...times(20, 10), ...times(20, ['timeout', 12]), ...times(20, 13)]);
    expect((await basisOf(deps, INPUT)).change?.direction).toBe('slower');
    // It beats 12 and ties with 28: z = 120 / 63.8 = 1.9; if those counted as shorter, it would be 6.3.
    const { deps: unsure } = historyOf([...times(12, 10), ...times(28, ['cancelled', 12]), ...times(20, 13)]);
    expect((await basisOf(unsure, INPUT)).change).toBeNull();
  });

  test('are all where fewer than 5 of the newest ended ok', async () => {
    const newest = (ok: number) => [
      ...Array<Run>(ok).fill(40),
      ...Array.from({ length: 20 - ok }, (): Run => ['timeout', 30]),
    ];
    const changeOf = async (ok: number) =>
      (await basisOf(historyOf([...runsAround(10, 100, 20), ...newest(ok)]).deps, INPUT)).change;
    expect(await changeOf(4)).toEqual({ direction: 'slower', since: null });
    expect((await changeOf(5))?.since?.runs).toBe(20);
  });

  test('tell after how long three of them were cut off since the last one that ended ok, however few there are', async () => {
    const cutOffAfter = async (...newest: Run[]) =>
      (await basisOf(historyOf([...runsAround(10, 30, 28), ...newest]).deps, INPUT)).newestCutOffAfter;
    const timeout: Run = ['timeout', 60];
    expect(await cutOffAfter(timeout, timeout)).toBeNull();
    expect(await cutOffAfter(timeout, ['error', 90], ['cancelled', 36_000], ['active', 70], timeout)).toBe(60);
    expect(await cutOffAfter(timeout, timeout, timeout, 55)).toBeNull();
    expect(await cutOffAfter(55, timeout, ['timeout', 72], ['timeout', 86], timeout)).toBe(60);
  });

  test('tell after how long three of the newest 20 were cut off, also before some that ended ok, where they rest on all', async () => {
    const newest: Run[] = [...Array<Run>(16).fill(['timeout', 30]), 40, 40, 40, 40];
    const { deps } = historyOf([...runsAround(10, 100, 29), ...newest]);
    const change = { direction: 'slower', since: null };
    expect(await basisOfTimeout(deps, INPUT)).toMatchObject({ change, newestCutOffAfter: 30 });
  });

  test('leave out those that were given up', async () => {
    const given = Array.from({ length: 20 }, (): Run => ['abandoned', 0]);
    expect((await basisOf(historyOf([...runsAround(10, 60, 21), ...given]).deps, INPUT)).change).toBeNull();
  });

  test('are all with fewer than 20 before the newest 20', async () => {
    const { deps, lists } = historyOf([...runsAround(10, 19, 13), ...runsAround(100, 20, 14)]);
    expect((await basisOf(deps, INPUT)).change).toBeNull();
    expect(lists()).toBe(0);
  });

  test('are looked for once, until a run is added', async () => {
    const { deps, sample, lists } = historyOf(runsAround(10, 100, 15));
    for (let times = 0; times < 3; times++) await basisOf(deps, INPUT);
    expect(lists()).toBe(1);
    sample.add('ok', 10);
    await basisOf(deps, INPUT);
    expect(lists()).toBe(2);
  });

  test('are looked for again when the store could not answer', async () => {
    const { deps } = historyOf([...runsAround(10, 100, 16), ...runsAround(30, 40, 17)]);
    const broken = { ...deps, tasks: { list: () => Promise.reject(new Error('busy')) } };
    await expect(basisOf(broken, INPUT)).rejects.toThrow('busy');
    expect((await basisOf(deps, INPUT)).change?.direction).toBe('slower');
  });

  test('are taken for changed in one of a hundred types that have not', async () => {
    let changed = 0;
    for (let seed = 0; seed < 1_000; seed++) {
      if ((await basisOf(historyOf(runsAround(10, 60, 1_000 + seed)).deps, INPUT)).change) changed++;
    }
    // Binomial with 1 %: 2 to 20 but for one in a thousand.
    expect(changed).toBeGreaterThanOrEqual(2);
    expect(changed).toBeLessThanOrEqual(20);
  });
});
