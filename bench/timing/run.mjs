#!/usr/bin/env node
// Measures the timing-service on this machine and prints the results as Markdown.
//   npm run bench:timing [-- --quick]     --quick: shorter rounds, and 100,000 tasks instead of 1,000,000
// Each server and its client are separate processes. Variants take turns, so that a disturbance affects both; the tables show the
// median of the rounds.
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLine } from '../../scripts/lib/command-line.mjs';
import {
  requester,
  residentMiB,
  SqliteDatabase,
  scratchFolder,
  startProcess,
  startTiming,
} from '../../scripts/withstand/timing/lib/timing-service.mjs';
import { cpuSeconds, describeMachine, median, ms, ratio, table, title, versions, whole } from '../lib/markdown.mjs';
import { startWorker } from '../lib/worker.mjs';
import { TASK_TYPE, writeHistory } from './history.mjs';

const { quick } = commandLine(import.meta.url, { options: { quick: { type: 'boolean', default: false } } }).values;
const SIZES = quick ? [1_000, 10_000, 100_000] : [1_000, 100_000, 1_000_000];
const ROUNDS = quick ? 3 : 5;
const ROUND_SECONDS = quick ? 1 : 2;
const WARM_UP_SECONDS = quick ? 1 : 2;
const REQUESTS = quick ? 300 : 1_000;
const WARM_UP_REQUESTS = quick ? 100 : 300;
/** Fewer requests, because each comparison makes 10,000 draws. */
const COMPARISONS = quick ? 50 : 300;
const PROBE_EVERY_MS = 5;

/** @type {[name: string, request: object][]} */
const ENDPOINTS = [
  ['/stats/durations/{type}', { path: `/stats/durations/${TASK_TYPE}` }],
  ['recommend-timeout', { path: `/stats/recommend-timeout/${TASK_TYPE}` }],
  ['check-timeout', { path: `/stats/check-timeout/${TASK_TYPE}?elapsed_seconds=90&timeout_seconds=300` }],
  ['distribution', { path: `/stats/distribution/${TASK_TYPE}` }],
  ['trend', { path: `/stats/trend/${TASK_TYPE}` }],
  [
    'compare-approaches',
    {
      method: 'POST',
      path: '/stats/compare-approaches',
      body: {
        approaches: [
          { name: 'one', steps: [{ task_type: TASK_TYPE }, { task_type: TASK_TYPE }] },
          { name: 'two', steps: [{ task_type: TASK_TYPE }] },
        ],
      },
    },
  ],
];

const folder = scratchFolder('timing-bench-');
const client = startWorker(new URL('client.mjs', import.meta.url));

describeService();
await throughput();
await statistics();
client.end();

function describeService() {
  const memory = new SqliteDatabase(':memory:');
  const sqlite = memory.prepare('SELECT sqlite_version()').pluck().get();
  memory.close();
  const ours = versions('apps/timing-service', ['express', 'better-sqlite3']);
  describeMachine([['versions', `${ours} (SQLite ${sqlite}), ${versions('bench', ['autocannon'])}`]]);
}

/** Sends pairs of start and end to the service and to the bare handler, in turns. */
async function throughput() {
  const bareScript = fileURLToPath(new URL('bare.mjs', import.meta.url));
  const bare = await startProcess([bareScript, join(folder, 'bare.db')], { name: 'the bare handler' });
  const service = await startTiming(join(folder, 'throughput.db'));
  const rows = [];
  for (const connections of [1, 16, 64]) {
    const [ours, limit] = await inTurns([service, bare], connections);
    rows.push([
      connections,
      whole(ours.pairs),
      ms(ours.p50),
      ms(ours.p99),
      whole(limit.pairs),
      ms(limit.p50),
      ms(limit.p99),
      ratio(ours.pairs / limit.pairs),
      `${whole(ours.cpu)} / ${whole(limit.cpu)} µs`,
      ratio(limit.cpu / ours.cpu),
      `${whole(100 * ours.clientCpu)} % / ${whole(100 * limit.clientCpu)} %`,
    ]);
  }
  title('Start and end');
  console.log(
    'Latency is that of one request; a pair is two. CPU: what the server took per pair, service / bare, which other',
  );
  console.log('work on the machine hardly changes. Client: share of a core that the client took, service / bare.\n');
  table(
    [
      'clients',
      'pairs/s',
      'p50',
      'p99',
      'bare pairs/s',
      'bare p50',
      'bare p99',
      'of the limit',
      'CPU per pair',
      'of the limit, by CPU',
      'client',
    ],
    rows,
  );
  await service.stop();
  await bare.stop();
}

/** The medians of the rounds. */
async function inTurns(servers, connections) {
  for (const { url } of servers) await client.load({ kind: 'pairs', url, connections, seconds: WARM_UP_SECONDS });
  const rounds = servers.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, { url, pid }] of servers.entries()) {
      const before = cpuSeconds(pid);
      const answer = await client.load({ kind: 'pairs', url, connections, seconds: ROUND_SECONDS });
      rounds[index].push({ ...answer, cpu: ((cpuSeconds(pid) - before) * 1e6) / (answer.count / 2) });
    }
  }
  return rounds.map((answers) => ({
    pairs: median(answers.map((answer) => answer.perSecond)) / 2,
    p50: median(answers.map((answer) => answer.p50)),
    p99: median(answers.map((answer) => answer.p99)),
    clientCpu: median(answers.map((answer) => answer.clientCpu)),
    cpu: median(answers.map((answer) => answer.cpu)),
  }));
}

async function statistics() {
  const measured = [];
  for (const size of SIZES) measured.push(await atSize(size));
  const [small] = measured;
  const large = measured.at(-1);

  title('Statistics, one client');
  table(
    ['endpoint', ...SIZES.flatMap((size) => [`p50 at ${whole(size)}`, 'p99']), 'p50, last to first'],
    ENDPOINTS.map(([name], index) => [
      name,
      ...measured.flatMap(({ endpoints }) => [ms(endpoints[index].p50), ms(endpoints[index].p99)]),
      ratio(large.endpoints[index].p50 / small.endpoints[index].p50),
    ]),
  );

  title('Start, first request, memory');
  table(
    ['', ...SIZES.map((size) => `${whole(size)} tasks`)],
    [
      ['file', ...measured.map(({ fileMiB }) => `${whole(fileMiB)} MiB`)],
      ['start until it listens', ...measured.map(({ startedMs }) => `${whole(startedMs)} ms`)],
      ['first /stats/durations/{type} after it', ...measured.map(({ firstMs }) => `${whole(firstMs)} ms`)],
      [
        `the same again: slowest of the /clock/now sent every ${PROBE_EVERY_MS} ms meanwhile`,
        ...measured.map(({ stallMs }) => ms(stallMs)),
      ],
      ['RSS after the first request', ...measured.map(({ rssFirst }) => `${whole(rssFirst)} MiB`)],
      ['RSS after all the requests above', ...measured.map(({ rssAfter }) => `${whole(rssAfter)} MiB`)],
      ['RSS with all agents pooled as well', ...measured.map(({ rssPooled }) => `${whole(rssPooled)} MiB`)],
    ],
  );

  const [fewer, more] = await inTurns([small.service, large.service], 1);
  title('Cost of a write, one client');
  table(
    ['tasks in the file', 'pairs/s', 'p50', 'p99', 'CPU per pair'],
    [
      [whole(SIZES[0]), whole(fewer.pairs), ms(fewer.p50), ms(fewer.p99), `${whole(fewer.cpu)} µs`],
      [whole(SIZES.at(-1)), whole(more.pairs), ms(more.p50), ms(more.p99), `${whole(more.cpu)} µs`],
      ['ratio', ...['pairs', 'p50', 'p99', 'cpu'].map((key) => ratio(more[key] / fewer[key]))],
    ],
  );
  for (const { service } of measured) await service.stop();
}

/** The service keeps running for the measurements that follow. */
async function atSize(size) {
  const path = join(folder, `${size}.db`);
  await writeHistory(path, size);
  const fileMiB = statSync(path).size / 2 ** 20;
  // Two starts: the prober loads the service as much as many clients do, so the first request is timed without it.
  const fresh = await startTiming(path);
  const { firstMs } = await firstRequest(fresh.url, { probing: false });
  await fresh.stop();
  const service = await startTiming(path);
  const { url, startedMs } = service;
  const { stallMs } = await firstRequest(url, { probing: true });
  const rssFirst = await residentMiB(url);
  const endpoints = [];
  for (const [name, request] of ENDPOINTS) {
    const amount = name === 'compare-approaches' ? COMPARISONS : REQUESTS;
    await client.load({ kind: 'requests', url, ...request, amount: Math.min(WARM_UP_REQUESTS, amount) });
    endpoints.push(await client.load({ kind: 'requests', url, ...request, amount }));
  }
  const rssAfter = await residentMiB(url);
  await client.load({ kind: 'requests', url, path: `/stats/durations/${TASK_TYPE}?agent_id=*`, amount: 10 });
  const rssPooled = await residentMiB(url);
  if (size !== SIZES[0] && size !== SIZES.at(-1)) {
    await service.stop();
    rmSync(path);
  }
  return { service, fileMiB, startedMs, firstMs, stallMs, rssFirst, endpoints, rssAfter, rssPooled };
}

/** Times the first statistics request after a start, and the slowest other request meanwhile. */
async function firstRequest(url, { probing }) {
  const prober = requester(url, { connections: 256 });
  const asker = requester(url);
  for (let count = 0; count < 50; count++) await prober.get('/clock/now');
  let stallMs = 0;
  const probes = [];
  const probe = setInterval(() => {
    if (!probing) return;
    const sent = performance.now();
    probes.push(
      prober.get('/clock/now').then(() => {
        stallMs = Math.max(stallMs, performance.now() - sent);
      }),
    );
  }, PROBE_EVERY_MS);
  const began = performance.now();
  const { status } = await asker.get(`/stats/durations/${TASK_TYPE}`);
  const firstMs = performance.now() - began;
  clearInterval(probe);
  await Promise.all(probes);
  prober.close();
  asker.close();
  if (status !== 200) throw new Error(`the first statistics request answered ${status}`);
  return { firstMs, stallMs };
}
