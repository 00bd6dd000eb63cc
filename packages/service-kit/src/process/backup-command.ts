import process from 'node:process';
import { type BinaryOutput, binaryOutput } from './binary-output.ts';
import type { CommandEdge } from './command.ts';
import { type ConfigField, variablesOf } from './config.ts';
import { configOrExit } from './config-or-exit.ts';
import { EXIT_FAILED, EXIT_USAGE } from './exit-codes.ts';

/** Why a backup or a restore did not happen, in words for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** The streams of a backup: it goes out, or comes in. */
export interface BackupStreams {
  readonly input: AsyncIterable<Uint8Array>;
  readonly output: BinaryOutput;
  /** Whether a person's terminal is at the other end. */
  readonly isTerminal: { readonly input: boolean; readonly output: boolean };
}

export type BackupEdge = CommandEdge & BackupStreams;

interface BackupStep {
  /** For --help. */
  readonly description: string;
  /** @returns what was done, in a sentence */
  readonly run: (place: string, edge: BackupEdge) => Promise<string>;
}

/** Each gives the exit code: 0, 1 when it failed, 2 when it was called wrongly. */
export type BackupCommands = Readonly<Record<'backup' | 'restore', (edge: BackupEdge) => Promise<number>>>;

export interface BackupOptions {
  /** The name of the program. */
  readonly service: string;
  /** Of its environment variables. */
  readonly prefix: string;
  /** The setting that says where the data are. Where its default is null, it must be given. */
  readonly place: ConfigField<string>;
  /** The setting that names a database in the place of that. */
  readonly store: ConfigField<unknown>;
  /** A name for the backup, for examples. */
  readonly file: string;
  readonly backup: BackupStep;
  readonly restore: BackupStep;
  /** Errors whose message tells the operator what to do, besides BackupError. */
  readonly explained: readonly (new (
    ...args: never[]
  ) => Error)[];
}

/** Standard input and output of this process. */
export function standardStreams(): BackupStreams {
  const { stdin, stdout } = process;
  return {
    input: stdin,
    output: binaryOutput(stdout),
    isTerminal: { input: stdin.isTTY === true, output: stdout.isTTY === true },
  };
}

/**
 * The commands `backup` and `restore` of a service. Each reads the place of the data, refuses a terminal in the place of a file,
 * and says on standard error what it did or why not.
 */
export function backupCommands(options: BackupOptions): BackupCommands {
  return {
    backup: (edge) => runStep('backup', options, edge),
    restore: (edge) => runStep('restore', options, edge),
  };
}

async function runStep(
  name: 'backup' | 'restore',
  { service, prefix, place: field, store, file, explained, ...steps }: BackupOptions,
  edge: BackupEdge,
): Promise<number> {
  const { description, run } = steps[name];
  const command = `${service} ${name}`;
  const { place } = configOrExit({
    ...edge,
    name: command,
    description,
    prefix,
    fields: { place: field },
    // The other variables of the service may stand beside it.
    env: field.env === undefined ? {} : { [field.env]: edge.env[field.env] },
  });
  // What lies there is from before the move to the database, and would look like a backup of today.
  const database = variablesOf(store).find((variable) => edge.env[variable]);
  const isNamed = edge.argv.some((word) => word === `--${field.flag}` || word.startsWith(`--${field.flag}=`));
  if (database !== undefined && !isNamed) {
    const refusal = `${database} is set, so the data are in a PostgreSQL: ${name === 'backup' ? 'back that up' : 'restore that'} with its own means, such as pg_dump.`;
    edge.err(
      `${command}: ${refusal} For files, which the service does not use then, say where with --${field.flag}.\n`,
    );
    return EXIT_USAGE;
  }
  if (typeof place !== 'string') {
    edge.err(`${command}: --${field.flag} must be given.\nSee ${command} --help.\n`);
    return EXIT_USAGE;
  }
  if (name === 'backup' ? edge.isTerminal.output : edge.isTerminal.input) {
    edge.err(`${command}: give it a file, as in: ${command} ${name === 'backup' ? '>' : '<'} ${file}\n`);
    return EXIT_USAGE;
  }
  try {
    edge.err(`${command}: ${await run(place, { ...edge, output: named(edge.output) })}\n`);
    return 0;
  } catch (error) {
    const { message } = error as Error;
    const isExplained = [BackupError, ...explained].some((known) => error instanceof known);
    const advice = 'Check the disk, its free room and the rights of this user; nothing was changed.';
    edge.err(`${command}: ${isExplained ? message : `${place}: ${message}. ${advice}`}\n`);
    return EXIT_FAILED;
  }
}

/** Its errors name it, and not the place of the data. */
function named(output: BinaryOutput): BinaryOutput {
  return async (bytes) => {
    try {
      await output(bytes);
    } catch (cause) {
      throw new BackupError(
        `standard output cannot be written: ${(cause as Error).message}. What it has is no backup: make room there or write to another place, and run it again.`,
        { cause },
      );
    }
  };
}
