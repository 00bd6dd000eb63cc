/** Too many texts wait; the same call may succeed seconds later. */
export class EmbedderBusyError extends Error {
  override readonly name = 'EmbedderBusyError';
}

/** The embedder was closed. */
export class EmbedderStoppedError extends Error {
  override readonly name = 'EmbedderStoppedError';
}

/** The model failed twice on a text, or its worker cannot be started again. `cause` holds the last fault. */
export class EmbeddingFailedError extends Error {
  override readonly name = 'EmbeddingFailedError';
}

/** There is no such model here, it may not or cannot be downloaded, or its files cannot be used. The message says what to do. */
export class ModelUnavailableError extends Error {
  override readonly name = 'ModelUnavailableError';
}
