import { ConfigError, type ConfigFields, type ConfigOf, type ConfigSources, readConfig } from './config.ts';
import { EXIT_USAGE } from './exit-codes.ts';

export interface CommandLine<F extends ConfigFields> extends ConfigSources<F> {
  /** The name of the command, for --help and --version. */
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** Of a program with commands, for --help. */
  readonly commands?: Readonly<Record<string, { readonly help: string }>>;
  readonly exit: (code: number) => never;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Reads the configuration for a process: answers --help and --version with exit 0, lists every fault and exits 2. */
export function configOrExit<const F extends ConfigFields>(line: CommandLine<F>): ConfigOf<F> {
  if (line.argv.includes('--help')) {
    line.out(`${line.name} ${line.version}: ${line.description}\n\n${commandsHelp(line)}${flagsHelp(line.fields)}`);
    return line.exit(0);
  }
  if (line.argv.includes('--version')) {
    line.out(`${line.version}\n`);
    return line.exit(0);
  }
  try {
    return readConfig(line);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    line.err(`${line.name}: ${error.message}\nSee ${line.name} --help.\n`);
    return line.exit(EXIT_USAGE);
  }
}

/** One line per command. */
function commandsHelp({ name, commands = {} }: Pick<CommandLine<never>, 'name' | 'commands'>): string {
  const rows = Object.entries(commands).map(([command, { help }]) => ({ names: command, help }));
  if (rows.length === 0) return '';
  return `Commands, each with its own --help; without one, ${name} starts the service:\n${table(rows)}\nFlags and variables of the service:\n`;
}

/** One line per setting: flag, variable, default and meaning. */
function flagsHelp(fields: ConfigFields): string {
  const rows = Object.values(fields).map((field) => {
    const absent = field.default === null || field.default === undefined;
    return {
      names: field.env === undefined ? `--${field.flag}` : `--${field.flag}, ${field.env}`,
      help: `${field.help} (default: ${absent ? 'none' : field.default})`,
    };
  });
  rows.push(
    { names: '--help', help: 'print this and exit' },
    { names: '--version', help: 'print the version and exit' },
  );
  return table(rows);
}

function table(rows: readonly { readonly names: string; readonly help: string }[]): string {
  const width = Math.max(...rows.map((row) => row.names.length));
  return `${rows.map((row) => `  ${row.names.padEnd(width)}  ${row.help}`).join('\n')}\n`;
}
