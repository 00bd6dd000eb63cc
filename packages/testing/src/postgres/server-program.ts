import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

const LOOK_MS = 20;
const LOG_LINES = 10;

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** The ids of the user `nobody`. */
const UNPRIVILEGED: Owner = { uid: 65_534, gid: 65_534 };

export interface ServerProgram {
  /** What an error calls it. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Whom it runs as, and with which environment. */
  readonly run: { readonly uid?: number; readonly gid?: number; readonly env?: NodeJS.ProcessEnv };
  /** Its own: it works there, and what it writes goes into a file there. */
  readonly folder: string;
  /** A statement that it answers once it is up, and where. */
  readonly probe: { readonly url: string; readonly statement: string };
  readonly startLimitMs: number;
  /** What ends it without damage. */
  readonly stopSignal: NodeJS.Signals;
}

export interface RunningServer {
  readonly pid: number;
  /** kill -9; resolves when all of its processes are gone, which may outlive the first for a moment. */
  kill(): Promise<void>;
  /** After `kill`. */
  startAgain(): Promise<void>;
  /** Stops it and removes its folder. */
  remove(): Promise<void>;
}

/** @throws Error with what it wrote where it does not start */
export async function runServer(program: ServerProgram): Promise<RunningServer> {
  const { folder, stopSignal } = program;
  let child = await started(program);
  // A run that is interrupted leaves none behind.
  const onExit = () => child.kill(stopSignal);
  process.once('exit', onExit);
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
  };
  return {
    get pid() {
      return child.pid as number;
    },
    kill: () => end('SIGKILL'),
    startAgain: async () => {
      child = await started(program);
    },
    remove: async () => {
      process.removeListener('exit', onExit);
      await end(stopSignal);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function started(program: ServerProgram): Promise<ChildProcess> {
  const { name, command, args, run, folder } = program;
  const log = join(folder, 'log');
  const output = openSync(log, 'a', 0o644);
  const child = spawn(command, args, { ...run, cwd: folder, stdio: ['ignore', output, output, 'pipe'] });
  closeSync(output);
  // Inherited by each of its processes, so that it closes with the last of them.
  (child.stdio[3] as Readable).resume();
  try {
    await untilItAnswers(child, program);
  } catch (error) {
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-LOG_LINES);
    throw new Error(`${name} does not start:\n${lines.join('\n')}`, { cause: error });
  }
  return child;
}

async function untilItAnswers(child: ChildProcess, { probe, startLimitMs }: ServerProgram): Promise<void> {
  for (let waited = 0; waited < startLimitMs; waited += LOOK_MS) {
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}.`);
    try {
      return await ask(probe.url, probe.statement);
    } catch {
      await pause(LOOK_MS);
    }
  }
  child.kill('SIGKILL');
  throw new Error(`It did not answer for ${startLimitMs / 1000} s.`);
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
