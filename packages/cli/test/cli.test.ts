import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { COMMANDS } from '../src/commands.ts';
import { run } from './run-cli.ts';

const FOLDER = fileURLToPath(new URL('../src/commands', import.meta.url));
/** Nothing listens there: no program is given this port by chance. */
const NOBODY = 'http://127.0.0.1:65535';
/** A program of a service reads their arguments, and takes no option of the other commands. */
const PASSED_ON = ['start', 'backup', 'restore', 'push', 'pull'];

describe('agent-faculties', () => {
  test('knows the command of each file in commands/, under its name', async () => {
    const files = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isFile());
    expect(Object.keys(COMMANDS).sort()).toEqual(files.map(({ name }) => name.replace('.ts', '')).sort());
    for (const [name, load] of Object.entries(COMMANDS)) expect((await load()).command.name).toBe(name);
  });

  test.each([[[]], [['--help']], [['-h']], [['help']]])('lists its commands for %j', async (argv) => {
    const { code, out } = await run(argv);
    expect(code).toBe(0);
    for (const name of Object.keys(COMMANDS)) expect(out).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
  });

  test.each(Object.keys(COMMANDS))('says what %s takes', async (name) => {
    for (const argv of [
      [name, '--help'],
      ['help', name],
    ]) {
      const { code, out } = await run(argv);
      expect([code, out.split('\n')[0]]).toEqual([0, expect.stringMatching(`^agent-faculties ${name}`)]);
      expect(out.includes('--memory-url URL')).toBe(!PASSED_ON.includes(name));
    }
  });

  test.each([
    ['start', 'MEMORY_PORT'],
    ['backup', '--db-path FILE'],
    ['restore', '--db-path FILE'],
    ['push', 'AGENT_FACULTIES_KEY'],
    ['pull', 'AGENT_FACULTIES_KEY'],
  ])('says of %s, which passes its arguments on, what sets it up', async (name, word) => {
    expect((await run([name, '--help'])).out).toContain(word);
  });

  test('says in the words of the system what that refuses, where no command foresees it', async () => {
    const execute = async () => readdirSync('/nowhere/at/all').length;
    expect(await run(['start'], { execute })).toEqual({
      code: 1,
      out: '',
      err: "agent-faculties: ENOENT: no such file or directory, scandir '/nowhere/at/all'\n",
    });
  });

  test('says its version', async () => {
    expect(await run(['--version'])).toEqual({ code: 0, out: '0.0.0-test\n', err: '' });
  });

  test.each([
    [['remembr'], '"remembr" is not a command'],
    [['--json', 'status'], '--json stands before the command: write agent-faculties COMMAND --json.'],
    [['toString'], '"toString" is not a command'],
    [['help', 'x'], '"x" is not a command'],
    [['status', '--nonsense'], "Unknown option '--nonsense'"],
    [['status', '--memory-url'], "Option '--memory-url <value>' argument missing"],
    [['status', '--memory-url', 'here'], '--memory-url="here" is not an address'],
    [['status', '--memory-url='], '--memory-url has no value'],
    [['list', 'deploy'], 'list takes options alone, and "deploy" is none.'],
    [['timing', 'stats', '--days', '7'], 'timing stats does not take --days.'],
    [['timing', 'spent', '--elapsed', '5', '--think', '9'], 'timing spent does not take --elapsed, --think.'],
    [['timing', 'estimate', 'build', '--by', 'agent'], 'timing estimate does not take --by.'],
    [['timing', 'toString'], 'Write timing stats [TYPE]'],
    [['contradictions', '--winner', 'x'], 'contradictions without resolve ID does not take --winner.'],
    [['contradictions', 'resolve', 'x', '--dismiss', '--threshold', '1'], 'resolve does not take --threshold.'],
    [['export', '--timing', '--vectors'], 'export --timing does not take --vectors.'],
  ])('refuses %j with 2 and what to write', async (argv, message) => {
    const { code, out, err } = await run(argv);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
    expect(err).toMatch(/See agent-faculties .*--help\.\n$/);
  });

  test('takes addresses from the environment, and options before it', async () => {
    const env = { MEMORY_URL: 'nowhere', TIMING_URL: '' };
    expect((await run(['status'], { env })).err).toContain('MEMORY_URL="nowhere" is not an address');
    const { out } = await run(['status', '--json', '--memory-url', NOBODY, '--timing-url', NOBODY], { env });
    expect(JSON.parse(out).services.map(({ url }: { url: string }) => url)).toEqual([`${NOBODY}/`, `${NOBODY}/`]);
  });

  test.each([
    [{ MEMORY_PORT: '7999', TIMING_PORT: '8999' }, 'http://127.0.0.1:7999/', 'http://127.0.0.1:8999/'],
    [{ MEMORY_PORT: '', TIMING_PORT: '0' }, 'http://127.0.0.1:7832/', 'http://127.0.0.1:8080/'],
    [{ MEMORY_PORT: '7999', MEMORY_URL: 'http://m.test' }, 'http://m.test/', 'http://127.0.0.1:8080/'],
    [{ MEMORY_PORT: 'tcp://10.0.0.1:7832' }, 'http://127.0.0.1:7832/', 'http://127.0.0.1:8080/'],
    [{ MEMORY_PORT: '65536', MEMORY_URL: 'http://m.test' }, 'http://m.test/', 'http://127.0.0.1:8080/'],
  ])('asks where start has the services: %j', async (env, memory, timing) => {
    const fetch = () => Promise.reject(new TypeError('nobody is asked'));
    const { out } = await run(['status', '--json'], { env: env as Record<string, string>, fetch });
    expect(JSON.parse(out).services.map(({ url }: { url: string }) => url)).toEqual([memory, timing]);
  });

  test.each(['10.0.0.1:80', '65536', '80 '])('refuses MEMORY_PORT=%j', async (port) => {
    expect(await run(['status'], { env: { MEMORY_PORT: port } })).toMatchObject({
      code: 2,
      err: expect.stringContaining(`MEMORY_PORT=${JSON.stringify(port)} is not a port: write one such as 7832.`),
    });
  });
});

describe('status', () => {
  test('says which service does not answer, and what to do', async () => {
    const { code, out } = await run(['status', '--memory-url', NOBODY, '--timing-url', NOBODY]);
    expect(code).toBe(1);
    expect(out.match(/cannot be reached/g)).toHaveLength(2);
  });
});
