import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { memoryFiles } from '../../../packages/adapters/src/anthropic.ts';
import { memoryClient } from '../../../packages/client/src/index.ts';
import { type LiveServices, startLiveServices } from '../../../packages/client/test/live-services.ts';

// A virtual environment is made once, and httpx may have to be fetched.
jest.setTimeout(300_000);

const HOME = fileURLToPath(new URL('..', import.meta.url));
const VENV = join(HOME, '.venv');
const PYTHON = join(VENV, 'bin', 'python');
const STAMP = join(VENV, 'installed');

/** Why the tests of the Python client cannot run here; null where they can. */
function reasonToSkip(): string | null {
  const manifest = readFileSync(join(HOME, 'pyproject.toml'), 'utf8');
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === manifest) return null;
  const version = spawnSync('python3', ['-c', 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))']);
  if (version.error || version.status !== 0)
    return 'there is no python3 of 3.11 or newer with venv (Debian: apt-get install python3-venv)';
  const made = spawnSync('python3', ['-m', 'venv', VENV], { encoding: 'utf8' });
  if (made.status !== 0) return `python3 -m venv failed: ${endOf(made)}`;
  const installed = spawnSync(PYTHON, ['-m', 'pip', 'install', '--quiet', '--editable', HOME], { encoding: 'utf8' });
  if (installed.status !== 0) return `pip install failed: ${endOf(installed)}`;
  writeFileSync(STAMP, manifest);
  return null;
}

function endOf({ stderr, stdout }: SpawnSyncReturns<string>): string {
  return `${stdout}${stderr}`.trim().split('\n').slice(-3).join(' | ');
}

const skipped = reasonToSkip();
// CI installs what it takes, so that a reason there is a failure.
const mayRun = skipped === null || process.env.CI === 'true';
if (!mayRun) console.warn(`The tests of the Python client are skipped: ${skipped}`);

/** Not spawnSync: the services answer in this process. */
function runPython(file: string, env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(PYTHON, ['-W', 'error::ResourceWarning', join(HOME, 'test', file)], {
      env: { ...process.env, ...env },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

(mayRun ? describe : describe.skip)('the client for Python', () => {
  let services: LiveServices;
  beforeAll(async () => {
    expect(skipped).toBeNull();
    services = await startLiveServices();
  });
  afterAll(() => services?.close());

  const addresses = ({ memoryUrl, timingUrl }: LiveServices) => ({ MEMORY_URL: memoryUrl, TIMING_URL: timingUrl });

  test.each(['sync', 'async'])('passes every case of the table: %s', async (MODE) => {
    // The cases begin with empty services.
    const fresh = await startLiveServices();
    const ran = await runPython('test_cases.py', { ...addresses(fresh), MODE });
    await fresh.close();
    expect(ran).toEqual({ code: 0, output: expect.stringMatching(/\bOK\s*$/) });
  });

  test.each(['test_retries.py', 'test_around.py'])('passes %s', async (file) => {
    const ran = await runPython(file, addresses(services));
    expect(ran).toEqual({ code: 0, output: expect.stringMatching(/\bOK\s*$/) });
  });

  test('shares the files of the memory tool with agents in TypeScript', async () => {
    const collection = 'shared-files';
    const files = memoryFiles(memoryClient({ url: services.memoryUrl, agentId: 'typescripter' }), { collection });
    const long = Array.from(
      { length: 300 },
      (_, line) => `Line ${line} tells of train ${line * 7}, which leaves on Thursday.`,
    );
    const texts: Record<string, string> = {
      '/memories/notes.md': 'One\n  two\n',
      '/memories/Ärger (2).md': '',
      '/memories/a b/C.txt': '\u00a0\ufeff\n',
      [`/memories/${'deep/'.repeat(30)}${'x'.repeat(120)}`]: 'far away',
      '/memories/🙂': long.join('\n'),
    };
    for (const [path, file_text] of Object.entries(texts)) await files.create({ path, file_text });
    const env = { ...addresses(services), COLLECTION: collection, FILES: JSON.stringify(texts) };
    expect(await runPython('test_memory_files.py', env)).toEqual({
      code: 0,
      output: expect.stringMatching(/\bOK\s*$/),
    });
    for (const path of Object.keys(texts)) {
      expect(await files.view({ path, view_range: [1, 1] })).toMatch(/\tFrom Python\.$/);
    }
    expect(await files.view({ path: '/memories/python' })).toMatch(/^\d+B\t\/memories\/python\/plan$/m);
  });
});
