import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const TSX = createRequire(import.meta.url).resolve('tsx');
const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
/** A device of Linux on which every write finds the disk full. */
const FULL = '/dev/full';

(existsSync(FULL) ? test : test.skip)('an answer for which the disk has no room ends with a sentence and 1', () => {
  const full = openSync(FULL, 'w');
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--conditions=@agent-faculties/source', '--import', TSX, MAIN, '--version'],
    { stdio: ['ignore', full, 'pipe'], encoding: 'utf8' },
  );
  closeSync(full);
  expect([status, stderr]).toEqual([
    1,
    'agent-faculties: standard output cannot be written: ENOSPC: no space left on device, write\n',
  ]);
});
