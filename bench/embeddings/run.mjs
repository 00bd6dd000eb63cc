#!/usr/bin/env node
// Measures the embeddings package on this machine and prints the results as Markdown.
//   npm run bench:embeddings [-- --quick] [--models fast,accurate,multilingual]     --quick: shorter rounds
// Each model runs in a separate process. Variants take turns, and the tables show the median of the rounds. On a busy machine
// processor time per text is steadier than the clock.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { commandLine } from '../../scripts/lib/command-line.mjs';

const { quick, models } = commandLine(import.meta.url, {
  options: { quick: { type: 'boolean', default: false }, models: { type: 'string', default: 'fast,accurate' } },
}).values;
const PLAN = quick ? { rounds: 3, roundMilliseconds: 700 } : { rounds: 5, roundMilliseconds: 2_000 };
const MODELS = models.split(',');

const results = [];
const loadBefore = os.loadavg();
for (const model of MODELS) {
  const child = fork(fileURLToPath(new URL('measure.mjs', import.meta.url)));
  child.send({ model, ...PLAN });
  const [result] = await once(child, 'message');
  results.push({ model, ...result });
}

table(
  ['machine', ''],
  [
    ['processor', `${os.cpus()[0].model}, ${os.availableParallelism()} cores`],
    ['memory', `${(os.totalmem() / 2 ** 30).toFixed(1)} GiB`],
    ['system', `${os.type()} ${os.release()}`],
    ['Node', process.version],
    ['date', new Date().toISOString().slice(0, 10)],
    ['load average before, after', [loadBefore, os.loadavg()].map(([minute]) => minute.toFixed(2)).join(', ')],
  ],
);
console.log('\n### Messages of 25 words\n');
const names = Object.keys(results[0].speeds);
table(
  ['', ...MODELS.flatMap((model) => [`${model}: texts/s`, 'ms a text', 'CPU ms a text'])],
  names.map((name) => [
    name,
    ...results.flatMap(({ speeds: { [name]: speed } }) => [
      Math.round(1000 / speed.milliseconds).toLocaleString('en'),
      speed.milliseconds.toFixed(3),
      speed.cpuMilliseconds.toFixed(3),
    ]),
  ]),
);
console.log('\n### Start and memory\n');
table(
  ['', ...MODELS],
  [
    ['open until the first vector', ...results.map(({ openMilliseconds }) => `${Math.round(openMilliseconds)} ms`)],
    ['processor time of that', ...results.map(({ openCpuMilliseconds }) => `${Math.round(openCpuMilliseconds)} ms`)],
    ['RSS of the process before', ...results.map(({ rssBefore }) => `${rssBefore} MiB`)],
    ['RSS with the model loaded', ...results.map(({ rssLoaded }) => `${rssLoaded} MiB`)],
    ['RSS after 2,000 texts', ...results.map(({ rssUsed }) => `${rssUsed} MiB`)],
  ],
);

function table(head, rows) {
  for (const cells of [head, head.map(() => '---'), ...rows]) console.log(`| ${cells.join(' | ')} |`);
}
