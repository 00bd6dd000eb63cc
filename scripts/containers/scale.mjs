// The failover of docs/scale.md with the containers of compose.scale.yaml, while clients write.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, createKey, Load, lostOf } from './client.mjs';
import { composeArgs, docker, environment, PROJECT, run, until } from './engine.mjs';

const NAME = `${PROJECT}-scale`;
const WRITES_BETWEEN = 60;
const FAILOVER_MILLISECONDS = 120_000;
const STATE = ['-c', 'SELECT sync_state FROM pg_stat_replication'];

/** Why the servers of the database cannot be started here; null where they can. */
export async function whyNoDatabase() {
  const image = environment.DATABASE_IMAGE ?? 'postgres:17-bookworm';
  const isThere = () => docker('image', 'inspect', image);
  const pulled = isThere().catch(() => docker('pull', '--quiet', image));
  return await pulled.then(
    () => null,
    () => `${image} is not there and cannot be pulled`,
  );
}

/** Kills the first server, promotes the second and brings the first back. @returns what was seen, in words */
export async function failOver(scratch) {
  /** @type {Record<string, string>} */
  const variables = { ...environment, ...makeSecrets(scratch), COMPOSE_PROJECT_NAME: NAME };
  const scale = (...args) => run('docker', composeArgs(args, 'compose.scale.yaml'), { env: variables });
  const ask = (server, ...statements) => scale('exec', '-T', server, 'psql', '-U', 'postgres', ...statements);
  const setStandbys = (names) => [
    '-c',
    `ALTER SYSTEM SET synchronous_standby_names = '${names}'`,
    '-c',
    'SELECT pg_reload_conf()',
  ];
  let client;
  try {
    await scale('up', '--detach', '--wait', '--no-build');
    assert.match(await ask('database-1', ...STATE), /quorum/);
    client = await connect(scale);
    const key = await createKey('writer', 'agent-rw', scale);
    const load = new Load(client, key, 'failover');
    const writes = async () => {
      const before = load.count;
      await until('writes', async () => load.count > before + WRITES_BETWEEN, FAILOVER_MILLISECONDS);
    };
    await writes();
    await scale('rm', '--stop', '--force', 'database-1');
    variables.DATABASE_PRIMARY = 'database-2';
    await scale('up', '--detach', '--wait', '--no-build', 'database-2');
    await ask('database-2', ...setStandbys(''), '-c', 'SELECT pg_promote()');
    await writes();
    await assert.rejects(scale('up', '--detach', '--wait', '--no-build', 'database-1'));
    assert.match(await scale('logs', 'database-1'), /database-1 has taken writes itself/);
    await scale('rm', '--stop', '--force', 'database-1');
    await docker('volume', 'rm', `${NAME}_database-1-data`);
    await scale('up', '--detach', '--wait', '--no-build');
    await ask('database-2', ...setStandbys('ANY 1 (*)'));
    await until('a standby', async () => /quorum/.test(await ask('database-2', ...STATE)));
    await writes();
    await load.stop();
    assert.deepEqual(load.unexpected, []);
    assert.deepEqual(await lostOf(client, key, load), []);
    return `${load.count} writes were answered and are there, ${load.refused} were refused or not answered`;
  } finally {
    client?.close();
    await scale('down', '--volumes', '--timeout', '5');
  }
}

function makeSecrets(scratch) {
  const folder = join(scratch, 'secrets');
  mkdirSync(folder, { mode: 0o700 });
  const password = randomBytes(32).toString('hex');
  const files = { DATABASE_PASSWORD_FILE: join(folder, 'password'), DATABASE_STORE_FILE: join(folder, 'store') };
  writeFileSync(files.DATABASE_PASSWORD_FILE, password, { mode: 0o644 });
  const url = `postgres://agent_faculties:${password}@database-1,database-2/agent_faculties`;
  writeFileSync(files.DATABASE_STORE_FILE, url, { mode: 0o644 });
  return files;
}
