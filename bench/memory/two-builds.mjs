#!/usr/bin/env node
// Measures the processor time of a request in this build and in another one, in turns.
//   npm run bench:memory-builds -- OTHER/apps/memory-service/dist/main.js [--path /ingest_and_recall] [--model fast] [--clients 16]
//     [--directory DIR]
// Each round starts both without a data directory, or on a copy of one, stores the same messages in both and sends both the same
// requests. --fill: how many messages.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../../scripts/lib/command-line.mjs';
import {
  childrenOf,
  SERVICE,
  scratchFolder,
  startProcess,
} from '../../scripts/withstand/memory/lib/memory-service.mjs';
import { cpuSeconds, loadAverage, median, ms, ratio, table, whole } from '../lib/markdown.mjs';
import { settled } from './settled.mjs';
import { startWorkers } from './workers.mjs';

const { values, positionals } = commandLine(import.meta.url, {
  allowPositionals: true,
  options: {
    path: { type: 'string', default: '/ingest_and_recall' },
    model: { type: 'string', default: 'fast' },
    rounds: { type: 'string', default: '5' },
    fill: { type: 'string', default: '1000' },
    requests: { type: 'string', default: '500' },
    clients: { type: 'string', default: '1' },
    corpus: { type: 'string' },
    directory: { type: 'string' },
  },
});
const [other] = positionals;
if (other === undefined) throw new Error('Name the main.js of the other build.');
const { path, model, corpus = null } = values;
const builds = [
  ['the other build', other],
  ['this build', `${SERVICE}/dist/main.js`],
];
const workers = startWorkers();
const rounds = builds.map(() => []);
for (let round = 0; round < Number(values.rounds); round++) {
  for (const [index, [name, entry]] of builds.entries()) rounds[index].push(await measured(entry, { name, round }));
}
workers.end();

const middle = (index, key) => median(rounds[index].map((answer) => answer[key]));
table(
  [`${path}, ${model}, clients: ${values.clients}`, 'CPU a request', 'p50', 'requests a second'],
  builds.map(([name], index) => [
    name,
    ms(middle(index, 'cpu')),
    ms(middle(index, 'p50')),
    whole(middle(index, 'perSecond')),
  ]),
);
const ratios = rounds[1].map(({ cpu }, round) => cpu / rounds[0][round].cpu);
console.log(`\nCPU of this build by that of the other, median of the rounds: ${ratio(median(ratios))}`);
console.log(`of each round: ${ratios.map(ratio).join(', ')}. Load average after: ${loadAverage()}`);

async function measured(entry, { name, round }) {
  const flags = ['--port', '0', '--log-level', 'warn', '--embedding-model', model];
  const server = await startProcess([entry, ...flags, ...onCopy()], { name });
  if (values.directory !== undefined) await settled(server.pid);
  const job = { url: server.url, corpus, seed: 2 * round };
  await workers.load({ ...job, path: '/ingest', connections: 16, amount: Number(values.fill) });
  const before = cpuOf(server);
  const answer = await workers.load({
    ...job,
    seed: job.seed + 1,
    path,
    connections: Number(values.clients),
    amount: Number(values.requests),
  });
  const cpu = ((cpuOf(server) - before) * 1_000) / answer.count;
  await server.stop();
  return { ...answer, cpu };
}

function onCopy() {
  if (values.directory === undefined) return [];
  const copy = join(scratchFolder('memory-builds-'), 'data');
  cpSync(values.directory, copy, { recursive: true });
  return ['--data-dir', copy];
}

function cpuOf({ pid }) {
  return [pid, ...childrenOf(pid)].reduce((sum, each) => sum + (cpuSeconds(each) || 0), 0);
}
