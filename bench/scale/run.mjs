#!/usr/bin/env node
import { startPgbouncer, startPostgres } from '../../packages/testing/dist/index.js';
// Measures replicas of both services over one PostgreSQL, and prints Markdown: what a request costs the replicas and the database, with
// 1, 2 and 4 of them; what a space costs that is loaded for the first time, and a memory that is erased; how large the database is.
//   npm run bench:scale [-- --small 1000x1000 --large 4x100000 --replicas 1,2,4 --seconds 10 --clients 16 --hot 10 --open-spaces 100 --model fast --pooler transaction]
// NxM: N spaces of M memories each; 0x0: none. The first space of a size is merged, the others are copies of its rows. Requests draw their space by Zipf's law, first among those that are asked most (--hot), which are loaded by then, then among all. They go to the replica of their space as the gateway would send them.
// With --pooler the replicas go through a PgBouncer in that mode.
// The machine's cores serve replicas, database and client alike: compare processor time, not throughput.
import { commandLine } from '../../scripts/lib/command-line.mjs';
import { seededRandom } from '../../scripts/lib/seeded-random.mjs';
import {
  requester,
  residentOf,
  scratchFolder,
  startMemory,
} from '../../scripts/withstand/memory/lib/memory-service.mjs';
import { sentenceSource } from '../../scripts/withstand/memory/lib/sentences.mjs';
import { startTiming } from '../../scripts/withstand/timing/lib/timing-service.mjs';
import { describeMachine, loadAverage, median, ms, table, title, whole } from '../lib/markdown.mjs';
import { databaseSizes, fillSpaces, MIB, writtenAhead } from './filled-spaces.mjs';
import { withChildren } from './processor-time.mjs';
import { openSpaces, runLoad, zipf } from './zipf-load.mjs';

const { values } = commandLine(import.meta.url, {
  options: {
    small: { type: 'string', default: '1000x1000' },
    large: { type: 'string', default: '4x100000' },
    replicas: { type: 'string', default: '1,2,4' },
    seconds: { type: 'string', default: '10' },
    clients: { type: 'string', default: '16' },
    hot: { type: 'string', default: '10' },
    'open-spaces': { type: 'string', default: '100' },
    model: { type: 'string', default: 'fast' },
    pooler: { type: 'string' },
  },
});
const [seconds, clients, hot] = [Number(values.seconds), Number(values.clients), Number(values.hot)];
const counts = values.replicas.split(',').map(Number);
/** Spaces of a size that are loaded for the first time, one after the other. */
const COLD = 5;
/** Memories of a space that are erased, one after the other. */
const ERASED = 5;
/** Of timing-service, which loads nothing. */
const TIMING_SPACES = 64;
const MOST_SPACES = 100_000;
/** For one answer, so that a busy machine makes it slow and does not end the run. */
const PATIENCE_MS = 600_000;

const sizes = ['small', 'large']
  .map((name) => {
    const [spaces, memories] = values[name].split('x').map(Number);
    return { name, spaces, memories };
  })
  .filter(({ spaces }) => spaces > 0);
const folder = scratchFolder('scale-bench-');
describeMachine([
  ['spaces', sizes.map(({ spaces, memories }) => `${whole(spaces)} of ${whole(memories)} memories`).join(', ')],
  ['embedding model', values.model],
]);
const server = await startPostgres({ durable: true, settings: ['shared_buffers=256MB', 'max_wal_size=4GB'] });
const url = await server.newDatabase('scale');
const pooler = values.pooler
  ? await startPgbouncer({
      port: server.port,
      mode: /** @type {any} */ (values.pooler),
      settings: ['max_client_conn=200'],
    })
  : null;
/** Of the replicas. */
const storeUrl = pooler ? url.replace(`:${server.port}/`, `:${pooler.port}/`) : url;
const say = sentenceSource(seededRandom(3));

const startMemoryReplica = () =>
  startMemory(null, {
    model: values.model,
    env: { MEMORY_STORE: storeUrl },
    flags: [
      ...['--open-spaces', values['open-spaces'], '--max-spaces', String(MOST_SPACES)],
      ...['--contradiction-model', 'none', '--consolidate-cron', 'off'],
    ],
  });

title('Filling');
for (const size of sizes) await fillSpaces({ ...size, url, folder, startReplica: startMemoryReplica });
console.log();
table(['', 'size', 'of each'], await databaseSizes(url, sizes));

title('A space that is loaded for the first time');
await measureColdLoads();
title('A memory that is erased');
await measureErasures();
for (const size of sizes) {
  title(`memory-service, ${whole(size.spaces)} spaces of ${whole(size.memories)} memories`);
  await measure(startMemoryReplica, size, [
    {
      name: 'recall',
      send: (space, client) => client.post('/recall', { query: say(), strengthen: false }, about(space)),
    },
    { name: 'ingest', send: (space, client) => client.post('/ingest', { content: say() }, about(space)) },
  ]);
}
title(`timing-service, ${TIMING_SPACES} spaces`);
await measure(() => startTiming(null, { env: { TIMING_STORE: storeUrl } }), { name: 'team', spaces: TIMING_SPACES }, [
  { name: 'start and end of a task', send: sendPair },
]);
await pooler?.remove();
await server.remove();
console.log(`\nload average after: ${loadAverage()}`);

function about(space) {
  return { headers: { 'x-space': space } };
}

async function sendPair(space, client) {
  const started = await client.post('/events/task-start', { task_type: 'work' }, about(space));
  if (started.status !== 200) return started;
  const { correlation_id } = started.body;
  return await client.post('/events/task-end', { task_type: 'work', correlation_id, outcome: 'ok' }, about(space));
}

async function measureColdLoads() {
  const rows = [];
  for (const { name, spaces, memories } of sizes) {
    const cold = [];
    for (let n = 0; n < Math.min(COLD, spaces); n++) cold.push(await coldLoad(`${name}-${n}`));
    const grown = median(cold.map(({ grownMiB }) => grownMiB));
    rows.push([
      whole(memories),
      cold.length,
      ms(median(cold.map(({ tookMs }) => tookMs))),
      ms(median(cold.map(({ cpuMs }) => cpuMs))),
      `${grown.toFixed(grown < 10 ? 1 : 0)} MiB`,
    ]);
  }
  table(
    [
      'memories',
      'spaces',
      'first recall',
      'its processor time in the replica',
      'resident memory of the replica, for each',
    ],
    rows,
  );
}

/** By a replica of its own, so that what another space has done in the background is not counted. */
async function coldLoad(space) {
  const replica = await startMemoryReplica();
  const client = requester(replica.url, { limitMs: PATIENCE_MS });
  const ask = async (of) => {
    const { status, text } = await client.post('/recall', { query: say(), strengthen: false }, about(of));
    if (status !== 200) throw new Error(text);
  };
  // Whatever is compiled or made by the first request of all.
  await ask('nobody');
  const [began, cpu, resident] = [performance.now(), withChildren(replica.pid), residentOf(replica.pid)];
  await ask(space);
  const tookMs = performance.now() - began;
  const cpuMs = (withChildren(replica.pid) - cpu) * 1_000;
  const grownMiB = residentOf(replica.pid) - resident;
  client.close();
  await replica.stop();
  return { tookMs, cpuMs, grownMiB };
}

/** A checkpoint of the space before the answer. */
async function measureErasures() {
  const replica = await startMemoryReplica();
  const client = requester(replica.url, { limitMs: PATIENCE_MS });
  const rows = [];
  for (const { name, memories } of sizes) {
    const headers = { 'x-space': `${name}-0` };
    const { body } = await client.get(`/memories?limit=${ERASED}`, { headers });
    const costs = [];
    for (const { id } of body.memories) {
      const [ahead, began] = [await writtenAhead(url), performance.now()];
      const [cpu, databaseCpu] = [withChildren(replica.pid), withChildren(server.pid)];
      const { status, text } = await client.delete(`/memory/${id}?erase=true`, { headers });
      if (status !== 200) throw new Error(text);
      costs.push({
        tookMs: performance.now() - began,
        cpuMs: (withChildren(replica.pid) - cpu) * 1_000,
        databaseMs: (withChildren(server.pid) - databaseCpu) * 1_000,
        aheadMiB: ((await writtenAhead(url)) - ahead) / MIB,
      });
    }
    const middle = (what) => median(costs.map((cost) => cost[what]));
    rows.push([
      whole(memories),
      costs.length,
      `${middle('aheadMiB').toFixed(1)} MiB`,
      ms(middle('tookMs')),
      ms(middle('cpuMs')),
      ms(middle('databaseMs')),
    ]);
  }
  client.close();
  await replica.stop();
  table(
    [
      'memories',
      'erased one by one',
      'written ahead, for each',
      'took',
      'processor time in the replica',
      'of the database',
    ],
    rows,
  );
}

async function measure(start, { name, spaces }, kinds) {
  const rows = [];
  for (const count of counts) {
    const replicas = await Promise.all(Array.from({ length: count }, start));
    const hottest = Math.min(hot, spaces);
    const load = { replicas, databasePid: server.pid, clients, seconds };
    const among = (number) => {
      const draw = zipf(number, seededRandom(5));
      return () => `${name}-${draw()}`;
    };
    await openSpaces(load, {
      spaces: Array.from({ length: hottest }, (_, n) => `${name}-${n}`),
      send: kinds[0].send,
    });
    // So that what the replicas run is compiled by then.
    await runLoad({ ...load, drawSpace: among(hottest), send: kinds[0].send });
    const draws = [...new Set([hottest, spaces])];
    for (const [{ name: kind, send }, drawn] of draws.flatMap((drawn) => kinds.map((kind) => [kind, drawn]))) {
      const { answered, refused, p50, p95, replicaMs, databaseMs, opened } = await runLoad({
        ...load,
        drawSpace: among(drawn),
        send,
      });
      const resident = replicas.map(({ pid }) => residentOf(pid)).reduce((sum, one) => sum + one, 0);
      rows.push([
        kind,
        whole(drawn),
        count,
        (answered / seconds).toFixed(1),
        refused,
        ms(p50),
        ms(p95),
        ms(replicaMs),
        ms(databaseMs),
        opened,
        `${whole(resident / count)} MiB`,
      ]);
    }
    for (const replica of replicas) await replica.stop();
  }
  table(
    [
      'request',
      'spaces',
      'replicas',
      'a second',
      'refused',
      'p50',
      'p95',
      'processor time of replicas, each',
      'of the database',
      'spaces loaded',
      'resident memory of a replica',
    ],
    rows,
  );
}
