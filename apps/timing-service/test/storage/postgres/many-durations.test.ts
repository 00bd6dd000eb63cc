import { openPostgres, type Postgres, parseStoreUrl } from '@agent-faculties/postgres-kit';
import { createLog, DAY_MS, ManualClock, timeOrderedIds } from '@agent-faculties/service-kit';
import { hasPostgres, openTestDatabases, type TestDatabases } from '@agent-faculties/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { endTask, startTask } from '../../../src/domain/record.ts';
import type { DurationSample } from '../../../src/domain/statistics/duration-history.ts';
import { summarise } from '../../../src/domain/statistics/duration-summary.ts';
import { calculated } from '../../../src/domain/statistics/exact-durations.ts';
import { OUTCOMES } from '../../../src/domain/task.ts';
import type { Whose } from '../../../src/domain/whose.ts';
import { PostgresEngine } from '../../../src/storage/postgres/postgres-engine.ts';
import { STARTED_MS } from '../../domain/sample-task.ts';
import { type ReplicaStores, replicaStores } from '../store-contract/contract-stores.ts';

/** So that a handful of tasks is held in buckets. */
const MOST_HELD = 4;
const ALL: Whose = { agentId: null, project: null };
const WHOSE: Whose[] = [ALL, { agentId: 'ann', project: null }, { agentId: 'bob', project: 'shop' }];
const silent = createLog({ name: 'test', level: 'silent' });

interface Run {
  readonly agentId: string;
  readonly project: string | null;
  readonly us: number;
  readonly outcome: (typeof OUTCOMES)[number] | 'active' | 'abandoned';
}

const run = fc.record({
  agentId: fc.constantFrom('ann', 'bob'),
  project: fc.constantFrom('shop', null),
  // Most of them in a few buckets of many microseconds.
  us: fc.oneof(fc.integer({ min: 3_000_000, max: 3_006_000 }), fc.integer({ min: 0, max: 9_000_000 })),
  outcome: fc.constantFrom('ok', 'ok', 'ok', 'ok', ...OUTCOMES, 'active', 'abandoned'),
}) as fc.Arbitrary<Run>;

(hasPostgres() ? describe : describe.skip)('more durations than are held', () => {
  let databases: TestDatabases;
  let postgres: Postgres;
  let bucketed: PostgresEngine;
  let other: PostgresEngine;
  /** Holds each of the same durations. */
  let exact: PostgresEngine;
  const clock = new ManualClock(STARTED_MS);
  const ids = timeOrderedIds(clock);
  let spaces = 0;

  beforeAll(async () => {
    databases = await openTestDatabases();
    const url = parseStoreUrl(await databases.create());
    const connect = (limits = {}) => PostgresEngine.open({ url, log: silent, waitMs: 0, ...limits });
    [bucketed, other, exact] = [
      await connect({ mostHeld: MOST_HELD }),
      await connect({ mostHeld: MOST_HELD }),
      await connect(),
    ];
    postgres = await openPostgres({ url, log: silent, applicationName: 'test', waitMs: 0 });
    await bucketed.turnPeriods({ nowMs: clock.now(), retentionMs: DAY_MS });
  });
  afterAll(async () => {
    for (const engine of [bucketed, other, exact]) await engine.close();
    await postgres.close();
    await databases.close();
  });

  const storesOf = async (engine: PostgresEngine, space: string) =>
    replicaStores((await engine.open(space)).stores, clock, ids);

  async function perform({ record, tasks }: ReplicaStores, { agentId, project, us, outcome }: Run): Promise<void> {
    const work = { agentId, project, taskType: 'build', metadata: null };
    const { task } = await startTask(record, { ...work, estimatedSeconds: null, correlationId: null });
    const { correlationId } = task;
    if (outcome === 'abandoned') await tasks.abandon([correlationId], clock.now());
    else if (outcome !== 'active')
      await endTask(record, { ...work, correlationId, outcome, durationSeconds: us / 1e6 });
  }

  /** All that a sample says: counts, moments, each duration by its rank, and how many are at most and below each. */
  function told({ ended, activeStartsMs, abandonedCount }: DurationSample) {
    const durations = OUTCOMES.map((outcome) => {
      const { sorted, moments } = ended[outcome];
      const { size, mean, squares } = moments.all;
      const each = Array.from({ length: Math.min(size, 6) }, (_, rank) => sorted.at(rank));
      return {
        each,
        ranks: each.map((seconds) => [sorted.countBelow(seconds), sorted.countAtMost(seconds)]),
        moments: [size, mean.toFixed(6), squares.toFixed(4)],
      };
    });
    return { durations, active: [...activeStartsMs], abandonedCount };
  }

  async function expectAlike(space: string, engines: readonly PostgresEngine[]): Promise<void> {
    const twin = (await storesOf(exact, space)).history;
    for (const engine of engines) {
      const { history } = await storesOf(engine, space);
      for (const whose of WHOSE) {
        const { result, error } = await calculated(await history.sample(whose, 'build'), told);
        expect(result).toEqual(told(await twin.sample(whose, 'build')));
        expect(error).toBe(0);
      }
    }
  }

  test('and fewer are read anew where the database was put back to a moment before', async () => {
    const space = 'put-back';
    const stores = await storesOf(bucketed, space);
    const counts = async () => {
      const samples = [stores, held].map(({ history }) => history.sample(ALL, 'build'));
      return (await Promise.all(samples)).map(({ ended }) => ended.ok.sorted.size);
    };
    const held = await storesOf(exact, space);
    const runs = async (count: number) => {
      for (let index = 0; index < count; index++)
        await perform(stores, { agentId: 'ann', project: null, us: 3_000_000, outcome: 'ok' });
    };
    await runs(3);
    const { rows } = await postgres.query<{ head: string }>({
      text: 'SELECT head FROM timing.space WHERE name = $1',
      values: [space],
    });
    await runs(6);
    expect(await counts()).toEqual([9, 9]);
    const head = rows[0]?.head;
    for (const text of [
      'DELETE FROM timing.task WHERE space = $1 AND sequence > $2',
      'DELETE FROM timing.event WHERE space = $1 AND sequence > $2',
      'DELETE FROM timing.duration_counts WHERE space = $1 AND number > $2',
      'UPDATE timing.space SET head = $2 WHERE name = $1',
    ])
      await postgres.query({ text, values: [space, head] });
    expect(await counts()).toEqual([3, 3]);
    await runs(1);
    expect(await counts()).toEqual([4, 4]);
  });

  test('are answered to the last microsecond, by replicas that take turns', async () => {
    await bucketed.durations.build();
    await fc.assert(
      fc.asyncProperty(fc.array(run, { maxLength: 14 }), fc.array(run, { maxLength: 6 }), async (first, then) => {
        const space = `space-${++spaces}`;
        // The same stores throughout, so that what is held is brought up to date.
        const replicas = [await storesOf(bucketed, space), await storesOf(other, space)] as const;
        const twin = (await storesOf(exact, space)).history;
        for (const batch of [first, then]) {
          for (const [index, each] of batch.entries()) await perform(replicas[index % 2 === 0 ? 0 : 1], each);
          for (const whose of WHOSE) {
            const expected = told(await twin.sample(whose, 'build'));
            for (const { history } of replicas) {
              const { result, error } = await calculated(await history.sample(whose, 'build'), told);
              expect({ ...result, error }).toEqual({ ...expected, error: 0 });
            }
          }
        }
      }),
      { seed: 2_026, numRuns: 12 },
    );
  });

  async function withRuns(count: number): Promise<{ space: string; stores: ReplicaStores }> {
    const space = `space-${++spaces}`;
    const stores = await storesOf(bucketed, space);
    for (let index = 0; index < count; index++) {
      await perform(stores, { agentId: 'ann', project: null, us: 3_000_000 + 37 * index, outcome: 'ok' });
    }
    return { space, stores };
  }

  test('are not held one by one', async () => {
    const { stores } = await withRuns(MOST_HELD);
    expect((await stores.history.sample(ALL, 'build')).lookUp).toBeUndefined();
    await perform(stores, { agentId: 'ann', project: null, us: 1, outcome: 'error' });
    expect((await stores.history.sample(ALL, 'build')).lookUp).toBeDefined();
  });

  test('are not answered from a sample that has gone on meanwhile', async () => {
    const { space, stores } = await withRuns(8);
    const sample = await stores.history.sample(ALL, 'build');
    const before = told(await (await storesOf(exact, space)).history.sample(ALL, 'build'));
    await perform(stores, { agentId: 'ann', project: null, us: 3_000_001, outcome: 'ok' });
    await stores.history.sample(ALL, 'build');
    const { result, error } = await calculated(sample, told);
    expect({ ...result, error }).toEqual({ ...before, error: 0 });
  });

  test('are counted anew after tasks were deleted, and until then no rank is looked up among those that are left', async () => {
    const { space, stores } = await withRuns(8);
    const sample = await stores.history.sample(ALL, 'build');
    await postgres.query({
      text: `WITH gone AS (DELETE FROM timing.task WHERE space = $1 AND duration_us < 3000100 RETURNING 1)
        UPDATE timing.space SET head = head + 1, dropped = head + 1 WHERE name = $1`,
      values: [space],
    });
    expect((await calculated(sample, ({ ended }) => ended.ok.sorted.at(0))).error).toBe(0.001);
    expect((await stores.history.sample(ALL, 'build')).ended.ok.sorted.size).toBe(5);
    await expectAlike(space, [bucketed, other]);
  });

  test('since an instant are counted too', async () => {
    const { stores } = await withRuns(3);
    clock.advance(60_000);
    const sinceMs = clock.now();
    for (let index = 0; index < 6; index++) {
      await perform(stores, { agentId: 'ann', project: null, us: 5_000_000, outcome: 'ok' });
    }
    const since = await stores.history.sampleSince(ALL, 'build', sinceMs);
    const { result, error } = await calculated(since, (sample) =>
      summarise('build', sample, { outcome: 'ok', nowMs: clock.now() }),
    );
    expect(result?.count).toBe(6);
    expect(result?.median).toBeCloseTo(5, 2);
    expect(error).toBe(0.001);
  });

  test('are read from the counts that were stored, and on from there', async () => {
    const { space, stores } = await withRuns(8);
    const history = stores.history;
    const sample = await history.sample(ALL, 'build');
    const { counts } = storedCountsOf(sample);
    // As after 50,000 tasks; a bucket more shows that they are what is read.
    counts.error.buckets = [[7, 1]];
    await postgres.query({
      text: 'INSERT INTO timing.duration_counts SELECT name, $2, $3, $3, head, $4 FROM timing.space WHERE name = $1',
      values: [space, 'build', '', JSON.stringify(counts)],
    });
    await perform(stores, { agentId: 'bob', project: null, us: 4_000_000, outcome: 'ok' });
    const { ended } = await (await storesOf(other, space)).history.sample(ALL, 'build');
    expect([ended.ok.sorted.size, ended.error.sorted.size]).toEqual([9, 1]);
    expect(ended.ok.moments.mean).toBeCloseTo((8 * 3 + 0.000_037 * 28 + 4) / 9, 6);
    expect((await (await storesOf(exact, space)).history.sample(ALL, 'build')).ended.ok.sorted.size).toBe(9);
  });

  /** As many as it takes for their counts to be stored. */
  async function withManyTasks(): Promise<string> {
    const space = `space-${++spaces}`;
    await postgres.query({
      text: `WITH made AS (INSERT INTO timing.space (name, head) VALUES ($1, 50000))
        INSERT INTO timing.task (space, sequence, changed, end_sequence, correlation_id, agent_id, task_type, state, outcome, started_us, ended_us, duration_us)
        SELECT $1, n, n, n, 'many-' || n, 'ann', 'build', 'ended', 'ok', n, n, n FROM generate_series(1, 50000) n`,
      values: [space],
    });
    return space;
  }
  const sizeIn = async (space: string) =>
    (await (await storesOf(bucketed, space)).history.sample(ALL, 'build')).ended.ok.sorted.size;

  test('are stored as counts where there are many', async () => {
    const space = await withManyTasks();
    expect(await sizeIn(space)).toBe(50_000);
    const { rows } = await postgres.query<{ number: number; buckets: [number, number][] }>({
      text: `SELECT number::float8 AS number, counts -> 'ok' -> 'buckets' AS buckets FROM timing.duration_counts WHERE space = $1`,
      values: [space],
    });
    expect(rows.map(({ number, buckets }) => [number, buckets.reduce((sum, [, count]) => sum + count, 0)])).toEqual([
      [50_000, 50_000],
    ]);
  });

  test('leave no counts behind where all of them were deleted', async () => {
    const space = await withManyTasks();
    expect(await sizeIn(space)).toBe(50_000);
    const { expiry } = (await bucketed.open(space)).stores;
    expect(await expiry.deleteBefore(STARTED_MS)).toEqual({ events: 0, tasks: 50_000 });
    const { rows } = await postgres.query({
      text: 'SELECT 1 FROM timing.duration_counts WHERE space = $1',
      values: [space],
    });
    expect(rows).toEqual([]);
    expect(await sizeIn(space)).toBe(0);
  });

  test('are answered where their counts cannot be stored', async () => {
    const space = await withManyTasks();
    const change = (text: string) => postgres.query({ text: `ALTER TABLE timing.duration_counts ${text}` });
    await change('ADD CONSTRAINT refused CHECK (false) NOT VALID');
    try {
      expect(await sizeIn(space)).toBe(50_000);
    } finally {
      await change('DROP CONSTRAINT refused');
    }
  });
});

/** The form in the database, written down once more. */
function storedCountsOf({ ended }: DurationSample) {
  const of = (outcome: (typeof OUTCOMES)[number]) => {
    const { mean, squares } = ended[outcome].moments.all;
    const counts = new Map<number, number>();
    // 3 s lie where buckets are 2,048 µs wide, 11 doublings from those of 1.
    for (const seconds of ended[outcome].sorted) {
      const bucket = Math.floor((seconds * 1e6) / 2_048) + 11 * 1_024;
      counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
    }
    const buckets = [...counts];
    return { mean, squares, buckets };
  };
  return { counts: { ok: of('ok'), error: of('error'), timeout: of('timeout'), cancelled: of('cancelled') } };
}
