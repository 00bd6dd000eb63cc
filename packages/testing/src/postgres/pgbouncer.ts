import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { freePort } from '../network/free-port.ts';
import { ask, runServer, unprivileged } from './server-program.ts';

/** Another one than Debian's. */
const PROGRAM_VARIABLE = 'PGBOUNCER_TEST';
const DEBIAN = '/usr/sbin/pgbouncer';
const START_MS = 20_000;

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
  const console_ = `postgres://${name}:${password}@127.0.0.1:${port}/pgbouncer`;
  const { kill, startAgain, remove } = await runServer({
    name: 'PgBouncer',
    command: program(),
    args: [configuration],
    run: { ...own },
    folder,
    probe: { url: console_, statement: 'SHOW VERSION' },
    startLimitMs: START_MS,
    stopSignal: 'SIGKILL',
  });
  return { port, tell: (command) => ask(console_, command), kill, startAgain, remove };
}

function program(): string {
  return process.env[PROGRAM_VARIABLE] || DEBIAN;
}
