import { recordCommand } from '@agent-faculties/testing';
import { expect, test } from '@jest/globals';
import { BackupError, type BackupOptions, backupCommands } from '../../src/process/backup-command.ts';
import { path } from '../../src/process/config-parsers.ts';

class DiskFullError extends Error {}

const done: string[] = [];
const OPTIONS: BackupOptions = {
  service: 'sample-service',
  prefix: 'SAMPLE_',
  place: { env: 'SAMPLE_DATA', flag: 'data', parse: path, default: null, help: 'where the data are' },
  store: { env: 'SAMPLE_STORE', isSecret: true, flag: 'store', parse: path, default: null, help: 'the database' },
  file: 'sample.bak',
  backup: {
    description: 'writes it',
    run: async (place, { output }) => {
      await output(Buffer.from(place));
      return 'all of it.';
    },
  },
  restore: {
    description: 'reads it',
    run: async (place, { input }) => {
      for await (const bytes of input) done.push(`${place} ${Buffer.from(bytes)}`);
      return 'all of it.';
    },
  },
  explained: [DiskFullError],
};

const failing = (error: Error) =>
  backupCommands({ ...OPTIONS, backup: { description: '', run: () => Promise.reject(error) } }).backup;
const commands = backupCommands(OPTIONS);
const env = { SAMPLE_DATA: '/data', SAMPLE_PORT: '80' };

test('a backup writes bytes to its output alone, and says on standard error that it is done', async () => {
  expect(await recordCommand(commands.backup, { env })).toEqual({
    code: 0,
    out: '',
    err: 'sample-service backup: all of it.\n',
    bytes: Buffer.from('/data'),
  });
});

test('a restore reads its input; a flag wins over the variable', async () => {
  const argv = ['--data', '/other'];
  expect(await recordCommand(commands.restore, { env, argv, input: [Buffer.from('x')] })).toMatchObject({ code: 0 });
  expect(done).toEqual(['/other x']);
});

test('a terminal gets the command with a file', async () => {
  expect(await recordCommand(commands.backup, { env, isTerminal: true })).toMatchObject({
    code: 2,
    err: 'sample-service backup: give it a file, as in: sample-service backup > sample.bak\n',
  });
  expect(await recordCommand(commands.restore, { env, isTerminal: true })).toMatchObject({
    code: 2,
    err: 'sample-service restore: give it a file, as in: sample-service restore < sample.bak\n',
  });
});

test('a terminal at the other end disturbs nobody', async () => {
  const only = (ends: { input: boolean; output: boolean }) => (name: 'backup' | 'restore') =>
    recordCommand((edge) => commands[name]({ ...edge, isTerminal: ends }), { env });
  expect((await only({ input: true, output: false })('backup')).code).toBe(0);
  expect((await only({ input: false, output: true })('restore')).code).toBe(0);
});

test('a place without a default must be given', async () => {
  expect(await recordCommand(commands.backup)).toMatchObject({
    code: 2,
    err: 'sample-service backup: --data must be given.\nSee sample-service backup --help.\n',
  });
});

test.each(['SAMPLE_STORE', 'SAMPLE_STORE_FILE'])(
  'where %s says that the data are in a database, the place is taken only where it is named',
  async (variable) => {
    const inDatabase = { ...env, [variable]: 'postgres://host/data' };
    for (const name of ['backup', 'restore'] as const) {
      const { code, err, bytes } = await recordCommand(commands[name], { env: inDatabase });
      expect({ code, size: bytes.length }).toEqual({ code: 2, size: 0 });
      expect(err).toContain(`${variable} is set, so the data are in a PostgreSQL`);
      expect(err).toContain('say where with --data.');
      expect(err).not.toContain('host');
    }
    const named = await recordCommand(commands.backup, { env: inDatabase, argv: ['--data=/old'] });
    expect(named).toMatchObject({ code: 0, bytes: Buffer.from('/old') });
  },
);

test('--help names the place alone, and exits with 0', async () => {
  const { code, out } = await recordCommand(commands.backup, { env, argv: ['--help'] });
  expect(code).toBe(0);
  expect(out).toContain('--data, SAMPLE_DATA');
});

test('an error that is explained is said as it is; any other is said with what to check', async () => {
  for (const error of [new BackupError('Take another one.'), new DiskFullError('Make room.')]) {
    expect(await recordCommand(failing(error), { env })).toMatchObject({
      code: 1,
      err: `sample-service backup: ${error.message}\n`,
    });
  }
  expect(await recordCommand(failing(new Error('EIO')), { env })).toMatchObject({
    code: 1,
    err: 'sample-service backup: /data: EIO. Check the disk, its free room and the rights of this user; nothing was changed.\n',
  });
});

test('an output that takes nothing is named, and not the place of the data', async () => {
  const output = () => Promise.reject(new Error('ENOSPC: no space left on device, write'));
  expect(await recordCommand((edge) => commands.backup({ ...edge, output }), { env })).toMatchObject({
    code: 1,
    err: 'sample-service backup: standard output cannot be written: ENOSPC: no space left on device, write. What it has is no backup: make room there or write to another place, and run it again.\n',
  });
});
