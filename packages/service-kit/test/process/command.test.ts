import { recordCommand } from '@agent-faculties/testing';
import { expect, test } from '@jest/globals';
import { commandEdge, runCommand } from '../../src/process/command.ts';
import { configOrExit } from '../../src/process/config-or-exit.ts';

const commands = {
  count: { help: 'counts its arguments', run: ({ argv }: { readonly argv: readonly string[] }) => argv.length },
};
const run = (...argv: string[]) =>
  recordCommand(
    async (edge) => {
      await runCommand({ ...edge, name: 'sample' }, commands);
      return 77;
    },
    { argv },
  );

test('the first argument names a command, which gets the others and gives the exit code', async () => {
  expect((await run('count', '--a', '--b')).code).toBe(2);
});

test.each([[[]], [['--port', '1']], [['--port', 'count']]])('%j means the service itself', async (argv) => {
  expect(await run(...argv)).toMatchObject({ code: 77, err: '' });
});

test.each(['bakcup', 'toString', '__proto__', ''])('%j is not a command, and the others are named', async (name) => {
  expect(await run(name, '--help')).toMatchObject({
    code: 2,
    err: `sample: "${name}" is not a command: use count, or none to start the service.\nSee sample --help.\n`,
  });
});

test('--help of a program lists its commands before its flags', async () => {
  const { code, out } = await recordCommand(
    (edge) =>
      configOrExit({ ...edge, name: 'sample', description: 'a sample', prefix: 'X_', fields: {}, commands }) && 77,
    { argv: ['--help'] },
  );
  expect([code, out]).toEqual([
    0,
    `sample 0.0.0-test: a sample

Commands, each with its own --help; without one, sample starts the service:
  count  counts its arguments

Flags and variables of the service:
  --help     print this and exit
  --version  print the version and exit
`,
  ]);
});

test('the edge of a process has the version of its package.json', () => {
  const { version, env } = commandEdge(new URL('../../package.json', import.meta.url));
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(env.PATH).toBe(process.env.PATH);
});
