// Measures one model in a separate process, so that its memory can be told; run.mjs starts it.

import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { readEmbeddingSettings } from '../../packages/embeddings/dist/embedding-settings.js';
import { defaultModelDir, openEmbedder } from '../../packages/embeddings/dist/index.js';
import { findModelFolder } from '../../packages/embeddings/dist/model-folder.js';

const WORDS_PER_MESSAGE = 25;
const packageRoot = new URL('../../packages/embeddings/', import.meta.url);

const [{ model, rounds, roundMilliseconds }] = await once(process, 'message');
const messages = messagesFromDocumentation();
process.send(await measure());
process.disconnect();

async function measure() {
  const rssBefore = residentMiB();
  const cpuBefore = cpuMilliseconds();
  const before = performance.now();
  const embedder = await openEmbedder({ model, offline: true });
  await embedder.embed(['the first one']);
  const openMilliseconds = performance.now() - before;
  const openCpuMilliseconds = cpuMilliseconds() - cpuBefore;
  const rssLoaded = residentMiB();
  await embedder.embed(Array.from({ length: 2_000 }, (_, index) => messageAt(index)));
  const rssUsed = residentMiB();

  const speeds = await compare({
    'one text at a time': (index) => embedder.embed([messageAt(index)]).then(() => 1),
    'calls of 32 texts': (index) => embedder.embed(sliceAt(index, 32)).then(() => 32),
    '16 callers, one text each': (index) =>
      Promise.all(sliceAt(index, 16).map((text) => embedder.embed([text]))).then(() => 16),
    ...(await limits()),
  });
  await embedder.close();
  return { rssBefore, rssLoaded, rssUsed, openMilliseconds, openCpuMilliseconds, speeds };
}

/** For comparison, in this thread: the tokenizer alone, and the model without worker, queue and messages. */
async function limits() {
  // Imported late, so that these libraries do not count as memory of the start.
  const { loadSentenceModel } = await import('../../packages/embeddings/dist/sentence-model.js');
  const { AutoTokenizer } = await import(
    pathToFileURL(createRequire(packageRoot).resolve('@xenova/transformers')).href
  );
  const { name, folder } = await findModelFolder({
    model,
    modelDir: defaultModelDir(),
    offline: true,
    onProgress: () => {},
  });
  const { settings } = readEmbeddingSettings(folder);
  const bare = await loadSentenceModel({ folder, modelFile: 'onnx/model_quantized.onnx', settings, threads: 1 });
  const tokenizer = await AutoTokenizer.from_pretrained(name, { local_files_only: true });
  return {
    'beside it: the tokenizer alone': async (index) => {
      for (const text of sliceAt(index, 32)) tokenizer.encode(text);
      return 32;
    },
    'beside it: the model in the calling thread, one text at a time': (index) =>
      bare.embed([messageAt(index)]).then(() => 1),
  };
}

/** Runs all candidates in each round; returns the medians of milliseconds and of processor time per text. */
async function compare(candidates) {
  const samples = new Map(Object.keys(candidates).map((name) => [name, []]));
  let index = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, work] of Object.entries(candidates)) {
      const cpuBefore = cpuMilliseconds();
      const before = performance.now();
      let texts = 0;
      while (performance.now() - before < roundMilliseconds) {
        const done = await work(index);
        texts += done;
        index += done;
      }
      samples.get(name).push({
        milliseconds: (performance.now() - before) / texts,
        cpuMilliseconds: (cpuMilliseconds() - cpuBefore) / texts,
      });
    }
  }
  return Object.fromEntries(
    [...samples].map(([name, of]) => [
      name,
      {
        milliseconds: median(of.map((sample) => sample.milliseconds)),
        cpuMilliseconds: median(of.map((sample) => sample.cpuMilliseconds)),
      },
    ]),
  );
}

/** English texts of 25 words, from the documentation of this project, which is on every machine. */
function messagesFromDocumentation() {
  const root = new URL('../../', import.meta.url);
  const files = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'];
  const decisions = readdirSync(new URL('docs/decisions/', root)).map((name) => `docs/decisions/${name}`);
  const words = [...files, ...decisions]
    .map((file) => readFileSync(new URL(file, root), 'utf8').replaceAll(/[|#`*_]|-{3,}/g, ' '))
    .join(' ')
    .split(/\s+/);
  return Array.from({ length: Math.floor(words.length / WORDS_PER_MESSAGE) }, (_, at) =>
    words.slice(at * WORDS_PER_MESSAGE, (at + 1) * WORDS_PER_MESSAGE).join(' '),
  );
}

function messageAt(index) {
  return messages[index % messages.length];
}

function sliceAt(index, count) {
  return Array.from({ length: count }, (_, offset) => messageAt(index + offset));
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function cpuMilliseconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function residentMiB() {
  return Math.round(process.memoryUsage.rss() / 2 ** 20);
}
