#!/usr/bin/env node
// Measures where the memory of a space is: MiB of each of its parts, held by this process alone, once FAISS has its vectors.
//   npm run bench:space-memory -- --data-dir FOLDER [--model fast]
// Each part is filled anew from the same memories; the whole is what the service itself opens.
import { readFileSync } from 'node:fs';
import { SameWords } from '../../apps/memory-service/dist/domain/ingest/same-words.js';
import { EntityIndex } from '../../apps/memory-service/dist/search/entities/entity-index.js';
import { EvidenceIndex } from '../../apps/memory-service/dist/search/evidence-index.js';
import { Comparisons } from '../../apps/memory-service/dist/store/indexes/comparisons.js';
import { Records } from '../../apps/memory-service/dist/store/records/records.js';
import { commandLine } from '../../scripts/lib/command-line.mjs';
import { table, whole } from '../lib/markdown.mjs';
import { settled } from './settled.mjs';
import { open, openModel } from './store.mjs';

const { values } = commandLine(import.meta.url, {
  options: { 'data-dir': { type: 'string' }, model: { type: 'string', default: 'fast' } },
});
if (!global.gc || !values['data-dir'])
  throw new Error('Name a data directory with --data-dir, and let node --expose-gc run it.');

const embedder = await openModel(values.model);
const { dimension, modelId } = embedder;
await embedder.close();
const before = used();
const startedMs = performance.now();
const cpu = process.cpuUsage();
const turn = longestTurn();
const opened = await open(values['data-dir'], { dimension, modelId });
const { user, system } = process.cpuUsage(cpu);
const loaded = { ms: performance.now() - startedMs, cpuMs: (user + system) / 1_000, turnMs: turn() };
await settled(process.pid);
const { indexes } = opened;
const matrix = indexes.vectors?.matrix;
// What was read last from a file is in the heap, vectors that are in memory are not.
const kept = matrix && matrix.bytesHeld < matrix.bytes ? matrix.bytesHeld : 0;
const inHeap = used() - before - kept;

// As objects, which the space itself has only of what was read.
const stored = Array.from(indexes.capture(), ({ memory, strength }) => ({ memory, strength }));
const rows = [];
const records = part('records', () => {
  const records = new Records();
  for (const { memory, strength } of stored) records.add(memory, strength);
  return records;
});
const readings = [...indexes.capture()].map(({ reading }) => reading);
part('words and threads', () => {
  const index = new EvidenceIndex({ vectors: null });
  for (const [ordinal, { memory }] of stored.entries()) {
    const { content: text, name: speaker } = memory;
    index.add(ordinal, { ...memory, text, speaker }, null, readings[ordinal]);
  }
  return index;
});
part('entities', () => {
  const index = new EntityIndex();
  for (const [ordinal, { memory }] of stored.entries()) index.add(ordinal, memory);
  return index;
});
part('same words', () => {
  const words = new SameWords();
  for (const { memory } of stored) words.note(memory);
  return words;
});
part('comparisons', () => {
  const comparisons = new Comparisons({ records });
  for (const [ordinal, { memory }] of stored.entries()) comparisons.added(ordinal, memory);
  return comparisons;
});
const vectors = matrix?.bytesHeld ?? 0;
const parts = rows.reduce((sum, [, , bytes]) => sum + bytes, 0);
rows.push(['memories themselves, packed, and the rest', mib(inHeap - parts)]);
rows.push(['vectors', mib(vectors)]);
rows.push(['all', mib(inHeap + vectors)]);

console.log(`${whole(stored.length)} memories, ${values.model}, ${dimension} values a vector\n`);
table(
  ['part', 'MiB'],
  rows.map(([name, size]) => [name, size]),
);
const { rss } = process.memoryUsage();
console.log(
  `\nOpened in ${whole(loaded.ms)} ms, ${whole(loaded.cpuMs)} ms of processor time, longest turn of the event loop ${whole(loaded.turnMs)} ms of it.`,
);
console.log(`RSS of this process ${mib(rss)} MiB.`);
await opened.close();

/** What stays of it; the memories that it refers to are there already. */
function part(name, fill) {
  const start = used();
  const made = fill();
  const bytes = used() - start;
  rows.push([name, mib(bytes), bytes]);
  return made;
}

function used() {
  global.gc();
  global.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function mib(bytes) {
  return (bytes / 2 ** 20).toFixed(1);
}

/** Milliseconds of processor time of the longest turn of the event loop, from now until it is asked; other work on the machine adds nothing. */
function longestTurn() {
  let longest = 0;
  let last = mainThreadMs();
  const timer = setInterval(look, 1);
  return () => {
    look();
    clearInterval(timer);
    return longest;
  };
  function look() {
    const now = mainThreadMs();
    longest = Math.max(longest, now - last);
    last = now;
  }
}

/** Of this process, as Linux counts it. */
function mainThreadMs() {
  return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
}
