import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { env } from '@xenova/transformers/src/env.js';
import { AutoTokenizer } from '@xenova/transformers/src/tokenizers.js';
import onnxRuntime from 'onnxruntime-node';

/** @import { InferenceSession, Tensor } from 'onnxruntime-node' */

// Files are only read from the folder of the model: downloads happened before.
env.allowRemoteModels = false;
env.useFSCache = false;

const KNOWN_INPUTS = new Set(['input_ids', 'attention_mask', 'token_type_ids']);

/**
 * Uses the tokenizer of transformers.js, and runs the model directly instead of through its pipeline. The pipeline wraps each result
 * and computes means in general tensor code, which halves the speed of the static model; it passes no thread count to the runtime;
 * and it uses an old runtime that corrupts memory when a worker is replaced.
 * @param {{ folder: string, modelFile: string, threads: number }} model
 */
export async function loadTextModel({ folder, modelFile, threads }) {
  env.localModelPath = `${dirname(folder)}/`;
  const tokenizer = await AutoTokenizer.from_pretrained(basename(folder), { local_files_only: true });
  const tokenizerJson = await readFile(join(folder, 'tokenizer.json'));
  const bytes = await readFile(join(folder, modelFile));
  const session = await openSession({ folder, modelFile, threads });
  const hash = createHash('sha256').update(bytes).update(tokenizerJson);
  const unknown = session.inputNames.find((name) => !KNOWN_INPUTS.has(name));
  if (unknown) throw new Error(`it needs an input that a text does not give: ${unknown}`);
  const stripMarks = stripsMarks(JSON.parse(String(tokenizerJson)));
  /**
   * Strips all marks. transformers.js by itself strips only Latin accents, and then a word of Hindi, pointed Hebrew or voiced kana
   * becomes one unknown token.
   * @param {string} text
   */
  const read = (text) => (stripMarks ? text.normalize('NFD').replace(/\p{Mn}/gu, '') : text);
  return {
    session,
    /**
     * Token ids of a text.
     * @param {string} text
     */
    encode: (text, special = true) => tokenizer.encode(read(text), null, { add_special_tokens: special }),
    /**
     * Token ids of two texts that are read together, with the special tokens around and between them.
     * @param {string} a
     * @param {string} b
     */
    encodePair: (a, b) => tokenizer.encode(read(a), read(b), { add_special_tokens: true }),
    /**
     * A hash of everything that determines an answer: model, tokenizer, settings.
     * @param {unknown[]} settings
     */
    fingerprint: (settings) => hash.copy().update(JSON.stringify(settings)).digest('hex').slice(0, FINGERPRINT_LENGTH),
  };
}

/**
 * @param {{ folder: string, modelFile: string, threads: number }} model its weights may lie in another file beside it
 * @param {InferenceSession.SessionOptions} [options]
 */
export function openSession({ folder, modelFile, threads }, options) {
  return onnxRuntime.InferenceSession.create(join(folder, modelFile), {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    ...options,
  });
}

/** Hexadecimal digits; 48 bits tell the models of any collection apart. */
const FINGERPRINT_LENGTH = 12;

/**
 * Whether a tokenizer.json strips marks. Its BertNormalizer does when it lowers case, unless strip_accents says otherwise.
 * @param {{ normalizer?: { type: string, lowercase?: boolean, strip_accents?: boolean | null } | null }} tokenizerJson
 */
function stripsMarks({ normalizer }) {
  if (normalizer?.type !== 'BertNormalizer') return false;
  return normalizer.strip_accents ?? normalizer.lowercase ?? true;
}

/**
 * Runs the model on sequences of tokens, padded to the longest.
 * @param {InferenceSession} session
 * @param {readonly { ids: readonly number[], secondFrom?: number }[]} sequences secondFrom: where a second text begins, if there is one
 * @returns {Promise<Record<string, Tensor>>}
 */
export async function run(session, sequences) {
  const width = Math.max(...sequences.map(({ ids }) => ids.length));
  const shape = [sequences.length, width];
  const inputIds = new BigInt64Array(sequences.length * width);
  const attentionMask = new BigInt64Array(inputIds.length);
  const tokenTypes = new BigInt64Array(inputIds.length);
  sequences.forEach(({ ids, secondFrom = ids.length }, row) => {
    const start = row * width;
    for (let column = 0; column < ids.length; column += 1) {
      inputIds[start + column] = BigInt(/** @type {number} */ (ids[column]));
    }
    attentionMask.fill(1n, start, start + ids.length);
    tokenTypes.fill(1n, start + secondFrom, start + ids.length);
  });
  /** @type {Record<string, BigInt64Array>} */
  const inputs = { input_ids: inputIds, attention_mask: attentionMask, token_type_ids: tokenTypes };
  /** @type {Record<string, Tensor>} */
  const feeds = {};
  for (const name of session.inputNames) {
    feeds[name] = new onnxRuntime.Tensor('int64', /** @type {BigInt64Array} */ (inputs[name]), shape);
  }
  return session.run(feeds);
}
