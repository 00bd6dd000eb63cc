import { openPostgres, type Postgres, parseStoreUrl } from '@agent-faculties/postgres-kit';
import { createLog, DAY_MS } from '@agent-faculties/service-kit';
import {
  hasPgbouncer,
  hasPostgres,
  type Pgbouncer,
  type PostgresServer,
  startPgbouncer,
  startPostgres,
} from '@agent-faculties/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PostgresEngine } from '../../../src/storage/postgres/postgres-engine.ts';
import { STARTED_MS } from '../../domain/sample-task.ts';

const silent = createLog({ name: 'test', level: 'silent' });
/** One for whoever holds a lock, one for what is done meanwhile. */
const SESSIONS = 2;

(hasPostgres() && hasPgbouncer() ? describe : describe.skip)('behind PgBouncer in transaction mode', () => {
  let server: PostgresServer;
  let pooler: Pgbouncer;
  let engine: PostgresEngine;
  let behind: Postgres;
  beforeAll(async () => {
    server = await startPostgres();
    await server.newDatabase('timing');
    pooler = await startPgbouncer({
      port: server.port,
      mode: 'transaction',
      settings: [`default_pool_size=${SESSIONS}`],
    });
    const url = parseStoreUrl(`postgres://postgres@127.0.0.1:${pooler.port}/timing`);
    engine = await PostgresEngine.open({ url, log: silent, waitMs: 0 });
    behind = await openPostgres({ url, log: silent, applicationName: 'test', waitMs: 0 });
  });
  afterAll(async () => {
    await behind.close();
    await engine.close();
    await pooler.remove();
    await server.remove();
  });

  /** What each session of the pooler keeps for whoever has it next. */
  async function left() {
    let all = () => {};
    const together = new Promise<void>((resolve) => {
      let waiting = SESSIONS;
      all = () => --waiting === 0 && resolve();
    });
    const ofOne = () =>
      behind.transaction(async (client) => {
        const { rows } = await client.query(
          "SELECT pg_backend_pid() AS pid, current_setting('lock_timeout') AS wait, (SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory') AS locks",
        );
        all();
        await together;
        return rows[0];
      });
    const sessions = await Promise.all(Array.from({ length: SESSIONS }, ofOne));
    expect(new Set(sessions.map(({ pid }) => pid)).size).toBe(SESSIONS);
    return sessions.map(({ wait, locks }) => ({ wait, locks }));
  }
  const nothing = Array.from({ length: SESSIONS }, () => ({ wait: '0', locks: 0 }));

  test('a round of periods leaves no lock and no setting in a session', async () => {
    await engine.turnPeriods({ nowMs: STARTED_MS, retentionMs: DAY_MS });
    const { rows } = await behind.query<{ n: number }>({ text: 'SELECT count(*)::int AS n FROM timing.period' });
    expect(rows[0]?.n).toBeGreaterThan(0);
    expect(await left()).toEqual(nothing);
  });

  test('the index of durations is made, and leaves no lock and no setting in a session', async () => {
    await engine.durations.build();
    expect(await engine.durations.isReady()).toBe(true);
    expect(await left()).toEqual(nothing);
  });
});
