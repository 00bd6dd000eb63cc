import { recordCommand } from '@agent-faculties/testing';
import { expect, test } from '@jest/globals';
import { ConfigError } from '../../src/process/config.ts';
import { orExit } from '../../src/process/or-exit.ts';

class DiskError extends Error {}

const run = (work: () => number) =>
  recordCommand((edge) => orExit({ ...edge, name: 'sample', explained: [DiskError] }, work));
const failing = (error: Error) => () => {
  throw error;
};

test('gives what the work gives', async () => {
  expect(await run(() => 7)).toMatchObject({ code: 7, err: '' });
});

test('an explained error is printed and ends the process with 1', async () => {
  const { code, err } = await run(failing(new DiskError('The disk is full: make room.')));
  expect([code, err]).toEqual([1, 'sample: The disk is full: make room.\n']);
});

test('an explained fault of the configuration ends it with 2', async () => {
  const explained = [ConfigError];
  const { code, err } = await recordCommand((edge) =>
    orExit({ ...edge, name: 'sample', explained }, failing(new ConfigError(['a.json is not JSON.', 'b is missing.']))),
  );
  expect([code, err]).toEqual([2, 'sample: The configuration has 2 faults:\n- a.json is not JSON.\n- b is missing.\n']);
});

test('the process ends after what must not be cut off', async () => {
  const steps: string[] = [];
  const atRest = async () => {
    await Promise.resolve();
    steps.push('at rest');
  };
  const { code } = await recordCommand((edge) => {
    const exit: typeof edge.exit = (with_) => {
      steps.push('exit');
      return edge.exit(with_);
    };
    return orExit({ ...edge, exit, name: 'sample', explained: [DiskError], atRest }, failing(new DiskError('Full.')));
  });
  expect([code, ...steps]).toEqual([1, 'at rest', 'exit']);
});

test('any other error is thrown on', async () => {
  await expect(run(failing(new TypeError('x is undefined')))).rejects.toThrow(TypeError);
});
