import { seededRandom } from '@agent-faculties/stats-math';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { recommendTimeout, type TimeoutRecommendation } from '../../../src/domain/statistics/timeout-recommendation.ts';
import { STARTED_MS } from '../sample-task.ts';
import { logNormal } from './log-normal.ts';
import { type Durations, type LiveSample, ONE_TO_TEN, sampleOf, upTo } from './sample-durations.ts';

interface Asked {
  readonly percentile?: number;
  readonly safetyMargin?: number;
  readonly newestCutOffAfter?: number;
}

function advise(
  sample: LiveSample | Durations,
  { percentile = 0.95, safetyMargin = 1.2, newestCutOffAfter }: Asked = {},
): TimeoutRecommendation {
  const live = 'version' in sample ? (sample as LiveSample) : sampleOf(sample as Durations);
  const cutOff = newestCutOffAfter === undefined ? {} : { newestCutOffAfter };
  const advice = recommendTimeout(live, { percentile, safetyMargin, ...cutOff, nowMs: STARTED_MS });
  if (!advice) throw new Error('there is no advice');
  return advice;
}

describe('a recommended timeout', () => {
  test('for 1 to 10 s is 12 s, as OpenTime pins it', () => {
    expect(advise({ ok: ONE_TO_TEN })).toMatchObject({
      seconds: 12,
      percentileValue: { seconds: 10 },
      percentile: 0.95,
      safetyMargin: 1.2,
      sampleCount: 10,
      censoredCount: 0,
      confidence: 'medium',
    });
  });

  test.each([
    [0, 1.2, 1, 1.2],
    [0.5, 1.2, 6, 7.2],
    [1, 1.2, 10, 12],
    [0.9, 1, 10, 10],
    [0.29, 2, 3, 6],
  ])(
    'at percentile %d with margin %d is the rank rule times the margin',
    (percentile, safetyMargin, value, seconds) => {
      const advice = advise({ ok: ONE_TO_TEN }, { percentile, safetyMargin });
      expect(advice.percentileValue.seconds).toBe(value);
      expect(advice.seconds).toBeCloseTo(seconds, 12);
    },
  );

  test('is 1 s for runs of 0 s, and says so', () => {
    const warning = expect.stringContaining('too short to be measured');
    expect(advise({ ok: [0] })).toMatchObject({ seconds: 1, conservativeSeconds: 1, warning });
    expect(advise({ ok: [0, 0, 0] })).toMatchObject({ seconds: 1, conservativeSeconds: 1, warning });
    const halfOfThem = { percentile: 0.5, safetyMargin: 1.2 };
    expect(advise({ ok: [0, 0, 0, 0, 0, 0.01] }, halfOfThem)).toMatchObject({
      seconds: 1,
      conservativeSeconds: 1,
      warning,
    });
    expect(advise({ ok: [0, 0.001] }).seconds).toBeCloseTo(0.0012, 9);
  });

  test('warns of few runs, and never sends to the shorter of its two timeouts', () => {
    expect(advise({ ok: [60, 60, 60] }).warning).toBe('Only 3 runs so far: allow more than recommended_seconds.');
    expect(advise({ ok: [10, 60, 120] }).warning).toBe('Only 3 runs so far: prefer conservative_seconds.');
    const alike = advise({ ok: [60, 60, 60, 60, 60, 60] });
    expect(alike.conservativeSeconds).toBe(alike.seconds);
    expect(alike.warning).toContain('allow more than recommended_seconds where a false timeout is costly');
    expect(advise({ ok: ONE_TO_TEN }).warning).toContain('prefer conservative_seconds where');
  });

  test('needs a task that ended ok', () => {
    const sample = sampleOf({ error: [1], timeout: [2], active: [3] });
    expect(recommendTimeout(sample, { percentile: 0.95, safetyMargin: 1.2, nowMs: STARTED_MS })).toBeNull();
  });

  test('is of low confidence where its percentile is only a lower end, however many runs there are', () => {
    // By hand: the curve is at 3 of 33 after the longest ok run, which is more than 5 %, and at 1 of 31, which is less.
    expect(advise({ ok: upTo(30), timeout: [40, 40, 40] })).toMatchObject({
      confidence: 'low',
      warning: expect.stringMatching(/take the value as "at least"\.$/),
    });
    expect(advise({ ok: upTo(30), timeout: [40] })).toMatchObject({ confidence: 'high' });
  });

  test('counts what was cut off or still runs, and not what failed', () => {
    expect(advise({ ok: [1, 2], error: [3], timeout: [4], cancelled: [5, 6], active: [7, 8, 9] })).toMatchObject({
      sampleCount: 2,
      censoredCount: 6,
    });
  });
});

describe('its conservative bound', () => {
  test('is that of Wilks from 45 runs on for a p95 at 90 %: 0.95^45 < 0.1 < 0.95^44', () => {
    expect(advise({ ok: upTo(44) }).method).toBe('lognormal');
    // The margin of 1 leaves the bound alone: it is no less than what is recommended.
    expect(advise({ ok: upTo(45) }, { safetyMargin: 1 })).toMatchObject({
      method: 'tolerance',
      conservativeSeconds: 45,
    });
  });

  test('covers the true p95 of a log-normal in at least 85 of 100 samples of ten', () => {
    // At 90 % confidence 90 are expected; 85 is 1.7 standard deviations of Binomial(100, 0.9) below.
    const truth = 10 * Math.exp(0.8 * 1.6448536269514722);
    let covered = 0;
    for (let seed = 1; seed <= 100; seed++) {
      const draw = logNormal(seededRandom(seed), { median: 10, sigma: 0.8 });
      const { method, conservativeSeconds } = advise({ ok: Array.from({ length: 10 }, draw) });
      expect(method).toBe('lognormal');
      if (conservativeSeconds >= truth) covered++;
    }
    expect(covered).toBeGreaterThanOrEqual(85);
  });

  test('of two runs far apart is ten times the longest at most', () => {
    expect(advise({ ok: [1, 100] })).toMatchObject({ method: 'lognormal', conservativeSeconds: 1_000 });
  });

  test('of one run, or of equal runs, is the longest that any took, or what is recommended', () => {
    for (const ok of [[3], [3, 3, 3]]) {
      const { method, seconds, conservativeSeconds } = advise({ ok });
      expect(method).toBe('empirical');
      expect(seconds).toBeCloseTo(3.6, 12);
      expect(conservativeSeconds).toBe(seconds);
    }
    expect(advise({ ok: [3, 3, 3], timeout: [8] }, { percentile: 0.7 })).toMatchObject({
      method: 'empirical',
      conservativeSeconds: 8,
    });
  });

  test('is never below the percentile itself, nor lowered by what was cut off', () => {
    expect(advise({ ok: upTo(3_000) }, { percentile: 1, safetyMargin: 1 })).toMatchObject({
      method: 'tolerance',
      conservativeSeconds: 3_000,
    });
    const plain = advise({ ok: [1, 2, 3, 4] }).conservativeSeconds;
    expect(advise({ ok: [1, 2, 3, 4], timeout: [40] }).conservativeSeconds).toBeGreaterThanOrEqual(Math.max(plain, 40));
    expect(advise({ ok: upTo(60), timeout: upTo(60) }).conservativeSeconds).toBeGreaterThanOrEqual(
      advise({ ok: upTo(60) }).conservativeSeconds,
    );
  });

  test.each([
    { count: 30, hung: [36_000], method: 'lognormal' },
    { count: 60, hung: [36_000, 7_200], method: 'tolerance' },
  ])('of $count runs is not set by those that hung for hours before they were cancelled', ({ count, hung, method }) => {
    const ok = Array.from({ length: count }, logNormal(seededRandom(count), { median: 10, sigma: 0.2 }));
    const longest = Math.max(...ok);
    const advice = advise({ ok, cancelled: hung });
    expect(advice.method).toBe(method);
    expect(advice.seconds).toBeLessThan(2 * longest);
    expect(advice.conservativeSeconds).toBeCloseTo(10 * longest, 9);
    const soon = advise({ ok, cancelled: hung.map(() => 9 * longest) });
    expect(soon.conservativeSeconds).toBeCloseTo(9 * longest, 9);
  });

  test('covers the true p95 of two peaks in at least 84 of 100 samples of 44, as the longest run does: 1 - 0.95^44 = 90 %', () => {
    // Runs from a cache take 5 s, one in ten takes 300 s. 84 is 1.9 standard deviations of Binomial(100, 0.9) below 90.
    const truth = 300;
    let covered = 0;
    for (let seed = 1; seed <= 100; seed++) {
      const random = seededRandom(seed);
      const cached = logNormal(random, { median: 5, sigma: 0.2 });
      const built = logNormal(random, { median: truth, sigma: 0.2 });
      const ok = Array.from({ length: 44 }, () => (random.next() < 0.1 ? built() : cached()));
      const { method, conservativeSeconds } = advise({ ok }, { safetyMargin: 1 });
      expect(method).toBe('lognormal');
      if (conservativeSeconds >= truth) covered++;
    }
    expect(covered).toBeGreaterThanOrEqual(84);
  });

  test('is no less than what is recommended', () => {
    const samples = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(samples, fc.array(fc.integer({ min: 0, max: 90 }), { maxLength: 5 }), (ok, timeout) => {
        const { seconds, conservativeSeconds } = advise({ ok, timeout });
        expect(conservativeSeconds).toBeGreaterThanOrEqual(seconds);
      }),
      { seed: 71, numRuns: 200 },
    );
  });

  test('is no less than what is recommended where most runs are cut off: else the next ones end there too', () => {
    const { seconds, conservativeSeconds } = advise({ ok: upTo(60), timeout: Array(20).fill(60) });
    expect(seconds).toBe(72);
    expect(conservativeSeconds).toBe(72);
  });

  test.each([0, 0.5, 0.999, 1])('serves percentile %d too', (percentile) => {
    const advice = advise({ ok: ONE_TO_TEN }, { percentile });
    expect(advice.conservativeSeconds).toBeGreaterThanOrEqual(advice.percentileValue.seconds);
    expect(Number.isFinite(advice.conservativeSeconds)).toBe(true);
  });
});

describe('beside a command that nobody ended for ten hours', () => {
  const FORGOTTEN = { ok: [10, 10, 10, 10, 10], cancelled: [36_000] };

  test('the timeout is ten times the longest run and its margin, not hours, and says that the percentile is unknown', () => {
    const advice = advise(FORGOTTEN);
    expect(advice.seconds).toBeCloseTo(120, 9);
    expect(advice.conservativeSeconds).toBeCloseTo(120, 9);
    expect(advice).toMatchObject({ censoredCount: 1, percentileValue: { isLowerEnd: true } });
    expect(advice.percentileValue.interval[1]).toBeNull();
    expect(advice.warning).toMatch(
      /^A run was cut off .* may have hung or been forgotten: take the value as "at least"\.$/,
    );
  });

  test('what five of six runs did is told as ever', () => {
    expect(advise(FORGOTTEN, { percentile: 0.8 })).toMatchObject({
      percentileValue: { seconds: 10, isLowerEnd: false },
    });
  });

  test('the timeout lets the next runs end in at least 95 of 100 histories of six, and is no hour', () => {
    // The longest of five misses the p95 of a log-normal in three histories of four; ten times as long does not.
    const truth = 10 * Math.exp(0.5 * 1.6448536269514722);
    let enough = 0;
    for (let seed = 1; seed <= 100; seed++) {
      const ok = Array.from({ length: 5 }, logNormal(seededRandom(seed), { median: 10, sigma: 0.5 }));
      const { seconds } = advise({ ok, cancelled: [36_000] });
      expect(seconds).toBeLessThan(3_600);
      if (seconds >= truth) enough++;
    }
    expect(enough).toBeGreaterThanOrEqual(95);
  });

  test('the timeout, obeyed, comes back to that of the runs that end: the next two that hang are stuck runs beside it', () => {
    const sample = sampleOf({ ...FORGOTTEN, ok: [8, 9, 10, 10, 10] });
    for (let run = 0; run < 2; run++) sample.add('timeout', advise(sample).seconds);
    expect(advise(sample)).toMatchObject({ seconds: 12, percentileValue: { isLowerEnd: false } });
  });
});

describe('beside a command that hung until the limit of a whole job', () => {
  test('the timeout is ten times the longest run and its margin, not the limit and its margin', () => {
    const advice = advise({ ok: [10, 11, 12, 13, 14], timeout: [3_600] });
    expect(advice.seconds).toBeCloseTo(168, 9);
    expect(advice.conservativeSeconds).toBeCloseTo(168, 9);
    expect(advice).toMatchObject({ censoredCount: 1, percentileValue: { isLowerEnd: true } });
    expect(advice.warning).toMatch(/take the value as "at least"\.$/);
  });

  test('of a type that mostly reaches its limit, the limit stands: one quick run does not say how long it takes', () => {
    const advice = advise({ ok: [2], timeout: [600, 600] });
    expect(advice.seconds).toBeCloseTo(720, 9);
    expect(advice.warning).toMatch(/^So many tasks were cut off/);
  });

  test('the timeout, obeyed, grows on where most runs need longer', () => {
    const sample = sampleOf({ ok: [10, 10, 10], timeout: [3_600] });
    const first = advise(sample).seconds;
    for (let run = 0; run < 12; run++) sample.add('timeout', advise(sample).seconds);
    expect(advise(sample).seconds).toBeGreaterThan(3 * first);
  });
});

describe('after the newest runs were cut off, a recommended timeout', () => {
  const SELDOM_CUT = { ok: Array(200).fill(10), timeout: [30, 30, 30] };

  test('is theirs and its margin, as "at least"', () => {
    expect(advise(SELDOM_CUT).seconds).toBe(12);
    expect(advise(SELDOM_CUT, { newestCutOffAfter: 30 })).toMatchObject({
      seconds: 36,
      conservativeSeconds: 36,
      percentileValue: { seconds: 30, isLowerEnd: true, interval: [10, null] },
      confidence: 'low',
      warning: expect.stringMatching(/^The newest runs were cut off .* take the value as "at least"\.$/),
    });
  });

  test('stays what it is where they were cut off before the percentile', () => {
    expect(advise(SELDOM_CUT, { newestCutOffAfter: 8 })).toEqual(advise(SELDOM_CUT));
  });

  test('is no shorter than theirs, and grows no more, from ten times the longest ok run on', () => {
    const ok = Array(200).fill(10);
    expect(advise({ ok, timeout: [900, 900, 900] }, { newestCutOffAfter: 900 }).seconds).toBeCloseTo(900, 9);
    let limit = 12;
    for (let run = 0; run < 100; run++) limit = advise({ ok }, { newestCutOffAfter: limit }).seconds;
    expect(limit).toBeCloseTo(120, 9);
  });
});

describe('its warning', () => {
  test.each([
    ['that one run is little', { ok: [3] }, /^One run says nothing of the spread/],
    ['how few there are', { ok: [1, 2, 3, 4] }, /^Only 4 runs so far/],
    [
      'how many are stuck, also where the percentile has no upper end',
      { ok: ONE_TO_TEN, timeout: [200, 200, 200] },
      /^About 24 % of the runs get stuck and end with no timeout: this is for the others\. 10 runs cannot bound this/,
    ],
    ['that the percentile has no upper end', { ok: ONE_TO_TEN }, /^10 runs cannot bound this percentile from above/],
    ['that it lies beyond all seen', { ok: ONE_TO_TEN, timeout: [20, 20, 20] }, /take the value as "at least"\.$/],
  ])('says %s', (_what, durations, warning) => {
    expect(advise(durations).warning).toMatch(warning);
  });

  test('is silent where what is recommended is a bound, although the interval of 95 % has no upper end', () => {
    const alike = { ok: Array(45).fill(10) };
    expect(advise(alike)).toMatchObject({ method: 'tolerance', warning: null });
    expect(advise({ ok: Array(44).fill(10) }).warning).toMatch(/^44 runs cannot bound/);
    expect(advise({ ...alike, timeout: [4] }).warning).toMatch(/^45 runs cannot bound/);
    const skewed = { ok: [...Array(48).fill(10), 900, 900] };
    expect(advise(skewed).warning).toMatch(/^50 runs cannot bound .* prefer conservative_seconds/);
  });

  test('is silent with enough runs, and for a percentile of the lower half', () => {
    expect(advise({ ok: upTo(200) }).warning).toBeNull();
    expect(advise({ ok: [1, 2, 3, 4, 5] }, { percentile: 0.5 }).warning).toBeNull();
    expect(advise({ ok: [1, 2, 3, 4, 5] }, { percentile: 0.51 }).warning).not.toBeNull();
  });
});

describe('obeyed, a recommended timeout', () => {
  test('does not shrink: ten rounds of cut runs stay near the true p95 times 1.2', () => {
    // Naive statistics over survivors lose the tail at each round.
    const draw = logNormal(seededRandom(7), { median: 10, sigma: 0.8 });
    const truth = 10 * Math.exp(0.8 * 1.6448536269514722) * 1.2;
    const sample = sampleOf({ ok: Array.from({ length: 40 }, draw) });
    const advice: number[] = [];
    let survivors = 0;
    for (let round = 0; round < 10; round++) {
      const limit = advise(sample).seconds;
      advice.push(limit);
      for (let run = 0; run < 20; run++) {
        const seconds = draw();
        survivors += seconds <= limit ? 1 : 0;
        sample.add(seconds <= limit ? 'ok' : 'timeout', Math.min(seconds, limit));
      }
    }
    expect(survivors).toBeLessThan(200);
    for (const seconds of advice.slice(-3)) {
      expect(seconds).toBeGreaterThan(0.7 * truth);
      expect(seconds).toBeLessThan(1.5 * truth);
    }
  });

  test('does not shrink either when more and more runs are cut at it', () => {
    const sample = sampleOf({ ok: ONE_TO_TEN });
    let before = 0;
    for (let round = 0; round < 10; round++) {
      const { seconds } = advise(sample);
      expect(seconds).toBeGreaterThanOrEqual(before);
      before = seconds;
      sample.add('timeout', seconds);
      sample.add('timeout', seconds);
    }
    expect(advise(sample).warning).toContain('at least');
  });

  test('is not bounded from above while a task runs for longer than all before', () => {
    const advice = advise({ ok: ONE_TO_TEN, active: [600] });
    expect(advice).toMatchObject({ censoredCount: 1, sampleCount: 10 });
    expect(advice.percentileValue.interval[1]).toBeNull();
  });
});
