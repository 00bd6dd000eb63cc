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
  /** Whether its arguments belong to another program and are passed on unchanged: all of them are `positionals`. */
  readonly passesArguments?: boolean;
  /** Resolves to the exit code. Throws UsageError for a wrong call and CommandError for what the user can mend. */
  readonly run: (invocation: Invocation<O>) => Promise<number>;
}

/** Lets TypeScript read the types of the values off the options. */
export function defineCommand<const O extends Options>(command: Command<O>): Command {
  return command as unknown as Command;
}
