import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DownloadProgress } from '../src/index.ts';
import { ModelUnavailableError, openEmbedder } from '../src/index.ts';

const FAST = fileURLToPath(new URL('../models/agent-memory-static-240', import.meta.url));
const ACCURATE = fileURLToPath(new URL('../models/all-MiniLM-L6-v2', import.meta.url));
const PAIRS = fileURLToPath(new URL('../models/contradiction-minilm', import.meta.url));
const JUDGES = fileURLToPath(new URL('tiny-nli', import.meta.url));
const MODEL_FILE = 'onnx/model_quantized.onnx';

let scratch: string;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'models-'));
});
afterEach(() => rmSync(scratch, { recursive: true }));

function copyOfFast(): string {
  const folder = join(scratch, 'copy');
  cpSync(FAST, folder, { recursive: true });
  return folder;
}

async function vectorOf(options: Partial<Parameters<typeof openEmbedder>[0]>) {
  const infos: string[] = [];
  const log = { info: (message: string) => void infos.push(message), warn: () => {} };
  const embedder = await openEmbedder({ model: 'fast', offline: true, modelDir: scratch, log, ...options });
  const [vector] = await embedder.embed(['a message to compare']);
  await embedder.close();
  return { vector, modelId: embedder.modelId, maxTokens: embedder.maxTokens, infos };
}

describe('a folder', () => {
  test('is used as it is, and its id tells a changed file from the original', async () => {
    const folder = copyOfFast();
    const [bundled, same] = [await vectorOf({}), await vectorOf({ model: folder })];
    expect(same.vector).toEqual(bundled.vector);
    expect(same.modelId.split('@')).toEqual(['copy', bundled.modelId.split('@')[1]]);

    const tokenizer = join(folder, 'tokenizer.json');
    writeFileSync(tokenizer, `${readFileSync(tokenizer, 'utf8')}\n`);
    expect((await vectorOf({ model: folder })).modelId).not.toBe(same.modelId);
  });

  test('without embedding.json follows the files of sentence-transformers and says so', async () => {
    const folder = copyOfFast();
    rmSync(join(folder, 'embedding.json'));
    mkdirSync(join(folder, '1_Pooling'));
    writeFileSync(
      join(folder, '1_Pooling/config.json'),
      '{"word_embedding_dimension":240,"pooling_mode_cls_token":true}',
    );
    writeFileSync(join(folder, 'sentence_bert_config.json'), '{"max_seq_length":128}');
    const { maxTokens, infos } = await vectorOf({ model: folder });
    expect(maxTokens).toBe(128);
    expect(infos).toContainEqual(
      expect.stringContaining('cls pooling, at most 128 tokens, from 1_Pooling/config.json'),
    );
  });

  test('without any of them takes the mean and the limit of the tokenizer, and says so', async () => {
    const folder = copyOfFast();
    rmSync(join(folder, 'embedding.json'));
    const { maxTokens, infos } = await vectorOf({ model: folder });
    expect(maxTokens).toBe(512);
    expect(infos).toContainEqual(expect.stringContaining('mean pooling, at most 512 tokens, from defaults'));
  });

  test.each<[string, (folder: string) => void, RegExp]>([
    ['no model file', (folder) => rmSync(join(folder, MODEL_FILE)), /There is no model in .*copy: it needs/],
    ['half a model file', (folder) => halve(join(folder, MODEL_FILE)), /The model in .*copy cannot be used/],
    ['no tokenizer', (folder) => rmSync(join(folder, 'tokenizer.json')), /The model in .*copy cannot be used/],
    ['half a tokenizer', (folder) => halve(join(folder, 'tokenizer.json')), /The model in .*copy cannot be used/],
    ['broken settings', (folder) => halve(join(folder, 'embedding.json')), /embedding.json cannot be read/],
    [
      'a model that scores pairs',
      (folder) => cpSync(join(PAIRS, MODEL_FILE), join(folder, MODEL_FILE)),
      /The model in .*copy cannot be used .*it gives scores \("logit"\) and no vectors/,
    ],
    [
      'a model that judges texts',
      (folder) => {
        rmSync(folder, { recursive: true });
        cpSync(JUDGES, folder, { recursive: true });
      },
      /The model in .*copy cannot be used .*it gives scores \("logits"\) and no vectors/,
    ],
    [
      'unknown pooling',
      (folder) => writeFileSync(join(folder, 'embedding.json'), '{"pooling":"max"}'),
      /"pooling" must be "mean" or "cls"/,
    ],
    [
      'a prefix for questions alone',
      (folder) => addSettings(folder, { prefixes: { question: 'query: ' } }),
      /"prefixes" must hold the texts "stored" and "question"/,
    ],
    [
      'an answer model that is no file name',
      (folder) => addSettings(folder, { answerModel: true }),
      /"answerModel" must be the name of a file/,
    ],
    [
      'an answer model for texts in batches',
      (folder) => addSettings(folder, { answerModel: MODEL_FILE }),
      /"answerModel" needs "batchDependent": true/,
    ],
    [
      'an answer model that is not there',
      (folder) => addSettings(folder, { answerModel: 'onnx/other.onnx', batchDependent: true }),
      /The model in .*copy cannot be used .*other\.onnx/,
    ],
    [
      'an answer model of another dimension',
      (folder) => {
        cpSync(join(ACCURATE, MODEL_FILE), join(folder, 'onnx/other.onnx'));
        addSettings(folder, { answerModel: 'onnx/other.onnx', batchDependent: true });
      },
      /The model in .*copy cannot be used .*its answer model gives 384 numbers, not 240/,
    ],
  ])('with %s is refused with a sentence that says what to do', async (_, spoil, message) => {
    const folder = copyOfFast();
    spoil(folder);
    const opening = openEmbedder({ model: folder, offline: true });
    await expect(opening).rejects.toThrow(ModelUnavailableError);
    await expect(opening).rejects.toThrow(message);
  });
});

function addSettings(folder: string, added: object): void {
  const file = join(folder, 'embedding.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...added }));
}

function halve(path: string): void {
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.subarray(0, bytes.length / 2));
}

describe('a Hugging Face id', () => {
  /** A hub on this machine: owner/whole is the static model, owner/broken breaks off in its model file, owner/answers is `accurate`. */
  let server: Server;
  let hub: string;
  let requests: string[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      requests.push(request.url ?? '');
      const [, model, file] = /^\/owner\/(whole|broken|answers)\/resolve\/main\/(.+)$/.exec(request.url ?? '') ?? [];
      const path = join(model === 'answers' ? ACCURATE : FAST, file ?? '');
      if (!model || !file || !existsSync(path)) return void response.writeHead(404).end('no such file');
      const bytes = readFileSync(path);
      response.writeHead(200, { 'content-length': bytes.length });
      if (model !== 'broken' || file !== MODEL_FILE) return void response.end(bytes);
      response.write(bytes.subarray(0, 100_000), () => response.destroy());
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    hub = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    requests = [];
  });
  afterAll(() => void server.close());

  test('is downloaded with its answer model', async () => {
    const { vector } = await vectorOf({ model: 'owner/answers', offline: false, hub });
    expect(vector).toEqual((await vectorOf({ model: 'accurate' })).vector);
  });

  test('is downloaded once, with its progress, and needs no network afterwards', async () => {
    const steps: DownloadProgress[] = [];
    const onProgress = (step: DownloadProgress) => void steps.push(step);
    const first = await vectorOf({ model: 'owner/whole', offline: false, hub, onProgress });
    const bundled = await vectorOf({});
    expect(first.vector).toEqual(bundled.vector);
    expect(first.modelId).toBe(`owner/whole@${bundled.modelId.split('@')[1]}`);
    expect(steps.at(-1)).toEqual({
      model: 'owner/whole',
      file: MODEL_FILE,
      loadedBytes: 7_386_898,
      totalBytes: 7_386_898,
    });

    requests = [];
    const again = await vectorOf({ model: 'owner/whole', offline: true, hub });
    expect([again.modelId, requests]).toEqual([first.modelId, []]);
  });

  test('whose download breaks off leaves no half file behind', async () => {
    await expect(vectorOf({ model: 'owner/broken', offline: false, hub })).rejects.toThrow(/could not be downloaded/);
    expect(readdirSync(join(scratch, 'owner/broken/onnx'))).toEqual([]);
  });

  test.each([
    ['that nobody has', { model: 'owner/absent', offline: false }, /has no tokenizer.json for the model owner\/absent/],
    ['with a dead network', { model: 'owner/whole', offline: false, hub: 'http://127.0.0.1:1' }, /Check the network/],
    ['in offline mode', { model: 'owner/whole', offline: true }, /offline mode forbids its download/],
    ['that is none', { model: '../../etc', offline: true }, /There is no model in/],
    [
      'that was not made yet',
      { model: 'multilingual', offline: false },
      /Make it with "npm run models -- multilingual"/,
    ],
    ['with forbidden characters', { model: 'owner/../x', offline: false }, /names no model/],
  ])('%s is refused with a sentence that says what to do', async (_, options, message) => {
    const opening = vectorOf({ hub, ...options });
    await expect(opening).rejects.toThrow(ModelUnavailableError);
    await expect(opening).rejects.toThrow(message);
    if (options.offline) expect(requests).toEqual([]);
  });
});
