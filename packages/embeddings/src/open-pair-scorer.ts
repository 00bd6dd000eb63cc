import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EmbedderStoppedError, EmbeddingFailedError, ModelUnavailableError } from './embedder-errors.ts';
import { MODEL_FILES } from './model-files.ts';
import { modelFileIn } from './model-folder.ts';
import type { EmbedderLog } from './open-embedder.ts';
import type { PairScorer } from './pair-scorer.ts';
import { WorkerThread } from './worker-thread.ts';

const BUNDLED = 'bundled';
const BUNDLED_FOLDER = fileURLToPath(new URL('../models/contradiction-minilm', import.meta.url));

export interface PairScorerOptions {
  /** `bundled`, or a folder with the ONNX file, tokenizer.json, tokenizer_config.json and pair.json (`{"maxTokens": 160}`). */
  readonly model: string;
  readonly log?: Pick<EmbedderLog, 'warn'> | undefined;
  /** Milliseconds on a clock that never jumps. */
  readonly now?: (() => number) | undefined;
}

/**
 * Starts the worker of a cross-encoder for pairs of texts, and waits until it answers.
 * @throws ModelUnavailableError when there is no such model or its files cannot be used
 */
export async function openPairScorer({ model, log, now }: PairScorerOptions): Promise<PairScorer> {
  const folder = model === BUNDLED ? BUNDLED_FOLDER : resolve(model);
  const modelFile = modelFileIn(folder);
  if (!modelFile) {
    throw new ModelUnavailableError(
      `There is no pair model in ${folder}: it needs ${MODEL_FILES.join(' or ')}, tokenizer.json, tokenizer_config.json and pair.json.`,
    );
  }
  const worker = new WorkerThread({
    model: { folder, modelFile, maxTokens: maxTokensOf(folder), threads: 1 },
    script: new URL('./pair-worker.js', import.meta.url),
    now: now ?? (() => performance.now()),
    onCrash: (reason) => log?.warn(`the worker that scores pairs ended and is started again: ${reason}`),
  });
  const started = await worker.start().catch((cause: unknown) => {
    throw new ModelUnavailableError(
      `The pair model in ${folder} cannot be used (${String(cause)}). Replace its files with whole ones, or use ${BUNDLED}.`,
      { cause },
    );
  });
  return new WorkerPairScorer(worker, `${basename(folder)}@${started.fingerprint}`);
}

function maxTokensOf(folder: string): number {
  const file = join(folder, 'pair.json');
  try {
    const { maxTokens } = JSON.parse(readFileSync(file, 'utf8')) as { maxTokens?: unknown };
    if (Number.isSafeInteger(maxTokens) && (maxTokens as number) > 8) return maxTokens as number;
  } catch (cause) {
    throw new ModelUnavailableError(`${file} cannot be read: ${String(cause)}.`, { cause });
  }
  throw new ModelUnavailableError(`${file}: "maxTokens" must be a whole number above 8.`);
}

/** One pair at a time: a caller that asks for many holds up another by no more than one. */
class WorkerPairScorer implements PairScorer {
  readonly modelId: string;
  readonly #worker: WorkerThread;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(worker: WorkerThread, modelId: string) {
    this.#worker = worker;
    this.modelId = modelId;
  }

  async score(pairs: readonly (readonly [string, string])[]): Promise<Float32Array> {
    const scores = new Float32Array(pairs.length);
    for (const [index, pair] of pairs.entries()) scores[index] = await this.#inTurn(pair);
    return scores;
  }

  isReady(): boolean {
    return !this.#isClosed && this.#worker.isReady();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#last;
    await this.#worker.stop();
  }

  #inTurn(pair: readonly [string, string]): Promise<number> {
    const score = this.#last.then(() => this.#scoreOne(pair));
    this.#last = score.catch(() => {});
    return score;
  }

  async #scoreOne(pair: readonly [string, string]): Promise<number> {
    if (this.#isClosed) throw new EmbedderStoppedError('The pair scorer is closed.');
    try {
      const [score] = await this.#worker.turn(pair);
      return score as number;
    } catch (cause) {
      if (cause instanceof EmbeddingFailedError) throw cause;
      throw new EmbeddingFailedError(`A pair could not be scored: ${(cause as Error).message}`, { cause });
    }
  }
}
