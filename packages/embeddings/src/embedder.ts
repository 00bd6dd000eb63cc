import type { ModelKind } from './embedding-settings.ts';

/** Turns texts into vectors of one model. Every vector of a store must come from one model. */
export interface Embedder {
  /** Names model and version, as in `all-MiniLM-L6-v2@1a2b3c4d5e6f`; only embedders with the same id give comparable vectors. */
  readonly modelId: string;
  /** Numbers in a vector. */
  readonly dimension: number;
  /** How well its vectors tell meanings apart; who weighs them against other evidence has to know. */
  readonly kind: ModelKind;
  /** Tokens that the model reads, its special ones included; what lies beyond is cut off. */
  readonly maxTokens: number;
  /**
   * One vector of unit length per text, in order, so that the dot product of two is their cosine. Any text has one, the empty one too.
   * Texts beyond the model's length limit are cut; split them first. Callers that share an embedder take turns text by text.
   * @throws EmbedderBusyError when too many texts wait; EmbedderStoppedError after close; EmbeddingFailedError when the model
   *   fails twice on one of the texts
   */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  /** Whether texts are taken now: false after close, and while a worker that crashed again and again is left alone. */
  isReady(): boolean;
  /** Lets the texts that were taken on finish, refuses new ones, ends the worker. */
  close(): Promise<void>;
}
