#!/usr/bin/env node
// Measures POST /merge with vectors, without vectors, and the same a second time: records a second, the memory of the service, and
// the latency of recalls meanwhile. Prints Markdown.
//   npm run bench:merge [-- --memories 100000] [--model fast] [--corpus FILE] [--alone]
// --alone: no recalls meanwhile, so the processor time is that of the merge alone.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { commandLine } from '../../scripts/lib/command-line.mjs';
import { residentOf, scratchFolder, startMemory } from '../../scripts/withstand/memory/lib/memory-service.mjs';
import { cpuSeconds, describeMachine, loadAverage, ms, table, title, whole } from '../lib/markdown.mjs';
import { merge, writeLines } from './merge-request.mjs';
import { textSource } from './texts.mjs';

const SAMPLE_EVERY_MS = 200;

const { values } = commandLine(import.meta.url, {
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
  const file = join(folder, 'lines.ndjson');
  await writeLines(file, service.url, { memories, corpus, withVectors });
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
