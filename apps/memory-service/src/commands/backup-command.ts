import {
  type BinaryOutput,
  type Clock,
  type CommandLine,
  configOrExit,
  EXIT_FAILED,
  EXIT_USAGE,
} from '@agent-faculties/service-kit';
import { CONFIG_FIELDS, CONFIG_PREFIX } from '../config.ts';
import { BackupError, backUpDirectory, restoreDirectory } from '../persistence/backup/backup.ts';
import { count } from './progress-bar.ts';

export interface BackupEdge extends Pick<CommandLine<never>, 'version' | 'argv' | 'env' | 'exit' | 'out' | 'err'> {
  readonly clock: Clock;
  readonly process: { readonly pid: number; readonly hostname: string };
  readonly input: AsyncIterable<Uint8Array>;
  readonly output: BinaryOutput;
  /** Whether the bytes would come from or go to a person's terminal. */
  readonly isTerminal: boolean;
  readonly pause: (milliseconds: number) => Promise<void>;
}

const FIELDS = { dataDir: CONFIG_FIELDS.dataDir } as const;

const COMMANDS = {
  backup: {
    description: 'writes a tar archive of the data directory to standard output, also while the service runs',
    example: '> memory-backup.tar',
    run: backUp,
  },
  restore: {
    description: 'makes a data directory of the backup on standard input, where there is none',
    example: '< memory-backup.tar',
    run: restore,
  },
} as const;

/** Which command the first argument names; null when it is none, so that the service is meant. */
export function backupCommandOf(argument: string | undefined): keyof typeof COMMANDS | null {
  return argument === 'backup' || argument === 'restore' ? argument : null;
}

/** Does the command and resolves to the exit code. */
export async function runBackupCommand(name: keyof typeof COMMANDS, edge: BackupEdge): Promise<number> {
  const { description, example, run } = COMMANDS[name];
  const command = `memory-service ${name}`;
  const { dataDir } = configOrExit({
    ...edge,
    name: command,
    description,
    prefix: CONFIG_PREFIX,
    fields: FIELDS,
    // The other variables of the service may stand beside it.
    env: { [FIELDS.dataDir.env]: edge.env[FIELDS.dataDir.env] },
  });
  if (dataDir === null) {
    edge.err(`${command}: --data-dir must be given.\nSee ${command} --help.\n`);
    return EXIT_USAGE;
  }
  if (edge.isTerminal) {
    edge.err(`${command}: give it a file, as in: ${command} ${example}\n`);
    return EXIT_USAGE;
  }
  try {
    edge.err(`${command}: ${await run(dataDir, edge)}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    edge.err(`${command}: ${error.message}\n`);
    return EXIT_FAILED;
  }
}

async function backUp(dataDir: string, edge: BackupEdge): Promise<string> {
  const { files, bytes } = await backUpDirectory(dataDir, { ...edge, nowMs: Math.floor(edge.clock.now()) });
  return `${count(files)} files, ${count(bytes)} bytes.`;
}

async function restore(dataDir: string, edge: BackupEdge): Promise<string> {
  const { memories, replayed, madeAt } = await restoreDirectory(dataDir, edge);
  return `${count(memories)} memories of ${madeAt}, ${count(replayed)} of their changes in the journal, checked.`;
}
