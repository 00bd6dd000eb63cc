import type { Postgres } from '@agent-faculties/postgres-kit';
import { DAY_MS } from '@agent-faculties/service-kit';
import { hasPostgres } from '@agent-faculties/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PostgresEngine } from '../../../src/storage/postgres/postgres-engine.ts';
import { SpaceDatabase } from '../../../src/storage/postgres/space-database.ts';
import { taskTimes } from '../../../src/storage/postgres/task-times.ts';
import { STARTED_MS } from '../../domain/sample-task.ts';
import { openTimingDatabase, type TimingDatabase } from './timing-database.ts';

const TASKS = 40_000;
const DAYS = 400;

interface Plan {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
}

(hasPostgres() ? describe : describe.skip)('the times of tasks', () => {
  let database: TimingDatabase;
  let postgres: Postgres;
  let engine: PostgresEngine;

  /** Forty thousand over 400 days, up to STARTED_MS, of 30 s each; one in 1,000 takes ten hours, and one in 10,000 runs on. */
  beforeAll(async () => {
    database = await openTimingDatabase();
    ({ engine, postgres } = database);
    await engine.open('default');
    await postgres.query({
      text: `INSERT INTO timing.task (space, sequence, end_sequence, changed, correlation_id, agent_id, task_type, state, outcome, started_us, ended_us, duration_us)
        SELECT 'default', i, i, i, 'c' || i, 'ann', 't' || i % 20, CASE WHEN runs THEN 'active' ELSE 'ended' END,
          CASE WHEN runs THEN NULL ELSE 'ok' END, start, CASE WHEN runs THEN NULL ELSE start + us END, CASE WHEN runs THEN NULL ELSE us END
        FROM generate_series(1, ${TASKS}) i, LATERAL (
          SELECT i % 10000 = 7 AS runs, ${STARTED_MS * 1000 - DAYS * DAY_MS * 1000}::bigint + i::bigint * ${(DAYS * DAY_MS * 1000) / TASKS} AS start,
            CASE WHEN i % 1000 = 1 THEN 36000000000 ELSE 30000000 END::bigint AS us) made`,
    });
    await postgres.query({ text: 'ANALYZE timing.task' });
  }, 60_000);
  afterAll(async () => await database?.close());

  /** What is read, and from how many pages. */
  async function read(sinceMs: number, untilMs: number) {
    const space = new SpaceDatabase(postgres, 'default');
    const asked: { text: string; values: unknown[] }[] = [];
    const listened = Object.create(space) as SpaceDatabase;
    listened.rows = (text: string, values: readonly unknown[] = []) => {
      asked.push({ text, values: ['default', ...values] });
      return SpaceDatabase.prototype.rows.call(space, text, values) as never;
    };
    const tasks = [];
    for await (const batch of taskTimes(listened, { agentId: null, project: null, sinceMs, untilMs }))
      tasks.push(...batch);
    let pages = 0;
    for (const { text, values } of asked) {
      const explained = { text: `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values };
      const { rows } = await postgres.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(explained);
      const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
      pages += (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
    }
    return { tasks, pages };
  }

  test('have an index of the ends once the database knows of many tasks, and not before', async () => {
    const { tasks } = (await engine.open('default')).stores;
    const hasIndex = async () => {
      for await (const _ of tasks.times({
        agentId: null,
        project: null,
        sinceMs: STARTED_MS,
        untilMs: STARTED_MS + 1,
      }));
      await engine.ends.settled();
      const { rows } = await postgres.query<{ there: boolean }>({
        text: `SELECT to_regclass('timing.task_by_row_ended') IS NOT NULL AS there`,
      });
      return rows[0]?.there;
    };
    expect(await hasIndex()).toBe(false);
    await postgres.query({
      text: `UPDATE pg_class SET reltuples = 100001 WHERE oid = 'timing.task_by_row'::regclass`,
    });
    expect(await hasIndex()).toBe(true);
    expect(await engine.ends.isReady()).toBe(true);
  });

  test('of the newest week are read without those of the year before, which the table has a thousand pages of', async () => {
    const { rows } = await postgres.query<{ pages: number }>({
      text: `SELECT (pg_relation_size('timing.task_by_row') / 8192)::int AS pages`,
    });
    expect(rows[0]?.pages).toBeGreaterThan(500);
    const { tasks, pages } = await read(STARTED_MS - 7 * DAY_MS, STARTED_MS);
    // 100 a day; the four that run since before, and no one of ten hours that reaches into it.
    expect(tasks.filter(({ state }) => state === 'active')).toHaveLength(4);
    expect(tasks).toHaveLength(700 + 4);
    expect(pages).toBeLessThan(100);
  });

  test('are those of the first days where these are asked for, and few pages as well', async () => {
    const firstMs = STARTED_MS - DAYS * DAY_MS;
    const { tasks, pages } = await read(firstMs + DAY_MS, firstMs + 2 * DAY_MS);
    // The last of the first day took 30 s and one that runs since then began in it.
    expect(tasks.map(({ state }) => state).filter((state) => state === 'active')).toHaveLength(1);
    expect(tasks).toHaveLength(101);
    expect(pages).toBeLessThan(100);
  });
});
