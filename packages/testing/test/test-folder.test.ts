import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

const { makeTestFolder, removeTestFolder } = await import(String(new URL('../jest/test-folder.mjs', import.meta.url)));

/** Beyond the greatest that Linux gives out. */
const NOBODY = 2 ** 22 + 1;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'folders-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

test('what tests leave behind lies in the folder of the run', () => {
  expect(basename(dirname(directory))).toMatch(/^af-tests-\d+-/);
});

test('a folder goes with all that is in it', () => {
  const folder = makeTestFolder(directory, process.pid);
  mkdirSync(join(folder, 'left'));
  writeFileSync(join(folder, 'left', 'file'), 'x');
  removeTestFolder(folder);
  expect(existsSync(folder)).toBe(false);
});

test('a process that watches runs the tests again', () => {
  const imports = ['setup', 'teardown'].map(
    (name) => `import ${name} from '${new URL(`../jest/${name}.mjs`, import.meta.url)}';`,
  );
  const text = `${imports.join('')} for (const _ of [1, 2]) { setup(); teardown(); } console.log(process.env.TMPDIR)`;
  const env = { ...process.env, TMPDIR: directory };
  const told = execFileSync(process.execPath, ['--input-type=module', '--eval', text], { env, encoding: 'utf8' });
  expect([told.trim(), readdirSync(directory)]).toEqual([directory, []]);
});

test('the next run removes the folder of one that was killed, and nothing else', () => {
  mkdirSync(join(directory, `af-tests-${NOBODY}-x`, 'left'), { recursive: true });
  mkdirSync(join(directory, `other-${NOBODY}-x`));
  const running = makeTestFolder(directory, process.pid);
  const next = makeTestFolder(directory, process.pid);
  expect(readdirSync(directory).sort()).toEqual([basename(running), basename(next), `other-${NOBODY}-x`].sort());
});

// Only root can be two users.
(process.getuid?.() === 0 ? test : test.skip)(
  'what a killed run of another user left does not keep one from running',
  () => {
    const left = `af-tests-${NOBODY}-x`;
    mkdirSync(join(directory, left, 'left'), { recursive: true });
    chmodSync(directory, 0o777);
    const source = readFileSync(new URL('../jest/test-folder.mjs', import.meta.url), 'utf8');
    // Node itself may lie in a folder of root's.
    const text = `${source}; process.setgid(65_534); process.setuid(65_534); makeTestFolder(${JSON.stringify(directory)}, 1);`;
    execFileSync(process.execPath, ['--input-type=module', '--eval', text], { cwd: '/' });
    expect(readdirSync(directory).sort()).toEqual([expect.stringMatching(/^af-tests-1-/), left]);
  },
);
