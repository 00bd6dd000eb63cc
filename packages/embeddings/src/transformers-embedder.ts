import type { Embedder } from './embedder.ts';
import { EmbedderBusyError, EmbedderStoppedError, EmbeddingFailedError } from './embedder-errors.ts';
import type { EmbeddingSettings, ModelKind, TextRole } from './embedding-settings.ts';
import { FairQueue, type TextCall, type TurnLimits, type WaitingText } from './fair-queue.ts';
import type { StartedModel, WorkerThread } from './worker-thread.ts';

/**
 * Limits of a turn, for a model whose vectors do not depend on the batch. With the static model, a text in a turn of 32 takes half
 * the time of a text alone, and larger turns gain nothing. The limit of characters keeps a turn of long texts short.
 */
const BATCH: TurnLimits = { texts: 32, characters: 8_000 };
const ONE_TEXT: TurnLimits = { texts: 1, characters: 0 };

/** Characters of a text that are read per token of the limit: enough for any prose, and few enough to tokenise quickly. */
const CHARACTERS_PER_TOKEN = 32;

/** Texts that may wait before new calls are refused. With `accurate` they are 13 s of work; callers give up sooner. */
const DEFAULT_MAX_WAITING_TEXTS = 2_048;

export interface TransformersEmbedderOptions {
  readonly worker: WorkerThread;
  readonly started: StartedModel;
  readonly name: string;
  readonly settings: EmbeddingSettings;
  readonly maxWaitingTexts?: number | undefined;
}

interface Call extends TextCall {
  readonly role: TextRole;
  readonly vectors: Float32Array[];
  left: number;
  failed: boolean;
  readonly resolve: (vectors: Float32Array[]) => void;
  readonly reject: (error: Error) => void;
}

type Waiting = WaitingText<Call>;

/** transformers.js in a worker thread that many callers share. Use openEmbedder to make one. */
export class TransformersEmbedder implements Embedder {
  readonly modelId: string;
  readonly dimension: number;
  readonly maxTokens: number;
  readonly kind: ModelKind;
  readonly judgesAnswers: boolean;
  readonly #prefixes: EmbeddingSettings['prefixes'];
  readonly #worker: WorkerThread;
  readonly #turnLimits: TurnLimits;
  readonly #maxWaitingTexts: number;
  readonly #queue = new FairQueue<Call>();
  #serving: Promise<void> | undefined;
  #closed = false;

  constructor({ worker, started, name, settings, maxWaitingTexts }: TransformersEmbedderOptions) {
    this.modelId = `${name}@${started.fingerprint}`;
    this.dimension = started.dimension;
    this.maxTokens = settings.maxTokens;
    this.kind = settings.kind;
    this.judgesAnswers = settings.answerModel !== undefined;
    this.#prefixes = settings.prefixes;
    this.#worker = worker;
    this.#turnLimits = settings.batchDependent ? ONE_TEXT : BATCH;
    this.#maxWaitingTexts = maxWaitingTexts ?? DEFAULT_MAX_WAITING_TEXTS;
  }

  async embed(texts: readonly string[], role: TextRole = 'stored'): Promise<Float32Array[]> {
    if (this.#closed) throw new EmbedderStoppedError('The embedder is closed.');
    if (texts.length === 0) return [];
    // Only waiting texts count, not those of this call: a call of any size is accepted while there is room.
    if (this.#queue.length >= this.#maxWaitingTexts) {
      throw new EmbedderBusyError(
        `${this.#queue.length} texts wait for their vectors already. Try again in a few seconds.`,
      );
    }
    const prefix = this.#prefixes?.[role === 'stored' ? role : 'question'] ?? '';
    const longest = this.maxTokens * CHARACTERS_PER_TOKEN;
    const vectors = new Promise<Float32Array[]>((resolve, reject) => {
      const cut = texts.map((text) => prefix + text.slice(0, longest));
      this.#queue.add({ texts: cut, role, vectors: [], left: texts.length, failed: false, resolve, reject });
    });
    this.#serving ??= this.#serve();
    return vectors;
  }

  isReady(): boolean {
    return !this.#closed && this.#worker.isReady();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#serving;
    await this.#worker.stop();
  }

  async #serve(): Promise<void> {
    for (;;) {
      const turn = this.#queue.take(this.#turnLimits);
      if (turn.length === 0) break;
      await this.#serveTurn(turn);
    }
    this.#serving = undefined;
  }

  /** Tries each text of a failed turn again by itself: only the text that causes the fault fails. */
  async #serveTurn(turn: readonly Waiting[]): Promise<void> {
    if ((await this.#try(turn)) === undefined) return;
    for (const text of turn) {
      if (text.call.failed) continue;
      const fault = await this.#try([text]);
      if (fault !== undefined) this.#fail(text.call, fault);
    }
  }

  async #try(turn: readonly Waiting[]): Promise<unknown> {
    try {
      // Only a model that takes one text at a time has an answer model.
      const vectors = await this.#worker.turn(
        turn.map(({ text }) => text),
        turn[0]?.call.role,
      );
      turn.forEach((text, row) => {
        this.#settle(text, vectors.slice(row * this.dimension, (row + 1) * this.dimension));
      });
      return undefined;
    } catch (fault) {
      return fault;
    }
  }

  #settle({ call, index }: Waiting, vector: Float32Array): void {
    call.vectors[index] = vector;
    call.left -= 1;
    if (call.left === 0) call.resolve(call.vectors);
  }

  #fail(call: Call, cause: unknown): void {
    call.failed = true;
    this.#queue.drop(call);
    const message = cause instanceof Error ? cause.message : String(cause);
    call.reject(new EmbeddingFailedError(`A text could not be turned into a vector: ${message}`, { cause }));
  }
}
