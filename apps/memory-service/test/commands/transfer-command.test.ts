import { existsSync, readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { recordCommand } from '@agent-faculties/testing';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { runTransferCommand } from '../../src/commands/transfer-command.ts';
import {
  ask,
  closeFastEmbedder,
  START_MS,
  say,
  startTestService,
  type TestService,
  type TestServiceOptions,
  temporaryFolder,
} from '../start-service.ts';

const folder = temporaryFolder();
afterAll(async () => {
  folder.remove();
  await closeFastEmbedder();
});

let remote: TestService;
let server: Server;
let address: string;
let run = 0;
let local: string;
/** What came to the server besides the body. */
let requests: { url: string; agent: string | undefined; key: string | undefined }[];
let refuse: ((url: string) => number | null) | null;
let fetchFrom: typeof fetch;

beforeEach(async () => {
  remote = await startTestService();
  requests = [];
  refuse = null;
  fetchFrom = fetch;
  server = createServer((req, res) => {
    const { 'x-agent-id': agent, authorization: key } = req.headers;
    requests.push({ url: req.url as string, agent: agent as string | undefined, key });
    const status = refuse?.(req.url as string) ?? null;
    if (status === null) remote.app(req, res);
    else if (status === 0) res.destroy();
    else res.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  local = join(folder.path, `local-${++run}`);
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await remote.close();
});

async function inLocal(work: (service: TestService) => Promise<void>, options: TestServiceOptions = {}): Promise<void> {
  // Ids of another series than those of the other service.
  let count = 0;
  const ids = { next: () => `00000000-0000-7000-9000-${String(++count).padStart(12, '0')}` };
  const service = await startTestService({ dataDir: local, ids, ...options });
  try {
    await work(service);
  } finally {
    await service.close();
  }
}

async function command(name: 'push' | 'pull', flags: readonly string[], { env = {}, isTerminal = false } = {}) {
  let progress = '';
  const said = await recordCommand(
    (edge) =>
      runTransferCommand(name, {
        ...edge,
        clock: remote.clock,
        process: { pid: process.pid, hostname: 'test' },
        progress: {
          isTerminal,
          write: (text) => {
            progress += text;
          },
        },
        fetch: (...request) => fetchFrom(...request),
        pause: async () => {},
      }),
    { argv: flags, env },
  );
  return { ...said, progress };
}

const push = (...flags: string[]) => command('push', ['--data-dir', local, '--to', address, ...flags]);
const pull = (...flags: string[]) => command('pull', ['--data-dir', local, '--from', address, ...flags]);

const listed = async ({ app }: TestService, agent: string) =>
  (await supertest(app).get('/memories?limit=1000').set('X-Agent-ID', agent)).body.memories;

test('push and pull name a space of the server', async () => {
  await inLocal(async (service) => void (await say(service, 'ann', 'The vault is in the cellar.')));
  expect((await push('--space', 'team-a')).out).toContain('1 added');
  expect(await listed(remote, 'ann')).toEqual([]);
  local = join(folder.path, 'of-team-a');
  const env = { MEMORY_SPACE: 'team-a' };
  const brought = await command('pull', ['--data-dir', local, '--from', address], { env });
  expect(brought.out).toContain('1 added');
  expect((await push('--space', 'Team A')).err).toContain('must be the name of a space: 1 to 63 of a-z');
});

test('push says how the spaces beside the default one are pushed', async () => {
  const tell = (service: TestService, space?: string) =>
    supertest(service.app)
      .post('/ingest')
      .query({ space })
      .send({ content: 'The vault is in the cellar.' })
      .expect(200);
  const howTo = (space: string) =>
    `Its space ${space} is pushed by itself: --data-dir ${join(local, 'spaces', space)} --space ${space}.`;
  await inLocal(async (service) => void (await tell(service, 'team-b')));
  expect(await push()).toMatchObject({
    code: 1,
    err: `memory-service push: The default space of ${local} holds no memories. ${howTo('team-b')}\n`,
  });
  await inLocal(async (service) => {
    await tell(service);
    await tell(service, 'team-a');
  });
  expect((await push()).out).toContain(`${howTo('team-a')} The same goes for team-b.\n`);
  local = join(local, 'spaces', 'team-a');
  expect((await push('--space', 'team-a')).out).toMatch(/^1 memories of .*\n1 memories: 1 added/);
});

describe('push', () => {
  test('brings a local store to the server, with its vectors, and can be repeated', async () => {
    let stored: unknown;
    await inLocal(async (service) => {
      await say(service, 'ann', {
        content: 'Kestrel runs on PostgreSQL 16 since last week.',
        tags: ['db'],
        session_id: 's',
      });
      await say(service, 'bob', 'The demo is on Monday, said the customer.');
      stored = await listed(service, 'ann');
    });
    const first = await push();
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toBe(
      `2 memories of ${local} go to ${address}/.\n2 memories: 2 added, 0 updated, 0 known already, 0 rejected.\n`,
    );
    expect(await listed(remote, 'ann')).toEqual(stored);
    expect((await supertest(remote.app).get('/health')).body).toMatchObject({ vectors: 2, embedding: { pending: 0 } });
    expect((await push()).out).toContain('2 memories: 0 added, 0 updated, 2 known already, 0 rejected.\n');
    expect((await ask(remote, 'eve', 'Which database does Kestrel use?')).memories[0]?.content).toBe(
      'Kestrel runs on PostgreSQL 16 since last week.',
    );
  });

  test('sends nothing that has expired, and what it superseded as it is without that', async () => {
    await inLocal(async (service) => {
      const { memory: desk } = await say(service, 'ann', 'The desk of Ivo is by the door.');
      const expires_at = new Date(START_MS + 60_000).toISOString();
      await say(service, 'ann', { content: 'Ivo sits in the sauna.', supersedes: [desk.id], expires_at });
    });
    remote.clock.advance(60_000);
    const bodies: unknown[] = [];
    fetchFrom = (url, init) => {
      bodies.push(init?.body);
      return fetch(url, init);
    };
    expect((await push()).out).toContain('1 memories: 1 added, 0 updated, 0 known already, 0 rejected.\n');
    expect(bodies.join()).toContain('The desk of Ivo');
    expect(bodies.join()).not.toContain('sauna');
    expect(await listed(remote, 'ann')).toMatchObject([{ superseded_by: null }]);
  });

  test('leaves PRIVATE memories at home unless told, and sends each in the name of its agent', async () => {
    await inLocal(async (service) => {
      await say(service, 'ann', 'For all of us.');
      await say(service, 'ann', { content: 'My PIN is 4711.', scope: 'PRIVATE' });
      await say(service, 'zoë', { content: 'My PIN is 1234.', scope: 'PRIVATE' });
    });
    const careful = await push();
    expect(careful.out).toContain('2 PRIVATE ones stay: --include-private sends them too.\n');
    expect(await listed(remote, 'ann')).toHaveLength(1);
    requests.length = 0;
    const open = await push('--include-private', '--agent-id', 'carrier', '--api-key', 'secret');
    expect(open.out).toContain('3 memories: 2 added, 0 updated, 1 known already, 0 rejected.\n');
    const merges = requests.filter(({ url }) => url === '/merge');
    expect(merges.map(({ agent }) => Buffer.from(agent as string, 'latin1').toString())).toEqual([
      'carrier',
      'ann',
      'zoë',
    ]);
    expect(new Set(merges.map(({ key }) => key))).toEqual(new Set(['Bearer secret']));
    expect((await listed(remote, 'ann')).map(({ content }: { content: string }) => content).sort()).toEqual([
      'For all of us.',
      'My PIN is 4711.',
    ]);
    expect(await listed(remote, 'carrier')).toHaveLength(1);
  });

  test('says what would happen in a dry run', async () => {
    await inLocal(async (service) => void (await say(service, 'ann', 'Something.')));
    const { out } = await push('--dry-run');
    expect(out).toContain('(dry run: nothing is changed)');
    expect(out).toContain('1 added');
    expect(await listed(remote, 'ann')).toHaveLength(0);
  });

  test('names what was rejected, and why', async () => {
    await inLocal(async (service) => {
      await say(service, 'ann', 'Something.');
      await say(service, 'ann', 'Something else.');
    });
    await push();
    const [{ id }] = await listed(remote, 'ann');
    await supertest(remote.app).delete(`/memory/${id}`);
    expect((await push()).out).toContain(
      `1 known already, 1 rejected.\n  1 rejected: its id is not free here: a memory of this id was deleted, or is not yours to see (${id})\n`,
    );
  });

  test('tries again when a request breaks off or the server is away for a moment, and loses nothing', async () => {
    await inLocal(async (service) => {
      for (let i = 0; i < 3; i++) await say(service, 'ann', `Fact ${i}.`);
    });
    const answers = [0, 503, 502];
    refuse = (url) => (url.startsWith('/merge') ? (answers.shift() ?? null) : null);
    expect((await push()).out).toContain('3 added');
    refuse = () => 0;
    const away = await push();
    expect(away).toMatchObject({ code: 1, out: '' });
    expect(away.err).toMatch(
      /^memory-service push: http:.* cannot be reached \(.+\): check the address and the network\.\n$/,
    );
  });

  test('says how to trust the certificate of a gateway', async () => {
    await inLocal(async (service) => {
      await say(service, 'ann', 'Fact 1.');
    });
    fetchFrom = async () => {
      throw new TypeError('fetch failed', { cause: new Error('self-signed certificate') });
    };
    expect((await push()).err).toMatch(
      /cannot be reached \(self-signed certificate\): name the file of its certificate in .* NODE_EXTRA_CA_CERTS\.\n$/,
    );
  });

  test('shows its progress over one line on a terminal, else in a few lines', async () => {
    await inLocal(async (service) => {
      for (let i = 0; i < 3; i++)
        await say(service, 'ann', { content: `${i} ${'A long one. '.repeat(30_000)}`.slice(0, 190_000) });
    });
    const flags = ['--data-dir', local, '--to', address];
    const { progress } = await command('push', flags, { isTerminal: true });
    expect(progress).toMatch(/^(\r\[#*-*\] +\d+ % {2}\d of 3)+\n$/);
    expect(progress).toContain(`[${'#'.repeat(30)}] 100 %  3 of 3\n`);
    const lines = await push();
    expect(lines.progress.endsWith(`[${'#'.repeat(30)}] 100 %  3 of 3\n`)).toBe(true);
  });

  test('of a store with another model leaves the vectors to the server', async () => {
    await inLocal(async (service) => void (await say(service, 'ann', 'Something.')), { embedder: null });
    expect((await push()).out).toContain(
      '1 of them came without vectors; the service that holds them now makes these.\n',
    );
  });

  test('leaves the local store as it is, also one that was never saved', async () => {
    await inLocal(async (service) => void (await say(service, 'ann', 'Something.')));
    await push();
    await inLocal(async (service) => {
      expect((await supertest(service.app).get('/health')).body).toMatchObject({
        vectors: 1,
        embedding: { pending: 0 },
      });
    });
  });

  test('refuses what it cannot do, and says what to do', async () => {
    expect(await push()).toMatchObject({
      code: 1,
      err: `memory-service push: ${local} holds no memories: name the folder of a memory-service.\n`,
    });
    expect(await command('push', ['--to', address])).toMatchObject({
      code: 2,
      err: 'memory-service push: --data-dir must be given.\nSee memory-service push --help.\n',
    });
    const wrong = await command('push', ['--data-dir', local, '--to', 'central']);
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('--to="central" must be an address such as')]);
    await inLocal(async (service) => {
      await say(service, 'ann', 'Something.');
      expect((await push()).err).toMatch(/is in use by .*: stop that one/);
    });
    refuse = (url) => (url === '/merge' ? 403 : null);
    expect((await push()).err).toMatch(
      /refuses this key \(403\): give --api-key one that may merge \(for push\) or export \(for pull\)\.\n$/,
    );
    refuse = () => 404;
    expect((await push()).err).toMatch(/answered 404 and is not a memory-service: check the address\.\n$/);
  });

  test('says that another service answers at the address', async () => {
    await inLocal(async (service) => void (await say(service, 'ann', 'Something.')));
    for (const body of ['{"status":"ok","name":"timing-service"}', '[]', '{"memories":3,"embedding":null}']) {
      server.removeAllListeners('request');
      server.on('request', (_req, res) => res.writeHead(200, { 'Content-Type': 'application/json' }).end(body));
      const words = `${address}/ is not a memory-service: check the address.\n`;
      expect(await push()).toMatchObject({ code: 1, err: `memory-service push: ${words}` });
      expect(await pull()).toMatchObject({ code: 1, err: `memory-service pull: ${words}` });
    }
  });

  test('takes its settings from the environment, beside those of the service', async () => {
    await inLocal(async (service) => void (await say(service, 'ann', 'Something.')));
    const env = { MEMORY_DATA_DIR: local, MEMORY_API_KEY: 'k', MEMORY_PORT: '7832', MEMORY_AUTO_SAVE: '300' };
    expect((await command('push', ['--to', address], { env })).out).toContain('1 added');
    expect(requests.every(({ key }) => key === 'Bearer k')).toBe(true);
  });
});

describe('pull', () => {
  test('brings down what all agents may see, with vectors, and can be repeated', async () => {
    await say(remote, 'ann', 'Kestrel runs on PostgreSQL 16 since last week.');
    await say(remote, 'bob', { content: 'A secret of bob.', scope: 'PRIVATE' });
    await say(remote, 'carrier', { content: 'A secret of the carrier.', scope: 'PRIVATE' });
    const first = await pull('--agent-id', 'carrier');
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toContain('1 PRIVATE ones stay there: --include-private brings them too.\n');
    expect(first.out).toContain('1 memories: 1 added, 0 updated, 0 known already, 0 rejected.\n');
    expect((await pull()).out).toContain('0 added, 0 updated, 1 known already');
    expect((await pull('--include-private', '--agent-id', 'carrier')).out).toContain('1 added');
    await inLocal(async (service) => {
      expect((await supertest(service.app).get('/health')).body).toMatchObject({
        vectors: 1,
        embedding: { pending: 0 },
      });
      expect(await listed(service, 'bob')).toEqual(await listed(remote, 'ann'));
      expect(await listed(service, 'carrier')).toHaveLength(2);
    });
  });

  test('does not bring back what was deleted locally', async () => {
    const { memory } = await say(remote, 'ann', 'Something.');
    await pull();
    await inLocal(async ({ app }) => void (await supertest(app).delete(`/memory/${memory.id}`)));
    expect((await pull()).out).toContain('1 rejected: its id is not free here');
  });

  test('says that an export broke off, and what came stays', async () => {
    await say(remote, 'ann', 'Something.');
    const line = (await supertest(remote.app).get('/export').buffer()).text;
    server.removeAllListeners('request');
    server.on('request', (req, res) => {
      if (!req.url?.startsWith('/export')) return remote.app(req, res);
      res.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
      res.write(line, () => res.write(line.slice(0, 20), () => setImmediate(() => res.destroy())));
    });
    const broken = await pull();
    expect(broken.code).toBe(1);
    expect(broken.err).toMatch(/ broke off \(.+\)\. What came so far is kept: run the command again\.\n$/);
  });

  test('changes nothing in a dry run', async () => {
    await say(remote, 'ann', 'Something.');
    expect((await pull('--dry-run')).out).toContain('1 added');
    expect(existsSync(local)).toBe(false);
    await pull();
    const before = readdirSync(local);
    await say(remote, 'ann', 'Something else.');
    expect((await pull('--dry-run')).out).toContain('1 added, 0 updated, 1 known already');
    expect(readdirSync(local)).toEqual(before);
    await inLocal(async (service) => expect(await listed(service, 'ann')).toHaveLength(1));
  });
});
