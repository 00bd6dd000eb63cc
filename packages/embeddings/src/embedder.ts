/** Turns texts into vectors of one model. Every vector of a store must come from one model. */
export interface Embedder {
  /** Names model and version; two embedders with the same id give comparable vectors. */
  readonly modelId: string;
  /** Numbers in a vector. */
  readonly dimension: number;
  /**
   * One vector of unit length per text, in order, so that the dot product of two is their cosine.
   * Texts beyond the model's length limit are cut; split them first. Callers that share an embedder take turns text by text.
   * @throws EmbedderStoppedError after close; EmbeddingFailedError when the model fails twice on the same text
   */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  /** Lets texts under way finish, refuses new ones, ends the worker. */
  close(): Promise<void>;
}
