// The worker thread. It and the files that it imports are plain JavaScript, because Node 20 cannot start a thread from TypeScript.
// Tests and `tsx` run this file from src/; tsc copies it to dist/ and checks its types from the doc comments.
import { workerData } from 'node:worker_threads';
import { loadSentenceModel } from './sentence-model.js';
import { serveTurns } from './turns.js';

/** @import { WorkerModel } from './worker-protocol.ts' */

await serveTurns(async () => {
  const { dimension, fingerprint, embed } = await loadSentenceModel(/** @type {WorkerModel} */ (workerData));
  return { dimension, fingerprint, answer: embed };
});
