import { loadTextModel, openSession, run } from './text-model.js';

/** @import { Tensor } from 'onnxruntime-node' */
/** @import { EmbeddingSettings, TextRole } from './embedding-settings.ts' */
/** @import { WorkerModel } from './worker-protocol.ts' */

/** Weights of 8 bits overflow 16-bit sums on x64 processors without VNNI, unless the kernels avoid it. Others read past this. */
const PRECISE = { extra: { session: { x64quantprecision: '1' } } };

/** What models that judge texts, or guess words, call their output. */
const SCORES = /^logits?$/;

/** @param {WorkerModel} model */
export async function loadSentenceModel(model) {
  const { settings } = model;
  const { session, encode, fingerprint } = await loadTextModel(model);
  const answers = settings.answerModel
    ? await openSession({ ...model, modelFile: settings.answerModel }, PRECISE)
    : session;
  const tokensOf = cutter(encode, settings.maxTokens);
  /**
   * @param {readonly string[]} texts
   * @param {TextRole} [role]
   */
  const embed = async (texts, role = 'stored') => {
    const sequences = texts.map((text) => ({ ids: tokensOf(text) }));
    const asked = role === 'answerable' ? answers : session;
    const outputs = await run(asked, sequences);
    const name = outputs.last_hidden_state ? 'last_hidden_state' : asked.outputNames[0];
    if (SCORES.test(String(name)))
      throw new Error(`it gives scores ("${name}") and no vectors: it is made for other things`);
    const tokens = /** @type {Tensor} */ (outputs[/** @type {string} */ (name)]);
    return pool({ tokens, lengths: sequences.map(({ ids }) => ids.length) }, settings);
  };

  const { length: dimension } = await embed(['']);
  const { length: ofAnswers } = await embed([''], 'answerable');
  if (ofAnswers !== dimension) throw new Error(`its answer model gives ${ofAnswers} numbers, not ${dimension}`);
  // Without the answer model: it changes no vector of a store.
  const { pooling, maxTokens, prefixes } = settings;
  return { dimension, fingerprint: fingerprint([pooling, maxTokens, ...(prefixes ? [prefixes] : [])]), embed };
}

/**
 * Tokens of a text, at most `maxTokens`, in the form that the model was trained with. transformers.js by itself drops the closing
 * token of a text that it cuts; the vector then has a cosine of 0.998 to the right one.
 * @param {(text: string) => number[]} encode
 * @param {number} maxTokens
 * @returns {(text: string) => number[]}
 */
function cutter(encode, maxTokens) {
  const last = encode('').at(-1);
  const closing = last !== undefined && encode('a').at(-1) === last ? [last] : [];
  return (text) => {
    const ids = encode(text);
    return ids.length <= maxTokens ? ids : [...ids.slice(0, maxTokens - closing.length), ...closing];
  };
}

/**
 * One vector of unit length per text, one after the other.
 * @param {{ tokens: Tensor, lengths: number[] }} output [batch, tokens, dimension], or [batch, dimension] when the model pools
 * @param {EmbeddingSettings} settings
 */
function pool({ tokens, lengths }, { pooling }) {
  const data = /** @type {Float32Array} */ (tokens.data);
  const width = tokens.dims.length === 3 ? /** @type {number} */ (tokens.dims[1]) : 1;
  const dimension = /** @type {number} */ (tokens.dims.at(-1));
  const vectors = new Float32Array(lengths.length * dimension);
  lengths.forEach((length, row) => {
    const pooled = pooling === 'cls' ? 1 : Math.min(length, width);
    const vector = vectors.subarray(row * dimension, (row + 1) * dimension);
    for (let token = 0; token < pooled; token += 1) {
      const start = (row * width + token) * dimension;
      for (let axis = 0; axis < dimension; axis += 1) {
        vector[axis] = /** @type {number} */ (vector[axis]) + /** @type {number} */ (data[start + axis]);
      }
    }
    toUnitLength(vector);
  });
  return vectors;
}

/**
 * Scales to unit length. The sum over the tokens has the direction of their mean, so it is not divided by their number first.
 * @param {Float32Array} vector
 */
function toUnitLength(vector) {
  let square = 0;
  for (let axis = 0; axis < vector.length; axis += 1) square += /** @type {number} */ (vector[axis]) ** 2;
  if (!(square > 0 && square < Infinity)) throw new Error(`the model gave a vector of length ${Math.sqrt(square)}`);
  const scale = 1 / Math.sqrt(square);
  for (let axis = 0; axis < vector.length; axis += 1) vector[axis] = /** @type {number} */ (vector[axis]) * scale;
}
