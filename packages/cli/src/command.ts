import type { Edge } from './edge.ts';
import type { Options } from './option.ts';
import type { Settings } from './settings.ts';

export type { Edge } from './edge.ts';
export { CommandError, UsageError } from './errors.ts';
export type { Options } from './option.ts';

export type OptionValues<O extends Options> = {
  [Name in keyof O]?:
    | (O[Name]['type'] extends 'boolean' ? boolean : O[Name] extends { multiple: true } ? string[] : string)
    | undefined;
};

/** One call of a command. */
export interface Invocation<O extends Options = Options> {
  readonly edge: Edge;
  readonly settings: Settings;
  /** --json: the answer is one JSON value, or one a line, on standard output, and nothing else. */
  readonly json: boolean;
  readonly values: OptionValues<O>;
  /** All commands, in the order of --help. */
  readonly commands: () => Promise<readonly Command[]>;
  /** The arguments that are not options, in order. */
  readonly positionals: readonly string[];
}

/** What a file in commands/ exports as `command`. */
export interface Command<O extends Options = Options> {
  readonly name: string;
  /** One line, for the list of commands. */
  readonly summary: string;
  /** What follows the name, such as `TEXT [--tag TAG]...`. */
  readonly usage: string;
  readonly options: O;
  /** False where it takes options alone. */
  readonly takesWords?: false;
  /** Whether all arguments are passed to another program unchanged; then all of them are `positionals`, and no common option counts. */
  readonly passesArguments?: boolean;
  /** What --help adds, a line each. */
  readonly notes?: readonly string[];
  /** Resolves to the exit code. @throws UsageError for a wrong call, CommandError for a fault that the user can correct */
  readonly run: (invocation: Invocation<O>) => Promise<number>;
}

/** Lets TypeScript infer the types of the values from the options. */
export function defineCommand<const O extends Options>(command: Command<O>): Command {
  return command as unknown as Command;
}
