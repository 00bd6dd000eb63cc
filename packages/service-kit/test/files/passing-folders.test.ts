import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { inPassingFolder, removeLeftFolders } from '../../src/files/passing-folders.ts';

const NOW = Date.parse('2026-11-23T09:30:00Z');
const HOUR_MS = 3_600_000;
/** Beyond the greatest number of a process that Linux gives out. */
const DEAD = 2 ** 22 + 1;
const KIND = 'passing-test';
const OTHER_KIND = 'passing-other';

const names = () => readdirSync(tmpdir()).filter((name) => name.startsWith('passing-'));

afterEach(() => {
  for (const name of names()) rmSync(join(tmpdir(), name), { recursive: true });
});

/** With a file in it. */
function made(name: string, { ageMs }: { ageMs: number } = { ageMs: 0 }): string {
  const folder = join(tmpdir(), name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'rows'), 'values');
  utimesSync(folder, NOW / 1_000, (NOW - ageMs) / 1_000);
  return name;
}

test('a folder is there for the work, and gone when that has ended or failed', async () => {
  const seen = await inPassingFolder(KIND, async (path) => {
    writeFileSync(join(path, 'rows'), 'values');
    return path;
  });
  expect(basename(seen)).toMatch(/^passing-test-/);
  expect(existsSync(seen)).toBe(false);
  const failing = inPassingFolder(KIND, async () => {
    throw new Error('no room');
  });
  await expect(failing).rejects.toThrow('no room');
  expect(names()).toEqual([]);
});

test('folders of killed processes are removed, and of those that cannot be seen the old ones', async () => {
  const host = hostname();
  const left = [
    made(`${KIND}-${host}-${DEAD}-aB3dE6`),
    made(`${KIND}-${host}-${process.pid}-aB3dE6`),
    made(`${OTHER_KIND}-${host}-${DEAD}-aB3dE6`),
    made(`${KIND}-aB3dE6`, { ageMs: HOUR_MS + 1 }),
    made(`${KIND}-else-where-${DEAD}-aB3dE6`, { ageMs: HOUR_MS + 1 }),
  ];
  const kept = [
    made(`${KIND}-${host}-${process.ppid}-aB3dE6`, { ageMs: HOUR_MS + 1 }),
    made(`${KIND}-bB3dE6`, { ageMs: HOUR_MS }),
    made(`${KIND}-else-where-${DEAD}-bB3dE6`),
    made(`${KIND}er-${host}-${DEAD}-aB3dE6`),
    made('passing-something', { ageMs: HOUR_MS + 1 }),
  ];
  expect((await removeLeftFolders([KIND, OTHER_KIND], { now: NOW })).sort()).toEqual(left.sort());
  expect(names().sort()).toEqual(kept.sort());
});
