import { recordCommand } from '@agent-faculties/testing';
import { expect, test } from '@jest/globals';
import { commandEdge, runCommand } from '../../src/process/command.ts';

const commands = { count: ({ argv }: { readonly argv: readonly string[] }) => argv.length };
const run = (...argv: string[]) =>
  recordCommand(
    async (edge) => {
      await runCommand(edge, commands);
      return 77;
    },
    { argv },
  );

test('the first argument names a command, which gets the others and gives the exit code', async () => {
  expect((await run('count', '--a', '--b')).code).toBe(2);
});

test.each([[[]], [['--port', '1']], [['toString']], [['__proto__']]])('%j names no command', async (argv) => {
  expect((await run(...argv)).code).toBe(77);
});

test('the edge of a process has the version of its package.json', () => {
  const { version, env } = commandEdge(new URL('../../package.json', import.meta.url));
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(env.PATH).toBe(process.env.PATH);
});
