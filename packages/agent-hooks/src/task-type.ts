import type { Payload, ToolCall } from './hook-event.ts';
import { own } from './payload-fields.ts';
import { commandName } from './shell-command.ts';

/** What hosts call the tool that runs a command line. */
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
/** Names of tools are those of programs: letters, digits and a few signs. */
const NOT_IN_A_NAME = /[^\w.:/-]+/g;
const NAME_CHARACTERS = 100;

/**
 * The task type under which a call is timed: what is run for a shell (`npm test`), `tool:NAME` for any other tool. Of 1 to 128
 * characters, and without arguments.
 */
export function taskTypeOf({ tool, input }: ToolCall): string {
  const name = tool.replace(NOT_IN_A_NAME, '_').slice(0, NAME_CHARACTERS);
  return (SHELL_TOOLS.has(tool.toLowerCase()) ? commandName(commandLine(input)) : null) ?? `tool:${name}`;
}

/** The command line of a shell tool; '' where there is none. */
function commandLine(input: unknown): string {
  if (typeof input === 'string') return input;
  if (typeof input !== 'object' || input === null) return '';
  const command = ['command', 'cmd', 'commands'].map((name) => own(input as Payload, name)).find((one) => one != null);
  if (typeof command === 'string') return command;
  if (!Array.isArray(command)) return '';
  const parts = command.filter((part) => typeof part === 'string');
  // A program with its arguments, or several lines.
  const isArgv = /^(?:.*\/)?(?:ba|z|da)?sh$/.test(parts[0] ?? '') && /^-\w*c$/.test(parts[1] ?? '');
  return isArgv ? (parts[2] ?? '') : parts.join('\n');
}
