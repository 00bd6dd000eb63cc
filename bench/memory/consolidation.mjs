#!/usr/bin/env node
// Measures consolidation: time, processor time, memory, delay of the event loop, and how much longer recalls and ingests take
// during a run.
//   npm run bench:consolidation [-- --sizes 1000,10000,50000] [--model fast] [--corpus FILE]
// --corpus is a text file with a sentence a line (.gz too); else sentences are made. The wall clock of a busy machine says
// little; processor time does.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../../scripts/lib/command-line.mjs';
import {
  BUSY_SHARE,
  requester,
  residentOf,
  scratchFolder,
  startMemory,
  waitedForCore,
} from '../../scripts/withstand/memory/lib/memory-service.mjs';
import { cpuSeconds, describeMachine, loadAverage, ms, ratio, table, title, whole } from '../lib/markdown.mjs';
import { settled } from './settled.mjs';
import { startWorkers } from './workers.mjs';

const FLAGS = ['--consolidate-cron', 'off'];
const LIMIT_MS = 3_600_000;
const WARM_UP_REQUESTS = 300;
const LOAD_SECONDS = 10;
const LOAD_CONNECTIONS = 2;
const SAMPLE_EVERY_MS = 100;

const { values } = commandLine(import.meta.url, {
  options: {
    sizes: { type: 'string', default: '1000,10000,50000' },
    model: { type: 'string', default: 'fast' },
    corpus: { type: 'string' },
  },
});
const { model, corpus = null } = values;
const sizes = values.sizes.split(',').map(Number);
describeMachine([['texts', corpus === null ? 'made sentences, 15 words' : 'sentences of a corpus']]);

const workers = startWorkers();
const folder = scratchFolder('consolidation-bench-');
const folders = await workers.once('fill.mjs', { folder, model, sizes, corpus });
const measured = [];
let runs = 0;
for (const [i, dataDir] of folders.entries()) measured.push(await atSize(dataDir, sizes[i]));
workers.end();

const perSize = (value) => measured.map(value);
title(`Consolidation, ${model}`);
table(
  ['', ...sizes.map((size) => `${whole(size)} memories`)],
  [
    ['a run by itself', ...perSize(({ alone }) => `${(alone.seconds).toFixed(1)} s`)],
    ['processor time of that', ...perSize(({ alone }) => `${alone.cpu.toFixed(1)} s`)],
    ['processor time a memory', ...perSize(({ alone, size }) => ms((1_000 * alone.cpu) / size))],
    [
      'growth of processor time, by the growth of the store',
      ...perSize(({ alone, size }, i) => growthOf(alone.cpu, size, i)),
    ],
    ['RSS before, at most during', ...perSize(({ alone }) => `${whole(alone.rssBefore)}, ${whole(alone.rssPeak)} MiB`)],
    ['event loop delay, p99', ...perSize(({ alone }) => ms(alone.delayP99))],
    [
      'semantic memories made, deduplicated',
      ...perSize(({ alone }) => `${whole(alone.report.semantic_created)}, ${whole(alone.report.deduplicated)}`),
    ],
    [
      'a second run, which changes nothing',
      ...perSize(({ again }) => `${again.seconds.toFixed(1)} s${again.report.changed ? ' (CHANGED)' : ''}`),
    ],
    ['recall p99 without, beside a run', ...perSize(({ recall }) => beside(recall))],
    ['ingest p99 without, beside a run', ...perSize(({ ingest }) => beside(ingest))],
    [
      'main thread waited for a core',
      ...perSize(
        ({ alone }) =>
          `${(100 * alone.waitedShare).toFixed(0)} %${alone.waitedShare > BUSY_SHARE ? ' (busy machine)' : ''}`,
      ),
    ],
  ],
);
console.log(`\nLoad average after: ${loadAverage()}`);

async function atSize(dataDir, size) {
  const alone = await withService(dataDir, async ({ service, client }) => {
    const first = await run(service, client);
    return { first, again: await run(service, client) };
  });
  const besideRun = (path) =>
    withService(dataDir, async ({ service, client }) => {
      const load = { url: service.url, path, connections: LOAD_CONNECTIONS, corpus, seed: 5 };
      await workers.load({ ...load, amount: WARM_UP_REQUESTS });
      const without = await workers.load({ ...load, seconds: LOAD_SECONDS });
      let isRunning = true;
      const consolidation = client.post('/consolidate', {}).finally(() => {
        isRunning = false;
      });
      const during = await workers.load({ ...load, seconds: LOAD_SECONDS });
      const wasOverBefore = !isRunning;
      await consolidation;
      return { without, during, wasOverBefore };
    });
  return {
    size,
    alone: alone.first,
    again: alone.again,
    recall: await besideRun('/recall'),
    ingest: await besideRun('/ingest'),
  };
}

/** Works on a copy, which it deletes. */
async function withService(dataDir, work) {
  const copy = join(folder, `run-${++runs}`);
  cpSync(dataDir, copy, { recursive: true });
  const service = await startMemory(copy, { model, flags: FLAGS });
  const client = requester(service.url, { limitMs: LIMIT_MS });
  try {
    await settled(service.pid);
    return await work({ service, client });
  } finally {
    client.close();
    await service.kill();
  }
}

async function run(service, client) {
  // Reading the metrics resets the delays of the event loop.
  await client.get('/metrics');
  const rssBefore = residentOf(service.pid);
  let rssPeak = rssBefore;
  const sampling = setInterval(() => {
    rssPeak = Math.max(rssPeak, residentOf(service.pid));
  }, SAMPLE_EVERY_MS);
  const cpu = cpuSeconds(service.pid);
  const waited = waitedForCore(service.pid);
  const began = performance.now();
  const { body } = await client.post('/consolidate', {});
  const seconds = (performance.now() - began) / 1_000;
  clearInterval(sampling);
  const { text } = await client.get('/metrics');
  const delayP99 = 1_000 * Number(/^nodejs_eventloop_lag_p99_seconds(?:\{[^}]*\})? (\S+)$/m.exec(text)?.[1]);
  return {
    seconds,
    cpu: cpuSeconds(service.pid) - cpu,
    rssBefore,
    rssPeak,
    delayP99,
    waitedShare: (waitedForCore(service.pid) - waited) / seconds,
    report: body.report,
  };
}

function growthOf(cpu, size, i) {
  const before = measured[i - 1];
  return before ? ratio(cpu / before.alone.cpu / (size / before.size)) : '';
}

function beside({ without, during, wasOverBefore }) {
  const note = wasOverBefore ? ', part of the time' : '';
  return `${ms(without.p99)}, ${ms(during.p99)} (${ratio(during.p99 / without.p99)}${note})`;
}
