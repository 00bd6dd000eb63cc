#!/usr/bin/env node
// Measures the memory that the words of 100,000 messages take: turns, windows and threads from one set of postings.
//   node --expose-gc bench/memory/lexical-memory.mjs [--corpus FILE] [--size 100000]
import { EvidenceIndex } from '../../apps/memory-service/dist/search/evidence-index.js';
import { commandLine } from '../../scripts/lib/command-line.mjs';
import { whole } from '../lib/markdown.mjs';
import { textSource } from './texts.mjs';

const { values } = commandLine(import.meta.url, {
  options: { corpus: { type: 'string' }, size: { type: 'string', default: '100000' } },
});
const size = Number(values.size);
const TURNS_PER_SESSION = 20;
const MINUTE_MS = 60_000;

const { say } = textSource({ corpus: values.corpus ?? null, seed: 1 });
const index = new EvidenceIndex({ vectors: null });
const before = used();
for (let ordinal = 0; ordinal < size; ordinal++) {
  /** @type {import('../../apps/memory-service/dist/search/lexical/text-reading.js').IndexedMemory} */
  const memory = {
    agentId: `agent-${ordinal % 5}`,
    sessionId: `session-${Math.floor(ordinal / TURNS_PER_SESSION)}`,
    scope: 'TEAM',
    role: null,
    project: null,
    createdAt: ordinal * MINUTE_MS,
    text: say(),
    speaker: null,
    tags: [],
  };
  index.add(ordinal, memory, null);
}
console.log(`${whole(size)} messages: ${((used() - before) / 2 ** 20).toFixed(1)} MiB`);

function used() {
  global.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
