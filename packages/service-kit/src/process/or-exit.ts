import { ConfigError } from './config.ts';
import type { CommandLine } from './config-or-exit.ts';
import { EXIT_FAILED, EXIT_USAGE } from './exit-codes.ts';

/**
 * Does a part of the start. An error of one of the `explained` classes has a message that says what to mend: it is printed, and the
 * process exits with 1, or with 2 where it is the configuration. Any other error is a fault of the program and is thrown on.
 */
export async function orExit<T>(
  {
    name,
    err,
    exit,
    explained,
    atRest,
  }: Pick<CommandLine<never>, 'name' | 'err' | 'exit'> & {
    readonly explained: readonly (new (...args: never[]) => Error)[];
    /** Resolves when nothing is under way that must not be cut off by the exit. */
    readonly atRest?: () => Promise<void>;
  },
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!explained.some((known) => error instanceof known)) throw error;
    err(`${name}: ${(error as Error).message}\n`);
    await atRest?.();
    return exit(error instanceof ConfigError ? EXIT_USAGE : EXIT_FAILED);
  }
}
