import { readFileSync } from 'node:fs';
import process from 'node:process';
import type { CommandLine } from './config-or-exit.ts';

/** What a program has of its process; tests hand in their own. */
export type CommandEdge = Pick<CommandLine<never>, 'version' | 'argv' | 'env' | 'exit' | 'out' | 'err'>;

/** Does its work and gives the exit code. */
export type Command = (edge: CommandEdge) => number | Promise<number>;

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
 * Runs the command that the first argument names, with the arguments after it, and exits with its code. Resolves when the first
 * argument names none: the service itself is meant.
 */
export async function runCommand(edge: CommandEdge, commands: Readonly<Record<string, Command>>): Promise<void> {
  const [name = '', ...argv] = edge.argv;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) edge.exit(await command({ ...edge, argv }));
}
