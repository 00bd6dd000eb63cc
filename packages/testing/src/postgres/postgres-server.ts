import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../network/free-port.ts';
import { postgresBinaries, postgresWithVectors } from './postgres-binaries.ts';

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Those of `nobody`. */
const UNPRIVILEGED: Owner = { uid: 65_534, gid: 65_534 };
/** The folder of a run of tests, which keeps what initdb made: seven tenths of a second of a processor for each server. */
const RUN_FOLDER_VARIABLE = 'RUN_FOLDER_TEST';
const START_MS = 60_000;
const LOOK_MS = 20;
const LOG_LINES = 10;

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
  const log = join(folder, 'log');
  const chosen = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'shared_buffers=64MB',
    ...(durable ? [] : ['fsync=off', 'full_page_writes=off']),
    ...settings,
  ];
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const start = async () => {
    const output = openSync(log, 'a', 0o644);
    const args = ['-D', data, ...chosen.flatMap((setting) => ['-c', setting])];
    const child = spawn(join(binaries, 'postgres'), args, { ...run, stdio: ['ignore', output, output, 'pipe'] });
    closeSync(output);
    // Inherited by each of its processes, so that it closes with the last of them.
    (child.stdio[3] as Readable).resume();
    try {
      await untilItAnswers(child, url('postgres'));
    } catch (error) {
      const lines = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-LOG_LINES);
      throw new Error(`PostgreSQL does not start:\n${lines.join('\n')}`, { cause: error });
    }
    return child;
  };
  let child = await start();
  // A run that is interrupted leaves no server behind.
  const onExit = () => child.kill('SIGQUIT');
  process.once('exit', onExit);
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
  };
  return {
    port,
    get pid() {
      return child.pid as number;
    },
    url,
    newDatabase: async (name) => {
      await ask(url('postgres'), `CREATE DATABASE "${name}" TEMPLATE template0 STRATEGY file_copy`);
      return url(name);
    },
    kill: () => end('SIGKILL'),
    startAgain: async () => {
      child = await start();
    },
    remove: async () => {
      process.removeListener('exit', onExit);
      await end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
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

/** Whom a server runs as that refuses to run as root; null: as this process does. */
export function unprivileged(): Owner | null {
  return process.getuid?.() === 0 ? UNPRIVILEGED : null;
}

/** One statement on a connection of its own. */
export async function ask(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  // Without a listener the end of the server would be an uncaught error.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
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

async function untilItAnswers(child: ChildProcess, url: string): Promise<void> {
  for (let waited = 0; waited < START_MS; waited += LOOK_MS) {
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}.`);
    try {
      return await ask(url, 'SELECT 1');
    } catch {
      await pause(LOOK_MS);
    }
  }
  child.kill('SIGKILL');
  throw new Error(`It did not answer for ${START_MS / 1000} s.`);
}
