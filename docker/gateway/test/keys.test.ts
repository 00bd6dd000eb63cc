import { execFileSync, spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { exchange } from './exchange.ts';
import { HOME, hasNginx, type RealGateway, runKeys, startGateway } from './real-gateway.ts';

/** openssl comes with nginx on the machines that have one. */
const describeKeys = hasNginx() ? describe : describe.skip;
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
const LINE =
  /^"[0-9a-f]{64}" "(agent-ro|agent-rw|team-admin|system-admin) k-[0-9a-f]{8} [A-Za-z0-9][A-Za-z0-9._@+:/-]{0,127}( [A-Za-z0-9._@+:/,-]+)?"; # created=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ expires=(never|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$/;

describeKeys('gateway-keys, beside no gateway', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-keys-'));
    file = join(folder, 'keys');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const keys = (...args: string[]) => runKeys({ GATEWAY_STATE: folder, GATEWAY_RUN: join(folder, 'no-run') }, args);
  /** With programs of our own before those of the system. */
  const keysWith = (programs: Record<string, string>, ...args: string[]) => {
    const bin = join(folder, 'bin');
    mkdirSync(bin, { recursive: true });
    for (const [name, script] of Object.entries(programs)) {
      writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
      chmodSync(join(bin, name), 0o755);
    }
    return runKeys({ GATEWAY_STATE: folder, GATEWAY_RUN: folder, PATH: `${bin}:${process.env.PATH}:/usr/sbin` }, args);
  };
  const create = (agent: string, role = 'agent-rw') => keys('create', '--agent', agent, '--role', role);
  const lines = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []);
  const idOf = (line: string | undefined) => /k-[0-9a-f]{8}/.exec(line ?? '')?.[0] as string;

  test('prints a key of 256 bits once, alone on standard output, and keeps its hash in a file for its user only', async () => {
    const { code, stdout, stderr } = await create('claude-editor');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^[0-9a-f]{64}\n$/);
    expect(stderr).toMatch(/^Key k-[0-9a-f]{8} for agent claude-editor, role agent-rw\. It is shown this once:\n$/);
    expect(lines()).toEqual([expect.stringMatching(LINE)]);
    expect(readFileSync(file, 'utf8')).not.toContain(stdout.trim());
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const list = await keys('list');
    expect(list.stdout).not.toContain(stdout.trim());
    expect(list.stdout).not.toContain(/[0-9a-f]{64}/.exec(lines()[0] ?? '')?.[0]);
    expect(list.stdout).toMatch(
      /^KEY ID +ROLE +AGENT +CREATED +EXPIRES +SPACE +PROJECTS\nk-[0-9a-f]{8} +agent-rw +claude-editor +\S+ +never +default +all\n$/,
    );
  });

  test('makes another key each time, also for the same agent', async () => {
    const made = [await create('a'), await create('a'), await create('a')];
    expect(new Set(made.map(({ stdout }) => stdout)).size).toBe(3);
    expect(new Set(lines().map(idOf)).size).toBe(3);
  });

  test.each([
    '',
    '*',
    '-a',
    '.a',
    'a b',
    'a"b',
    "a'b",
    'a;b',
    'a\nb',
    'a\n',
    '\na',
    'a$role',
    '\u0024{b}',
    'a\\b',
    'a{b}',
    'a#b',
    'a\tb',
    'a\u0001b',
    'агент',
    'café',
    'a'.repeat(129),
    'x"; include /etc/passwd; "',
    'x" "system-admin k-00000000 y',
    '$(touch /tmp/gateway-injected)',
    '`id`',
    'a|b',
    'a&b',
    'a%b',
    'a,b',
  ])('refuses the agent %j and changes nothing', async (agent) => {
    await create('first');
    const before = lines();
    const { code, stdout, stderr } = await create(agent);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('gateway-keys: ');
    expect(stderr).toContain('usage:');
    expect(lines()).toEqual(before);
    expect(existsSync('/tmp/gateway-injected')).toBe(false);
  });

  test.each(['a', 'claude-editor', 'Ann.B', 'ann@example.org', 'team/ci:1+2_x', '0', 'a'.repeat(128)])(
    'takes the agent %j',
    async (agent) => {
      expect((await create(agent)).code).toBe(0);
      expect(lines()).toEqual([expect.stringMatching(LINE)]);
      expect(lines()[0]).toContain(` ${agent}";`);
    },
  );

  test('whatever name is given, the file has lines of one form and nothing else', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary-ascii', maxLength: 12 }),
      fc.string({ unit: fc.constantFrom('a', 'Z', '"', ';', '$', '\n', ' ', '\\', '-', '.', '/', '{'), maxLength: 8 }),
    );
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom('agent-ro', 'agent-rw;', 'system-admin"', ''), async (agent, role) => {
        fc.pre(!agent.includes('\0'));
        const before = lines();
        const { code } = await create(agent, role);
        const after = lines();
        expect(after.every((line) => LINE.test(line))).toBe(true);
        expect(after.length - before.length).toBe(code === 0 ? 1 : 0);
        if (code === 0) expect(after.at(-1)).toContain(` ${agent}";`);
      }),
      { numRuns: 40, seed: 6 },
    );
  });

  test.each([
    [[], 'what shall be done?'],
    [['delete'], "'delete' is not known."],
    [['create'], 'create needs --agent and --role.'],
    [['create', '--agent', 'a'], 'create needs --agent and --role.'],
    [['create', '--agent'], '--agent has no value.'],
    [['create', '--agent', 'a', '--role', 'admin'], '--role must be one of'],
    [['create', '--agent', 'a', '--role', 'agent-ro agent-rw'], '--role must be one of'],
    [['create', '--agent', 'a', '--role', 'agent-ro', '--key', 'x'], '--key is not known.'],
    [['list', 'all'], 'list takes no arguments.'],
    [['revoke'], 'revoke needs one key id.'],
    [['revoke', 'a'], "'a' is no key id"],
    [['revoke', '.*'], "'.*' is no key id"],
    [['revoke', 'k-0000000.'], 'is no key id'],
    [['rotate'], 'rotate needs one key id'],
    [['rotate', 'k-00000000', '--grace'], 'rotate needs one key id'],
    [['rotate', 'k-00000000', '--grace', '1x'], '--grace must be a time'],
    [['rotate', 'k-00000000', '--grace', '0s'], '--grace must be a time'],
    [['rotate', 'k-00000000', '--grace', '$(id)'], '--grace must be a time'],
  ])('%j is answered with what is wrong, and how it is used', async (args, message) => {
    const { code, stderr } = await keys(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain('usage: gateway-keys create');
  });

  test('makes a key for certain projects, shows them, and keeps them when it is rotated', async () => {
    const made = await keys('create', '--agent', 'a', '--role', 'agent-rw', '--project', 'shop', '--project', 'b/log');
    expect(made.stderr).toMatch(/ for agent a, role agent-rw, projects shop,b\/log\. It is shown this once:\n$/);
    expect(lines()).toEqual([expect.stringMatching(/"agent-rw k-[0-9a-f]{8} a shop,b\/log"; # created=/)]);
    await create('other');
    const { stdout } = await keys('list');
    expect(stdout).toMatch(/ a +\S+ +never +default +shop,b\/log\n.* other +\S+ +never +default +all\n$/);
    const rotated = await keys('rotate', idOf(lines()[0]), '--grace', '1h');
    expect(rotated.code).toBe(0);
    expect(lines().filter((line) => line.includes(' a shop,b/log"; #'))).toHaveLength(2);
    const plain = lines().find((line) => line.includes(' other"')) ?? '';
    await keys('rotate', idOf(plain));
    expect(lines().filter((line) => / other"; #/.test(line))).toHaveLength(1);
    expect((await keys('list')).stdout).toMatch(/ a +\S+ +\d\S+Z +default +shop,b\/log\n/);
  });

  test.each(['', '*', 'a,b', 'a b', '-a', 'a"b', 'a;b', 'a\nb', '$(id)', 'café', 'a'.repeat(129)])(
    'refuses the project %j and changes nothing',
    async (project) => {
      const { code, stderr } = await keys('create', '--agent', 'a', '--role', 'agent-rw', '--project', project);
      expect(code).toBe(2);
      expect(stderr).toContain('--project must be 1 to 128 of');
      expect(lines()).toEqual([]);
    },
  );

  test('makes a key for a space, shows it, and keeps it when it is rotated', async () => {
    const made = await keys('create', '--agent', 'a', '--role', 'agent-rw', '--space', 'team-a');
    expect(made.stderr).toMatch(/ for agent a, role agent-rw, space team-a\. It is shown this once:\n$/);
    await keys('create', '--agent', 'b', '--role', 'agent-rw', '--project', 'shop', '--space', 'team-b');
    await create('other');
    expect(lines().map((line) => line.split('"')[3]?.split(' ').slice(2).join(' '))).toEqual([
      'a space=team-a',
      'b shop space=team-b',
      'other',
    ]);
    expect((await keys('list')).stdout).toMatch(
      / a +\S+ +never +team-a +all\n.* b +\S+ +never +team-b +shop\n.* other +\S+ +never +default +all\n$/,
    );
    for (const line of lines()) expect((await keys('rotate', idOf(line))).code).toBe(0);
    expect(
      lines()
        .map((line) => line.split('"')[3]?.split(' ').slice(2).join(' '))
        .sort(),
    ).toEqual(['a space=team-a', 'b shop space=team-b', 'other']);
  });

  test.each(['', 'A', 'a b', '-a', 'a-', 'a"b', 'a;b', 'a\nb', '$(id)', 'a=b', 'x'.repeat(64)])(
    'refuses the space %j and changes nothing',
    async (space) => {
      const { code, stderr } = await keys('create', '--agent', 'a', '--role', 'agent-rw', '--space', space);
      expect(code).toBe(2);
      expect(stderr).toContain('--space must be 1 to 63 of');
      expect(lines()).toEqual([]);
    },
  );

  test('refuses more than 16 projects', async () => {
    const many = Array.from({ length: 17 }, (_, index) => ['--project', `p${index}`]).flat();
    const args = ['create', '--agent', 'a', '--role', 'agent-rw'];
    expect((await keys(...args, ...many)).stderr).toContain('a key is for 16 projects at most.');
    expect((await keys(...args, ...many.slice(2))).code).toBe(0);
  });

  test('revokes one key and leaves the others', async () => {
    for (const agent of ['a', 'b', 'c']) await create(agent);
    const [a, b, c] = lines();
    expect((await keys('revoke', idOf(b))).code).toBe(0);
    expect(lines()).toEqual([a, c]);
    const again = await keys('revoke', idOf(b));
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('there is no key')]);
  });

  test('revokes the last key', async () => {
    await create('a');
    expect((await keys('revoke', idOf(lines()[0]))).code).toBe(0);
    expect(lines()).toEqual([]);
    expect((await create('b')).code).toBe(0);
  });

  test('rotates: a new key for the same agent and role, and no old one without a grace', async () => {
    await create('ann', 'team-admin');
    const [old] = lines();
    const { code, stdout } = await keys('rotate', idOf(old));
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^[0-9a-f]{64}\n$/)]);
    expect(lines()).toHaveLength(1);
    expect(lines()[0]).toMatch(/"team-admin k-[0-9a-f]{8} ann"; .* expires=never$/);
    expect(idOf(lines()[0])).not.toBe(idOf(old));
  });

  test.each([
    ['90s', 90],
    ['30m', 1_800],
    ['24h', 86_400],
    ['7d', 604_800],
  ])('the old key holds for a grace of %s', async (grace, seconds) => {
    await create('ann');
    const [old] = lines();
    await keys('rotate', idOf(old), '--grace', grace);
    const [kept, made] = lines();
    expect(lines()).toHaveLength(2);
    expect(idOf(kept)).toBe(idOf(old));
    const instant = (line: string | undefined, name: string) =>
      Date.parse(new RegExp(`${name}=(\\S+)`).exec(line ?? '')?.[1] ?? '') / 1000;
    expect(instant(kept, 'expires') - instant(made, 'created')).toBe(seconds);
    // To rotate the old one again makes it live no longer.
    await keys('rotate', idOf(old), '--grace', '365d');
    expect(
      instant(
        lines().find((line) => line.includes(idOf(old))),
        'expires',
      ),
    ).toBe(instant(kept, 'expires'));
  });

  test('takes out what has expired, and nothing else', async () => {
    for (const agent of ['past', 'future', 'never']) await create(agent);
    const [past, future, never] = lines();
    const ended = past?.replace('never', '2026-01-01T00:00:00Z') as string;
    const lasting = future?.replace('never', '2999-01-01T00:00:00Z') as string;
    writeFileSync(file, `${[ended, lasting, never].join('\n')}\n`);
    expect((await keys('sweep')).code).toBe(0);
    expect(lines()).toEqual([lasting, never]);
    const { ino, mtimeMs } = statSync(file);
    await keys('sweep');
    expect(statSync(file)).toMatchObject({ ino, mtimeMs });
  });

  test('24 commands at once lose nothing of one another', async () => {
    await create('first');
    const first = idOf(lines()[0]);
    const agents = Array.from({ length: 22 }, (_, index) => `agent-${index}`);
    // Who waits for too long, on a machine or a disk that is slow, is told to try again, and has changed nothing.
    const insist = async (...args: string[]) => {
      for (;;) {
        const done = await keys(...args);
        if (!done.stderr.includes('another gateway-keys is at work: try again')) return done;
      }
    };
    const creates = agents.map((agent) => insist('create', '--agent', agent, '--role', 'agent-rw'));
    const done = await Promise.all([...creates, insist('revoke', first), keys('list')]);
    expect(done.map(({ code }) => code)).toEqual(Array(24).fill(0));
    const left = lines().map((line) => / (\S+)"; #/.exec(line)?.[1]);
    expect(left.sort()).toEqual([...agents].sort());
  });

  test.each([
    ['before the new file is on disk', { sync: 'kill -9 $PPID' }],
    ['before the new file is in its place', { mv: 'kill -9 $PPID' }],
    ['while it is written', { openssl: 'kill -9 $PPID' }],
  ])('a kill -9 %s leaves the old keys, and the next command works', async (_when, programs) => {
    await create('first');
    const before = readFileSync(file, 'utf8');
    expect((await keysWith(programs, 'create', '--agent', 'second', '--role', 'agent-ro')).code).not.toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect((await create('third')).code).toBe(0);
    expect(lines()).toHaveLength(2);
  });

  test.each([
    ['a disk that takes no more', { sync: 'exit 1' }],
    ['a rename that fails', { mv: 'exit 1' }],
    ['an openssl that is broken', { openssl: 'exit 1' }],
    ['an openssl that says nothing', { openssl: 'exit 0' }],
    ['no random bytes', { od: 'exit 0' }],
  ])('%s ends it with the old keys and no new one', async (_what, programs) => {
    await create('first');
    const before = readFileSync(file, 'utf8');
    const { code, stdout } = await keysWith(programs, 'create', '--agent', 'second', '--role', 'agent-ro');
    expect([code === 0, stdout]).toEqual([false, '']);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test.each(['garbage', '"a" "b";', '"0" "system-admin k-00000000 x"; include /etc/passwd;'])(
    'leaves a file alone that has the line %j, and says which it is',
    async (line) => {
      await create('first');
      writeFileSync(file, `${readFileSync(file, 'utf8')}${line}\n`);
      const before = readFileSync(file, 'utf8');
      for (const args of [['create', '--agent', 'a', '--role', 'agent-ro'], ['list'], ['revoke', idOf(lines()[0])]]) {
        const { code, stderr } = await keys(...args);
        expect([code, stderr]).toEqual([1, expect.stringContaining(`line 2 of ${file}`)]);
      }
      expect(readFileSync(file, 'utf8')).toBe(before);
    },
  );

  test('has the roles of the table, and says so in its help', async () => {
    const { code, stdout } = await keys('--help');
    expect([code, stdout]).toEqual([0, expect.stringContaining('agent-ro, agent-rw, team-admin, system-admin')]);
  });
});

describeKeys('gateway-keys, beside a gateway', () => {
  let gateway: RealGateway;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.stop());

  const idOf = ({ stderr }: { stderr: string }) => /k-[0-9a-f]{8}/.exec(stderr)?.[0] as string;

  test('says at the start that nobody can ask anything yet', () => {
    expect(gateway.said()).toContain('There is no key yet, so nobody can ask anything.');
    expect(gateway.said()).toContain('WARNING: no certificate was given, so a SELF-SIGNED one is used');
  });

  test('creates, rotates and revokes without a restart and without a request that fails', async () => {
    const other = await gateway.createKey('other', 'agent-ro');
    let isOver = false;
    const statuses = new Set<number>();
    const traffic = (async () => {
      while (!isOver) {
        statuses.add((await exchange(gateway.plainPort, { path: '/nothing', headers: bearer(other) })).status);
        await pause(5);
      }
    })();
    const made = await gateway.keys('create', '--agent', 'ann', '--role', 'agent-rw');
    const first = made.stdout.trim();
    expect(await gateway.statusOf(first)).toEqual([404]);

    const rotated = await gateway.keys('rotate', idOf(made), '--grace', '1h');
    const second = rotated.stdout.trim();
    expect([await gateway.statusOf(second), await gateway.statusOf(first)]).toEqual([[404], [404]]);

    expect((await gateway.keys('revoke', idOf(made))).code).toBe(0);
    expect([await gateway.statusOf(first), await gateway.statusOf(second)]).toEqual([[401], [404]]);

    const third = (await gateway.keys('rotate', idOf(rotated))).stdout.trim();
    expect([await gateway.statusOf(third), await gateway.statusOf(second)]).toEqual([[404], [401]]);
    isOver = true;
    await traffic;
    expect([...statuses]).toEqual([404]);
  });

  test('says so when the gateway does not take the new keys', async () => {
    const conf = join(gateway.state, '..', 'run', 'conf', 'problems.conf');
    const whole = readFileSync(conf, 'utf8');
    writeFileSync(conf, 'nonsense;\n');
    const { code, stdout, stderr } = await gateway.keys('create', '--agent', 'late', '--role', 'agent-ro');
    expect(code).toBe(1);
    expect(stderr).toContain('the gateway goes on with the keys and replicas of before');
    writeFileSync(conf, whole);
    // The key is there, and holds from the next reload on.
    await gateway.createKey('later', 'agent-ro');
    expect(await gateway.statusOf(stdout.trim())).toEqual([404]);
  });

  test('holds 2,000 keys', async () => {
    const file = join(gateway.state, 'keys');
    const hex = (index: number, digits: number) => index.toString(16).padStart(digits, '0');
    const many = Array.from(
      { length: 2_000 },
      (_, index) =>
        `"${hex(index, 64)}" "agent-ro k-${hex(index, 8)} agent-${index}"; # created=2026-01-01T00:00:00Z expires=never\n`,
    );
    writeFileSync(file, readFileSync(file, 'utf8') + many.join(''));
    const key = await gateway.createKey('last', 'agent-ro');
    expect((await exchange(gateway.plainPort, { path: '/nothing', headers: bearer(key) })).status).toBe(404);
    expect(gateway.said()).not.toMatch(/\[(emerg|alert|warn)\]/);
  });
});

describeKeys('the start of the gateway', () => {
  test.each([
    [{ GATEWAY_KEY_RATE: '0' }, "GATEWAY_KEY_RATE='0' must be a whole number"],
    [{ GATEWAY_KEY_BURST: '1; }' }, 'GATEWAY_KEY_BURST='],
    [{ GATEWAY_MEMORY_UPSTREAM: 'http://memory:7832' }, 'GATEWAY_MEMORY_UPSTREAM='],
    [{ GATEWAY_MEMORY_UPSTREAM: 'memory' }, 'must be a host and a port'],
    [{ GATEWAY_MEMORY_BODY_LIMIT: '1MiB' }, "GATEWAY_MEMORY_BODY_LIMIT='1MiB' must be a size, such as 256k or 1m"],
    [{ GATEWAY_UPSTREAM_TIMEOUT: '60s' }, 'GATEWAY_UPSTREAM_TIMEOUT='],
    [{ GATEWAY_HOST_NAME: 'a\nb' }, 'GATEWAY_HOST_NAME='],
    [{ GATEWAY_STATE: '/proc/none' }, '/proc/none cannot be written'],
    [{ GATEWAY_TLS_CERTIFICATE: `${HOME}/nginx.conf` }, 'is missing, or user'],
  ])('%j is refused and said', async (env, message) => {
    await expect(startGateway({ env })).rejects.toThrow(message);
  });

  describe('over what is there', () => {
    let folder: string;
    let env: Record<string, string>;
    const started = async (more: Record<string, string> = {}) => {
      const gateway = await startGateway({ env: { ...env, ...more } });
      await gateway.stop();
      return readFileSync(join(folder, 'self-signed.crt'), 'utf8');
    };

    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'gateway-start-'));
      env = { GATEWAY_STATE: folder, GATEWAY_RUN: join(folder, 'run') };
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    test('keeps the certificate for trying as long as it fits the name or address of the host', async () => {
      const forName = await started({ GATEWAY_HOST_NAME: 'memory.example.org' });
      expect(new X509Certificate(forName).checkHost('memory.example.org')).toBeDefined();
      expect(await started({ GATEWAY_HOST_NAME: 'memory.example.org' })).toBe(forName);
      const forAddress = await started({ GATEWAY_HOST_NAME: '192.0.2.7' });
      expect(new X509Certificate(forAddress).checkIP('192.0.2.7')).toBe('192.0.2.7');
      expect(await started({ GATEWAY_HOST_NAME: '192.0.2.7' })).toBe(forAddress);
    });

    describe('with a certificate that is given', () => {
      const fileOf = (name: string) => join(folder, name);
      const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
      const makePair = (name: string, ...encryption: string[]) => {
        const files = ['-keyout', fileOf(`${name}.key`), '-out', fileOf(`${name}.crt`)];
        const of = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-subj', `/CN=${name}`, '-days', '1'];
        openssl('req', '-x509', ...of, ...encryption, ...files);
      };
      const given = (certificate: string, key: string) =>
        startGateway({
          env: { ...env, GATEWAY_TLS_CERTIFICATE: fileOf(certificate), GATEWAY_TLS_KEY: fileOf(key) },
        });

      beforeEach(() => {
        makePair('own', '-nodes');
        makePair('other', '-nodes');
        makePair('locked', '-passout', 'pass:secret');
      });

      test.each([
        ['own.crt', 'other.key', 'other.key is not the key of the certificate '],
        ['own.key', 'own.key', 'own.key has no certificate in PEM form'],
        ['own.crt', 'own.crt', 'own.crt has no key in PEM form without a passphrase'],
        ['locked.crt', 'locked.key', 'locked.key has no key in PEM form without a passphrase'],
      ])('%s with %s is refused before nginx starts', async (certificate, key, message) => {
        const refused = await given(certificate, key).then(
          () => '',
          (error: Error) => error.message,
        );
        expect(refused).toContain(message);
        expect(refused).not.toMatch(/starts on|emerg/);
      });

      test('takes one with its key, and a chain behind it', async () => {
        writeFileSync(
          fileOf('chain.crt'),
          ['own', 'other'].map((name) => readFileSync(fileOf(`${name}.crt`), 'utf8')).join(''),
        );
        const gateway = await given('chain.crt', 'own.key');
        expect(gateway.said()).toContain('nginx starts on');
        await gateway.stop();
      });
    });

    test('sends no signal to the process that has the number of a gateway from before', async () => {
      const other = spawn('sleep', ['60']);
      const ended = jest.fn();
      other.on('exit', ended);
      mkdirSync(env.GATEWAY_RUN as string);
      writeFileSync(join(env.GATEWAY_RUN as string, 'nginx.pid'), `${other.pid}\n`);
      const expired = `"${'0'.repeat(64)}" "agent-ro k-00000000 ann"; # created=2026-01-01T00:00:00Z expires=2026-01-02T00:00:00Z`;
      writeFileSync(join(folder, 'keys'), `${expired}\n`);
      await started();
      expect(readFileSync(join(folder, 'keys'), 'utf8')).toBe('');
      expect(ended).not.toHaveBeenCalled();
      other.kill();
    });
  });
});
