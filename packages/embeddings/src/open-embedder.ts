import type { OnDownloadProgress } from './download-model.ts';
import { downloadProgress } from './download-progress.ts';
import { cannotBeUsed } from './embedder-errors.ts';
import { readEmbeddingSettings } from './embedding-settings.ts';
import { defaultModelDir, findModelFolder } from './model-folder.ts';
import { TransformersEmbedder } from './transformers-embedder.ts';
import { WorkerThread } from './worker-thread.ts';

/**
 * Threads of one run of the model. MiniLM on two cores, median of three: 126 texts a second with one thread and 141 with two
 * on an idle machine, but 121 and 80 while something else, such as this service's main thread, keeps one core busy.
 */
const MODEL_THREADS = 1;

/** The part of a log that is used; a pino logger fits. */
export interface EmbedderLog {
  info(message: string): void;
  warn(message: string): void;
}

export interface EmbedderOptions {
  /** `accurate`, `fast`, `multilingual`, a folder (absolute, or beginning with ./ or ../), or a Hugging Face id. */
  readonly model: string;
  /** Folder of downloaded models, searched before a download; a cache folder of the user when absent. */
  readonly modelDir?: string | undefined;
  /** Forbids downloads. */
  readonly offline: boolean;
  /** Address of the hub that models are downloaded from; Hugging Face when absent. */
  readonly hub?: string | undefined;
  /** Called at each step of a download. When absent, shows a bar on standard error if that is a terminal, else lines in the log. */
  readonly onProgress?: OnDownloadProgress | undefined;
  readonly log?: EmbedderLog | undefined;
  /** Texts that may wait before new calls are refused. */
  readonly maxWaitingTexts?: number | undefined;
  /** Another worker script, for tests. */
  readonly workerScript?: URL | undefined;
  /** Milliseconds on a clock that never jumps. */
  readonly now?: (() => number) | undefined;
}

const SILENT: EmbedderLog = { info: () => {}, warn: () => {} };

/**
 * Finds the model, starts its worker, and waits until it answers.
 * @throws ModelUnavailableError when there is no such model, it must not or cannot be downloaded, or its files cannot be used
 */
export async function openEmbedder(options: EmbedderOptions): Promise<TransformersEmbedder> {
  const { model, log = SILENT, modelDir = defaultModelDir(), offline, hub, maxWaitingTexts } = options;
  const onProgress = options.onProgress ?? downloadProgress({ stream: process.stderr, log: (line) => log.info(line) });
  const found = await findModelFolder({ model, modelDir, offline, hub, onProgress });
  const { settings, origin } = readEmbeddingSettings(found.folder);
  log.info(
    `embedding model ${found.name}: ${settings.pooling} pooling, at most ${settings.maxTokens} tokens, from ${origin}`,
  );

  const worker = new WorkerThread({
    model: { folder: found.folder, modelFile: found.modelFile, settings, threads: MODEL_THREADS },
    ...(options.workerScript && { script: options.workerScript }),
    now: options.now ?? (() => performance.now()),
    onCrash: (reason) => log.warn(`the embedding worker ended and is started again: ${reason}`),
  });
  const started = await worker.start().catch((cause: Error) => {
    const advice = 'Replace its files with whole ones, or use accurate or fast.';
    throw cannotBeUsed(`The model in ${found.folder}`, cause, advice);
  });
  return new TransformersEmbedder({ worker, started, name: found.name, settings, maxWaitingTexts });
}
