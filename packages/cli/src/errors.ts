/** The command was called wrongly; the message says what to write. Exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The command failed; the message says why and what to do. Exit code 1. */
export class CommandError extends Error {
  override name = 'CommandError';
}
