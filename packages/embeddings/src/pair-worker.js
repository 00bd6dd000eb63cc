// The worker thread of a pair scorer; plain JavaScript for the reason given in embedding-worker.js.
import { workerData } from 'node:worker_threads';
import { loadPairModel } from './pair-model.js';
import { serveTurns } from './turns.js';

/** @import { PairWorkerModel } from './worker-protocol.ts' */

await serveTurns(async () => {
  const { score, fingerprint } = await loadPairModel(/** @type {PairWorkerModel} */ (workerData));
  return {
    dimension: 1,
    fingerprint,
    answer: async ([a = '', b = '']) => Float32Array.of(await score(a, b)),
  };
});
