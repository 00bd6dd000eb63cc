import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AutoTokenizer, env } from '@xenova/transformers';
import onnxRuntime from 'onnxruntime-node';

/** @import { PreTrainedTokenizer } from '@xenova/transformers' */
/** @import { InferenceSession, Tensor } from 'onnxruntime-node' */
/** @import { EmbeddingSettings } from './embedding-settings.ts' */
/** @import { WorkerModel } from './worker-protocol.ts' */

// Files are only read from the model's folder: what has to be fetched was fetched before.
env.allowRemoteModels = false;
env.useFSCache = false;

const KNOWN_INPUTS = new Set(['input_ids', 'attention_mask', 'token_type_ids']);

/**
 * The tokenizer of transformers.js, and the model run directly: its pipeline wraps each result and takes means through general
 * tensor code, which cost the static model half of its speed, hands no thread count to the runtime, and knows only the old
 * runtime that corrupts memory when a worker is replaced.
 * @param {WorkerModel} model
 */
export async function loadSentenceModel({ folder, modelFile, settings, threads }) {
  env.localModelPath = `${dirname(folder)}/`;
  const tokenizer = await AutoTokenizer.from_pretrained(basename(folder), { local_files_only: true });
  const tokenizerJson = await readFile(join(folder, 'tokenizer.json'));
  const bytes = await readFile(join(folder, modelFile));
  const session = await onnxRuntime.InferenceSession.create(bytes, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
  });
  const unknown = session.inputNames.find((name) => !KNOWN_INPUTS.has(name));
  if (unknown) throw new Error(`it needs an input that a text does not give: ${unknown}`);

  const encode = encoder(tokenizer, {
    maxTokens: settings.maxTokens,
    stripMarks: stripsMarks(JSON.parse(String(tokenizerJson))),
  });
  /** @param {string[]} texts */
  const embed = async (texts) => pool(await run(session, texts.map(encode)), settings);

  const { length: dimension } = await embed(['']);
  return { dimension, fingerprint: fingerprintOf(bytes, tokenizerJson, settings), embed };
}

/**
 * Tokens of a text, at most `maxTokens`, as the model was trained with them. transformers.js alone differs in two ways: it drops
 * the closing token of a text that it cuts (cosine 0.998 on long texts), and it strips only Latin accents where all marks have
 * to go, so that a word of Hindi, pointed Hebrew or voiced kana becomes one unknown token.
 * @param {PreTrainedTokenizer} tokenizer
 * @param {{ maxTokens: number, stripMarks: boolean }} options
 * @returns {(text: string) => number[]}
 */
function encoder(tokenizer, { maxTokens, stripMarks }) {
  const last = tokenizer.encode('').at(-1);
  const closing = last !== undefined && tokenizer.encode('a').at(-1) === last ? [last] : [];
  return (text) => {
    const ids = tokenizer.encode(stripMarks ? text.normalize('NFD').replace(/\p{Mn}/gu, '') : text);
    return ids.length <= maxTokens ? ids : [...ids.slice(0, maxTokens - closing.length), ...closing];
  };
}

/**
 * Whether a tokenizer.json strips marks: its BertNormalizer does unless told otherwise, when it lowers case.
 * @param {{ normalizer?: { type: string, lowercase?: boolean, strip_accents?: boolean | null } | null }} tokenizerJson
 */
function stripsMarks({ normalizer }) {
  if (normalizer?.type !== 'BertNormalizer') return false;
  return normalizer.strip_accents ?? normalizer.lowercase ?? true;
}

/**
 * @param {InferenceSession} session
 * @param {number[][]} sequences
 */
async function run(session, sequences) {
  const width = Math.max(...sequences.map((ids) => ids.length));
  const shape = [sequences.length, width];
  const inputIds = new BigInt64Array(sequences.length * width);
  const attentionMask = new BigInt64Array(inputIds.length);
  sequences.forEach((ids, row) => {
    for (let column = 0; column < ids.length; column += 1) {
      inputIds[row * width + column] = BigInt(/** @type {number} */ (ids[column]));
      attentionMask[row * width + column] = 1n;
    }
  });
  /** @type {Record<string, () => BigInt64Array>} */
  const inputs = {
    input_ids: () => inputIds,
    attention_mask: () => attentionMask,
    token_type_ids: () => new BigInt64Array(inputIds.length),
  };
  /** @type {Record<string, Tensor>} */
  const feeds = {};
  for (const name of session.inputNames) {
    feeds[name] = new onnxRuntime.Tensor('int64', /** @type {() => BigInt64Array} */ (inputs[name])(), shape);
  }
  const outputs = await session.run(feeds);
  const name = outputs.last_hidden_state ? 'last_hidden_state' : session.outputNames[0];
  return {
    tokens: /** @type {Tensor} */ (outputs[/** @type {string} */ (name)]),
    lengths: sequences.map((ids) => ids.length),
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
 * The sum over tokens points where their mean does, so nothing is divided twice.
 * @param {Float32Array} vector
 */
function toUnitLength(vector) {
  let square = 0;
  for (let axis = 0; axis < vector.length; axis += 1) square += /** @type {number} */ (vector[axis]) ** 2;
  if (!(square > 0 && square < Infinity)) throw new Error(`the model gave a vector of length ${Math.sqrt(square)}`);
  const scale = 1 / Math.sqrt(square);
  for (let axis = 0; axis < vector.length; axis += 1) vector[axis] = /** @type {number} */ (vector[axis]) * scale;
}

/**
 * All that decides a vector: model, tokenizer, settings.
 * @param {Uint8Array} model
 * @param {Uint8Array} tokenizer
 * @param {EmbeddingSettings} settings
 */
function fingerprintOf(model, tokenizer, { pooling, maxTokens }) {
  const hash = createHash('sha256').update(model).update(tokenizer);
  return hash
    .update(JSON.stringify([pooling, maxTokens]))
    .digest('hex')
    .slice(0, FINGERPRINT_LENGTH);
}

/** Hexadecimal digits; 48 bits tell the models of any collection apart. */
const FINGERPRINT_LENGTH = 12;
