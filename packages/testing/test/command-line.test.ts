import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';

const LIBRARY = new URL('../../../scripts/lib/command-line.mjs', import.meta.url).href;
const folder = mkdtempSync(join(tmpdir(), 'command-line-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const script = join(folder, 'script.mjs');
writeFileSync(
  script,
  `#!/usr/bin/env node
import { commandLine } from '${LIBRARY}';
// Does it in rounds.
//   node script.mjs --rounds 3

// Not for its users.
const { values } = commandLine(import.meta.url, {
  options: {
    rounds: { type: 'string', default: '3' },
    projects: { type: 'string', default: '0' },
    replicas: { type: 'string', default: '1,2' },
    spaces: { type: 'string', default: '10x1000' },
    size: { type: 'string', like: '20' },
    model: { type: 'string', default: 'fast' },
  },
});
console.log(JSON.stringify(values));
`,
);
const HELP = 'Does it in rounds.\n  node script.mjs --rounds 3\n';

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

describe('the options of a script', () => {
  test('are what was given, and the default where nothing was', () => {
    const { status, stdout } = run(
      '--rounds',
      '12',
      '--replicas',
      '4',
      '--spaces',
      '0x0',
      '--size',
      '7',
      '--model',
      '9',
    );
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      rounds: '12',
      projects: '0',
      replicas: '4',
      spaces: '0x0',
      size: '7',
      model: '9',
    });
  });

  test.each([
    ['rounds', 'ten', 'a whole number of at least 1, such as 3'],
    ['rounds', '0', 'a whole number of at least 1, such as 3'],
    ['rounds', '1e3', 'a whole number of at least 1, such as 3'],
    ['projects', '-1', 'a whole number, such as 0'],
    ['replicas', '1,,2', 'whole numbers of at least 1 with commas between them, such as 1,2'],
    ['spaces', '10', 'two whole numbers with an x between them, such as 10x1000'],
    ['size', '', 'a whole number of at least 1, such as 20'],
  ])('are refused where --%s is %j', (name, value, words) => {
    expect(run(`--${name}=${value}`)).toEqual({
      status: 2,
      stdout: '',
      stderr: `--${name} takes ${words}, and not '${value}'.\n\n${HELP}`,
    });
  });

  test('are explained by the first comment of the script', () => {
    expect(run('--help')).toEqual({ status: 0, stdout: HELP, stderr: '' });
  });

  // Of those that need no build.
  test.each([
    'demo/memory.mjs',
    'demo/timing.mjs',
    'withstand/memory/full-disk.mjs',
    'withstand/memory/second-process.mjs',
    'withstand/timing/full-disk.mjs',
  ])('are told by %s, which does nothing then', (path) => {
    const env = { ...process.env, MEMORY_URL: 'http://127.0.0.1:65535', TIMING_URL: 'http://127.0.0.1:65535' };
    const file = fileURLToPath(new URL(`../../../scripts/${path}`, import.meta.url));
    const { status, stdout, stderr } = spawnSync(process.execPath, [file, '--help'], { encoding: 'utf8', env });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^[A-Z]/);
    expect(stdout).toMatch(/^ {2}(sudo )?(node scripts|npm run)/m);
  });
});

test('a script ends without a word where its reader stops reading', async () => {
  const endless = join(folder, 'endless.mjs');
  writeFileSync(
    endless,
    `import { commandLine } from '${LIBRARY}';
// Never ends.
commandLine(import.meta.url, {});
setInterval(() => console.log('more'), 1);
`,
  );
  const child = spawn(process.execPath, [endless], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  child.stdout.once('data', () => child.stdout.destroy());
  const [code] = await once(child, 'close');
  expect([code, said]).toEqual([0, '']);
});
