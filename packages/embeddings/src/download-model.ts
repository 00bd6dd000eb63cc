import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ModelUnavailableError } from './embedder-errors.ts';
import { MODEL_FILES } from './model-files.ts';

export interface DownloadProgress {
  readonly model: string;
  readonly file: string;
  readonly loadedBytes: number;
  /** Undefined where the server does not send it. */
  readonly totalBytes: number | undefined;
}

export type OnDownloadProgress = (progress: DownloadProgress) => void;

export interface ModelDownload {
  readonly model: string;
  readonly folder: string;
  readonly hub?: string | undefined;
  readonly onProgress: OnDownloadProgress;
}

const HUB = 'https://huggingface.co';

const REQUIRED_FILES = ['tokenizer.json', 'tokenizer_config.json'];
const OPTIONAL_FILES = [
  'embedding.json',
  'config.json',
  'sentence_bert_config.json',
  '1_Pooling/config.json',
  'onnx/answer_quantized.onnx',
];

/** A server that sends nothing for this long counts as dead. */
const SILENCE_MILLISECONDS = 30_000;

/**
 * Fetches what an embedding model needs into a folder. Each file appears whole or not at all, the ONNX file last.
 * @throws ModelUnavailableError when the hub has no such model in ONNX, or does not answer
 */
export async function downloadModel({ model, folder, hub = HUB, onProgress }: ModelDownload): Promise<void> {
  const fetchFile = async (file: string) => {
    try {
      return await download({ url: `${hub}/${model}/resolve/main/${file}`, path: join(folder, file), report });
    } catch (cause) {
      throw new ModelUnavailableError(
        `The model ${model} could not be downloaded from ${hub} (${reasonOf(cause)}). Check the network, put its files into ${folder}, or use accurate or fast, which need no network.`,
        { cause },
      );
    }
    function report(loadedBytes: number, totalBytes: number | undefined) {
      onProgress({ model, file, loadedBytes, totalBytes });
    }
  };

  for (const file of REQUIRED_FILES) {
    if (!(await fetchFile(file))) throw notForUs(model, hub, file);
  }
  for (const file of OPTIONAL_FILES) await fetchFile(file);
  for (const file of MODEL_FILES) {
    if (await fetchFile(file)) return;
  }
  throw notForUs(model, hub, MODEL_FILES.join(' or '));
}

function notForUs(model: string, hub: string, file: string) {
  return new ModelUnavailableError(
    `${hub} has no ${file} for the model ${model}, or only to users with an account. Choose a public model with an ONNX export.`,
  );
}

interface FileDownload {
  readonly url: string;
  readonly path: string;
  readonly report: (loadedBytes: number, totalBytes: number | undefined) => void;
}

/** False when the server does not have the file. The hub answers 401 for a repository that does not exist. */
async function download({ url, path, report }: FileDownload): Promise<boolean> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new Error('no answer for 30 s')), SILENCE_MILLISECONDS);
  const unfinished = `${path}.part`;
  try {
    const response = await fetch(url, { signal: silence.signal });
    if ([401, 403, 404].includes(response.status)) {
      await response.body?.cancel();
      return false;
    }
    if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
    const total = Number(response.headers.get('content-length')) || undefined;
    let loaded = 0;
    const count = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        timer.refresh();
        loaded += chunk.length;
        report(loaded, total);
        done(null, chunk);
      },
    });
    await mkdir(dirname(path), { recursive: true });
    await pipeline(Readable.fromWeb(response.body), count, createWriteStream(unfinished), { signal: silence.signal });
    await rename(unfinished, path);
    return true;
  } finally {
    clearTimeout(timer);
    await rm(unfinished, { force: true });
  }
}

/** The message of fetch is only "fetch failed"; the reason is in its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause ? reasonOf(error.cause) : error.message;
}
