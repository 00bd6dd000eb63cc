/** Says how likely two short texts contradict each other. */
export interface PairScorer {
  /** Names model and version, as in `contradiction-pairs@1a2b3c4d5e6f`; only scores with the same id are comparable. */
  readonly modelId: string;
  /**
   * One probability 0..1 for each pair, in order: the mean of both orders, unless one order is far from a contradiction.
   * (a, b) and (b, a) have the same score. A pair takes a worker thread about 5 to 25 ms.
   * @throws EmbedderBusyError when too many pairs wait; EmbedderStoppedError after close; EmbeddingFailedError when the model
   *   fails twice on one of the pairs
   */
  score(pairs: readonly (readonly [string, string])[]): Promise<Float32Array>;
  /** Whether pairs are accepted: false after close, and during the pause after repeated crashes of the worker. */
  isReady(): boolean;
  /** Finishes the accepted pairs, refuses new ones, ends the worker. */
  close(): Promise<void>;
}
