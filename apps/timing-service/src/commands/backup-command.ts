import {
  type BinaryOutput,
  type CommandLine,
  configOrExit,
  EXIT_FAILED,
  EXIT_USAGE,
} from '@agent-faculties/service-kit';
import { CONFIG_FIELDS, CONFIG_PREFIX } from '../config.ts';
import { BackupError, backUpDatabase, type DatabaseContents, restoreDatabase } from '../storage/database-backup.ts';

export interface CommandEdge extends Pick<CommandLine<never>, 'version' | 'argv' | 'env' | 'exit' | 'out' | 'err'> {
  readonly input: AsyncIterable<Uint8Array>;
  readonly output: BinaryOutput;
  /** Whether a person's terminal would get the bytes. */
  readonly isTerminal: boolean;
}

const FIELDS = { dbPath: CONFIG_FIELDS.dbPath } as const;

const COMMANDS = {
  backup: 'writes a checked copy of the database to standard output, also while the service runs',
  restore: 'makes the database of the backup on standard input, where there is none',
} as const;

/** Which command the first argument names; null when it is none, so that the service is meant. */
export function backupCommandOf(argument: string | undefined): keyof typeof COMMANDS | null {
  return argument === 'backup' || argument === 'restore' ? argument : null;
}

/** Does the command and resolves to the exit code. */
export async function runBackupCommand(name: keyof typeof COMMANDS, edge: CommandEdge): Promise<number> {
  const command = `timing-service ${name}`;
  const { dbPath } = configOrExit({
    ...edge,
    name: command,
    description: COMMANDS[name],
    prefix: CONFIG_PREFIX,
    fields: FIELDS,
    // The other variables of the service may stand beside it.
    env: { [FIELDS.dbPath.env]: edge.env[FIELDS.dbPath.env] },
  });
  if (edge.isTerminal) {
    const example = name === 'backup' ? '> timing-backup.db' : '< timing-backup.db';
    edge.err(`${command}: give it a file, as in: ${command} ${example}\n`);
    return EXIT_USAGE;
  }
  try {
    const contents =
      name === 'backup' ? await backUpDatabase(dbPath, edge.output) : await restoreDatabase(dbPath, edge.input);
    edge.err(`${command}: ${summary(contents)}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    edge.err(`${command}: ${error.message}\n`);
    return EXIT_FAILED;
  }
}

function summary({ events, tasks, bytes }: DatabaseContents): string {
  const number = (value: number) => value.toLocaleString('en');
  return `${number(events)} events and ${number(tasks)} tasks, ${number(bytes)} bytes, checked.`;
}
