#!/usr/bin/env node
// Measures the memory-service on this machine and prints the results as Markdown.
//   npm run bench:memory [-- --quick] [--models fast,accurate] [--sizes 1000,20000,100000,250000] [--corpus FILE] [--only PART]
// PART: ingest or recall. --corpus: a text file with one sentence a line (.gz too); else sentences are generated.
// Each server and its client are separate processes. Variants take turns, so that a disturbance affects all of them; the tables
// show the median of the rounds.
import { commandLine } from '../../scripts/lib/command-line.mjs';
import { scratchFolder } from '../../scripts/withstand/memory/lib/memory-service.mjs';
import { describeMachine, loadAverage, versions } from '../lib/markdown.mjs';
import { measureIngest } from './measure-ingest.mjs';
import { measureRecall } from './measure-recall.mjs';
import { startWorkers } from './workers.mjs';

const { values } = commandLine(import.meta.url, {
  options: {
    quick: { type: 'boolean', default: false },
    models: { type: 'string', default: 'fast,accurate' },
    sizes: { type: 'string', like: '1000,20000' },
    corpus: { type: 'string' },
    only: { type: 'string', default: 'ingest,recall' },
  },
});
const { quick, corpus = null } = values;
const sizes = (values.sizes ?? (quick ? '1000,20000' : '1000,20000,100000,250000')).split(',').map(Number);
const plan = {
  corpus,
  sizes,
  rounds: quick ? 3 : 5,
  roundSeconds: quick ? 2 : 3,
  requests: quick ? 200 : 500,
  folder: scratchFolder('memory-bench-'),
};

describeMachine([
  ['versions', `${versions('apps/memory-service', ['express', 'faiss-node'])}, ${versions('bench', ['autocannon'])}`],
  ['texts', corpus === null ? 'made sentences, 15 words' : 'sentences of a corpus'],
]);

const workers = startWorkers();
for (const model of values.models.split(',')) {
  if (values.only.includes('ingest')) await measureIngest(model, plan, workers);
  if (values.only.includes('recall')) await measureRecall(model, plan, workers);
}
workers.end();
console.log(`\nLoad average after: ${loadAverage()}`);
