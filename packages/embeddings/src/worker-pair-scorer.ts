import { basename } from 'node:path';
import { cannotBeUsed, EmbedderStoppedError, EmbeddingFailedError } from './embedder-errors.ts';
import type { EmbedderLog } from './open-embedder.ts';
import type { PairScorer } from './pair-scorer.ts';
import type { PairWorkerModel } from './worker-protocol.ts';
import { WorkerThread } from './worker-thread.ts';

export interface WorkerPairScorerOptions {
  readonly model: Omit<PairWorkerModel, 'threads'>;
  readonly log?: Pick<EmbedderLog, 'warn'> | undefined;
  /** Milliseconds on a clock that never jumps. */
  readonly now?: (() => number) | undefined;
  /** A sentence that says what to do when the model cannot be used. */
  readonly advice: string;
}

/**
 * Starts the worker of a model for pairs of texts, and waits until it answers.
 * @throws ModelUnavailableError when its files cannot be used
 */
export async function startPairScorer({ model, log, now, advice }: WorkerPairScorerOptions): Promise<PairScorer> {
  const worker = new WorkerThread({
    model: { ...model, threads: 1 },
    script: new URL('./pair-worker.js', import.meta.url),
    now: now ?? (() => performance.now()),
    onCrash: (reason) => log?.warn(`the worker that scores pairs ended and is started again: ${reason}`),
  });
  const started = await worker.start().catch((cause: Error) => {
    throw cannotBeUsed(`The pair model in ${model.folder}`, cause, advice);
  });
  return new WorkerPairScorer(worker, `${basename(model.folder)}@${started.fingerprint}`);
}

/** Scores one pair at a time, so that a caller with many pairs delays others by at most one pair. */
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
