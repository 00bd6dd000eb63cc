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

/** @param advice for files that are not as they should be */
export function cannotBeUsed(what: string, cause: Error, advice: string): ModelUnavailableError {
  const remedy = cause.message.includes('EMFILE') ? 'Raise the limit of open files (ulimit -n).' : advice;
  return new ModelUnavailableError(`${what} cannot be used (${cause.message}). ${remedy}`, { cause });
}
