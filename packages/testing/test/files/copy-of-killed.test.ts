import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { copyOfKilled } from '../../src/index.ts';

test('a copy has every file of the folder but those of the process', () => {
  const path = mkdtempSync(join(tmpdir(), 'killed-'));
  mkdirSync(join(path, 'data', 'inner'), { recursive: true });
  for (const name of ['a', 'lock', join('inner', 'b'), join('inner', 'lock')])
    writeFileSync(join(path, 'data', name), '');
  const copy = copyOfKilled(join(path, 'data'), { to: join(path, 'copy'), without: ['lock'] });
  expect(readdirSync(copy, { recursive: true }).sort()).toEqual(['a', 'inner', join('inner', 'b')]);
  rmSync(path, { recursive: true });
});
