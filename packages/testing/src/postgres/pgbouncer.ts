import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../network/free-port.ts';
import { ask, unprivileged } from './postgres-server.ts';

/** Another one than Debian's. */
const PROGRAM_VARIABLE = 'PGBOUNCER_TEST';
const DEBIAN = '/usr/sbin/pgbouncer';
const START_MS = 20_000;
const LOOK_MS = 20;
const LOG_LINES = 10;

export interface PgbouncerOptions {
  /** Of the server, on 127.0.0.1. */
  readonly port: number;
  readonly mode: 'session' | 'transaction' | 'statement';
  /** Absent: `postgres`, without a password. */
  readonly user?: { readonly name: string; readonly password: string };
  /** Further settings, such as `max_client_conn=20`. */
  readonly settings?: readonly string[];
}

/** A PgBouncer on 127.0.0.1 in front of every database of one server. */
export interface Pgbouncer {
  readonly port: number;
  /** A command of its console, such as `PAUSE`. */
  tell(command: string): Promise<void>;
  /** kill -9 */
  kill(): Promise<void>;
  /** After `kill`: on the same port. */
  startAgain(): Promise<void>;
  remove(): Promise<void>;
}

/** False, with a message, where there is none: skip the tests. In continuous integration, which sets CI, it is always true. */
export function hasPgbouncer(): boolean {
  const isThere = existsSync(program());
  if (!isThere)
    console.warn(
      `There is no ${program()}: its tests are skipped. Run apt-get install pgbouncer, or set ${PROGRAM_VARIABLE}.`,
    );
  return isThere || Boolean(process.env.CI);
}

/** Such as `PgBouncer 1.18.0`. */
export function pgbouncerVersion(): string {
  return execFileSync(program(), ['--version'], { encoding: 'utf8' }).split('\n')[0] ?? '';
}

/** @throws Error with what it wrote where it does not start */
export async function startPgbouncer({
  port: serverPort,
  mode,
  user,
  settings = [],
}: PgbouncerOptions): Promise<Pgbouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-test-'));
  const own = unprivileged();
  const port = await freePort();
  const { name, password } = user ?? { name: 'postgres', password: '' };
  const configuration = join(folder, 'pgbouncer.ini');
  writeFileSync(join(folder, 'users'), `"${name}" "${password}"\n`);
  const chosen = [
    ...['listen_addr=127.0.0.1', `listen_port=${port}`, 'unix_socket_dir=', `pool_mode=${mode}`],
    ...[`auth_type=${user ? 'scram-sha-256' : 'trust'}`, `auth_file=${folder}/users`, `admin_users=${name}`],
    ...settings,
  ];
  writeFileSync(
    configuration,
    `[databases]\n* = host=127.0.0.1 port=${serverPort}\n[pgbouncer]\n${chosen.join('\n')}\n`,
  );
  if (own) for (const path of [folder, configuration, join(folder, 'users')]) chownSync(path, own.uid, own.gid);
  const log = join(folder, 'log');
  const console_ = `postgres://${name}:${password}@127.0.0.1:${port}/pgbouncer`;
  const start = async () => {
    const output = openSync(log, 'a', 0o644);
    const child = spawn(program(), [configuration], { ...own, cwd: folder, stdio: ['ignore', output, output] });
    closeSync(output);
    try {
      await untilItAnswers(child, console_);
    } catch (error) {
      const lines = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-LOG_LINES);
      throw new Error(`PgBouncer does not start:\n${lines.join('\n')}`, { cause: error });
    }
    return child;
  };
  let child = await start();
  // A run that is interrupted leaves none behind.
  const onExit = () => child.kill('SIGKILL');
  process.once('exit', onExit);
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  };
  return {
    port,
    tell: (command) => ask(console_, command),
    kill,
    startAgain: async () => {
      child = await start();
    },
    remove: async () => {
      process.removeListener('exit', onExit);
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function program(): string {
  return process.env[PROGRAM_VARIABLE] || DEBIAN;
}

async function untilItAnswers(child: ChildProcess, url: string): Promise<void> {
  for (let waited = 0; waited < START_MS; waited += LOOK_MS) {
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}.`);
    try {
      return await ask(url, 'SHOW VERSION');
    } catch {
      await pause(LOOK_MS);
    }
  }
  child.kill('SIGKILL');
  throw new Error(`It did not answer for ${START_MS / 1000} s.`);
}
