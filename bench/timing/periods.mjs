#!/usr/bin/env node
import { startPostgres } from '../../packages/testing/dist/index.js';
// What retention costs on PostgreSQL: the same tasks and their events deleted row by row, and dropped with their period. Counts that no
// load of the machine changes: the log that the server writes (WAL), and rows that vacuum has to clear away; and time.
//   node bench/timing/periods.mjs [--tasks 200000]
import { commandLine } from '../../scripts/lib/command-line.mjs';
import { table } from '../lib/markdown.mjs';

const { values } = commandLine(import.meta.url, { options: { tasks: { type: 'string', default: '200000' } } });
const TASKS = Number(values.tasks);
const DAY_MS = 86_400_000;
/** Of the first task; a period of 30 days of retention is 90 hours. */
const BEGIN_MS = Date.UTC(2026, 0, 1);
const RETENTION_MS = 30 * DAY_MS;

const from = (path) => import(new URL(`../../apps/timing-service/dist/${path}`, import.meta.url));
const kit = (path) => import(new URL(`../../packages/${path}/dist/index.js`, import.meta.url));
const { PostgresEngine } = await from('storage/postgres/postgres-engine.js');
const { openPostgres, parseStoreUrl } = await kit('postgres-kit');
const { createLog } = await kit('service-kit');

const log = createLog({ name: 'bench', level: 'silent' });
const server = await startPostgres({ settings: ['autovacuum=off', 'shared_buffers=256MB', 'max_wal_size=8GB'] });

/** @param hasPeriods whether the periods were made before the rows were written */
async function measured(name, hasPeriods) {
  const url = parseStoreUrl(await server.newDatabase(name));
  const postgres = await openPostgres({ url, log, applicationName: 'bench' });
  const engine = await PostgresEngine.open({ url, log });
  if (hasPeriods) await engine.turnPeriods({ nowMs: BEGIN_MS, retentionMs: RETENTION_MS });
  const kept = (time) =>
    `coalesce((SELECT ${time} FROM timing.period WHERE from_us <= ${time} AND ${time} < to_us), 0)`;
  const us = `${BEGIN_MS}000 + n`;
  await postgres.direct((client) =>
    client.query(`
      INSERT INTO timing.space VALUES ('default', ${2 * TASKS});
      INSERT INTO timing.event (space, sequence, id, agent_id, event_type, task_type, timestamp_us, correlation_id, kept_us)
        SELECT 'default', n, md5(n::text), 'ann', CASE WHEN n % 2 = 0 THEN 'task_end' ELSE 'task_start' END, 'type-' || n / 2 % 20, ${us},
          md5((n / 2)::text), ${kept(us)} FROM generate_series(2, ${2 * TASKS + 1}) n;
      INSERT INTO timing.task (space, sequence, changed, end_sequence, correlation_id, agent_id, task_type, state, outcome, started_us,
          ended_us, duration_us, end_event_id, kept_us)
        SELECT 'default', n, n, n, md5(n::text), 'ann', 'type-' || n % 20, 'ended', 'ok', ${us}, ${us}, n % 1000, md5(n::text), ${kept(us)}
        FROM generate_series(1, ${TASKS}) n;
      INSERT INTO timing.agent VALUES ('default', 'ann');
      INSERT INTO timing.task_type SELECT 'default', 'ann', 'type-' || n FROM generate_series(0, 19) n;
      ANALYZE; CHECKPOINT;`),
  );
  const ask = async (text) => (await postgres.query({ text })).rows[0].value;
  const wal = () => ask("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS value");
  const before = await wal();
  const began = performance.now();
  const nowMs = BEGIN_MS + RETENTION_MS + 5 * DAY_MS;
  const rows = await engine.home.stores.expiry.deleteBefore(nowMs - RETENTION_MS);
  const periods = await engine.turnPeriods({ nowMs, retentionMs: RETENTION_MS });
  const seconds = (performance.now() - began) / 1000;
  const megabytes = ((await wal()) - before) / 2 ** 20;
  const left = await ask(
    "SELECT (pg_total_relation_size('timing.event_by_row') + pg_total_relation_size('timing.task_by_row'))::float8 / 2 ^ 20 AS value",
  );
  await engine.close();
  await postgres.close();
  const deleted = rows.events + rows.tasks + periods.events + periods.tasks;
  if (deleted !== 3 * TASKS) throw new Error(`${deleted} rows were deleted, not ${3 * TASKS}`);
  const cells = [`${seconds.toFixed(1)} s`, `${megabytes.toFixed(1)} MiB`, `${left.toFixed(1)} MiB`];
  return [hasPeriods ? 'with their period' : 'row by row', ...cells];
}

table(
  [
    `${TASKS.toLocaleString('en')} tasks and their events deleted`,
    'time',
    'log (WAL)',
    'tables afterwards, before vacuum',
  ],
  [await measured('rows', false), await measured('periods', true)],
);
await server.remove();
