import type { ModelKind, TextRole } from './embedding-settings.ts';

/** Turns texts into vectors of one model. Every vector of a store must come from one model. */
export interface Embedder {
  /** Names model and version, as in `all-MiniLM-L6-v2@1a2b3c4d5e6f`; only embedders with the same id give comparable vectors. */
  readonly modelId: string;
  /** Numbers in a vector. */
  readonly dimension: number;
  /** How well its vectors distinguish meanings, for callers that combine them with other evidence. */
  readonly kind: ModelKind;
  /** Whether vectors of the role `answerable` tell what answers a question from what shares its subject; else they are those of questions. */
  readonly judgesAnswers: boolean;
  /** Tokens that the model reads, special ones included; longer texts are cut. */
  readonly maxTokens: number;
  /**
   * One vector of unit length per text, in order, so that the dot product of two is their cosine. Every text has one, the empty text too.
   * A question is compared with stored texts, and stored texts with each other; two questions are not.
   * Texts beyond the model's length limit are cut; split them first. Callers that share an embedder take turns text by text.
   * @throws EmbedderBusyError when too many texts wait; EmbedderStoppedError after close; EmbeddingFailedError when the model
   *   fails twice on one of the texts
   */
  embed(texts: readonly string[], role?: TextRole): Promise<Float32Array[]>;
  /** Whether texts are accepted: false after close, and during the pause after repeated crashes of the worker. */
  isReady(): boolean;
  /** Finishes the accepted texts, refuses new ones, ends the worker. */
  close(): Promise<void>;
}
