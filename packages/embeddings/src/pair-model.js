import { loadTextModel, run } from './text-model.js';

/** @import { Tensor } from 'onnxruntime-node' */
/** @import { NliLabels, PairWorkerModel } from './worker-protocol.ts' */

/** Characters of a text that are tokenised, per token of the limit of the model. */
const CHARACTERS_PER_TOKEN = 32;
/**
 * Below this logit of one order, the other order is not scored. Of 518 labelled pairs, none below it reached -1.1 with both orders.
 * Four of ten pairs, and two of three compatible ones, take half of the time this way.
 */
const CLEAR_NO = -1.5;

/**
 * A cross-encoder: [CLS] a [SEP] b [SEP] -> the logit of a contradiction, or one of several labels. Its activations are
 * quantised per run, so each pair runs alone, and its score does not depend on other pairs.
 * @param {PairWorkerModel} model
 */
export async function loadPairModel(model) {
  const { maxTokens, labels } = model;
  const { session, encode, encodePair, fingerprint } = await loadTextModel(model);
  // Some tokenizers have two tokens between the texts.
  const around = encodePair('', '');
  const [opening, between, closing] = [around.slice(0, 1), around.slice(1, -1), around.slice(-1)];
  if (around.length < 3) throw new Error('its tokenizer has no tokens around two texts');

  /** @param {string} text */
  const words = (text) => encode(text.slice(0, maxTokens * CHARACTERS_PER_TOKEN), false);
  /**
   * @param {readonly number[]} a
   * @param {readonly number[]} b
   */
  const logit = async (a, b) => {
    const first = [...opening, ...a, ...between];
    const outputs = await run(session, [{ ids: [...first, ...b, ...closing], secondFrom: first.length }]);
    const tensor = /** @type {Tensor} */ (outputs[/** @type {string} */ (session.outputNames[0])]);
    return logitOf(Array.from(tensor.data, Number), labels);
  };
  /**
   * @param {string} a
   * @param {string} b
   */
  const score = async (a, b) => {
    const [first, second] = shortened(words(a), words(b), maxTokens - around.length);
    const one = await logit(first, second);
    if (one < CLEAR_NO) return sigmoid(one);
    return sigmoid((one + (await logit(second, first))) / 2);
  };
  /**
   * @param {string} a
   * @param {string} b
   */
  const scoreInAnyOrder = (a, b) => (a < b ? score(a, b) : score(b, a));

  await score('a', 'b');
  return { fingerprint: fingerprint([maxTokens]), score: scoreInAnyOrder };
}

/**
 * log(p / (1 - p)) of the probability that a model gives to "contradiction".
 * @param {readonly number[]} outputs
 * @param {NliLabels | null} labels null when the model has one output, the logit
 */
export function logitOf(outputs, labels) {
  if (labels === null) {
    if (outputs.length !== 1) throw new Error(`it gives ${outputs.length} numbers for a pair instead of one`);
    return /** @type {number} */ (outputs[0]);
  }
  const { contradiction, count } = labels;
  const own = outputs[contradiction];
  // A model for vectors may have labels in its config.json too.
  if (own === undefined || count < 2 || outputs.length !== count) {
    throw new Error(
      `it gives ${outputs.length} numbers for a pair, and "contradiction" is label ${contradiction} of ${count} in its config.json`,
    );
  }
  const others = outputs.filter((_, place) => place !== contradiction);
  const largest = Math.max(...others);
  return own - largest - Math.log(others.reduce((sum, other) => sum + Math.exp(other - largest), 0));
}

/** @param {number} logit */
function sigmoid(logit) {
  return 1 / (1 + Math.exp(-logit));
}

/**
 * Cuts both texts to a common limit: first the longer one, until both have the same length, then both.
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
