// Two servers of PostgreSQL as compose.scale.yaml has them, but for the image: the scripts of docker/database make them. One follows the
// other, and every commit waits until both have it. Needs a PostgreSQL with pg_basebackup, such as Debian's postgresql-15.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../packages/testing/dist/index.js';
import { root } from '../../lib/root.mjs';
import { KnownFailure } from '../../lib/say.mjs';

const BINARIES = process.env.POSTGRES_BIN_TEST ?? '/usr/lib/postgresql/15/bin';
const PASSWORD = 'only-for-this-run';
const DATABASE = 'agent_faculties';
const USER = 'agent_faculties';
/** PostgreSQL refuses to run as root; these are those of `nobody`. */
const OWNER = process.getuid() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const WAIT_MS = 60_000;
const LOOK_MS = 50;
const INITDB = ['-U', 'postgres', '-A', 'scram-sha-256', '--auth-local=trust', '-E', 'UTF8'];
const STANDBYS = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'quorum'";

export async function until(isThere, what) {
  const end = performance.now() + WAIT_MS;
  while (performance.now() < end) {
    if (await isThere()) return;
    await sleep(LOOK_MS);
  }
  throw new KnownFailure(`Waited in vain for ${what}.`);
}

/** @param folder of its own, which outlives the servers */
export async function startDatabasePair(folder) {
  if (!existsSync(join(BINARIES, 'pg_basebackup'))) {
    throw new KnownFailure(
      `There is no pg_basebackup in ${BINARIES}: apt-get install postgresql-15, or set POSTGRES_BIN_TEST to the folder of another version.`,
    );
  }
  chmodSync(folder, 0o755);
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, PASSWORD);
  // Where the other user may read them.
  for (const name of ['primary.sh', 'standby.sh']) cpSync(join(root, 'docker/database', name), join(folder, name));
  const newServer = async (name) => {
    const home = join(folder, name);
    mkdirSync(home);
    if (OWNER.uid) chownSync(home, OWNER.uid, OWNER.gid);
    return new DatabaseServer({ home, passwordFile, port: await freePort() });
  };
  const servers = [await newServer('database-1'), await newServer('database-2')];
  let [first, second] = servers;
  const untilBothHaveIt = () => until(() => first.isUp && first.sql(STANDBYS) === '1', 'the standby');
  await first.create(join(folder, 'primary.sh'));
  await second.follow(first.port, join(folder, 'standby.sh'));
  await untilBothHaveIt();
  return {
    version: execFileSync(join(BINARIES, 'postgres'), ['--version'], { encoding: 'utf8' }).trim(),
    ports: servers.map(({ port }) => port),
    /** Of the services. */
    user: { name: USER, password: PASSWORD },
    /** For the services. @param ports at which they find the servers */
    url: (/** @type {number[]} */ [one, other]) =>
      `postgres://${USER}:${PASSWORD}@127.0.0.1:${one},127.0.0.1:${other}/${DATABASE}`,
    /** Of the database of the services, at the server that takes writes. */
    sql: (/** @type {string} */ statement) => first.sql(statement, { database: DATABASE }),
    /** The one that takes writes. */
    get first() {
      return first;
    },
    /** The one that follows. */
    get second() {
      return second;
    },
    untilBothHaveIt,
    /** Kills the first server and promotes the second. */
    failOver: async () => {
      await first.kill();
      // It inherits the name of a standby that it does not have, and every write would wait for it.
      second.sql("ALTER SYSTEM SET synchronous_standby_names = ''");
      second.sql('SELECT pg_reload_conf()');
      second.sql('SELECT pg_promote()');
      [first, second] = [second, first];
    },
    /** After a failover: what was the first server follows the other one, with an empty folder. */
    standAgain: async () => {
      second.empty();
      await second.follow(first.port, join(folder, 'standby.sh'));
      first.sql("ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'");
      first.sql('SELECT pg_reload_conf()');
      await untilBothHaveIt();
    },
    /** A third server, with what a base backup of the first one and its archive say of a moment (SQL). */
    restoredTo: async (moment, { base, archive }) => {
      const server = await newServer('restored');
      server.restore(base, { archive, moment });
      await server.start();
      servers.push(server);
      return server;
    },
    stop: async () => {
      for (const server of servers) await server.kill('SIGQUIT');
    },
  };
}

class DatabaseServer {
  port;
  #data;
  #run;
  #log;
  #command;
  #child = null;

  constructor({ home, passwordFile, port }) {
    this.port = port;
    this.#data = join(home, 'data');
    this.#log = join(home, 'log');
    const env = {
      PATH: `${BINARIES}:${process.env.PATH}`,
      HOME: home,
      PGDATA: this.#data,
      PGHOST: home,
      PGPORT: String(port),
      DATABASE_RUN: home,
      DATABASE_PASSWORD_FILE: passwordFile,
    };
    this.#run = { ...OWNER, env, cwd: home };
    const settings = {
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: home,
      wal_keep_size: '1GB',
    };
    this.#command = ['postgres', ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  }

  /** Makes its data, and with a first start what the image runs then. */
  async create(script) {
    const pwfile = ['--pwfile', this.#run.env.DATABASE_PASSWORD_FILE];
    execFileSync(join(BINARIES, 'initdb'), [...INITDB, ...pwfile], { ...this.#run, stdio: 'ignore' });
    await this.start();
    execFileSync(script, { ...this.#run, stdio: 'inherit' });
    await this.kill('SIGINT');
    this.#start(this.#command);
  }

  /** A standby of the server on that port. */
  async follow(port, script) {
    this.#run.env.DATABASE_PRIMARY = `127.0.0.1:${port}`;
    this.#start([script, ...this.#command]);
    await until(() => this.isUp, 'the copy of the server');
  }

  empty() {
    rmSync(this.#data, { recursive: true });
  }

  /** Sends its log to a folder of its own from its next start on. @returns the folder */
  archive() {
    const folder = join(this.#run.cwd, 'archive');
    execFileSync('mkdir', [folder], this.#run);
    const command = `test ! -f ${folder}/%f && cp %p ${folder}/%f.part && mv ${folder}/%f.part ${folder}/%f`;
    this.sql('ALTER SYSTEM SET archive_mode = on');
    this.sql(`ALTER SYSTEM SET archive_command = '${command}'`);
    return folder;
  }

  /** @returns the folder of a base backup */
  baseBackup() {
    const folder = join(this.#run.cwd, 'base');
    const options = ['--username', 'postgres', '--pgdata', folder, '--wal-method', 'none', '--checkpoint', 'fast'];
    execFileSync(join(BINARIES, 'pg_basebackup'), options, { ...this.#run, stdio: 'pipe' });
    return folder;
  }

  /** Its data become those of a base backup, and its next start goes on to a moment from the archive. */
  restore(base, { archive, moment }) {
    execFileSync('cp', ['-a', base, this.#data], this.#run);
    const settings = [
      `restore_command = 'cp ${archive}/%f %p'`,
      `recovery_target_time = '${moment}'`,
      `recovery_target_action = 'promote'`,
      'archive_mode = off',
      "synchronous_standby_names = ''",
    ];
    const script = `printf '%s\\n' "$@" >>"$PGDATA/postgresql.auto.conf" && touch "$PGDATA/recovery.signal"`;
    execFileSync('sh', ['-c', script, 'sh', ...settings], this.#run);
  }

  /** After a kill, whose last processes take a moment to notice: until then it refuses to start. */
  async start() {
    await until(() => {
      if (this.isUp) return true;
      if (this.#child === null) this.#start(this.#command);
      return false;
    }, 'a start of the server');
  }

  async kill(signal = 'SIGKILL') {
    const child = this.#child;
    if (!child) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  sql(statement, { database = 'postgres' } = {}) {
    return execFileSync(join(BINARIES, 'psql'), ['-XAtq', '-U', 'postgres', '-d', database, '-c', statement], {
      ...this.#run,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  }

  get isUp() {
    try {
      return this.sql('SELECT 1') === '1';
    } catch {
      return false;
    }
  }

  #start(command) {
    const output = openSync(this.#log, 'a', 0o644);
    const child = spawn(command[0], command.slice(1), { ...this.#run, stdio: ['ignore', output, output] });
    const onExit = () => child.kill('SIGQUIT');
    process.once('exit', onExit);
    child.once('exit', () => {
      process.removeListener('exit', onExit);
      this.#child = null;
    });
    this.#child = child;
  }
}
