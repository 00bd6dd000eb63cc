import type { Payload, ToolCall } from './hook-event.ts';
import { own } from './payload-fields.ts';
import { commandName } from './shell-command.ts';

/** Names of the tools that run a command line, in lower case. */
const SHELL_TOOLS: ReadonlySet<string> = new Set([
  'bash',
  'shell',
  'local_shell',
  'shell_command',
  'exec_command',
  'run_shell_command',
  'run_commands',
  'execute_command',
  'run_in_terminal',
  'run_terminal_cmd',
  'powershell',
]);
/** Characters that the name of a tool may not hold in a task type: all but letters and digits, of any script, and a few signs. */
const NOT_IN_A_NAME = /(?:[^\p{L}\p{M}\p{N}_.:/-]|\p{Default_Ignorable_Code_Point})+/gu;
const NAME_CHARACTERS = 100;

/** A name as a part of a task type: without blanks and without what nobody sees, at most so many characters. */
export function nameInType(name: string, mostCharacters: number): string {
  return [...name.normalize('NFC').trim().replace(NOT_IN_A_NAME, '_')].slice(0, mostCharacters).join('');
}

/**
 * The task type of a call: the command for a shell (`npm test`), `tool:NAME` for any other tool. It has 1 to 128 characters and no
 * arguments.
 */
export function taskTypeOf({ tool, input }: ToolCall): string {
  return (isShell(tool) ? commandName(commandLine(input)) : null) ?? `tool:${nameInType(tool, NAME_CHARACTERS)}`;
}

/** @param tool the name of a tool in its host */
export function isShell(tool: string): boolean {
  return SHELL_TOOLS.has(tool.trim().toLowerCase());
}

/** The command line of a shell tool; '' where there is none. */
function commandLine(input: unknown): string {
  if (typeof input === 'string') return input;
  if (typeof input !== 'object' || input === null) return '';
  const command = ['command', 'cmd', 'commands'].map((name) => own(input as Payload, name)).find((one) => one != null);
  if (typeof command === 'string') return command;
  if (!Array.isArray(command)) return '';
  const parts = command.filter((part) => typeof part === 'string');
  // The list is either a program with its arguments, or several command lines.
  const isArgv = /^(?:.*\/)?(?:ba|z|da)?sh$/.test(parts[0] ?? '') && /^-\w*c$/.test(parts[1] ?? '');
  return isArgv ? (parts[2] ?? '') : parts.join('\n');
}
