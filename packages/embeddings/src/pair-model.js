import { loadTextModel, run } from './text-model.js';

/** @import { Tensor } from 'onnxruntime-node' */
/** @import { PairWorkerModel } from './worker-protocol.ts' */

/** Characters of a text that are read per token that the model takes. */
const CHARACTERS_PER_TOKEN = 32;

/**
 * A cross-encoder: [CLS] a [SEP] b [SEP] -> one logit. Its activations are quantised per run, so each pair runs alone and its
 * score does not depend on what else is asked.
 * @param {PairWorkerModel} model
 */
export async function loadPairModel(model) {
  const { maxTokens } = model;
  const { session, encode, fingerprint } = await loadTextModel(model);
  const [opening, closing] = encode('');
  if (opening === undefined || closing === undefined) throw new Error('its tokenizer has no tokens around a text');

  /** @param {string} text */
  const words = (text) => encode(text.slice(0, maxTokens * CHARACTERS_PER_TOKEN), false);
  /**
   * @param {readonly number[]} a
   * @param {readonly number[]} b
   */
  const logit = async (a, b) => {
    const ids = [opening, ...a, closing, ...b, closing];
    const outputs = await run(session, [{ ids, secondFrom: a.length + 2 }]);
    const tensor = /** @type {Tensor} */ (outputs[/** @type {string} */ (session.outputNames[0])]);
    if (tensor.size !== 1) throw new Error(`it gives ${tensor.size} numbers for a pair instead of one`);
    return Number(tensor.data[0]);
  };
  /**
   * @param {string} a
   * @param {string} b
   */
  const score = async (a, b) => {
    const [first, second] = shortened(words(a), words(b), maxTokens - 3);
    const mean = ((await logit(first, second)) + (await logit(second, first))) / 2;
    return 1 / (1 + Math.exp(-mean));
  };

  await score('a', 'b');
  return { fingerprint: fingerprint([maxTokens]), score };
}

/**
 * Both texts within a common limit: the longer one is cut until they are alike, then both.
 * @param {readonly number[]} a
 * @param {readonly number[]} b
 * @param {number} limit
 */
export function shortened(a, b, limit) {
  const shorter = Math.min(a.length, b.length, Math.floor(limit / 2));
  const cut = (/** @type {readonly number[]} */ ids) => ids.slice(0, Math.max(limit - shorter, shorter));
  if (a.length + b.length <= limit) return /** @type {const} */ ([a, b]);
  return a.length <= b.length
    ? /** @type {const} */ ([a.slice(0, shorter), cut(b)])
    : /** @type {const} */ ([cut(a), b.slice(0, shorter)]);
}
