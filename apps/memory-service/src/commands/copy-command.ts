import { PostgresError } from '@agent-faculties/postgres-kit';
import {
  type Clock,
  type CommandEdge,
  copyCommand,
  createLog,
  EXIT_FAILED,
  space,
  UnavailableError,
} from '@agent-faculties/service-kit';
import { CONFIG_FIELDS, CONFIG_PREFIX } from '../config.ts';
import { EXPLAINED_ERRORS } from '../persistence/backup/explained-errors.ts';
import {
  CopyError,
  type CopyReport,
  type CopySource,
  type CopyTarget,
  copySpace,
} from '../persistence/copy/copy-spaces.ts';
import { copyFromDatabase, copyToDatabase } from '../persistence/copy/database-copies.ts';
import { copyFromDirectory, copyToDirectory } from '../persistence/copy/directory-copies.ts';
import type { ProcessName } from '../persistence/directory/lock-holder.ts';
import { NO_METERS, openMemoryDatabase } from '../persistence/postgres/memory-database.ts';
import { count } from './progress-bar.ts';

export interface CopyEdge extends CommandEdge {
  readonly clock: Clock;
  readonly process: ProcessName;
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly newToken: () => string;
  readonly random: () => number;
}

const COMMANDS = {
  import: {
    description: 'copies a data directory into a database, also while its service runs; again, it goes on',
    dataDir: 'the data directory, whose service may run',
    store:
      'the database, in which no replica uses these spaces yet: postgres://user@host:5432/database; with a password, by a file that MEMORY_STORE_FILE names',
  },
  export: {
    description: 'copies a database into a data directory, also while replicas run; again, it goes on',
    dataDir: 'the data directory, which no service uses; made where there is none',
    store:
      'the database, which replicas may use: postgres://user@host:5432/database; with a password, by a file that MEMORY_STORE_FILE names',
  },
} as const;

/** The name of one of these commands. */
export type CopyName = keyof typeof COMMANDS;

function fieldsOf(name: CopyName) {
  const help = COMMANDS[name];
  return {
    place: { ...CONFIG_FIELDS.dataDir, help: help.dataDir },
    store: { ...CONFIG_FIELDS.store, help: help.store },
    space: {
      env: 'MEMORY_SPACE',
      flag: 'space',
      parse: space,
      default: null,
      help: 'one space alone; else all of them',
    },
  } as const;
}

const EXPLAINED = [CopyError, PostgresError, UnavailableError, ...EXPLAINED_ERRORS];

/** Runs the command and resolves to the exit code: 0 where the copy has everything, 1 where it has not, 2 for wrong arguments. */
export async function runCopyCommand(name: CopyName, edge: CopyEdge): Promise<number> {
  const command = `memory-service ${name}`;
  return await copyCommand({
    edge,
    name: command,
    description: COMMANDS[name].description,
    prefix: CONFIG_PREFIX,
    fields: fieldsOf(name),
    explain: (error) => (EXPLAINED.some((known) => error instanceof known) ? error.message : null),
    copy: async ({ place: dataDir, store: url, space }) => {
      const log = createLog({ name: command, level: 'error' });
      const { newToken, random } = edge;
      const database = await openMemoryDatabase({ url, log, newToken, random, meters: NO_METERS });
      const machine = { ...edge, log };
      const way =
        name === 'import'
          ? { source: copyFromDirectory(dataDir, machine), target: copyToDatabase(database, machine) }
          : { source: copyFromDatabase(database, machine), target: copyToDirectory(dataDir, machine) };
      try {
        return await copyAll(way, { space, edge, command });
      } finally {
        await database.postgres.close();
      }
    },
  });
}

async function copyAll(
  way: { source: CopySource; target: CopyTarget },
  { space, edge, command }: { space: string | null; edge: CopyEdge; command: string },
): Promise<number> {
  const spaces = space === null ? await way.source.spaces() : [space];
  let behind = 0;
  let held = 0;
  for (const name of spaces) {
    const report = await copySpace(name, way);
    edge.out(`${name}: ${sentenceOf(report)}\n`);
    if (report.isThere) held++;
    if (report.isThere && !report.isCaughtUp) behind++;
  }
  if (held === 0) {
    edge.err(`${command}: ${way.source.name} holds nothing to copy.\n`);
    return EXIT_FAILED;
  }
  if (behind === 0) {
    edge.out(`${way.target.name} has everything that ${way.source.name} holds.\n`);
    return 0;
  }
  edge.err(
    `${command}: ${count(behind)} of ${count(spaces.length)} spaces were written to meanwhile: stop whoever writes to ${way.source.name}, then run this again, which brings the rest.\n`,
  );
  return EXIT_FAILED;
}

function sentenceOf({ isThere, memories, sequence, passes, isCaughtUp }: CopyReport): string {
  if (!isThere) return 'nothing there.';
  if (passes === 0) return 'up to date.';
  const copied = `${count(memories)} memories, up to change ${count(sequence)}`;
  return isCaughtUp ? `${copied}: caught up.` : `${copied}: more came meanwhile.`;
}
