/** The call does not fit the command; its message says what to write. Exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The command could not do its work; its message says why and what to do. Exit code 1. */
export class CommandError extends Error {
  override name = 'CommandError';
}
