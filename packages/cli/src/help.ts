import type { Command, Options } from './command.ts';
import { COMMON_OPTIONS } from './settings.ts';

/** The list of commands. */
export function listHelp(version: string, commands: readonly Command[]): string {
  const rows = commands.map(({ name, summary }) => [name, summary] as const);
  return [
    `agent-faculties ${version}: a sense of time and a shared memory for AI agents`,
    '',
    'agent-faculties COMMAND [options]',
    '',
    ...columns(rows),
    '',
    'agent-faculties COMMAND --help says what a command takes.',
    '',
  ].join('\n');
}

/** The arguments and options of one command. */
export function commandHelp({ name, summary, usage, options, passesArguments, notes = [] }: Command): string {
  const own = columns(rowsOf(options));
  return [
    `agent-faculties ${name}${usage === '' ? '' : ` ${usage}`}`,
    '',
    `${summary}.`,
    '',
    ...(own.length === 0 ? [] : [...own, '']),
    ...(notes.length === 0 ? [] : [...notes, '']),
    ...(passesArguments ? [] : commonHelp(options)),
  ].join('\n');
}

function commonHelp(own: Options): string[] {
  return [
    'Of every command:',
    ...columns(rowsOf(commonBeside(own))),
    '',
    'AGENT_FACULTIES_KEY holds the key for a gateway.',
    '',
  ];
}

/** Of an option that a command has under the same name, its own meaning counts. */
function commonBeside(own: Options): Options {
  return Object.fromEntries(Object.entries(COMMON_OPTIONS).filter(([name]) => !Object.hasOwn(own, name)));
}

function rowsOf(options: Options): (readonly [string, string])[] {
  return Object.entries(options).map(([name, { short, value, help }]) => {
    const long = `--${name}${value === undefined ? '' : ` ${value}`}`;
    return [short === undefined ? long : `-${short}, ${long}`, help] as const;
  });
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
