import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const SERVER = fileURLToPath(new URL('../server.sh', import.meta.url));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'database-test-'));
  writeFileSync(join(folder, 'password'), 'secret');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts database-1 over data with these files; the command says that it runs. */
function start(primary: string, ...files: string[]) {
  const data = mkdtempSync(join(folder, 'data-'));
  for (const name of files) writeFileSync(join(data, name), '17');
  const env = {
    PATH: process.env.PATH,
    DATABASE_NAME: 'database-1',
    DATABASE_PRIMARY: primary,
    DATABASE_PASSWORD_FILE: join(folder, 'password'),
    DATABASE_RUN: folder,
    PGDATA: data,
  };
  const { status, stdout, stderr } = spawnSync(SERVER, ['echo', 'it runs'], { env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

const RUNS = { status: 0, stdout: 'it runs\n', stderr: '' };

test('a server that is named starts: over nothing, over its own data, and to be promoted', () => {
  expect(start('database-1')).toEqual(RUNS);
  expect(start('database-1', 'PG_VERSION')).toEqual(RUNS);
  expect(start('database-1', 'PG_VERSION', 'standby.signal')).toEqual(RUNS);
});

test('a server that follows the named one starts', () => {
  expect(start('database-2', 'PG_VERSION', 'standby.signal')).toEqual(RUNS);
});

test('a server that has taken writes does not start beside the named one, and says what to do', () => {
  const { status, stdout, stderr } = start('database-2', 'PG_VERSION');
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    /^database-1 has taken writes itself, .* follow database-2.* Empty its volume, .*docs\/scale\.md/,
  );
});
