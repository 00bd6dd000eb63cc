#!/usr/bin/env node
// Measures how long a service takes to start in this build and in another one, in turns, until it listens and has answered once.
//   npm run bench:start -- OTHER/apps/memory-service/dist/main.js [--rounds 5] [--data-dir FOLDER] [-- FLAGS OF THE SERVICE]
// Each start has a copy of the data directory, of memory-service alone. Its memory is measured when FAISS holds the vectors too.
// Linux only: it reads the processor time of threads.
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../../scripts/lib/command-line.mjs';
import { root } from '../../scripts/lib/root.mjs';
import {
  childrenOf,
  residentOf,
  scratchFolder,
  startProcess,
} from '../../scripts/withstand/memory/lib/memory-service.mjs';
import { cpuSeconds, loadAverage, median, ratio, table, whole } from '../lib/markdown.mjs';
import { hasVectors, settled } from '../memory/settled.mjs';

const { values, positionals } = commandLine(import.meta.url, {
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' }, 'data-dir': { type: 'string' } },
});
const [other, ...flags] = positionals;
const entry = /apps\/[a-z]+-service\/dist\/main\.js$/.exec(other ?? '')?.[0];
if (!entry) throw new Error('Name the apps/…/dist/main.js of the other build.');
const builds = [
  ['the other build', other],
  ['this build', join(root, entry)],
];
const folder = scratchFolder('start-');
const rounds = builds.map(() => []);
for (let round = 0; round < Number(values.rounds); round++) {
  for (const [index, [name, main]] of builds.entries()) rounds[index].push(await measured(main, name));
}

const middle = (index, key) => median(rounds[index].map((start) => start[key]));
table(
  [`start of ${entry}`, 'by the clock', 'its main thread', 'all its threads', 'RSS with FAISS'],
  builds.map(([name], index) => [
    name,
    ...['clock', 'main', 'all'].map((key) => `${whole(middle(index, key))} ms`),
    `${whole(middle(index, 'rss'))} MiB`,
  ]),
);
for (const key of ['clock', 'main']) {
  const ratios = rounds[1].map((start, round) => start[key] / rounds[0][round][key]);
  console.log(`\n${key}, this build by the other, median of the rounds: ${ratio(median(ratios))}`);
  console.log(`of each round: ${ratios.map(ratio).join(', ')}`);
}
console.log(`Load average after: ${loadAverage()}`);

async function measured(main, name) {
  const ofMemory = entry.includes('memory');
  const store = join(folder, 'store');
  if (ofMemory && values['data-dir']) cpSync(values['data-dir'], store, { recursive: true });
  else mkdirSync(store);
  const ownStore = ofMemory ? ['--data-dir', store] : ['--db-path', join(store, 'timing.db')];
  const startedMs = performance.now();
  const service = await startProcess([main, '--port', '0', '--log-level', 'warn', ...ownStore, ...flags], { name });
  await fetch(`${service.url}/health`);
  const { pid } = service;
  const start = {
    clock: performance.now() - startedMs,
    main: mainThreadMs(pid),
    all: cpuSeconds(pid) * 1_000,
  };
  if (ofMemory) await hasVectors(service.url);
  if (ofMemory) await settled(pid, childrenOf(pid).length);
  const rss = [pid, ...childrenOf(pid)].reduce((sum, each) => sum + residentOf(each), 0);
  await service.stop();
  rmSync(store, { recursive: true });
  return { ...start, rss };
}

function mainThreadMs(pid) {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
}
