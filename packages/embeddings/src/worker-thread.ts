// Imported to keep it loaded: after its last thread has ended, this native library cannot be loaded again in the process
// ("Module did not self-register"), and a crashed worker could not be replaced.
import 'onnxruntime-node';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { EmbeddingFailedError } from './embedder-errors.ts';
import type { TextRole } from './embedding-settings.ts';
import type { PairWorkerModel, StartReply, Turn, TurnReply, WorkerModel } from './worker-protocol.ts';

/** Crashes in a row after which the worker pauses, so that it does not restart in a loop. */
const CRASHES_IN_A_ROW = 5;

/** Length of the pause. During it texts fail at once, so that callers can go on without vectors. */
const DOWN_MILLISECONDS = 30_000;

/** Limit of the JavaScript heap of the worker. The tokenizer of a large vocabulary takes 100 MB; the weights are outside the heap. */
const HEAP_LIMIT_MB = 512;

export interface WorkerThreadOptions {
  readonly model: WorkerModel | PairWorkerModel;
  /** The script to run; embedding-worker.js when absent. */
  readonly script?: URL;
  /** Milliseconds on a clock that never jumps. */
  readonly now: () => number;
  readonly onCrash: (reason: string) => void;
}

export interface StartedModel {
  readonly dimension: number;
  readonly fingerprint: string;
}

type Reply = StartReply | TurnReply;

/** Replies of all threads that somebody waits for. */
const awaited = new Set<Promise<Reply>>();

/**
 * Resolves when no thread loads or runs its model. A process that ends in the middle of that is aborted by the native library
 * ("terminate called after throwing an instance of 'Napi::Error'"), whatever code it was to end with.
 */
export async function threadsAtRest(): Promise<void> {
  while (awaited.size > 0) {
    await Promise.allSettled(awaited);
    // Whoever waited for a model may begin to load the next one.
    await nextTurn();
  }
}

/** The worker thread: started when needed, again after a crash, and given one turn at a time. */
export class WorkerThread {
  readonly #options: WorkerThreadOptions;
  #worker: Worker | undefined;
  #pending: { resolve(reply: Reply): void; reject(error: Error): void } | undefined;
  #started: StartedModel | undefined;
  #crashes = 0;
  #downUntil = 0;

  constructor(options: WorkerThreadOptions) {
    this.#options = options;
  }

  /** Whether it accepts texts: it restarts on demand, but pauses after many crashes in a row. */
  isReady(): boolean {
    return this.#options.now() >= this.#downUntil;
  }

  /**
   * Loads the model, unless it is loaded.
   * @throws Error when the worker reports that it cannot, ends, or finds another model than before
   */
  async start(): Promise<StartedModel> {
    if (this.#worker && this.#started) return this.#started;
    this.#refuseWhileDown();
    const reply = (await this.#reply(() => this.#spawn())) as StartReply;
    if (reply.failure !== undefined) {
      await this.stop();
      this.#countCrash();
      throw new Error(reply.failure);
    }
    if (this.#started && this.#started.fingerprint !== reply.fingerprint) {
      await this.stop();
      this.#countCrash();
      throw new Error('the files of the model were changed while it was in use; restart the service');
    }
    this.#started = { dimension: reply.dimension, fingerprint: reply.fingerprint };
    return this.#started;
  }

  /**
   * The vectors of some texts, one after the other. Wait for one turn before the next.
   * @throws Error when the model fails on them, or the worker ends or cannot be started
   */
  async turn(texts: readonly string[], role: TextRole = 'stored'): Promise<Float32Array> {
    await this.start();
    const turn: Turn = { texts, role };
    const reply = (await this.#reply(() => this.#worker?.postMessage(turn))) as TurnReply;
    this.#crashes = 0;
    if (reply.failure !== undefined) throw new Error(reply.failure);
    return reply.vectors;
  }

  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    worker?.removeAllListeners('exit');
    await worker?.terminate();
  }

  #spawn(): void {
    const { model, script = new URL('./embedding-worker.js', import.meta.url) } = this.#options;
    const worker = new Worker(script, {
      workerData: model,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB },
    });
    let reason: string | undefined;
    worker.on('message', (reply: Reply) => this.#pending?.resolve(reply));
    worker.on('error', (error) => {
      reason = String(error);
    });
    worker.on('exit', (code) => this.#crashed(reason ?? `exit code ${code}`));
    this.#worker = worker;
  }

  #crashed(reason: string): void {
    this.#worker = undefined;
    this.#countCrash();
    this.#options.onCrash(reason);
    this.#pending?.reject(new Error(`the worker of a model ended: ${reason}`));
  }

  #countCrash(): void {
    this.#crashes += 1;
    if (this.#crashes >= CRASHES_IN_A_ROW) this.#downUntil = this.#options.now() + DOWN_MILLISECONDS;
  }

  #refuseWhileDown(): void {
    const left = this.#downUntil - this.#options.now();
    if (left <= 0) return;
    throw new EmbeddingFailedError(
      `The worker of this model ended ${this.#crashes} times in a row and is tried again in ${Math.ceil(left / 1000)} s.`,
    );
  }

  async #reply(ask: () => void): Promise<Reply> {
    const reply = new Promise<Reply>((resolve, reject) => {
      this.#pending = { resolve, reject };
      ask();
    });
    awaited.add(reply);
    try {
      return await reply;
    } finally {
      awaited.delete(reply);
      this.#pending = undefined;
    }
  }
}
