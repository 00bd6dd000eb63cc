import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const TSX = createRequire(import.meta.url).resolve('tsx');
const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const PROGRAM = ['--conditions=@agent-faculties/source', '--import', TSX, MAIN];
/** A device of Linux on which every write finds the disk full. */
const FULL = '/dev/full';

(existsSync(FULL) ? test : test.skip)('an answer for which the disk has no room ends with a sentence and 1', () => {
  const full = openSync(FULL, 'w');
  const { status, stderr } = spawnSync(process.execPath, [...PROGRAM, '--version'], {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(full);
  expect([status, stderr]).toEqual([
    1,
    'agent-faculties: standard output cannot be written: ENOSPC: no space left on device, write\n',
  ]);
});

test('Ctrl-C ends an import from a pipe into which nobody writes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cli-'));
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const program = spawn(process.execPath, [...PROGRAM, 'import', path], {
    stdio: 'ignore',
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });
  const ended = once(program, 'exit');
  // Opens when the program has opened it too.
  const pipe = await open(path, 'w');
  program.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
  await pipe.close();
  rmSync(folder, { recursive: true });
});
