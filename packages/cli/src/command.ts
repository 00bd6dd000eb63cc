import type { ParseArgsConfig, parseArgs } from 'node:util';
import type { Settings } from './settings.ts';

/** What a command has of the world; tests hand in another one. */
export interface Edge {
  readonly version: string;
  /** Without interpreter and script. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Whether a person sits at the other end. */
  readonly isTerminal: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean };
  /** Epoch milliseconds. */
  readonly clock: { readonly now: () => number };
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly fetch: typeof fetch;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** An option of a command, as `parseArgs` of node:util takes it, and what --help says of it. */
export interface Option {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  readonly short?: string;
  /** What its value is, in capitals: `N`, `FILE`. */
  readonly value?: string;
  readonly help: string;
}

export type Options = Readonly<Record<string, Option>>;

export type OptionValues<O extends Options> = ReturnType<
  typeof parseArgs<{ options: { [K in keyof O]: O[K] & NonNullable<ParseArgsConfig['options']>[string] } }>
>['values'];

/** One call of a command. */
export interface Invocation<O extends Options = Options> {
  readonly edge: Edge;
  readonly settings: Settings;
  /** --json: the answer is one JSON value, or one a line, on standard output, and nothing else. */
  readonly json: boolean;
  readonly values: OptionValues<O>;
  /** What stands beside the options, in order. */
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
  /** Resolves to the exit code. Throws UsageError for a wrong call and CommandError for what the user can mend. */
  readonly run: (invocation: Invocation<O>) => Promise<number>;
}

/** Lets TypeScript read the types of the values off the options. */
export function defineCommand<const O extends Options>(command: Command<O>): Command {
  return command as unknown as Command;
}

/** The call does not fit the command; its message says what to write. Exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The command could not do its work; its message says why and what to do. Exit code 1. */
export class CommandError extends Error {
  override name = 'CommandError';
}
