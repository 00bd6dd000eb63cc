import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { freePort } from '../network/free-port.ts';
import { postgresBinaries, postgresWithVectors } from './postgres-binaries.ts';
import { ask, type Owner, runServer, unprivileged } from './server-program.ts';

/** The folder of a run of tests, which keeps what initdb made: seven tenths of a second of a processor for each server. */
const RUN_FOLDER_VARIABLE = 'RUN_FOLDER_TEST';
const START_MS = 60_000;

export interface PostgresOptions {
  /** Whether what it answers survives a crash of the machine; absent: not, which is quicker. A killed server loses nothing either way. */
  readonly durable?: boolean;
  /** Further settings, such as `max_connections=20`. */
  readonly settings?: readonly string[];
  /** Whether its databases can have the extension pgvector. */
  readonly hasVectors?: boolean;
}

/** A server of PostgreSQL in a folder of its own, on 127.0.0.1. */
export interface PostgresServer {
  readonly port: number;
  readonly pid: number;
  /** Of one of its databases. */
  url(database: string): string;
  /** An empty one. @returns its URL */
  newDatabase(name: string): Promise<string>;
  /** kill -9 of the postmaster; resolves when all of its processes are gone, which outlive it for a moment. */
  kill(): Promise<void>;
  /** After `kill`: the same data on the same port. */
  startAgain(): Promise<void>;
  /** Stops it and removes its folder. */
  remove(): Promise<void>;
}

/** @throws Error that says what to do where there is no server, or what it wrote where it does not start */
export async function startPostgres({
  durable = false,
  settings = [],
  hasVectors = false,
}: PostgresOptions = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-test-'));
  const own = unprivileged();
  if (own) chownSync(folder, own.uid, own.gid);
  const installed = hasVectors ? postgresWithVectors() : postgresBinaries();
  const binaries = runnable(installed, folder, own);
  const data = join(folder, 'data');
  const run = { ...own, env: { HOME: folder, PATH: process.env.PATH, LC_ALL: 'C' } };
  const port = await freePort();
  makeCluster({ installed, binaries, data, run });
  const chosen = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'shared_buffers=64MB',
    ...(durable ? [] : ['fsync=off', 'full_page_writes=off']),
    ...settings,
  ];
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const server = await runServer({
    name: 'PostgreSQL',
    command: join(binaries, 'postgres'),
    args: ['-D', data, ...chosen.flatMap((setting) => ['-c', setting])],
    run,
    folder,
    probe: { url: url('postgres'), statement: 'SELECT 1' },
    startLimitMs: START_MS,
    stopSignal: 'SIGQUIT',
  });
  return {
    port,
    get pid() {
      return server.pid;
    },
    url,
    newDatabase: async (name) => {
      await ask(url('postgres'), `CREATE DATABASE "${name}" TEMPLATE template0 STRATEGY file_copy`);
      return url(name);
    },
    kill: server.kill,
    startAgain: server.startAgain,
    remove: server.remove,
  };
}

interface Cluster {
  /** Where the binaries come from. */
  readonly installed: string;
  readonly binaries: string;
  readonly data: string;
  readonly run: { readonly uid?: number; readonly gid?: number; readonly env: NodeJS.ProcessEnv };
}

/** Copied from the first one of the run, as whom the server runs as: initdb makes the same each time. */
function makeCluster({ installed, binaries, data, run }: Cluster): void {
  const runFolder = process.env[RUN_FOLDER_VARIABLE];
  const name = createHash('sha256').update(installed).digest('hex').slice(0, 8);
  const first = runFolder === undefined ? null : join(runFolder, `postgres-${name}`);
  if (first !== null && existsSync(first)) {
    execFileSync('cp', ['-R', first, data], { ...run, stdio: ['ignore', 'ignore', 'inherit'] });
    return;
  }
  const init = [
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-instructions',
    '--no-sync',
  ];
  execFileSync(join(binaries, 'initdb'), init, { ...run, stdio: ['ignore', 'ignore', 'inherit'] });
  if (first !== null) keep(data, first, run);
}

/** Whole or not at all: the other worker may want it, or keep its own. */
function keep(data: string, first: string, run: Cluster['run']): void {
  const copy = `${data}-copy`;
  execFileSync('cp', ['-R', data, copy], { ...run, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    renameSync(copy, first);
  } catch (error) {
    if (!existsSync(first)) throw error;
    rmSync(copy, { recursive: true });
  }
}

/** A folder that the other user may not enter is copied to one that it may. */
function runnable(binaries: string, folder: string, own: Owner | null): string {
  try {
    execFileSync(join(binaries, 'postgres'), ['--version'], { ...own, stdio: 'ignore' });
    return binaries;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
  }
  const copy = join(folder, 'program');
  mkdirSync(copy, { mode: 0o755 });
  cpSync(dirname(binaries), copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}
