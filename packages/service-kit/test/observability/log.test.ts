import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { createLog, type LogLevel } from '../../src/index.ts';
import { levelSwitch } from '../../src/observability/log.ts';

const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const KIT = new URL('../../src/index.ts', import.meta.url).href;
const LOG = new URL('../../src/observability/log.ts', import.meta.url).href;

test.each(['process.exit(3)', 'process.exitCode = 3', 'setTimeout(() => { throw new Error() })'])(
  'a log on standard output loses no line at the end: %s',
  (end) => {
    const script = `const { createLog } = await import('${LOG}');
      const log = createLog({ name: 'x', level: 'info' });
      for (let line = 1; line <= 2000; line++) log.info({ line }, 'text');
      ${end};`;
    const { stdout } = spawnSync(process.execPath, [
      '--conditions=@agent-faculties/source',
      '--import',
      TSX,
      '--input-type=module',
      '-e',
      script,
    ]);
    const lines = stdout.toString().trimEnd().split('\n');
    // A line that is being written when the process ends may come twice, or late.
    const numbers = [...new Set(lines.map((text) => JSON.parse(text).line as number))].sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 2000 }, (_, index) => index + 1));
  },
);

test('a stopped service has written each line once', async () => {
  const script = `const { createLog, runService } = await import('${KIT}');
    const log = createLog({ name: 'x', level: 'info' });
    const releasers = [() => {
      for (let line = 1; line <= 2000; line++) log.info({ line }, 'text');
    }];
    await runService({ name: 'x', app: () => {}, host: '127.0.0.1', port: 0, log, process, releasers });
    process.kill(process.pid, 'SIGTERM');`;
  const child = spawn(process.execPath, [
    '--conditions=@agent-faculties/source',
    '--import',
    TSX,
    '--input-type=module',
    '-e',
    script,
  ]);
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) lines.push(line);
  const numbers = lines.slice(1).map((line) => JSON.parse(line).line ?? JSON.parse(line).msg);
  expect(numbers).toEqual(['stopping', ...Array.from({ length: 2000 }, (_, index) => index + 1), 'stopped']);
});

test('a running service takes SIGUSR2 for the debugging lines of its log, and again for the end of them', async () => {
  const script = `const { createLog, runService } = await import('${KIT}');
    const log = createLog({ name: 'x', level: 'warn' });
    const app = (req, res) => {
      log.debug('seen');
      log.warn(req.url);
      res.end();
    };
    await runService({ name: 'x', app, host: '127.0.0.1', port: 0, log, process });`;
  const child = spawn(process.execPath, [
    '--conditions=@agent-faculties/source',
    '--import',
    TSX,
    '--input-type=module',
    '-e',
    script,
  ]);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async () => (await lines.next()).value as string;
  const url = /http:\S+?:\d+/.exec(await next())?.[0];
  const ask = async (path: string) => {
    await fetch(`${url}${path}`);
    const said: string[] = [];
    while (said.at(-1) !== path) said.push(JSON.parse(await next()).msg);
    return said;
  };
  expect(await ask('/1')).toEqual(['/1']);
  child.kill('SIGUSR2');
  const turned = JSON.parse(await next());
  expect([turned.msg, turned.log_level]).toEqual(['log level', 'debug']);
  expect(await ask('/2')).toEqual(['seen', '/2']);
  child.kill('SIGUSR2');
  expect(JSON.parse(await next()).log_level).toBe('warn');
  expect(await ask('/3')).toEqual(['/3']);
  child.kill('SIGTERM');
  expect((await once(child, 'exit'))[0]).toBe(0);
});

describe('the switch of the level', () => {
  test.each<[LogLevel, string[]]>([
    ['trace', ['info', 'trace']],
    ['debug', ['info', 'debug']],
    ['info', ['debug', 'info']],
    ['error', ['debug', 'error']],
    ['silent', ['debug', 'silent']],
  ])('from %s goes to %p, and says so each time', (level, expected) => {
    const said: string[] = [];
    const destination = { write: (line: string) => void said.push(JSON.parse(line).log_level) };
    const log = createLog({ name: 'x', level, destination });
    const turn = levelSwitch(log);
    const levels = [1, 2].map(() => {
      turn();
      return log.level;
    });
    expect([levels, said]).toEqual([expected, expected]);
  });
});

describe('an error in the log', () => {
  const logged = (err: unknown) => {
    const lines: string[] = [];
    createLog({ name: 'x', level: 'info', destination: { write: (line: string) => void lines.push(line) } }).error({
      err,
    });
    return lines.join('');
  };

  test('shows its stack, its cause and its code, and nothing else that hangs on it', () => {
    const cause = Object.assign(new Error('no space'), { code: 'ENOSPC', params: ['canary'] });
    const error = Object.assign(new Error('not kept', { cause }), { code: 'E1', params: ['canary'], body: 'canary' });
    const line = logged(error);
    expect(JSON.parse(line).err).toMatchObject({ type: 'Error', code: 'E1', stack: expect.stringMatching(/no space/) });
    expect(line).not.toContain('canary');
  });

  test.each([['text'], [null], [7], [{ canary: 'canary' }]])('may be %p, which is no error', (thrown) => {
    const line = logged(thrown);
    expect(JSON.parse(line).err).toEqual({ type: typeof thrown, message: String(thrown) });
    expect(line).not.toContain('canary');
  });
});
