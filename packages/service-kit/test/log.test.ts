import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { expect, jest, test } from '@jest/globals';

// Three processes are started, which takes seconds on a busy machine.
jest.setTimeout(60_000);

const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const LOG = new URL('../src/log.ts', import.meta.url).href;

test.each(['process.exit(3)', 'process.exitCode = 3', 'setTimeout(() => { throw new Error() })'])(
  'a log on standard output loses no line at the end: %s',
  (end) => {
    const script = `const { createLog } = await import('${LOG}');
      const log = createLog({ name: 'x', level: 'info' });
      for (let line = 1; line <= 2000; line++) log.info({ line }, 'text');
      ${end};`;
    const { stdout } = spawnSync(process.execPath, ['--import', TSX, '--input-type=module', '-e', script]);
    const lines = stdout.toString().trimEnd().split('\n');
    expect(lines.map((text) => JSON.parse(text).line)).toEqual(Array.from({ length: 2000 }, (_, index) => index + 1));
  },
);
