import { seededRandom } from '@agent-faculties/stats-math';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { EventStore } from '../../../src/domain/event.ts';
import { distributionOf } from '../../../src/domain/statistics/distribution.ts';
import { curveOf } from '../../../src/domain/statistics/duration-curve.ts';
import type { DurationHistory, DurationSample } from '../../../src/domain/statistics/duration-history.ts';
import { summarise } from '../../../src/domain/statistics/duration-summary.ts';
import { estimateDuration } from '../../../src/domain/statistics/estimate-duration.ts';
import { calculated } from '../../../src/domain/statistics/exact-durations.ts';
import { recommendTimeout } from '../../../src/domain/statistics/timeout-recommendation.ts';
import { assessTimeout } from '../../../src/domain/statistics/timeout-risk.ts';
import type { TaskStore } from '../../../src/domain/task.ts';
import { STARTED_MS } from '../sample-task.ts';
import { bucketedSampleOf } from './bucketed-durations.ts';
import { logNormal } from './log-normal.ts';
import { type Durations, sampleOf } from './sample-durations.ts';

const nowMs = STARTED_MS;
const CALCULATIONS: Record<string, (sample: DurationSample) => unknown> = {
  summarise: (sample: DurationSample) => summarise('build', sample, { outcome: 'ok', nowMs }),
  recommendTimeout: (sample: DurationSample) =>
    recommendTimeout(sample, { percentile: 0.95, safetyMargin: 1.2, nowMs }),
  assessTimeout: (sample: DurationSample) => assessTimeout(sample, { elapsedSeconds: 2.5, timeoutSeconds: 4, nowMs }),
};
const entries = Object.entries(CALCULATIONS);

// Whole microseconds, many in few buckets.
const seconds = fc.integer({ min: 2_000_000, max: 5_000_000 }).map((us) => us / 1e6);
const close = fc.integer({ min: 3_000_000, max: 3_010_000 }).map((us) => us / 1e6);
const some = (maxLength: number) => fc.array(fc.oneof(seconds, close), { maxLength });

describe('over durations in buckets', () => {
  test.each(entries)('%s answers as over each of them, while few are censored', async (_name, calculation) => {
    const durations = fc.record({
      ok: fc.array(fc.oneof(seconds, close), { minLength: 60, maxLength: 200 }),
      error: some(10),
      timeout: some(4),
      cancelled: some(3),
      active: some(3),
    });
    await fc.assert(
      fc.asyncProperty(durations, async (given) => {
        const { result, error } = await calculated(bucketedSampleOf(given), calculation);
        expect(result).toEqual(calculation(sampleOf(given)));
        expect(error).toBe(0);
      }),
      { numRuns: 40 },
    );
  });

  const draw = logNormal(seededRandom(7), { median: 3, sigma: 0.6 });
  const many = (count: number) => Array.from({ length: count }, () => Math.round(draw() * 1e6) / 1e6);
  const MANY = { ok: many(20_000), timeout: many(900), cancelled: many(300), active: many(40) } satisfies Durations;

  test.each(entries)('%s is within a thousandth, and says so, where many are', async (_name, calculation) => {
    const sample = bucketedSampleOf(MANY);
    const { result, error } = await calculated(sample, calculation);
    expect(error).toBe(0.001);
    expectNear(result, calculation(sampleOf(MANY)));
    // It is known before anything is looked up.
    expect(sample.lookUps).toBe(0);
  });

  test('a curve over the middles of the buckets is built once', async () => {
    let built = 0;
    const curve = (sample: DurationSample) => {
      curveOf(sample, nowMs);
      built++;
    };
    expect((await calculated(bucketedSampleOf(MANY), curve)).error).toBe(0.001);
    expect(built).toBe(1);
  });

  test('a picture of the distribution is drawn from the buckets', async () => {
    const at = { newestCutOffAfter: null, nowMs };
    const { result, error } = await calculated(bucketedSampleOf(MANY), (sample) => distributionOf(sample, at));
    expect(error).toBe(0.001);
    const exact = distributionOf(sampleOf(MANY), at);
    expectNear(result?.recommendation, exact?.recommendation);
    expect(result?.histogram.reduce((sum, { count }) => sum + count, 0)).toBe(20_000);
  });

  test.each([
    ['the type itself', 'build', { ok: MANY.ok }, 0],
    ['the type itself, of which many were cut off', 'build', MANY, 0.001],
    ['a type with a similar name', 'build again', MANY, 0.001],
  ])('an estimate from %s says what it may be off by', async (_name, taskType, durations, error) => {
    const sample = async (_whose: unknown, type: string) =>
      type === 'build' ? bucketedSampleOf(durations) : sampleOf({});
    const deps = {
      history: { sample } as unknown as DurationHistory,
      events: { taskTypes: async () => ['build'] } as unknown as EventStore,
      tasks: { pastEstimates: async () => [], list: async () => ({ items: [], next: null }) } as unknown as TaskStore,
    };
    const whose = { agentId: null, project: null };
    const estimate = await estimateDuration(deps, { whose, taskType, estimatedSeconds: null, nowMs });
    expect([estimate.sampleCount, estimate.error]).toEqual([20_000, error]);
  });

  test('so does one that is no less than a run in buckets that was cut off', async () => {
    const samples = new Map<string, DurationSample>([
      ['build', sampleOf({ ok: [10] })],
      ['hang', bucketedSampleOf({ timeout: [600] })],
    ]);
    const deps = {
      history: { sample: async (_whose: unknown, type: string) => samples.get(type) } as unknown as DurationHistory,
      events: { taskTypes: async () => ['build', 'hang'] } as unknown as EventStore,
      tasks: { pastEstimates: async () => [], list: async () => ({ items: [], next: null }) } as unknown as TaskStore,
    };
    const input = { whose: { agentId: null, project: null }, taskType: 'hang', estimatedSeconds: null, nowMs };
    const estimate = await estimateDuration(deps, input);
    expect(estimate.error).toBe(0.001);
    expect(Math.abs((estimate.seconds as number) - 600)).toBeLessThanOrEqual(0.6);
  });

  test('a store that cannot say leaves the middles of the buckets', async () => {
    const sample = { ...bucketedSampleOf({ ok: [3.0004, 3.0005, 3.0006] }), lookUp: async () => null };
    const { result, error } = await calculated(sample, ({ ended }) => ended.ok.sorted.at(0));
    expect(error).toBe(0.001);
    expect(result).not.toBe(3.0004);
    expect(result).toBeCloseTo(3.0004, 2);
  });

  test('durations that are not in buckets are exact', async () => {
    expect(await calculated(sampleOf({ ok: [1, 2] }), ({ ended }) => ended.ok.sorted.at(1))).toEqual({
      result: 2,
      error: 0,
    });
  });
});

/** Every number within a thousandth. Far in the tail a share of a thousandth may be a run more or less. */
function expectNear(actual: unknown, expected: unknown): void {
  if (typeof expected === 'number') {
    expect(Math.abs((actual as number) - expected)).toBeLessThanOrEqual(0.001 * Math.abs(expected) + 1e-9);
  } else if (typeof expected === 'object' && expected !== null) {
    expect(Object.keys(actual as object)).toEqual(Object.keys(expected));
    for (const [key, value] of Object.entries(expected)) expectNear((actual as Record<string, unknown>)[key], value);
  } else expect(actual).toEqual(expected);
}
