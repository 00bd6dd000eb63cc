#!/usr/bin/env node
// Statistics on PostgreSQL of one task type with very many tasks: each duration held in the replica, and buckets with look-ups.
// Durations are log-normal, made in SQL; every 50th task failed. Both must give the same answers to the last digit.
//   node bench/timing/many-durations.mjs [--tasks 5000000]
import { startPostgres } from '../../packages/testing/dist/index.js';
import { commandLine } from '../../scripts/lib/command-line.mjs';
import { table } from '../lib/markdown.mjs';

const { values } = commandLine(import.meta.url, { options: { tasks: { type: 'string', default: '5000000' } } });
const TASKS = Number(values.tasks);
const BATCH = 500_000;
const NOW_MS = Date.UTC(2026, 0, 1);
const ALL = { agentId: null, project: null };
/** Indexes that neither of both uses: without them the rows are there in half the time. */
const UNUSED = ['order', 'time', 'agent_time', 'estimated'];

const from = (path) => import(new URL(`../../apps/timing-service/dist/${path}`, import.meta.url).href);
const kit = (path) => import(new URL(`../../packages/${path}/dist/index.js`, import.meta.url).href);
const { PostgresEngine } = await from('storage/postgres/postgres-engine.js');
const { summarise } = await from('domain/statistics/duration-summary.js');
const { calculated } = await from('domain/statistics/exact-durations.js');
const { openPostgres, parseStoreUrl } = await kit('postgres-kit');
const { createLog } = await kit('service-kit');

const log = createLog({ name: 'bench', level: 'silent' });
const server = await startPostgres({ settings: ['shared_buffers=512MB', 'max_wal_size=8GB', 'work_mem=64MB'] });
const url = parseStoreUrl(await server.newDatabase('bench'));
const connect = (limits = {}) => PostgresEngine.open({ url, log, ...limits });
const postgres = await openPostgres({ url, log, applicationName: 'bench' });
const rows = [];

await (await connect()).close();
await postgres.direct(async (client) => {
  for (const name of UNUSED) await client.query(`DROP INDEX timing.task_${name}`);
  await client.query('ALTER TABLE timing.task_by_row DROP CONSTRAINT task_correlation');
  await client.query(`INSERT INTO timing.space VALUES ('default', ${TASKS})`);
  for (let first = 1; first <= TASKS; first += BATCH) {
    // Box and Muller: a median of 30 s, a sigma of 0.8.
    await client.query(`INSERT INTO timing.task (space, sequence, changed, end_sequence, correlation_id, agent_id, task_type, state,
        outcome, started_us, ended_us, duration_us)
      SELECT 'default', n, n, n, n::text, 'ann', 'build', 'ended', CASE WHEN n % 50 = 0 THEN 'error' ELSE 'ok' END, n, n,
        30e6 * exp(0.8 * sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random()))
      FROM generate_series(${first}, ${Math.min(TASKS, first + BATCH - 1)}) n`);
  }
  await client.query('VACUUM (ANALYZE) timing.task');
});

/** Wall clock and the processor time of this process. */
async function measured(name, work) {
  const [began, cpu] = [performance.now(), process.cpuUsage()];
  const bytes = await work();
  const { user, system } = process.cpuUsage(cpu);
  const cells = [performance.now() - began, (user + system) / 1000].map((ms) =>
    ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`,
  );
  rows.push([name, ...cells, bytes === undefined ? '' : `${(bytes / 2 ** 20).toFixed(1)} MiB`]);
}

let answers = [];
async function ask(engine) {
  const sample = await engine.home.stores.history.sample(ALL, 'build');
  const { result, error } = await calculated(sample, (of) => summarise('build', of, { outcome: 'ok', nowMs: NOW_MS }));
  if (error > 0 && (await engine.durations.isReady())) throw new Error(`the answer may be off by ${error}`);
  answers.push(JSON.stringify([result.min, result.p50, result.p90, result.p95, result.p99, result.median, result.max]));
  return engine.samples.bytes;
}

const holding = await connect({ mostHeld: Number.POSITIVE_INFINITY });
await measured('each held: first', () => ask(holding));
await measured('each held: again', () => ask(holding));
await holding.close();
const [exact] = answers;

const one = await connect();
await measured('buckets: first of all, counts every task', () => ask(one));
await measured('the index of durations', async () => {
  await one.durations.build();
  const { rows: found } = await postgres.query({
    text: `SELECT pg_relation_size('timing.task_by_row_duration')::float8 AS bytes`,
  });
  return found[0].bytes;
});
await postgres.direct((client) => client.query('VACUUM timing.task'));
answers = [];
await measured('buckets: again, exact', () => ask(one));
await measured('buckets: once more', () => ask(one));
await one.close();
const two = await connect();
await measured('buckets: first of another replica', () => ask(two));
await two.close();
if (answers.some((answer) => answer !== exact)) throw new Error(`${answers.join(' ')} is not ${exact}`);
await postgres.close();
await server.remove();
table(
  [`${TASKS.toLocaleString('en')} tasks of one type: a summary`, 'time', 'processor of the replica', 'memory'],
  rows,
);
