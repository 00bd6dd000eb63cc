import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { ConfigError, configOrExit, readConfig } from '../../src/index.ts';
import {
  agentId,
  byteSize,
  headerPairs,
  hostNames,
  httpUrl,
  integerBetween,
  numberBetween,
  oneOf,
  path,
  text,
  trueOrFalse,
} from '../../src/process/config-parsers.ts';

const fields = {
  host: { env: 'X_HOST', flag: 'host', parse: text, default: '127.0.0.1', help: 'address' },
  port: { env: 'X_PORT', flag: 'port', parse: integerBetween(0, 65_535), default: 8080, help: 'port' },
  dataDir: { env: 'X_DATA_DIR', flag: 'data-dir', parse: path, default: null, help: 'folder' },
} as const;

const read = (env: Record<string, string>, ...argv: string[]) => readConfig({ prefix: 'X_', fields, env, argv });

const faultsOf = (env: Record<string, string>, ...argv: string[]): readonly string[] => {
  try {
    read(env, ...argv);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
  }
  throw new Error('no ConfigError');
};

describe('readConfig', () => {
  test('returns a frozen object of defaults', () => {
    const config = read({ PATH: '/bin', XY: '1' });
    expect(config).toEqual({ host: '127.0.0.1', port: 8080, dataDir: null });
    expect(Object.isFrozen(config)).toBe(true);
  });

  test('prefers a flag to the environment and the environment to the default', () => {
    expect(read({ X_PORT: '1', X_HOST: '::1' }, '--port', '2')).toMatchObject({ port: 2, host: '::1' });
    expect(read({}, '--port=0').port).toBe(0);
  });

  test('takes an empty variable for absent', () => {
    expect(read({ X_PORT: '' }).port).toBe(8080);
  });

  test('does not read a variable that a flag replaces', () => {
    expect(read({ X_PORT: 'nonsense' }, '--port', '2').port).toBe(2);
  });

  describe('of a secret', () => {
    const secret = {
      store: {
        env: 'X_STORE',
        flag: 'store',
        parse: (value: string) => {
          if (!value.startsWith('db:')) throw new Error('must start with db:');
          return value;
        },
        default: null,
        help: 'where',
        isSecret: true,
      },
    } as const;
    const readSecret = (env: Record<string, string>, ...argv: string[]) =>
      readConfig({ prefix: 'X_', fields: secret, env, argv });
    const folder = mkdtempSync(join(tmpdir(), 'config-'));
    afterAll(() => rmSync(folder, { recursive: true }));

    test('repeats it in no fault', () => {
      expect(() => readSecret({ X_STORE: 'pa55word' })).toThrow('- X_STORE must start with db:.');
      expect(() => readSecret({}, '--store=pa55word')).toThrow('- --store must start with db:.');
    });

    test('reads it from the file that a variable names, unless it is given', () => {
      const path = join(folder, 'store');
      writeFileSync(path, 'db:of-the-file\n');
      expect(readSecret({ X_STORE_FILE: path }).store).toBe('db:of-the-file');
      expect(readSecret({ X_STORE_FILE: path, X_STORE: 'db:given' }).store).toBe('db:given');
      expect(readSecret({ X_STORE_FILE: '' }).store).toBe(null);
    });

    test('says which variable names a file that cannot be read', () => {
      expect(() => readSecret({ X_STORE_FILE: join(folder, 'nothing') })).toThrow(
        /- X_STORE is to be read from the file that X_STORE_FILE names, which fails \(ENOENT/,
      );
    });
  });

  test('reads what has no variable from its flag alone', () => {
    const flagOnly = { to: { flag: 'to', parse: text, default: null, help: 'where to' } } as const;
    const config = readConfig({ prefix: 'X_', fields: flagOnly, env: { TO: 'a', to: 'b' }, argv: ['--to', 'c'] });
    expect(config).toEqual({ to: 'c' });
    expect(readConfig({ prefix: 'X_', fields: flagOnly, env: { undefined: 'a' }, argv: [] })).toEqual({ to: null });
  });

  test('leaves the variable by which clients find the service to them', () => {
    expect(readConfig({ prefix: 'X_', fields: {}, env: { X_URL: 'http://central:7832' }, argv: [] })).toEqual({});
  });

  // As the manual of Kubernetes has it for a Service "redis-primary", here for one "x" and one "x-service".
  const LINKS = {
    X_SERVICE_HOST: '10.0.0.11',
    X_SERVICE_PORT: '7832',
    X_SERVICE_PORT_HTTP: '7832',
    X_PORT: 'tcp://10.0.0.11:7832',
    X_PORT_7832_TCP: 'tcp://10.0.0.11:7832',
    X_PORT_7832_TCP_PROTO: 'tcp',
    X_PORT_7832_TCP_PORT: '7832',
    X_PORT_7832_TCP_ADDR: '10.0.0.11',
    X_SERVICE_SERVICE_HOST: '10.0.0.12',
    X_SERVICE_PORT_80_TCP_ADDR: '10.0.0.12',
  };

  test('leaves what Kubernetes says of a Service of this name', () => {
    const inPod = { ...LINKS, KUBERNETES_SERVICE_HOST: '10.0.0.1' };
    expect(read(inPod).port).toBe(8080);
    expect(read(inPod, '--port', '81').port).toBe(81);
    expect(faultsOf({ ...inPod, X_POTR: '1' })).toHaveLength(1);
  });

  test('takes a variable of the same form for a slip elsewhere', () => {
    expect(faultsOf({ X_SERVICE_PORT: '7832' })).toEqual([expect.stringContaining('X_SERVICE_PORT is not a known')]);
  });

  test('lists every fault', () => {
    expect(faultsOf({ X_PORT: '80 80', X_POTR: '1' }, '--hots', 'h', '--data-dir', '--port=70000')).toEqual([
      '--hots is not a known flag: use one of --host, --port, --data-dir.',
      '"h" is not a flag: write --name value.',
      '--data-dir has no value: write --data-dir value.',
      'X_POTR is not a known variable: remove it, or use one of X_HOST, X_PORT, X_DATA_DIR.',
      'X_PORT="80 80" must be a whole number from 0 to 65535.',
    ]);
  });

  test.each([
    [['--port=70000'], '--port="70000" must be a whole number from 0 to 65535.'],
    [['--host'], '--host has no value: write --host value.'],
    [['--host='], '--host has no value: write --host value.'],
  ])('refuses %p', (argv, fault) => {
    expect(faultsOf({}, ...argv)).toEqual([fault]);
  });
});

describe('a switch', () => {
  const offline = { env: 'X_OFFLINE', flag: 'offline', parse: trueOrFalse, default: false, help: '', isSwitch: true };
  const readSwitch = (env: Record<string, string>, ...argv: string[]) =>
    readConfig({ prefix: 'X_', fields: { ...fields, offline }, env, argv }).offline;

  test('is off by default, on when the flag stands alone, and takes a value', () => {
    expect(readSwitch({})).toBe(false);
    expect(readSwitch({}, '--offline', '--port', '2')).toBe(true);
    expect(readSwitch({ X_OFFLINE: '1' }, '--offline=false')).toBe(false);
    expect(readSwitch({ X_OFFLINE: 'true' })).toBe(true);
  });

  test('refuses what is neither true nor false', () => {
    expect(() => readSwitch({}, '--offline=maybe')).toThrow('--offline="maybe" must be true or false');
    expect(() => readSwitch({}, '--offline', 'yes')).toThrow('"yes" is not a flag');
  });
});

describe('the parsers', () => {
  test.each([
    [hostNames, 'box', ['box']],
    [hostNames, 'Box.local., 192.168.1.7,[fd00::5],fd00:0::5', ['box.local', '192.168.1.7', '[fd00::5]']],
    [byteSize, '65536', 65_536],
    [byteSize, '256KiB', 262_144],
    [byteSize, '1 MiB', 1_048_576],
    [numberBetween(0, 1), '.5', 0.5],
    [integerBetween(-5, 5), '-5', -5],
    [oneOf('a', 'b'), 'b', 'b'],
    [path, '~/x', `${homedir()}/x`],
    [path, '~x', '~x'],
    [path, ':memory:', ':memory:'],
    [agentId, 'claude-editor', 'claude-editor'],
  ])('read %p %s', (parse, value, meant) => {
    expect(parse(value)).toEqual(meant);
  });

  test.each([
    [
      hostNames,
      'box,http://a:80/, *',
      'must be names or addresses of hosts without scheme, port and path, separated by commas, such as box.local,192.168.1.7; wrong: "http://a:80/", "*"',
    ],
    [
      hostNames,
      'box,',
      'must be names or addresses of hosts without scheme, port and path, separated by commas, such as box.local,192.168.1.7; wrong: ""',
    ],
    [byteSize, '1MB', 'must be a size such as 65536, 256KiB or 1MiB'],
    [byteSize, '0', 'must be a size such as 65536, 256KiB or 1MiB'],
    [byteSize, '-1', 'must be a size such as 65536, 256KiB or 1MiB'],
    [numberBetween(0, 1), '1e-1', 'must be a number from 0 to 1'],
    [numberBetween(0, 1), 'NaN', 'must be a number from 0 to 1'],
    [integerBetween(0, 9), '0x5', 'must be a whole number from 0 to 9'],
    [integerBetween(0, 9), '1.5', 'must be a whole number from 0 to 9'],
    [oneOf('a', 'b'), 'c', 'must be one of a, b'],
    [agentId, '*', "must name one agent: '*' means all agents"],
    [agentId, ' a', 'is not an agent id'],
  ])('refuse %p %s', (parse, value, message) => {
    expect(() => parse(value)).toThrow(message);
  });
});

describe('configOrExit', () => {
  const run = (...argv: string[]) => {
    const said = { out: '', err: '', code: -1 };
    const exit = (code: number): never => {
      said.code = code;
      throw new Error('exit');
    };
    const out = (line: string) => {
      said.out += line;
    };
    const err = (line: string) => {
      said.err += line;
    };
    try {
      configOrExit({
        name: 'x-service',
        version: '1.2.3',
        description: 'an x',
        prefix: 'X_',
        fields,
        env: {},
        argv,
        exit,
        out,
        err,
      });
    } catch {}
    return said;
  };

  test('answers --help with every setting', () => {
    expect(run('--help')).toEqual({
      code: 0,
      err: '',
      out: [
        'x-service 1.2.3: an x',
        '',
        '  --host, X_HOST          address (default: 127.0.0.1)',
        '  --port, X_PORT          port (default: 8080)',
        '  --data-dir, X_DATA_DIR  folder (default: none)',
        '  --help                  print this and exit',
        '  --version               print the version and exit',
        '',
      ].join('\n'),
    });
  });

  test('answers --version', () => {
    expect(run('--version')).toEqual({ code: 0, out: '1.2.3\n', err: '' });
  });

  test('says every fault and exits 2', () => {
    expect(run('--port', 'x', 'y')).toEqual({
      code: 2,
      out: '',
      err: 'x-service: The configuration has 2 faults:\n- "y" is not a flag: write --name value.\n- --port="x" must be a whole number from 0 to 65535.\nSee x-service --help.\n',
    });
  });
});

describe('the address of a collector', () => {
  test.each([
    ['http://127.0.0.1:4318', 'http://127.0.0.1:4318'],
    ['https://otel.example/base/', 'https://otel.example/base'],
  ])('%s', (given, read) => expect(httpUrl(given)).toBe(read));

  test.each(['127.0.0.1:4318', 'grpc://collector', ''])('is not %j', (given) =>
    expect(() => httpUrl(given)).toThrow('must be an address'),
  );
});

describe('headers for a collector', () => {
  test.each([
    ['api-key=abc', { 'api-key': 'abc' }],
    ['Authorization=Bearer%20a%3Db, x-tenant = 7', { Authorization: 'Bearer a=b', 'x-tenant': '7' }],
    ['a=b=c', { a: 'b=c' }],
    ['a=100%', { a: '100%' }],
  ])('%s', (given, read) => expect(headerPairs(given)).toEqual(read));

  test.each(['', 'api-key', '=abc', 'a=', 'a b=c', 'a=b\nc'])('are not %j', (given) =>
    expect(() => headerPairs(given)).toThrow('must be headers'),
  );
});
