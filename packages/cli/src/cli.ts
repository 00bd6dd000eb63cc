import { parseArgs } from 'node:util';
import { FacultiesError } from '@agent-faculties/client';
import { EXIT_FAILED, EXIT_USAGE } from '@agent-faculties/service-kit/exit-codes';
import { type Command, CommandError, type Edge, type Invocation, type OptionValues, UsageError } from './command.ts';
import { COMMANDS } from './commands.ts';
import { commandHelp, listHelp } from './help.ts';
import { inWordsOfOptions } from './option-fault.ts';
import { safeText } from './print.ts';
import { COMMON_OPTIONS, readSettings } from './settings.ts';

interface ParsedArguments extends Pick<Invocation, 'positionals'> {
  readonly values: OptionValues<typeof COMMON_OPTIONS>;
}

const NAME = 'agent-faculties';
/** The exit code that shells give a process that Ctrl-C ended: 128 + SIGINT. */
const EXIT_INTERRUPTED = 130;

/** Runs the command that the arguments name; resolves to the exit code. */
export async function runCli(unsafe: Edge): Promise<number> {
  const edge = withSafeOutput(unsafe);
  const [name, ...args] = edge.argv;
  try {
    if (name === undefined || name === '--help' || name === '-h' || name === 'help') return await printHelp(edge, args);
    if (name === '--version') {
      edge.out(`${edge.version}\n`);
      return 0;
    }
    return await runCommand(await commandNamed(name), args, edge);
  } catch (error) {
    if (edge.signal.aborted) return EXIT_INTERRUPTED;
    if (error instanceof UsageError) {
      const help = name !== undefined && name in COMMANDS ? `${NAME} ${name} --help` : `${NAME} --help`;
      edge.err(`${NAME}: ${error.message}\nSee ${help}.\n`);
      return EXIT_USAGE;
    }
    if (error instanceof CommandError || error instanceof FacultiesError || isOfSystem(error)) {
      edge.err(`${NAME}: ${error.message}\n`);
      return EXIT_FAILED;
    }
    throw error;
  }
}

/** Whether the system refuses a file or a program, and names it. */
function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  const { syscall, path } = (error ?? {}) as NodeJS.ErrnoException;
  return syscall !== undefined && path !== undefined;
}

/** What agents told and services answer must not steer the terminal of who reads it. */
function withSafeOutput(edge: Edge): Edge {
  return {
    ...edge,
    out: (text) => edge.out(safeText(text)),
    err: (text) => edge.err(safeText(text)),
    overwrite: (text) => edge.overwrite(safeText(text)),
  };
}

async function printHelp(edge: Edge, [name]: readonly string[]): Promise<number> {
  if (name !== undefined && !name.startsWith('-')) {
    edge.out(commandHelp(await commandNamed(name)));
    return 0;
  }
  edge.out(listHelp(edge.version, await allCommands()));
  return 0;
}

async function allCommands(): Promise<readonly Command[]> {
  const commands: Command[] = [];
  for (const name of Object.keys(COMMANDS)) commands.push(await commandNamed(name));
  return commands;
}

async function commandNamed(name: string): Promise<Command> {
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!load && name.startsWith('-'))
    throw new UsageError(`${name} stands before the command: write ${NAME} COMMAND ${name}.`);
  if (!load) {
    throw new UsageError(`${JSON.stringify(name)} is not a command: use one of ${Object.keys(COMMANDS).join(', ')}.`);
  }
  return (await load()).command;
}

async function runCommand(command: Command, args: readonly string[], edge: Edge): Promise<number> {
  const { values, positionals } = command.passesArguments ? passed(args) : parse(command, args);
  if (values.help) {
    edge.out(commandHelp(command));
    return 0;
  }
  const [word] = positionals;
  if (command.takesWords === false && word !== undefined) {
    throw new UsageError(`${command.name} takes options alone, and ${JSON.stringify(word)} is none.`);
  }
  const call = {
    edge,
    settings: readSettings(values, edge.env),
    json: values.json === true,
    values: values as Invocation['values'],
    commands: allCommands,
    positionals,
  };
  try {
    return await command.run(call);
  } catch (error) {
    throw inWordsOfOptions(error, command.options, call.values);
  }
}

/** Before the first word `--help` asks about this command; after it, it is passed on to the other program. */
function passed(args: readonly string[]): ParsedArguments {
  return { values: { help: args[0] === '--help' }, positionals: args };
}

function parse({ options }: Command, args: readonly string[]): ParsedArguments {
  try {
    return parseArgs({ args: [...args], options: { ...COMMON_OPTIONS, ...options }, allowPositionals: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code?.startsWith('ERR_PARSE_ARGS_')) throw new UsageError(message);
    throw error;
  }
}
