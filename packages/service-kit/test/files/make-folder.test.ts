import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { makeFolder } from '../../src/files/make-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'make-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('all that is missing is made with the mode, and what is there stays', () => {
  for (const path of [join(folder, 'a', 'b'), join(folder, 'a', 'b', 'c')]) makeFolder(path, { mode: 0o700 });
  const modes = ['a', 'a/b', 'a/b/c'].map((path) => statSync(join(folder, path)).mode & 0o777);
  if (process.platform !== 'win32') expect(modes).toEqual([0o700, 0o700, 0o700]);
});

test('a file in its place or above it is an error', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => makeFolder(join(folder, 'file'))).toThrow(/EEXIST/);
  expect(() => makeFolder(join(folder, 'file', 'a', 'b'))).toThrow(/ENOTDIR|EEXIST/);
});

(existsSync('/proc/self') ? test : test.skip)('where the system takes no folder, it ends with an error', () => {
  expect(() => makeFolder('/proc/a/b')).toThrow(/ENOENT/);
});
