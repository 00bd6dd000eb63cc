// The worker thread. It is plain JavaScript, as what it loads is, because Node 20 cannot start a thread from TypeScript: this way
// tests and `tsx` run the same file from src/ that tsc copies to dist/, with types checked from the doc comments.
import { workerData } from 'node:worker_threads';
import { loadSentenceModel } from './sentence-model.js';
import { serveTurns } from './turns.js';

/** @import { WorkerModel } from './worker-protocol.ts' */

await serveTurns(async () => {
  const { dimension, fingerprint, embed } = await loadSentenceModel(/** @type {WorkerModel} */ (workerData));
  return { dimension, fingerprint, answer: embed };
});
