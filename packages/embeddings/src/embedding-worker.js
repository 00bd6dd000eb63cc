// The worker thread. It is plain JavaScript, as sentence-model.js is, because Node 20 cannot start a thread from TypeScript: this way
// tests and `tsx` run the same file from src/ that tsc copies to dist/, with types checked from the doc comments.
import { parentPort, workerData } from 'node:worker_threads';
import { loadSentenceModel } from './sentence-model.js';

/** @import { MessagePort } from 'node:worker_threads' */
/** @import { StartReply, TurnReply, WorkerModel } from './worker-protocol.ts' */

const port = /** @type {MessagePort} */ (parentPort);

try {
  const model = await loadSentenceModel(/** @type {WorkerModel} */ (workerData));
  port.on('message', async (/** @type {string[]} */ texts) => {
    const reply = await turn(model, texts);
    port.postMessage(reply, reply.failure === undefined ? [reply.vectors.buffer] : []);
  });
  reportStart({ dimension: model.dimension, fingerprint: model.fingerprint });
} catch (error) {
  reportStart({ failure: String(error) });
}

/** @param {StartReply} reply */
function reportStart(reply) {
  port.postMessage(reply);
}

/**
 * A fault of the model with these texts is an answer, so that it does not cost a restart.
 * @param {Awaited<ReturnType<typeof loadSentenceModel>>} model
 * @param {string[]} texts
 * @returns {Promise<TurnReply & { vectors: { buffer: ArrayBuffer } } | { failure: string }>}
 */
async function turn(model, texts) {
  try {
    return { vectors: await model.embed(texts) };
  } catch (error) {
    return { failure: String(error) };
  }
}
