import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { syncDirectory, writeAt, writeSynced } from '../../src/files/synced-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'synced-files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

test('a file has all its chunks in their order, and is for its owner alone', async () => {
  const path = join(folder, 'new');
  await writeSynced(path, chunks('one ', 'two ', 'three'));
  expect(readFileSync(path, 'utf8')).toBe('one two three');
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a file that is there is not written to', async () => {
  const path = join(folder, 'mine');
  writeFileSync(path, 'mine');
  await expect(writeSynced(path, chunks('theirs'))).rejects.toMatchObject({ code: 'EEXIST' });
  expect(readFileSync(path, 'utf8')).toBe('mine');
});

test('an error of the source reaches the caller', async () => {
  const broken = (async function* () {
    yield Buffer.from('half');
    throw new Error('the sender has gone');
  })();
  await expect(writeSynced(join(folder, 'half'), broken)).rejects.toThrow('the sender has gone');
});

test('bytes are written whole to their place, however few of them the system takes at a time', async () => {
  const path = join(folder, 'new');
  writeFileSync(path, 'one two three');
  const file = await open(path, 'r+');
  const taking3 = {
    write: async (bytes: Uint8Array, offset: number, length: number, position: number) =>
      await file.write(bytes, offset, Math.min(3, length), position),
  };
  await writeAt(taking3 as Parameters<typeof writeAt>[0], Buffer.from('TWO THREE'), 4);
  await file.close();
  expect(readFileSync(path, 'utf8')).toBe('one TWO THREE');
});

test('a folder can be synced, and one that is not there cannot', async () => {
  await expect(syncDirectory(folder)).resolves.toBeUndefined();
  if (process.platform !== 'win32')
    await expect(syncDirectory(join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
});
