import { seededRandom } from '@agent-faculties/stats-math';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { logNormal } from '../domain/statistics/log-normal.ts';
import { runTasks, startTestService, type TestService } from '../start-service.ts';

const ONE_TO_TEN = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

let service: TestService;
beforeAll(() => {
  service = startTestService();
});
afterAll(() => service.close());

const read = async (url: string) => (await supertest(service.app).get(url)).body;
const risk = async (type: string, elapsed: number, timeout: number) =>
  (await read(`/stats/check-timeout/${type}?elapsed_seconds=${elapsed}&timeout_seconds=${timeout}`)).risk;
const start = async (task_type: string, agent = 'default') =>
  (await supertest(service.app).post(`/events/task-start?agent_id=${agent}`).send({ task_type })).body.correlation_id;

/** One after the other, up to now. */
async function importRuns(
  task_type: string,
  count: number,
  { seconds, outcome }: { seconds: number; outcome: string },
) {
  const lines = Array.from({ length: count }, (_, index) => {
    const startedMs = service.clock.now();
    service.clock.advance(seconds * 1_000);
    const [started_at, ended_at] = [startedMs, startedMs + seconds * 1_000].map((ms) => new Date(ms).toISOString());
    const correlation_id = `${task_type}-${outcome}-${index}`;
    const ended = { state: 'ended', outcome, started_at, ended_at, duration_seconds: seconds };
    const task = { correlation_id, agent_id: 'default', task_type, ...ended };
    return JSON.stringify({ kind: 'task', ...task, estimated_seconds: null, metadata: null });
  });
  const request = supertest(service.app).post('/import').type('application/x-ndjson');
  expect((await request.send(lines.join('\n'))).body).toMatchObject({ imported: count });
}

describe('a type that has become twice as slow', () => {
  test('is told of by its newest runs in estimates, timeouts and risks', async () => {
    const before = Array.from({ length: 60 }, (_, index) => 8 + (index % 5));
    const after = Array.from({ length: 40 }, (_, index) => 16 + 2 * (index % 5));
    await runTasks(service, 'grown', before);
    const since = new Date(service.clock.now()).toISOString().slice(0, 19);
    await runTasks(service, 'grown', after);
    const { estimate } = await read('/stats/estimate/grown');
    expect(estimate).toMatchObject({ seconds: 20, interval: [16, 24], sample_count: 40 });
    const { recommendation } = await read('/stats/recommend-timeout/grown');
    expect(recommendation).toMatchObject({ percentile_value: 24, recommended_seconds: 28.8, sample_count: 40 });
    expect(recommendation.warning).toBe(
      'The newest runs take longer than those before: this rests on the newest 40 alone. ' +
        '40 runs cannot bound this percentile from above: allow more than recommended_seconds where a false timeout is costly.',
    );
    const late = await risk('grown', 1, 15);
    expect(late).toMatchObject({ sample_count: 40, risk_level: 'high' });
    const { distribution } = await read('/stats/distribution/grown');
    expect(distribution).toMatchObject({ count: 100, p95_seconds: 24, recommended_seconds: 28.8 });
    const { trend } = await read('/stats/trend/grown');
    expect(trend).toMatchObject({ direction: 'slower', previous_median_seconds: 10, recent_median_seconds: 20 });
    for (const answer of [estimate, recommendation, late, distribution, trend])
      expect(answer.since.slice(0, 19)).toBe(since);
    expect((await read('/stats/durations/grown')).summary).toMatchObject({ count: 100 });
  });
});

describe('a type whose newest runs were all cut off after three times as long as it used to take', () => {
  test('is answered by all runs, with low confidence, and with a timeout that would not have cut off the newest', async () => {
    // So many before that 20 which were cut off leave the p95 known.
    await importRuns('outgrown', 400, { seconds: 10, outcome: 'ok' });
    await importRuns('outgrown', 20, { seconds: 30, outcome: 'timeout' });
    const newest = 'The newest runs take longer than those before, and most of them were cut off or still run';
    const { recommendation } = await read('/stats/recommend-timeout/outgrown');
    expect(recommendation).toMatchObject({ percentile_value: 30, recommended_seconds: 36, confidence: 'low' });
    expect(recommendation.warning).toContain(`${newest}: allow more.`);
    const { distribution } = await read('/stats/distribution/outgrown');
    expect(distribution).toMatchObject({ p95_seconds: 10, recommended_seconds: 36, conservative_seconds: 36 });
    expect((await read('/stats/estimate/outgrown')).estimate).toMatchObject({ seconds: 10, confidence: 'low' });
    const early = await risk('outgrown', 5, 30);
    expect(early).toMatchObject({ confidence: 'low', warning: `${newest}: the risk is higher than that.` });
    expect(await risk('outgrown', 30, 30)).not.toHaveProperty('warning');
    const { trend } = await read('/stats/trend/outgrown');
    expect(trend).toMatchObject({ direction: 'slower', ratio: null, recent_median_seconds: null });
  });
});

describe('a type whose last three runs were cut off', () => {
  test('has a timeout that is longer than theirs, until a run ends ok', async () => {
    const recommended = async () => (await read('/stats/recommend-timeout/stopped')).recommendation.recommended_seconds;
    await importRuns('stopped', 100, { seconds: 10, outcome: 'ok' });
    await importRuns('stopped', 3, { seconds: 60, outcome: 'timeout' });
    expect(await recommended()).toBe(72);
    await runTasks(service, 'stopped', [10]);
    expect(await recommended()).toBe(12);
  });

  test('has a risk with low confidence and a warning, until a run ends ok', async () => {
    await importRuns('halted', 100, { seconds: 10, outcome: 'ok' });
    await importRuns('halted', 3, { seconds: 60, outcome: 'timeout' });
    const warning = 'The newest runs were cut off after more than those before took: the risk is higher than that.';
    expect(await risk('halted', 5, 60)).toMatchObject({ risk_level: 'low', confidence: 'low', warning });
    expect(await risk('halted', 60, 60)).toMatchObject({ risk_probability: 1, confidence: 'high' });
    expect(await risk('halted', 60, 60)).not.toHaveProperty('warning');
    await runTasks(service, 'halted', [10]);
    const after = await risk('halted', 5, 60);
    expect(after).toMatchObject({ risk_level: 'low', confidence: 'high' });
    expect(after).not.toHaveProperty('warning');
  });
});

describe('a summary', () => {
  test('of 1 to 10 s is the one that OpenTime pins', async () => {
    await runTasks(service, 'pinned', [...ONE_TO_TEN].reverse());
    expect(await read('/stats/durations/pinned')).toEqual({
      summary: {
        task_type: 'pinned',
        count: 10,
        mean_seconds: 5.5,
        median_seconds: 5.5,
        p95_seconds: 10,
        min_seconds: 1,
        max_seconds: 10,
        stddev_seconds: 3.028,
        p50_seconds: 6,
        p90_seconds: 10,
        p99_seconds: 10,
        p95_interval: [expect.any(Number), null],
        censored_count: 0,
        outcomes: { ok: 10, error: 0, timeout: 0, cancelled: 0, active: 0, abandoned: 0 },
        confidence: 'medium',
        method: 'empirical',
      },
    });
  });

  test('says which percentiles are "at least", where runs were cut off beyond the longest that ended ok', async () => {
    await runTasks(service, 'cut', [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    await runTasks(service, 'cut', [20], { outcome: 'timeout' });
    expect((await read('/stats/durations/cut')).summary).toMatchObject({
      max_seconds: 9,
      p95_seconds: 20,
      p95_interval: [expect.any(Number), null],
      at_least: ['p90_seconds', 'p95_seconds', 'p99_seconds'],
      confidence: 'low',
    });
  });

  test('has low confidence in what is known only from below, however many runs there are', async () => {
    await runTasks(service, 'often cut', Array(20).fill(10));
    await runTasks(service, 'often cut', Array(30).fill(60), { outcome: 'timeout' });
    const { recommendation } = await read('/stats/recommend-timeout/often%20cut');
    expect(recommendation).toMatchObject({ sample_count: 20, confidence: 'low' });
    const { estimate } = await read('/stats/estimate/often%20cut');
    expect(estimate).toMatchObject({ source: 'history', seconds: 60, coverage: null, confidence: 'low' });
    const approaches = [{ name: 'a', steps: [{ task_type: 'often cut' }] }];
    const compared = await supertest(service.app).post('/stats/compare-approaches').send({ approaches }).expect(200);
    expect(compared.body.approaches[0].steps[0]).toMatchObject({
      source: 'history',
      adjusted_seconds: 60,
      sample_count: 20,
      confidence: 'low',
    });
  });

  test('is over tasks that ended ok; the others stand beside it and can be asked for', async () => {
    await runTasks(service, 'mixed', [2, 4]);
    await runTasks(service, 'mixed', [100], { outcome: 'error' });
    const { summary } = await read('/stats/durations/mixed');
    expect(summary).toMatchObject({ count: 2, mean_seconds: 3, max_seconds: 4, method: 'empirical' });
    expect(summary.outcomes).toMatchObject({ ok: 2, error: 1 });
    expect((await read('/stats/durations/mixed?outcome=error')).summary).toMatchObject({ count: 1, mean_seconds: 100 });
    const none = await supertest(service.app).get('/stats/durations/mixed?outcome=timeout');
    expect([none.status, none.body.code]).toEqual([404, 'no_completed_tasks']);
    expect(none.body.detail).toBe(
      "No completed tasks found for type 'mixed' with outcome timeout, but 2 ok, 1 error: ask for one of these outcomes, or ask with agent_id=*.",
    );
    await runTasks(service, 'only fails', [5], { outcome: 'error' });
    const failed = await supertest(service.app).get('/stats/recommend-timeout/only%20fails?agent_id=*');
    expect(failed.body.detail).toBe(
      "No completed tasks found for type 'only fails' with outcome ok, but 1 error: end one ok first.",
    );
  });

  test('counts tasks that were cut off as lasting at least as long: the product-limit estimate by hand', async () => {
    // Kaplan and Meier by hand: 1 of 5 ends at 1, cut off at 2, 1 of 3 at 3, cut off at 4, 1 of 1 at 5.
    await runTasks(service, 'censored', [1, 3, 5]);
    await runTasks(service, 'censored', [2], { outcome: 'timeout' });
    await runTasks(service, 'censored', [4], { outcome: 'cancelled' });
    const { distribution } = await read('/stats/distribution/censored');
    const steps = distribution.survival.map((step: { seconds: number; survival: number }) => [
      step.seconds,
      step.survival,
    ]);
    for (const step of [
      [1, 0.8],
      [3, 0.5333],
      [5, 0],
    ])
      expect(steps).toContainEqual(step);
    expect((await read('/stats/durations/censored')).summary).toMatchObject({
      count: 3,
      censored_count: 2,
      method: 'kaplan-meier',
      median_seconds: 3,
      p50_seconds: 5,
    });
  });

  test('keeps with since the tasks that started at or after an instant', async () => {
    await runTasks(service, 'since', [5]);
    const { now } = await read('/clock/now');
    await runTasks(service, 'since', [7]);
    expect((await read('/stats/durations/since')).summary.count).toBe(2);
    const local = encodeURIComponent(now);
    expect((await read(`/stats/durations/since?since=${local}`)).summary).toMatchObject({ count: 1, max_seconds: 7 });
    expect((await read(`/stats/durations/since?since=${now}`)).summary.count).toBe(1);
    const later = await supertest(service.app).get('/stats/durations/since?since=2027-01-01');
    expect([later.status, later.body.detail]).toEqual([
      404,
      "No completed tasks found for type 'since' with outcome ok that started at 2027-01-01 or later: leave since out or name an earlier time, or ask with agent_id=*.",
    ]);
  });

  test.each([
    ['', ', or ask with agent_id=*'],
    ['?project=shop', ', or ask with agent_id=* or project=*'],
    ['?agent_id=*&project=shop', ', or ask with project=*'],
    ['?agent_id=*', ''],
    ['?agent_id=*&project=*', ''],
  ])('of nothing advises what asks about more than %j', async (query, advice) => {
    for (const path of ['durations', 'recommend-timeout', 'distribution', 'trend']) {
      const { status, body } = await supertest(service.app).get(`/stats/${path}/never-ran${query}`);
      expect([path, status, body.code]).toEqual([path, 404, 'no_completed_tasks']);
      expect(body.detail).toBe(
        `No completed tasks found for type 'never-ran' with outcome ok: end one first${advice}.`,
      );
    }
  });

  test('is for one agent or pools all, and the list has one for each type with a task that ended ok', async () => {
    await runTasks(service, 'pooled', [2], { agent: 'list-a' });
    await runTasks(service, 'pooled', [4], { agent: 'list-b' });
    await runTasks(service, 'a first', [1], { agent: 'list-b' });
    await runTasks(service, 'failed', [1], { agent: 'list-b', outcome: 'error' });
    expect((await read('/stats/durations/pooled?agent_id=*')).summary).toMatchObject({ count: 2, mean_seconds: 3 });
    expect((await read('/stats/durations/pooled?agent_id=list-a')).summary).toMatchObject({
      count: 1,
      stddev_seconds: null,
    });
    const list = (await read('/stats/durations?agent_id=list-b')).summaries;
    expect(list.map((summary: { task_type: string; count: number }) => [summary.task_type, summary.count])).toEqual([
      ['a first', 1],
      ['pooled', 1],
    ]);
    expect((await read('/stats/task-types?agent_id=list-b')).task_types).toEqual(['a first', 'failed', 'pooled']);
    expect((await read('/stats/durations?agent_id=nobody')).summaries).toEqual([]);
    expect((await read('/stats/durations')).summaries.length).toBeGreaterThan(3);
  });
});

describe('the summaries of all types', () => {
  test('say of those of which none ended ok what became of their tasks', async () => {
    const agent = 'unlucky';
    await runTasks(service, 'fine', [1, 2], { agent });
    await runTasks(service, 'failing', [3, 4, 5], { agent, outcome: 'error' });
    const { summaries, without_ok } = await read(`/stats/durations?agent_id=${agent}`);
    expect(summaries).toMatchObject([{ task_type: 'fine', count: 2 }]);
    const outcomes = { ok: 0, error: 3, timeout: 0, cancelled: 0, active: 0, abandoned: 0 };
    expect(without_ok).toEqual([{ task_type: 'failing', outcomes }]);
  });
});

describe('a recommendation', () => {
  test('for 1 to 10 s is 12 s, as OpenTime pins it, with a bound above it', async () => {
    const { recommendation } = await read('/stats/recommend-timeout/pinned');
    expect(recommendation).toMatchObject({
      recommended_seconds: 12,
      percentile_value: 10,
      percentile: 0.95,
      safety_margin: 1.2,
      sample_count: 10,
      method: 'lognormal',
      censored_count: 0,
      confidence: 'medium',
    });
    expect(recommendation.conservative_seconds).toBeGreaterThan(10);
    expect(recommendation.warning).toContain('conservative_seconds');
  });

  test.each([
    ['percentile=0', 1, 1.2],
    ['percentile=0.5', 6, 7.2],
    ['percentile=1', 10, 12],
    ['percentile=0.9&safety_margin=1', 10, 10],
    ['percentile=0.29&safety_margin=2', 3, 6],
  ])('with %s is the rank rule times the margin', async (query, value, seconds) => {
    expect((await read(`/stats/recommend-timeout/pinned?${query}`)).recommendation).toMatchObject({
      percentile_value: value,
      recommended_seconds: seconds,
    });
  });

  test('says that one run is little', async () => {
    await runTasks(service, 'once', [3]);
    const { recommendation } = await read('/stats/recommend-timeout/once');
    expect(recommendation).toMatchObject({ recommended_seconds: 3.6, method: 'empirical', confidence: 'low' });
    expect(recommendation.warning).toMatch(/one run/i);
  });

  test('is raised by a task that still runs for longer than all before', async () => {
    await runTasks(service, 'running', ONE_TO_TEN);
    await start('running');
    service.clock.advance(600_000);
    const { recommendation } = await read('/stats/recommend-timeout/running');
    expect(recommendation).toMatchObject({ censored_count: 1, sample_count: 10 });
    expect(recommendation.interval[1]).toBeNull();
  });
});

describe('the risk of a running task', () => {
  const spread = (low: number, high: number) =>
    Array.from({ length: 20 }, (_, index) => low + ((high - low) * index) / 19);

  beforeAll(async () => {
    await runTasks(service, 'stuck', spread(10, 12));
  });

  test('has the literal fields of OpenTime, and its probability beside them', async () => {
    // 5 of 1..10 are longer than 5, 2 of them longer than 8. Wilson 2 of 5 at 95 %: 0.1176 to 0.7693 (R, binom::binom.confint).
    expect(await risk('pinned', 5, 8)).toEqual({
      elapsed_seconds: 5,
      timeout_seconds: 8,
      time_remaining: 3,
      median_duration: 5.5,
      p95_duration: 10,
      percent_through_timeout: 62.5,
      at_risk: false,
      sample_count: 10,
      risk_probability: 0.4286,
      risk_interval: [0.1176, 0.7693],
      risk_level: 'medium',
      longer_runs: { ok: 5, error: 0 },
      beyond_history: false,
      expected_remaining_seconds: { median: 3, p95: 5 },
      censored_count: 0,
      confidence: 'medium',
    });
    expect((await risk('pinned', 9, 10)).at_risk).toBe(true);
    expect((await risk('pinned', 8, 10)).at_risk).toBe(false);
  });

  test('is high for a stuck one, although the timeout is far away', async () => {
    expect(await risk('stuck', 700, 1_000)).toMatchObject({
      at_risk: false,
      risk_probability: 0.7,
      risk_level: 'high',
      beyond_history: true,
      expected_remaining_seconds: { median: null, p95: null },
    });
  });

  test('says that one which has taken longer than most that failed will most likely fail', async () => {
    await runTasks(service, 'fails late', [10, 11, 12, 13, 14]);
    await runTasks(service, 'fails late', [100, 100, 100, 100], { outcome: 'error' });
    expect((await risk('fails late', 50, 200)).warning).toMatch(/^Most of those that took longer failed/);
    expect(await risk('fails late', 5, 200)).not.toHaveProperty('warning');
  });

  test('is certain once the time is over', async () => {
    expect(await risk('pinned', 10, 10)).toMatchObject({
      risk_probability: 1,
      risk_interval: [1, 1],
      time_remaining: 0,
    });
    expect(await risk('pinned', 20, 10)).toMatchObject({
      risk_probability: 1,
      time_remaining: -10,
      percent_through_timeout: 200,
    });
  });

  test('of a timeout of next to nothing is a number all the same', async () => {
    expect(await risk('pinned', 1, 5e-324)).toMatchObject({ percent_through_timeout: Number.MAX_VALUE });
  });
});

describe('a comparison', () => {
  const compare = async (approaches: object[], agent = 'default') =>
    (await supertest(service.app).post(`/stats/compare-approaches?agent_id=${agent}`).send({ approaches })).body;
  const one = (name: string, ...steps: [string, number?][]) => ({
    name,
    steps: steps.map(([task_type, estimated_seconds]) => ({ task_type, estimated_seconds })),
  });

  test('of nothing is empty', async () => {
    expect(await compare([])).toEqual({
      approaches: [],
      recommendation: null,
      savings_vs_worst: 0,
      verdict: 'insufficient_data',
      probability_fastest_beats_second: null,
      on_average: null,
      warning: 'No approach was given, so there is nothing to compare.',
      draws: 10_000,
    });
  });

  test('is clear when one is faster in every run, and equal when asked again', async () => {
    await runTasks(service, 'fast', [1, 1.1, 1.2, 1.3, 1.4]);
    await runTasks(service, 'slow', [10, 11, 12, 13, 14]);
    const question = [one('slowly', ['slow', 1]), one('quickly', ['fast', 60], ['fast', 60])];
    const answer = await compare(question);
    expect(answer).toMatchObject({
      recommendation: 'quickly',
      verdict: 'clear',
      savings_vs_worst: 9.6,
      probability_fastest_beats_second: 1,
    });
    expect(answer.approaches).toMatchObject([
      {
        name: 'quickly',
        total_estimated_seconds: 120,
        total_adjusted_seconds: 2.4,
        adjustment_coverage: 1,
        ranked: true,
        probability_fastest: 1,
        steps: [{ adjusted_seconds: 1.2, has_historical_data: true, sample_count: 5, confidence: 'medium' }, {}],
      },
      { name: 'slowly', total_adjusted_seconds: 12, probability_fastest: 0 },
    ]);
    const [quick] = answer.approaches;
    expect(quick.mean_seconds).toBeCloseTo(2.4, 1);
    expect(answer).toMatchObject({
      // The standard errors are 2 * sqrt(0.025 / 5) and sqrt(2.5 / 5), their degrees of freedom 4.32, and t is 2.697.
      on_average: { approach: 'quickly', other: 'slowly', difference_seconds: 9.6, interval: [7.655, 11.545] },
      warning: null,
    });
    expect(quick.p95_seconds).toBeGreaterThan(quick.p80_seconds);
    expect(await compare(question)).toEqual(answer);
  });

  test('of the same work twice is too close to call', async () => {
    await runTasks(service, 'even', [3, 5, 8, 13, 21, 34]);
    const answer = await compare([one('left', ['even']), one('right', ['even'])]);
    expect(answer).toMatchObject({ verdict: 'too_close_to_call', savings_vs_worst: 0, recommendation: 'left' });
    expect(answer.probability_fastest_beats_second).toBeCloseTo(0.5, 1);
  });

  test('says where what is mostly the fastest takes longer on average', async () => {
    await runTasks(service, 'gamble', [5, 5, 5, 5, 5, 5, 5, 5, 300, 400]);
    await runTasks(service, 'sure', [20, 21, 22, 20, 21, 22, 20, 21, 22, 20]);
    expect(await compare([one('gamble', ['gamble']), one('sure', ['sure'])])).toMatchObject({
      recommendation: 'gamble',
      verdict: 'clear',
      on_average: {
        approach: 'sure',
        other: 'gamble',
        difference_seconds: 53.1,
        interval: [expect.any(Number), expect.any(Number)],
      },
      warning: expect.stringContaining("on average 'sure' takes less time"),
    });
  });

  test('says which figures are known only from below, where runs were cut off', async () => {
    await runTasks(service, 'cut now and then', [10, 11, 12, 13, 14, 10, 11, 12, 13]);
    await runTasks(service, 'cut now and then', [30], { outcome: 'timeout' });
    await runTasks(service, 'cut mostly', [1, 1, 1, 1, 1]);
    await runTasks(service, 'cut mostly', Array(15).fill(30), { outcome: 'timeout' });
    const { approaches } = await compare([
      one('a', ['cut now and then']),
      one('b', ['cut mostly']),
      one('c', ['slow']),
    ]);
    const atLeast = new Map(approaches.map(({ name, at_least }: Record<string, unknown>) => [name, at_least]));
    // One run of ten, and 15 of 20.
    expect(atLeast.get('a')).toEqual(['mean_seconds', 'p95_seconds']);
    expect(atLeast.get('b')).toEqual(['mean_seconds', 'p50_seconds', 'p80_seconds', 'p95_seconds']);
    expect(atLeast.get('c')).toBeUndefined();
  });

  test('over fewer than five runs of a step says so', async () => {
    await runTasks(service, 'rare', [1, 1, 1, 1]);
    expect(await compare([one('rarely', ['rare']), one('slowly', ['slow'])])).toMatchObject({
      verdict: 'insufficient_data',
      recommendation: 'rarely',
    });
  });

  test('shows that medians do not add up (five log-normal steps of sigma 1 and median 1: mean 8.24)', async () => {
    const draw = logNormal(seededRandom(3), { median: 1, sigma: 1 });
    await runTasks(service, 'skewed', Array.from({ length: 200 }, draw));
    const { mean_seconds: mean, median_seconds: median } = (await read('/stats/durations/skewed')).summary;
    const [sum] = (await compare([one('five', ['skewed'], ['skewed'], ['skewed'], ['skewed'], ['skewed'])])).approaches;
    expect(sum.total_adjusted_seconds).toBeCloseTo(5 * median, 1);
    expect(Math.abs(sum.mean_seconds / (5 * mean) - 1)).toBeLessThan(0.05);
    expect(sum.p50_seconds).toBeGreaterThan(1.15 * sum.total_adjusted_seconds);
  });

  test('leaves an approach with an unknown step unranked and takes an estimate where there is one', async () => {
    const answer = await compare([
      one('unknown', ['never run']),
      one('guessed', ['never run', 30]),
      one('zero', ['never run', 0]),
    ]);
    expect(answer.approaches).toMatchObject([
      { name: 'zero', ranked: true, total_adjusted_seconds: 0 },
      {
        name: 'guessed',
        ranked: true,
        total_adjusted_seconds: 30,
        adjustment_coverage: 0,
        steps: [{ source: 'estimate', confidence: 'none' }],
      },
      { name: 'unknown', ranked: false, total_adjusted_seconds: null, mean_seconds: null, steps: [{ source: 'none' }] },
    ]);
    expect(answer.verdict).toBe('insufficient_data');
  });

  test("scales an estimate by the agent's past ratio of actual to estimate", async () => {
    for (const [index, actual] of [20, 30, 40].entries()) {
      // One or two may have been trials that were ended at once.
      const [unscaled] = (await compare([one('new', ['never run', 100])], 'est')).approaches;
      expect([index, unscaled.total_adjusted_seconds, unscaled.steps[0].source]).toEqual([index, 100, 'estimate']);
      const body = { task_type: 'estimated', estimated_seconds: 10 };
      const { correlation_id } = (await supertest(service.app).post('/events/task-start?agent_id=est').send(body)).body;
      service.clock.advance(actual * 1_000);
      await supertest(service.app).post('/events/task-end').send({ task_type: 'estimated', correlation_id });
    }
    const [scaled] = (await compare([one('new', ['never run', 100])], 'est')).approaches;
    expect(scaled).toMatchObject({
      total_adjusted_seconds: 300,
      steps: [{ source: 'scaled_estimate', adjusted_seconds: 300 }],
    });
    const [plain] = (await compare([one('new', ['never run', 100])], 'someone-else')).approaches;
    expect(plain.total_adjusted_seconds).toBe(100);
  });
});

describe('a trend', () => {
  test('compares the newer half with the older one', async () => {
    await runTasks(service, 'slower', [1, 1, 1, 1, 1, 2, 2, 2, 2, 2]);
    const { trend } = await read('/stats/trend/slower');
    expect(trend).toEqual({
      task_type: 'slower',
      direction: 'slower',
      ratio: 2,
      ratio_interval: [2, 2],
      probability_slower: 1,
      previous_median_seconds: 1,
      recent_median_seconds: 2,
      points: expect.any(Array),
    });
    expect(trend.points).toHaveLength(10);
  });

  test('below ten tasks is null where it is unknown', async () => {
    await runTasks(service, 'short', [1, 2, 3]);
    const { trend } = await read('/stats/trend/short');
    expect(trend).toMatchObject({ direction: 'unknown', ratio: null, ratio_interval: [null, null] });
    expect([trend.probability_slower, trend.previous_median_seconds, trend.recent_median_seconds]).toEqual([
      null,
      null,
      null,
    ]);
  });

  test('looks at the newest tasks, oldest first, with a running median of nine', async () => {
    const { trend } = await read('/stats/trend/pinned?limit=9');
    expect(trend.points.map((point: { duration_seconds: number }) => point.duration_seconds)).toEqual([
      9, 8, 7, 6, 5, 4, 3, 2, 1,
    ]);
    expect(trend.points.at(-1).running_median_seconds).toBe(5);
    expect(trend.points[1].running_median_seconds).toBe(8.5);
  });
});

describe('a distribution', () => {
  test('has every task in one bin, and the advice that stands alone', async () => {
    const { distribution } = await read('/stats/distribution/pinned');
    const { recommendation } = await read('/stats/recommend-timeout/pinned');
    expect(distribution).toEqual({
      task_type: 'pinned',
      count: 10,
      censored_count: 0,
      p50_seconds: 6,
      p95_seconds: 10,
      recommended_seconds: 12,
      conservative_seconds: recommendation.conservative_seconds,
      histogram: expect.any(Array),
      survival: expect.any(Array),
    });
    const bins: { from_seconds: number; to_seconds: number; count: number }[] = distribution.histogram;
    expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(10);
    expect([bins[0]?.from_seconds, bins.at(-1)?.to_seconds]).toEqual([1, 10]);
    expect(distribution.survival[0]).toEqual({
      seconds: 1,
      survival: 0.9,
      // Log-log by hand: 0.9 to the power of exp(+-1.96 sqrt(1/90) / -ln 0.9).
      low: 0.473,
      high: 0.9853,
    });
    expect(distribution.survival).toHaveLength(10);
  });
});

describe('/stats/estimate', () => {
  const estimateOf = async (type: string, query: Record<string, string | number> = {}) =>
    (
      await supertest(service.app)
        .get(`/stats/estimate/${encodeURIComponent(type)}`)
        .query(query)
    ).body.estimate;
  let service: TestService;
  beforeEach(() => {
    service = startTestService();
  });
  afterEach(() => service.close());

  test('says that nothing is known, and takes what the agent thinks', async () => {
    const nothing = {
      source: 'none',
      of: null,
      seconds: null,
      interval: [null, null],
      coverage: null,
      confidence: 'none',
    };
    expect(await estimateOf('build')).toMatchObject(nothing);
    expect(await estimateOf('build', { estimated_seconds: 7 })).toMatchObject({ source: 'own_estimate', seconds: 7 });
  });

  test('rests on the history of the type, with a prediction interval of order statistics', async () => {
    await runTasks(service, 'build', [5, 1, 3, 2, 4, 6, 8, 7, 9], { agent: 'ann' });
    const expected = {
      source: 'history',
      seconds: 5,
      interval: [1, 9],
      coverage: 0.8,
      sample_count: 9,
      confidence: 'medium',
    };
    expect(await estimateOf('build', { agent_id: 'ann' })).toMatchObject({ ...expected, of: 'agent' });
    expect(await estimateOf('build', { agent_id: 'bob' })).toMatchObject({ ...expected, of: 'all' });
    await runTasks(service, 'lint', [2], { agent: 'ann' });
    expect(await estimateOf('lint', { agent_id: 'ann' })).toMatchObject({
      seconds: 2,
      interval: [null, null],
      coverage: null,
    });
  });

  test('takes types with similar names where the type is new', async () => {
    for (const [type, seconds] of [
      ['npm run test', 40],
      ['npm run build', 90],
      ['deploy', 600],
    ] as const)
      await runTasks(service, type, [seconds, seconds, seconds], { agent: 'ann' });
    const estimate = await estimateOf('npm run test:unit', { agent_id: 'ann' });
    expect(estimate).toMatchObject({
      source: 'similar_names',
      of: 'agent',
      sample_count: 9,
      coverage: 0.5,
      confidence: 'low',
    });
    expect(estimate.similar.map(({ task_type }: { task_type: string }) => task_type)).toEqual([
      'npm run test',
      'npm run build',
    ]);
    expect(estimate.similar[0]).toEqual({
      task_type: 'npm run test',
      similarity: 0.8571,
      median_seconds: 40,
      count: 3,
    });
    const [low, high] = estimate.interval;
    expect(low).toBeLessThan(estimate.seconds);
    expect(high).toBeGreaterThan(estimate.seconds);
  });

  test('of a new type in the words of a known one is that of the known one, whatever is beside it', async () => {
    const known = {
      'npm test': [38, 41, 44, 47, 60],
      'run tests': [0.1],
      'npm run build': [27],
      'write report': [1_200],
    };
    for (const [type, seconds] of Object.entries(known)) await runTasks(service, type, seconds, { agent: 'ann' });
    const { seconds, interval, coverage } = await estimateOf('npm test', { agent_id: 'ann' });
    expect(await estimateOf('npm tests', { agent_id: 'ann' })).toMatchObject({
      source: 'similar_names',
      ...{ seconds, interval, coverage },
      sample_count: 5,
      similar: [{ task_type: 'npm test', similarity: 1, median_seconds: 44, count: 5 }],
    });
    expect(seconds).toBe(44);
    await runTasks(service, 'test:npm', [70, 70, 70, 70, 70, 70], { agent: 'ann' });
    expect(await estimateOf('npm tests', { agent_id: 'ann' })).toMatchObject({ seconds: 70, sample_count: 6 });
  });

  test('of a new type is no less than the shortest run that it rests on, and no more than the longest', async () => {
    for (const [type, seconds] of Object.entries({ fetch: 10, sort: 10, train: 2_400 }))
      await runTasks(service, type, [seconds]);
    expect(await estimateOf('plan')).toMatchObject({ seconds: 10, interval: [10, 2_400], coverage: 0.5 });
    await runTasks(service, 'train all', [9_000]);
    const estimate = await estimateOf('train all of it');
    expect(estimate.seconds).toBeLessThanOrEqual(9_000);
    expect(estimate.interval[0]).toBeLessThanOrEqual(estimate.seconds);
    expect(estimate.interval[1]).toBeGreaterThanOrEqual(estimate.seconds);
  });

  test('counts runs of the type that were cut off as longer, by the survival curve', async () => {
    await runTasks(service, 'fetch', [10, 11, 12, 13, 14]);
    const ofAll = { seconds: 12, interval: [10, 14], coverage: 0.6667 };
    expect(await estimateOf('fetch')).toMatchObject(ofAll);
    // Before the shortest of them ended, that tells nothing.
    await runTasks(service, 'fetch', [5], { outcome: 'cancelled' });
    expect(await estimateOf('fetch')).toMatchObject(ofAll);
    await runTasks(service, 'fetch', [13.5, 60], { outcome: 'timeout' });
    // Kaplan and Meier by hand: of 7 that reach 10 s, 4 of 7 last longer than 12, 3 of 7 longer than 13.
    // Of the 7 and the next run 7/8 last longer than 10 s, and 4/8 * 2/3 longer than 14: only the 60 s and the next run are left then.
    expect(await estimateOf('fetch')).toMatchObject({ seconds: 13, interval: [10, 14], coverage: 0.5417 });
    await runTasks(service, 'fetch', Array(9).fill(60), { outcome: 'timeout' });
    // More than half of them were cut off: the longest of all is the least that is known.
    expect(await estimateOf('fetch')).toMatchObject({ source: 'history', seconds: 60, sample_count: 5 });
  });

  test('counts them for other types too', async () => {
    for (const type of ['fetch a', 'fetch b']) {
      await runTasks(service, type, [10, 10, 10]);
      await runTasks(service, type, [600, 600, 600, 600, 600], { outcome: 'timeout' });
    }
    expect(await estimateOf('fetch c')).toMatchObject({ source: 'similar_names', seconds: 600, sample_count: 6 });
  });

  test.each(['timeout', 'cancelled'])(
    'of a type whose runs were all cut off (%s) is no less than they took',
    async (outcome) => {
      for (const [type, seconds] of Object.entries({ build: 10, lint: 20, deploy: 1_000 }))
        await runTasks(service, type, [seconds], { agent: 'ann' });
      await runTasks(service, 'hang', [600, 30], { agent: 'bob', outcome });
      const estimate = await estimateOf('hang', { agent_id: 'ann' });
      expect(estimate).toMatchObject({ source: 'other_types', seconds: 600, coverage: 0.5 });
      expect(estimate.interval[1]).toBeGreaterThan(600);
      // One that is longer than the interval refutes it.
      await runTasks(service, 'hang', [1e6], { agent: 'bob', outcome });
      expect(await estimateOf('hang', { agent_id: 'ann' })).toMatchObject({
        seconds: 1e6,
        interval: [null, null],
        coverage: null,
      });
      expect(await estimateOf('hang', { agent_id: 'ann', estimated_seconds: 5 })).toMatchObject({ seconds: 1e6 });
    },
  );

  test('of a type that runs for the first time is no less than it has run', async () => {
    await runTasks(service, 'build', [10], { agent: 'ann' });
    await supertest(service.app).post('/events/task-start').send({ task_type: 'first' });
    service.clock.advance(90_000);
    expect(await estimateOf('first')).toMatchObject({ source: 'other_types', seconds: 90 });
    await supertest(service.app).post('/events/task-start').send({ task_type: 'first' });
    service.clock.advance(10_000);
    expect(await estimateOf('first')).toMatchObject({ seconds: 100 });
  });

  test('corrects what the agent thinks by what came of its estimates', async () => {
    for (const type of ['plan', 'review', 'write', 'sort']) {
      const started = await supertest(service.app)
        .post('/events/task-start')
        .send({ task_type: type, estimated_seconds: 10 });
      service.clock.advance(20_000);
      const { correlation_id } = started.body;
      await supertest(service.app).post('/events/task-end').send({ task_type: type, correlation_id });
    }
    expect(await estimateOf('translate', { estimated_seconds: 30 })).toMatchObject({
      source: 'own_estimate',
      seconds: 60,
      ratio: 2,
      interval: [60, 60],
      coverage: 0.6,
    });
  });

  test('takes what the agent thinks as it is where nothing corrects it and no name is like this one', async () => {
    await runTasks(service, 'build the site', [300, 310, 330], { agent: 'ann' });
    await runTasks(service, 'full backup', [400, 410, 430], { agent: 'bob' });
    const asked = { estimated_seconds: 50 };
    expect(await estimateOf('translate', asked)).toMatchObject({
      source: 'own_estimate',
      seconds: 50,
      interval: [null, null],
      confidence: 'low',
    });
    expect(await estimateOf('translate')).toMatchObject({ source: 'other_types', similar: [] });
    expect(await estimateOf('build the app', asked)).toMatchObject({ source: 'similar_names' });
  });

  test('is what the agent thinks, and not what other work takes, also where its estimates were of one type alone', async () => {
    await runTasks(service, 'full backup', [400, 410, 430], { agent: 'bob' });
    await runTasks(service, 'lint', [1, 2, 3], { agent: 'bob' });
    const estimated = async (seconds: number) => {
      const body = { task_type: 'plan', estimated_seconds: 1_000 };
      const { correlation_id } = (await supertest(service.app).post('/events/task-start').send(body)).body;
      service.clock.advance(seconds * 1_000);
      await supertest(service.app).post('/events/task-end').send({ task_type: 'plan', correlation_id });
    };
    // A trial, ended at once: it says nothing of how right estimates are.
    await estimated(0.05);
    const asked = { estimated_seconds: 50 };
    expect(await estimateOf('translate', asked)).toMatchObject({ source: 'own_estimate', seconds: 50, ratio: null });
    for (const seconds of [2_000, 2_000]) await estimated(seconds);
    expect(await estimateOf('translate', asked)).toMatchObject({ source: 'own_estimate', seconds: 100, ratio: 2 });
  });

  test('is corrected by nothing where all that was estimated took no time at all', async () => {
    for (const correlation_id of ['a', 'b']) {
      const task = { task_type: 'sort', correlation_id };
      await supertest(service.app)
        .post('/events/task-start')
        .send({ ...task, estimated_seconds: 10 });
      await supertest(service.app).post('/events/task-end').send(task);
    }
    expect(await estimateOf('translate', { estimated_seconds: 30 })).toMatchObject({
      source: 'own_estimate',
      seconds: 30,
      ratio: null,
    });
  });

  test('refuses an estimate that is none', async () => {
    for (const estimated_seconds of [0, -1, '1e999'])
      expect((await supertest(service.app).get('/stats/estimate/a').query({ estimated_seconds })).status).toBe(422);
  });
});
