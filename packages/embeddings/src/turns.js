import { parentPort } from 'node:worker_threads';

/** @import { MessagePort } from 'node:worker_threads' */
/** @import { TextRole } from './embedding-settings.ts' */
/** @import { StartReply, Turn, TurnReply } from './worker-protocol.ts' */

/**
 * Loads a model, reports that it is ready, and answers one turn of texts after the other.
 * @param {() => Promise<{ dimension: number, fingerprint: string, answer: (texts: readonly string[], role: TextRole) => Promise<Float32Array<ArrayBuffer>> }>} load
 */
export async function serveTurns(load) {
  const port = /** @type {MessagePort} */ (parentPort);
  /** @param {StartReply} reply */
  const reportStart = (reply) => port.postMessage(reply);
  try {
    const { dimension, fingerprint, answer } = await load();
    port.on('message', async (/** @type {Turn} */ asked) => {
      const reply = await turn(answer, asked);
      port.postMessage(reply, reply.failure === undefined ? [reply.vectors.buffer] : []);
    });
    reportStart({ dimension, fingerprint });
  } catch (error) {
    reportStart({ failure: String(error) });
  }
}

/**
 * A fault of the model becomes an answer, so that the worker need not restart.
 * @param {(texts: readonly string[], role: TextRole) => Promise<Float32Array<ArrayBuffer>>} answer
 * @param {Turn} asked
 * @returns {Promise<TurnReply & { vectors: { buffer: ArrayBuffer } } | { failure: string }>}
 */
async function turn(answer, { texts, role }) {
  try {
    return { vectors: await answer(texts, role) };
  } catch (error) {
    return { failure: String(error) };
  }
}
