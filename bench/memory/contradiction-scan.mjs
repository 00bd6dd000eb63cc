#!/usr/bin/env node
// Measures the first scan of a store for contradictions: how long it takes by itself, the delay of the event loop meanwhile, and
// how long recalls take during it.
//   npm run bench:contradiction-scan [-- --size 50000] [--model fast] [--corpus FILE]
// --corpus is a text file with a sentence a line (.gz too); else sentences are made, which are more alike than most texts.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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

const WARM_UP_REQUESTS = 300;
const LOAD_SECONDS = 10;
const LOAD_CONNECTIONS = 2;
const LOOK_EVERY_MS = 500;

const { values } = commandLine(import.meta.url, {
  options: {
    size: { type: 'string', default: '50000' },
    model: { type: 'string', default: 'fast' },
    corpus: { type: 'string' },
  },
});
const { model, corpus = null } = values;
const size = Number(values.size);
describeMachine([['texts', corpus === null ? 'made sentences, 15 words' : 'sentences of a corpus']]);

const workers = startWorkers();
const folder = scratchFolder('contradiction-scan-');
// Marked as compared by the rules alone, so that with the model all of them wait.
const [dataDir] = await workers.once('fill.mjs', { folder, model, sizes: [size], corpus, contradictionModel: 'none' });
const without = await withService('none', ({ service }) => recalls(service));
const { beside, scan } = await withService('bundled', async ({ service, client }) => ({
  beside: await recalls(service),
  scan: await wholeScan(service, client),
}));
workers.end();

title(`First scan of ${whole(size)} memories of 10 agents, ${model}`);
table(
  ['', ''],
  [
    ['memories compared with nobody asking', whole(scan.compared)],
    ['time', `${(scan.seconds / 60).toFixed(1)} min, ${ms((1_000 * scan.seconds) / scan.compared)} a memory`],
    [
      'processor time, the model among it',
      `${(scan.cpu / 60).toFixed(1)} min, ${ms((1_000 * scan.cpu) / scan.compared)} a memory`,
    ],
    ['event loop delay, p99 and longest', `${ms(scan.delayP99)}, ${ms(scan.delayMost)}`],
    ['RSS at most', `${whole(scan.rssPeak)} MiB`],
    ['found, of any score', whole(scan.found)],
    [
      'recall p50 without, beside the scan',
      `${ms(without.p50)}, ${ms(beside.p50)} (${ratio(beside.p50 / without.p50)})`,
    ],
    [
      'recall p99 without, beside the scan',
      `${ms(without.p99)}, ${ms(beside.p99)} (${ratio(beside.p99 / without.p99)})`,
    ],
    [
      'main thread waited for a core',
      `${(100 * scan.waitedShare).toFixed(0)} %${scan.waitedShare > BUSY_SHARE ? ' (busy machine)' : ''}`,
    ],
  ],
);
console.log(`\nLoad average after: ${loadAverage()}`);

/** Works on a copy of the store. */
async function withService(contradictionModel, work) {
  const copy = join(folder, contradictionModel);
  cpSync(dataDir, copy, { recursive: true });
  const flags = ['--consolidate-cron', 'off', '--contradiction-model', contradictionModel];
  const service = await startMemory(copy, { model, flags });
  const client = requester(service.url, { limitMs: 60_000 });
  try {
    return await work({ service, client });
  } finally {
    client.close();
    await service.kill();
  }
}

async function recalls(service) {
  await settled(service.pid);
  const load = { url: service.url, path: '/recall', connections: LOAD_CONNECTIONS, corpus, seed: 5 };
  await workers.load({ ...load, amount: WARM_UP_REQUESTS });
  return workers.load({ ...load, seconds: LOAD_SECONDS });
}

async function wholeScan({ pid }, client) {
  const pending = async () => (await client.get('/health')).body.contradictions.pending;
  // Reading the metrics resets the delays of the event loop.
  await client.get('/metrics');
  const [before, cpu, waited, began] = [await pending(), cpuSeconds(pid), waitedForCore(pid), performance.now()];
  let rssPeak = residentOf(pid);
  while ((await pending()) > 0) {
    rssPeak = Math.max(rssPeak, residentOf(pid));
    await sleep(LOOK_EVERY_MS);
  }
  const seconds = (performance.now() - began) / 1_000;
  const { text } = await client.get('/metrics');
  const delay = (name) =>
    1_000 * Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1]);
  const { body } = await client.post('/contradictions', { threshold: 0, include_same_agent: true, limit: 1 });
  return {
    compared: before,
    seconds,
    cpu: cpuSeconds(pid) - cpu,
    waitedShare: (waitedForCore(pid) - waited) / seconds,
    rssPeak,
    delayP99: delay('p99'),
    delayMost: delay('max'),
    found: body.total,
  };
}
