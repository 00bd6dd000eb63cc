#!/usr/bin/env node
// What retention costs on PostgreSQL: the same tasks and their events deleted row by row, and dropped with their period. Counts that no
// load of the machine changes: the log that the server writes (WAL), and rows that vacuum has to clear away; and time. Then starts and ends
// without and with periods, in turns: processor time of this process and of the server.
//   node bench/timing/periods.mjs [--tasks 200000] [--pairs 3000]
import { readdirSync, readFileSync } from 'node:fs';
import { startPostgres } from '../../packages/testing/dist/index.js';
import { commandLine } from '../../scripts/lib/command-line.mjs';
import { TICKS_PER_SECOND, table } from '../lib/markdown.mjs';

const { values } = commandLine(import.meta.url, {
  options: { tasks: { type: 'string', default: '200000' }, pairs: { type: 'string', default: '3000' } },
});
const TASKS = Number(values.tasks);
const PAIRS = Number(values.pairs);
const CLIENTS = 16;
const ROUNDS = 3;
const DAY_MS = 86_400_000;
/** Of the first task; a period of 30 days of retention is 90 hours. */
const BEGIN_MS = Date.UTC(2026, 0, 1);
const RETENTION_MS = 30 * DAY_MS;

const from = (path) => import(new URL(`../../apps/timing-service/dist/${path}`, import.meta.url).href);
const kit = (path) => import(new URL(`../../packages/${path}/dist/index.js`, import.meta.url).href);
const { PostgresEngine } = await from('storage/postgres/postgres-engine.js');
const { openPostgres, parseStoreUrl } = await kit('postgres-kit');
const { createLog, systemClock, timeOrderedIds } = await kit('service-kit');
const { startTask, endTask } = await from('domain/record.js');
const { ChangeFeed } = await from('domain/change-feed.js');

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

/** Microseconds of processor time that the processes of the server have taken, of those that still run. */
function serverMicroseconds() {
  let ticks = 0;
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      // Behind the name in brackets: state, parent, and as 12th and 13th the ticks in user and system mode.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
      if (Number(fields[1]) === server.pid) ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // It has ended meanwhile.
    }
  }
  return (ticks / TICKS_PER_SECOND) * 1e6;
}

/** Opens what starts and ends tasks. */
async function openPairs(name, hasPeriods) {
  const engine = await PostgresEngine.open({ url: parseStoreUrl(await server.newDatabase(name)), log });
  if (hasPeriods) await engine.turnPeriods({ nowMs: Date.now(), retentionMs: RETENTION_MS });
  const { events, tasks } = engine.home.stores;
  const deps = { clock: systemClock, ids: timeOrderedIds(systemClock), events, tasks, feed: new ChangeFeed() };
  const work = { agentId: 'ann', project: null, taskType: 'build', metadata: null };
  const client = async () => {
    for (let pair = 0; pair < PAIRS / CLIENTS; pair++) {
      const { task } = await startTask(deps, { ...work, estimatedSeconds: null, correlationId: null });
      await endTask(deps, { ...work, correlationId: task.correlationId, outcome: 'ok' });
    }
  };
  const run = async () => {
    const [own, servers] = [process.cpuUsage(), serverMicroseconds()];
    await Promise.all(Array.from({ length: CLIENTS }, client));
    const { user, system } = process.cpuUsage(own);
    return { own: (user + system) / PAIRS, server: (serverMicroseconds() - servers) / PAIRS };
  };
  return { name: hasPeriods ? 'with periods' : 'without periods', run, rounds: [], close: () => engine.close() };
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

const variants = [await openPairs('pairs_rows', false), await openPairs('pairs_periods', true)];
for (const { run } of variants) await run();
for (let round = 0; round < ROUNDS; round++) for (const { run, rounds } of variants) rounds.push(await run());
const range = (numbers) => `${Math.round(Math.min(...numbers))} to ${Math.round(Math.max(...numbers))} µs`;
console.log('');
table(
  [`${PAIRS.toLocaleString('en')} pairs of ${CLIENTS} clients: processor time a pair`, 'node', 'server'],
  variants.map(({ name, rounds }) => [
    name,
    range(rounds.map(({ own }) => own)),
    range(rounds.map((each) => each.server)),
  ]),
);
for (const { close } of variants) await close();
await server.remove();
