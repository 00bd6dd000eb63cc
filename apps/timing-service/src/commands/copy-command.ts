import { PostgresError, type StoreUrl } from '@agent-faculties/postgres-kit';
import { type CommandEdge, copyCommand, space, UnavailableError } from '@agent-faculties/service-kit';
import { CONFIG_FIELDS, CONFIG_PREFIX } from '../config.ts';
import type { CopyPlace, CopySource, CopyTarget } from '../storage/copy/copied-rows.ts';
import { type Copied, CopyError, copySpaces } from '../storage/copy/copy-spaces.ts';
import { postgresPlace } from '../storage/copy/postgres-rows.ts';
import { sqliteSource, sqliteTarget } from '../storage/copy/sqlite-rows.ts';
import { DatabaseOpenError } from '../storage/sqlite/database-file.ts';
import { isSqliteError } from '../storage/sqlite/faults.ts';

const EXPLAINED = [CopyError, DatabaseOpenError, PostgresError, UnavailableError];

const COMMANDS = {
  import: {
    description:
      'copies a file into a database, also while a service uses the file; again, it goes on and brings what is new',
    dbPath: 'the SQLite file, which a service may use',
    store: 'the database, in which nobody writes to these spaces yet',
  },
  export: {
    description: 'copies a database into a file, also while replicas run; again, it goes on and brings what is new',
    dbPath: 'the SQLite file, which no service uses; made where there is none',
    store: 'the database, which replicas may use',
  },
} as const;

/** The name of one of these commands. */
export type CopyName = keyof typeof COMMANDS;

function fieldsOf(name: CopyName) {
  const help = COMMANDS[name];
  return {
    place: { ...CONFIG_FIELDS.dbPath, default: null, help: help.dbPath },
    store: {
      ...CONFIG_FIELDS.store,
      help: `${help.store}: postgres://user@host:5432/database; with a password, by a file that TIMING_STORE_FILE names`,
    },
    space: { flag: 'space', parse: space, default: null, help: 'one space alone; else all of them' },
  } as const;
}

/** Copies spaces, says what was copied, and returns the exit code: 0, 1 when it failed, 2 when it was called wrongly. */
export async function runCopyCommand(name: CopyName, edge: CommandEdge): Promise<number> {
  return await copyCommand({
    edge,
    name: `timing-service ${name}`,
    description: COMMANDS[name].description,
    prefix: CONFIG_PREFIX,
    fields: fieldsOf(name),
    explain: wordsOf,
    copy: async ({ place: dbPath, store, space }) => {
      edge.out(`${sentence(await copied(name, { dbPath, store, space }))}\n`);
      return 0;
    },
  });
}

function wordsOf(error: Error): string | null {
  if (EXPLAINED.some((known) => error instanceof known)) return error.message;
  return isSqliteError(error) ? `a file cannot be read or written (${error.message}): check it and its disk.` : null;
}

async function copied(
  name: CopyName,
  { dbPath, store, space }: { readonly dbPath: string; readonly store: StoreUrl; readonly space: string | null },
): Promise<Copied> {
  if (name === 'import') return await between(sqliteSource(dbPath), await postgresPlace(store), space);
  return await between(await postgresPlace(store), sqliteTarget(dbPath), space);
}

async function between(
  source: CopyPlace<CopySource>,
  target: CopyPlace<CopyTarget>,
  space: string | null,
): Promise<Copied> {
  try {
    return await copySpaces(source, target, space);
  } finally {
    await source.close();
    await target.close();
  }
}

function sentence({ spaces, events, tasks, stopwatches, written, removed }: Copied): string {
  const number = (value: number) => value.toLocaleString('en');
  return (
    `${number(spaces)} ${spaces === 1 ? 'space is' : 'spaces are'} copied: ${number(events)} events, ${number(tasks)} tasks, ${number(stopwatches)} stopwatches. ` +
    `This run wrote ${number(written)} events and tasks and removed ${number(removed)}.`
  );
}
