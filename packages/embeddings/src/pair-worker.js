// The worker thread of a pair scorer; plain JavaScript for the reason given in embedding-worker.js.
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';
import { workerData } from 'node:worker_threads';
import { loadPairModel } from './pair-model.js';
import { serveTurns } from './turns.js';

/** @import { PairWorkerModel } from './worker-protocol.ts' */

/** A niceness, as for nice(1): the thread gets a tenth of the time of a normal thread on the same core. */
const BACKGROUND = 10;

// Pairs can wait, requests cannot, so this thread gets a low priority. Only Linux has priorities for single threads.
try {
  setPriority(Number(basename(readlinkSync('/proc/thread-self'))), BACKGROUND);
} catch {}

await serveTurns(async () => {
  const { score, fingerprint } = await loadPairModel(/** @type {PairWorkerModel} */ (workerData));
  return {
    dimension: 1,
    fingerprint,
    answer: async ([a = '', b = '']) => Float32Array.of(await score(a, b)),
  };
});
