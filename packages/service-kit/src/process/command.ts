import { readFileSync } from 'node:fs';
import process from 'node:process';
import type { CommandLine } from './config-or-exit.ts';
import { EXIT_USAGE } from './exit-codes.ts';

/** What a program has of its process; tests hand in their own. */
export type CommandEdge = Pick<CommandLine<never>, 'version' | 'argv' | 'env' | 'exit' | 'out' | 'err'>;

export interface Command {
  /** What it does, in a few words for --help. */
  readonly help: string;
  /** Does the work and gives the exit code. */
  readonly run: (edge: CommandEdge) => number | Promise<number>;
}

/** The commands of a program, by name. */
export type Commands = Readonly<Record<string, Command>>;

/** The edge of this process. @param manifest the package.json that has the version */
export function commandEdge(manifest: URL): CommandEdge {
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return {
    version,
    argv: process.argv.slice(2),
    env: process.env,
    exit: process.exit,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  };
}

/**
 * Runs the command that the first argument names, with the arguments after it, and exits with its code; exits with 2 when there is
 * no such command. Resolves when there is no first argument or it is a flag: the service itself is meant.
 */
export async function runCommand(edge: CommandEdge & { readonly name: string }, commands: Commands): Promise<void> {
  const { name: program, ...rest } = edge;
  const [name, ...argv] = edge.argv;
  if (name === undefined || name.startsWith('-')) return;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) return edge.exit(await command.run({ ...rest, argv }));
  const known = Object.keys(commands).join(', ');
  edge.err(
    `${program}: ${JSON.stringify(name)} is not a command: use ${known}, or none to start the service.\nSee ${program} --help.\n`,
  );
  edge.exit(EXIT_USAGE);
}
