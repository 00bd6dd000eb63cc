import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migratePostgres, openPostgres, type Postgres, parseStoreUrl } from '@agent-faculties/postgres-kit';
import { createLog, DAY_MS, ManualClock, timeOrderedIds } from '@agent-faculties/service-kit';
import { hasPostgres, openTestDatabases, type TestDatabases } from '@agent-faculties/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { endTask, recordEvent, startTask } from '../../../src/domain/record.ts';
import { PostgresEngine } from '../../../src/storage/postgres/postgres-engine.ts';
import { STARTED_MS } from '../../domain/sample-task.ts';
import { type ReplicaStores, replicaStores } from '../store-contract/contract-stores.ts';
import { everyName } from '../store-contract/every-name.ts';
import { exportedItems } from '../store-contract/exported-items.ts';

const HOUR_MS = 3_600_000;
const ALL = { agentId: null, project: null };
const WORK = { agentId: 'ann', project: null, taskType: 'build', metadata: null };
const MIGRATIONS = fileURLToPath(new URL('../../../migrations-postgres', import.meta.url));
const silent = createLog({ name: 'test', level: 'silent' });

(hasPostgres() ? describe : describe.skip)('periods', () => {
  let databases: TestDatabases;
  let postgres: Postgres;
  let url: string;
  let engines: PostgresEngine[];
  const clock = new ManualClock(STARTED_MS);
  const ids = timeOrderedIds(clock);

  beforeAll(async () => {
    databases = await openTestDatabases();
  });
  afterAll(() => databases.close());
  beforeEach(async () => {
    url = await databases.create();
    postgres = await openPostgres({ url: parseStoreUrl(url), log: silent, applicationName: 'test', waitMs: 0 });
    engines = [];
  });
  afterEach(async () => {
    for (const engine of engines) await engine.close();
    await postgres.close();
  });

  async function connect(): Promise<PostgresEngine> {
    const engine = await PostgresEngine.open({ url: parseStoreUrl(url), log: silent, waitMs: 0 });
    engines.push(engine);
    return engine;
  }
  const storesOf = async (engine: PostgresEngine, space: string): Promise<ReplicaStores> =>
    replicaStores((await engine.open(space)).stores, clock, ids);
  const turn = (engine: PostgresEngine) => engine.turnPeriods({ nowMs: clock.now(), retentionMs: DAY_MS });
  const start = ({ record }: ReplicaStores, correlationId: string, fields = {}) =>
    startTask(record, { ...WORK, estimatedSeconds: null, correlationId, ...fields });
  const end = ({ record }: ReplicaStores, correlationId: string) =>
    endTask(record, { ...WORK, outcome: 'ok', correlationId });
  const note = ({ record }: ReplicaStores, taskType: string | null, correlationId: string | null = null) =>
    recordEvent(record, { ...WORK, taskType, eventType: 'note', correlationId });
  const count = async ({ transfer }: ReplicaStores) => (await exportedItems(transfer, ALL)).length;
  async function values<Value>(text: string): Promise<Value[]> {
    const { rows } = await postgres.query<{ value: Value }>({ text });
    return rows.map(({ value }) => value);
  }
  const partitions = () =>
    values<string>(
      `SELECT relname AS value FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
       WHERE inhparent = 'timing.task'::regclass ORDER BY 1`,
    );

  /** Resolves when somebody waits for that table. */
  async function untilWaitedFor(table: string): Promise<void> {
    const text = `SELECT count(*)::int AS value FROM pg_locks WHERE relation = '${table}'::regclass AND NOT granted`;
    while ((await values<number>(text))[0] === 0);
  }

  test('are made ahead, without a gap, and once by replicas that meet', async () => {
    const [one, two] = [await connect(), await connect()];
    await Promise.all([turn(one), turn(two)]);
    // A day by 8 are 3 hours; the test begins at 09:30:00.123456 UTC.
    expect(await partitions()).toEqual([
      'task_20261121t0900',
      'task_20261121t1200',
      'task_20261121t1500',
      'task_20261121t1800',
      'task_by_row',
    ]);
    clock.advance(3 * HOUR_MS);
    await turn(two);
    expect(await partitions()).toHaveLength(6);
    clock.advance(30 * HOUR_MS);
    await turn(one);
    const bounds = await values<string>("SELECT from_us || ' ' || to_us AS value FROM timing.period ORDER BY from_us");
    expect(bounds.length).toBeLessThanOrEqual(8);
    clock.advance(-33 * HOUR_MS);
  });

  test('hold what is written, and are dropped whole when all of it is old', async () => {
    const [one, two] = [await connect(), await connect()];
    const [shop, default_] = [await storesOf(one, 'shop'), await storesOf(two, 'default')];
    const shopAtTwo = await storesOf(two, 'shop');
    await turn(one);
    for (let index = 0; index < 5; index++) {
      await start(shop, `old-${index}`);
      await end(shop, `old-${index}`);
    }
    await start(shop, 'running');
    await start(shop, 'late');
    await start(shop, 'forgotten');
    await shop.tasks.abandon(['forgotten'], clock.now());
    await note(shop, 'passing');
    await note(shop, 'build', 'running');
    await start(default_, 'old-0');
    await end(default_, 'old-0');
    expect(await values<number>('SELECT count(*)::int AS value FROM timing.task_20261121t0900')).toEqual([6]);
    expect(await values<number>('SELECT count(*)::int AS value FROM timing.event_by_row')).toEqual([0]);
    clock.advance(20 * HOUR_MS);
    await end(shop, 'late');
    const before = await shopAtTwo.history.sample(ALL, 'build');
    expect(before.ended.ok.sorted.size).toBe(6);
    clock.advance(5 * HOUR_MS);
    // 10:30 of the next day: what ended before 09:30 is old, and the period ends at 12:00.
    expect(await turn(one)).toEqual({ events: 0, tasks: 0 });
    clock.advance(2 * HOUR_MS);
    for (const stores of [shop, default_]) await stores.expiry.deleteBefore(clock.now() - DAY_MS);
    // The events of five tasks, of the forgotten one and of the default space, and the one without a task.
    expect(await turn(two)).toEqual({ events: 14, tasks: 6 });
    expect(await partitions()).not.toContain('task_20261121t0900');
    expect(await values<string>("SELECT to_regclass('timing.event_20261121t0900')::text AS value")).toEqual([null]);
    const kept = await exportedItems(shop.transfer, ALL);
    expect(kept.map((item) => (item.kind === 'task' ? item.task.correlationId : item.kind))).toEqual([
      'event',
      'event',
      'event',
      'event',
      'running',
      'late',
    ]);
    expect(await count(default_)).toBe(0);
    expect((await shopAtTwo.history.sample(ALL, 'build')).ended.ok.sorted.size).toBe(1);
    expect(await shop.events.taskTypes(ALL)).toEqual(['build']);
    expect(await everyName((page) => default_.events.agents(page))).toEqual([]);
    // An id of a task that is gone is free again.
    expect((await start(shopAtTwo, 'old-1')).replayed).toBe(false);
    expect((await end(shop, 'running')).task.state).toBe('ended');
    clock.advance(-27 * HOUR_MS);
  });

  test('go on where a round broke off', async () => {
    const engine = await connect();
    const stores = await storesOf(engine, 'shop');
    await turn(engine);
    await start(stores, 'c1');
    await end(stores, 'c1');
    clock.advance(30 * HOUR_MS);
    await postgres.query({ text: 'DROP TABLE timing.task_20261121t0900' });
    expect(await turn(engine)).toEqual({ events: 2, tasks: 0 });
    expect(
      await values<number>('SELECT count(*)::int AS value FROM timing.period WHERE from_us < 1795262400000000'),
    ).toEqual([0]);
    expect(await count(stores)).toBe(0);
    clock.advance(-30 * HOUR_MS);
  });

  test('do not let an id be taken twice, however starts, ends and periods meet', async () => {
    const [one, two] = [await connect(), await connect()];
    const replicas = [await storesOf(one, 'shop'), await storesOf(two, 'shop')];
    await turn(one);
    const settled = await Promise.allSettled(
      Array.from({ length: 60 }, async (_, index) => {
        const stores = replicas[index % 2] as ReplicaStores;
        const id = `c${index % 5}`;
        await start(stores, id, { taskType: index % 3 === 0 ? 'test' : 'build' });
        return await end(stores, id);
      }),
    );
    const codes = new Set(settled.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : [])));
    // Of two types one gets the id; an end may name the other type.
    expect([...codes].filter((code) => code !== 'correlation_id_in_use' && code !== 'task_type_mismatch')).toEqual([]);
    const found = await values<string>('SELECT correlation_id AS value FROM timing.task ORDER BY 1');
    expect(found).toEqual(['c0', 'c1', 'c2', 'c3', 'c4']);
    const starts = await values<number>(
      "SELECT count(*)::int AS value FROM timing.event WHERE event_type = 'task_start'",
    );
    expect(starts).toEqual([5]);
  });

  test('are made without a circle of locks: tasks before events, as a start locks them', async () => {
    const engine = await connect();
    const { turning } = await postgres.transaction(async (client) => {
      await client.query('LOCK TABLE timing.task_by_row IN ACCESS SHARE MODE');
      const turning = turn(engine);
      await untilWaitedFor('timing.task_by_row');
      await client.query('LOCK TABLE timing.event_by_row IN ROW EXCLUSIVE MODE NOWAIT');
      return { turning };
    });
    expect(await turning).toEqual({ events: 0, tasks: 0 });
  });

  test('a start that the database takes back because of a deadlock is made again', async () => {
    const stores = await storesOf(await connect(), 'shop');
    const { started } = await postgres.transaction(async (client) => {
      // The start finds the circle, not the other one.
      await client.query("SET LOCAL deadlock_timeout = '1h'");
      await client.query('LOCK TABLE timing.event_by_row IN ACCESS EXCLUSIVE MODE');
      const started = Promise.allSettled([start(stores, 'met')]);
      await untilWaitedFor('timing.event_by_row');
      await client.query('LOCK TABLE timing.task_by_row IN ACCESS EXCLUSIVE MODE');
      return { started };
    });
    expect(await started).toMatchObject([{ status: 'fulfilled', value: { replayed: false } }]);
    expect(await count(stores)).toBe(2);
  });

  describe('of a database that had none', () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'timing-migrations-'));
      cpSync(MIGRATIONS, folder, { recursive: true });
      const journal = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8'));
      writeFileSync(
        join(folder, 'meta/_journal.json'),
        JSON.stringify({ ...journal, entries: journal.entries.slice(0, 1) }),
      );
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    test('are made beside its rows, which are not written anew and not lost', async () => {
      await migratePostgres(postgres, { schema: 'timing', folder, log: silent });
      await postgres.query({
        text: `INSERT INTO timing.space VALUES ('default', 3000);
          INSERT INTO timing.event (space, sequence, id, agent_id, event_type, task_type, timestamp_us, correlation_id)
            SELECT 'default', n, 'e' || n, 'ann', 'task_start', 'build', 1795253400000000 + n, 'c' || n FROM generate_series(1, 3000) n;
          INSERT INTO timing.task (space, sequence, changed, correlation_id, agent_id, task_type, state, outcome, started_us, ended_us, duration_us, end_sequence)
            SELECT 'default', n, n, 'c' || n, 'ann', 'build', CASE WHEN n % 2 = 0 THEN 'ended' ELSE 'active' END,
              CASE WHEN n % 2 = 0 THEN 'ok' END, 1795253400000000 + n, CASE WHEN n % 2 = 0 THEN 1795253400000000 + 2 * n END,
              CASE WHEN n % 2 = 0 THEN n END, CASE WHEN n % 2 = 0 THEN n END FROM generate_series(1, 3000) n`,
      });
      const files = (suffix: string) =>
        values<number>(`SELECT relfilenode::int AS value FROM pg_class WHERE oid IN ('timing.event${suffix}'::regclass, 'timing.task${suffix}'::regclass)
          OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid IN ('timing.event${suffix}'::regclass, 'timing.task${suffix}'::regclass)) ORDER BY 1`);
      const before = await files('');
      const engine = await connect();
      expect(await files('_by_row')).toEqual(before);
      const stores = await storesOf(engine, 'default');
      expect(await count(stores)).toBe(6_000);
      await turn(engine);
      expect((await start(stores, 'c2')).replayed).toBe(true);
      expect((await end(stores, 'c1')).task.state).toBe('ended');
      expect((await stores.history.sample(ALL, 'build')).ended.ok.sorted.size).toBe(1_501);
      // The instants of the old rows are those of the clock: what is older by a day goes row by row.
      expect(await stores.expiry.deleteBefore(STARTED_MS + 1)).toEqual({ events: 1_500, tasks: 1_500 });
    });

    test('are served beside a replica of the version before', async () => {
      await migratePostgres(postgres, { schema: 'timing', folder, log: silent });
      const engine = await connect();
      await turn(engine);
      await postgres.query({
        text: `INSERT INTO timing.space VALUES ('default', 1);
          INSERT INTO timing.task (space, sequence, changed, correlation_id, agent_id, task_type, state, started_us)
            VALUES ('default', 1, 1, 'c1', 'ann', 'build', 'active', 1795253400000000)`,
      });
      const stores = await storesOf(engine, 'default');
      expect((await end(stores, 'c1')).task.state).toBe('ended');
    });
  });
});
