#!/usr/bin/env node
// Measures POST /merge with vectors, without vectors, and the same a second time: records a second, the memory of the service, and
// the latency of recalls meanwhile. Prints Markdown.
//   npm run bench:merge [-- --memories 100000] [--model fast] [--corpus FILE] [--alone]
// --alone: no recalls meanwhile, so the processor time is that of the merge alone.
// The lines are written to a file first, so that making them takes no processor time from the service.
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import http from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { seededRandom } from '../../scripts/lib/seeded-random.mjs';
import { residentOf, scratchFolder, startMemory } from '../../scripts/withstand/memory/lib/memory-service.mjs';
import { cpuSeconds, describeMachine, loadAverage, ms, table, title, whole } from '../lib/markdown.mjs';
import { textSource } from './texts.mjs';

const SAMPLE_EVERY_MS = 200;
const LINES_PER_PIECE = 500;

const { values } = parseArgs({
  options: {
    memories: { type: 'string', default: '100000' },
    model: { type: 'string', default: 'fast' },
    corpus: { type: 'string' },
    alone: { type: 'boolean', default: false },
  },
});
const memories = Number(values.memories);
const { model, corpus = null, alone } = values;
const folder = scratchFolder('merge-bench-');

describeMachine([['texts', corpus === null ? 'made sentences, 15 words' : 'sentences of a corpus']]);
title(`POST /merge of ${whole(memories)} memories in one request, ${model}`);
const rows = [];
for (const withVectors of [true, false]) {
  const service = await startMemory(join(folder, `store-${withVectors}`), { model });
  const { embedding } = await (await fetch(`${service.url}/health`)).json();
  const file = join(folder, 'lines.ndjson');
  await pipeline(Readable.from(pieces(withVectors ? embedding : null)), createWriteStream(file));
  const name = withVectors ? 'with vectors' : 'without vectors';
  rows.push([name, ...(await measured(service, file))]);
  rows.push([`${name}, again`, ...(await measured(service, file))]);
  await service.kill();
  await rm(file);
}
table(
  [
    'records',
    'seconds',
    'a second',
    'processor time of one',
    'resident before',
    'peak',
    'recall beside it: median',
    'p99',
    'taken in',
  ],
  rows,
);
console.log(`\nLoad average after: ${loadAverage()}`);

async function measured({ url, pid }, file) {
  const before = residentOf(pid);
  let peak = before;
  const sampling = setInterval(() => {
    peak = Math.max(peak, residentOf(pid));
  }, SAMPLE_EVERY_MS);
  let isDone = false;
  const waits = [];
  const beside = alone ? null : recalls(url, { until: () => isDone, waits });
  const cpuBefore = cpuSeconds(pid);
  const startedAt = performance.now();
  const { report } = await merge(url, file);
  const seconds = (performance.now() - startedAt) / 1_000;
  const each = ((cpuSeconds(pid) - cpuBefore) * 1_000) / report.received;
  isDone = true;
  clearInterval(sampling);
  await beside;
  waits.sort((a, b) => a - b);
  const at = (share) => (alone ? '-' : ms(waits[Math.min(waits.length - 1, Math.floor(waits.length * share))]));
  const done = `${whole(report.added)} added, ${whole(report.duplicates)} known, ${report.rejected_count} rejected`;
  const mib = (size) => `${whole(size)} MiB`;
  return [
    seconds.toFixed(1),
    whole(report.received / seconds),
    ms(each),
    mib(before),
    mib(peak),
    at(0.5),
    at(0.99),
    done,
  ];
}

async function merge(url, file) {
  const request = http.request(`${url}/merge`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-ndjson' },
  });
  const answer = new Promise((resolve, reject) => request.once('response', resolve).once('error', reject));
  await pipeline(createReadStream(file), request);
  return await new Response(Readable.toWeb(await answer)).json();
}

async function recalls(url, { until, waits }) {
  const { ask } = textSource({ corpus, seed: 2 });
  while (!until()) {
    const startedAt = performance.now();
    const answer = await fetch(`${url}/recall`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: ask(), strengthen: false }),
    });
    await answer.arrayBuffer();
    waits.push(performance.now() - startedAt);
  }
}

/** Yields the lines, some hundred at a time. */
function* pieces(embedding) {
  const { say } = textSource({ corpus, seed: 1 });
  const random = seededRandom(1);
  for (let start = 0; start < memories; start += LINES_PER_PIECE) {
    let piece = '';
    for (let number = start; number < Math.min(memories, start + LINES_PER_PIECE); number++) {
      piece += `${JSON.stringify(record(number, say(), { embedding, random }))}\n`;
    }
    yield piece;
  }
}

function record(number, content, { embedding, random }) {
  const said = new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString();
  return {
    id: `0193a000000070008000${number.toString(16).padStart(12, '0')}`,
    content: `${content} [${number}]`,
    agent_id: `agent-${number % 4}`,
    session_id: `session-${Math.floor(number / 100)}`,
    created_at: said,
    updated_at: said,
    ...(embedding && { embedding_model: embedding.model, vectors: [vector(embedding.dimension, random)] }),
  };
}

function vector(dimension, random) {
  const values = Float32Array.from({ length: dimension }, () => random() - 0.5);
  const length = Math.hypot(...values);
  return Buffer.from(values.map((value) => value / length).buffer).toString('base64');
}
