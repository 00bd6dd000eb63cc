#!/usr/bin/env node
// All benchmarks in a short form, on one page: each figure beside its aim and beside a limit that was measured in the same run.
//   npm run bench [-- --quick] [--only timing,memory] [--models fast,accurate] [--corpus FILE]
// About 15 minutes on two cores, with --quick 5: smaller sizes, for which some aims do not hold, and shorter rounds. The longer forms
// are the other commands `npm run bench:...`. Measure on a machine with nothing else to do: the page names its load.
import { execFileSync } from 'node:child_process';
import { commandLine } from '../../scripts/lib/command-line.mjs';
import { root } from '../../scripts/lib/root.mjs';
import { scratchFolder } from '../../scripts/withstand/timing/lib/timing-service.mjs';
import { describeMachine, loadAverage, table, title, versions, whole } from '../lib/markdown.mjs';
import { startWorker } from '../lib/worker.mjs';
import { cellsOf } from './figure.mjs';
import { memoryFigures } from './memory-figures.mjs';
import { timingFigures } from './timing-figures.mjs';

const { values } = commandLine(import.meta.url, {
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: 'timing,memory' },
    models: { type: 'string' },
    corpus: { type: 'string' },
  },
});
const { quick, corpus = null } = values;
const models = (values.models ?? (quick ? 'fast' : 'fast,accurate')).split(',');
const plan = {
  folder: scratchFolder('bench-'),
  corpus,
  models,
  rounds: quick ? 3 : 5,
  seconds: quick ? 1 : 2,
  tasks: quick ? 100_000 : 1_000_000,
  memories: quick ? 20_000 : 100_000,
  merged: quick ? 10_000 : 50_000,
};
const PARTS = { timing: timingFigures, memory: memoryFigures };

describeMachine([
  ['commit', commit()],
  ['versions', versions('bench', ['express', 'better-sqlite3', 'autocannon'])],
  ...(await machineLimits()),
]);
const rows = [];
for (const part of values.only.split(',')) rows.push(...(await PARTS[part](plan)).map(cellsOf));
title('Figures');
table(['figure', 'measured', 'aim', 'limit in the same run', 'of the limit'], rows);
console.log(`\nLoad average after: ${loadAverage()}.`);

/** What the disk and the memory of this machine give. */
async function machineLimits() {
  const worker = startWorker(new URL('../memory/limits.mjs', import.meta.url));
  const { perSecond } = await worker.ask({ kind: 'sync', folder: plan.folder, milliseconds: 1_000 });
  const [rows, dimension] = [100_000, 240];
  const { milliseconds } = await worker.ask({ kind: 'scan', rows, dimension, rounds: 20 });
  worker.end();
  return [
    ['synced writes of 2 KiB', `${whole(perSecond)} a second`],
    ['memory that one thread reads', `${((rows * dimension * 4) / milliseconds / 1e6).toFixed(1)} GB/s`],
  ];
}

/** With a mark where the working tree differs. */
function commit() {
  try {
    const git = (...command) => execFileSync('git', command, { cwd: root, encoding: 'utf8' }).trim();
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') === '' ? '' : ', with changes');
  } catch {
    return 'unknown';
  }
}
