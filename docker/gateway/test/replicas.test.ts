import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { freePort } from '../../../packages/testing/src/index.ts';
import { type Answer, exchange } from './exchange.ts';
import { HOME, hasNginx, type RealGateway, startGateway } from './real-gateway.ts';
import { type RecordingUpstream, startUpstream, type UpstreamOptions } from './recording-upstream.ts';

const describeGateway = hasNginx() ? describe : describe.skip;
/** Both replicas get every other space, so that this many fall to one of them never. */
const MOST_SPACES = 30;
/** Above the 2 s for which nginx leaves a replica alone that failed twice. */
const GIVEN_BACK_WITHIN_MS = 15_000;
const POLL_MS = 100;
/** Asked for once, so that its line in the access log is told from the others. */
const READ_AFTER_WRITE = '/timing/events';

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
const json = { 'Content-Type': 'application/json' };

interface Stream {
  /** The first piece of it. */
  readonly text: string;
  readonly closed: Promise<void>;
}

describeGateway('several replicas behind the gateway', () => {
  let first: RecordingUpstream;
  let second: RecordingUpstream;
  let gateway: RealGateway;
  /** Of a space that is the first replica's, and of one that is the second's. */
  let keys: { first: string; second: string };

  beforeEach(async () => {
    // Ports that nobody else is given while a replica is down.
    [first, second] = [
      await startUpstream({ port: await freePort() }),
      await startUpstream({ port: await freePort() }),
    ];
    const list = `${first.address},${second.address}`;
    gateway = await startGateway({ memoryUpstream: list, timingUpstream: list });
    keys = await keysOfBoth();
  });
  afterEach(async () => {
    await gateway.stop();
    await Promise.all([first.close(), second.close()]);
  });

  const ask = (key: string, path = '/memories', more: { method?: string; body?: string } = {}): Promise<Answer> =>
    exchange(gateway.plainPort, { path, headers: { ...bearer(key), ...(more.body ? json : {}) }, ...more });
  const tell = (key: string) => ask(key, '/ingest', { method: 'POST', body: '{"content":"It is done."}' });
  /** How many requests each replica has got since the last look. */
  const counts = () => [first.take().length, second.take().length];

  async function keysOfBoth(): Promise<typeof keys> {
    const found: Partial<typeof keys> = {};
    for (let index = 0; index < MOST_SPACES && !(found.first && found.second); index++) {
      const key = await gateway.createKey('ann', 'agent-rw', [], `team-${index}`);
      await ask(key);
      const [atFirst] = counts();
      found[atFirst === 1 ? 'first' : 'second'] ??= key;
    }
    return found as typeof keys;
  }

  /** Another process in the place of a replica that has ended. */
  async function startAgain(gone: RecordingUpstream, options: UpstreamOptions = {}): Promise<RecordingUpstream> {
    await gone.close();
    return await startUpstream({ ...options, port: Number(gone.address.split(':')[1]) });
  }

  async function untilAtFirst(key: string): Promise<void> {
    for (let waitedMs = 0; waitedMs < GIVEN_BACK_WITHIN_MS; waitedMs += POLL_MS) {
      await ask(key);
      const [atFirst] = counts();
      if (atFirst === 1) return;
      await pause(POLL_MS);
    }
    throw new Error('The space was not given back.');
  }

  function openStream(key: string, headers: Record<string, string> = {}): Promise<Stream> {
    return new Promise((resolve, reject) => {
      const outgoing = request({
        host: '127.0.0.1',
        port: gateway.plainPort,
        path: '/events/stream',
        agent: false,
        headers: { ...bearer(key), ...headers },
      });
      outgoing.on('error', reject);
      outgoing.on('response', (incoming) => {
        const closed = new Promise<void>((end) => incoming.once('close', end));
        incoming.on('error', () => undefined);
        incoming.once('data', (piece) => resolve({ text: String(piece), closed }));
      });
      outgoing.end();
    });
  }

  test('a space stays with its replica, in both services, and each replica has spaces', async () => {
    for (let round = 0; round < 3; round++) {
      for (const path of ['/memories', '/timing/events']) await ask(keys.first, path);
      await tell(keys.first);
    }
    expect(counts()).toEqual([9, 0]);
    for (let round = 0; round < 3; round++) await ask(keys.second);
    expect(counts()).toEqual([0, 3]);
  });

  test('the other replica answers reads and writes while one is down, and gives its spaces back', async () => {
    await first.close();
    for (let round = 0; round < 5; round++) {
      expect((await ask(keys.first)).status).toBe(200);
      expect((await tell(keys.first)).status).toBe(200);
    }
    expect(second.take()).toHaveLength(10);
    first = await startAgain(first);
    await untilAtFirst(keys.first);
    await ask(keys.second);
    expect(counts()).toEqual([0, 1]);
  });

  test('a write that a replica may have done is not sent to another, and a read is', async () => {
    first = await startAgain(first, { answer: (req) => req.socket.destroy() });
    const written = await tell(keys.first);
    expect([written.status, written.body.code, written.headers['retry-after']]).toEqual([
      502,
      'service_unreachable',
      '5',
    ]);
    expect(counts()).toEqual([1, 0]);
    expect((await ask(keys.first, READ_AFTER_WRITE)).status).toBe(200);
    expect(counts()).toEqual([1, 1]);
    const line = await gateway.accessLine(READ_AFTER_WRITE);
    expect(line).toMatchObject({ upstream: `${first.address}, ${second.address}`, status: 200 });
    expect(typeof line.upstream_ms).toBe('number');
  });

  test('an event stream that breaks off goes on at the other replica', async () => {
    const stream = (id: string): UpstreamOptions => ({
      answer: (_req, res) => res.setHeader('Content-Type', 'text/event-stream').write(`id: ${id}\n\n`),
    });
    [first, second] = [await startAgain(first, stream('7')), await startAgain(second, stream('8'))];
    const begun = await openStream(keys.first);
    expect(begun.text).toBe('id: 7\n\n');
    await first.close();
    await begun.closed;
    expect((await openStream(keys.first, { 'Last-Event-ID': '7' })).text).toBe('id: 8\n\n');
    expect(second.take().map(({ headers }) => headers['last-event-id'])).toEqual(['7']);
  });

  test('without any replica the answer is 502, and the first that is back serves every space', async () => {
    await Promise.all([first.close(), second.close()]);
    const refused = await ask(keys.first);
    expect([refused.status, refused.body.code]).toEqual([502, 'service_unreachable']);
    first = await startAgain(first);
    await untilAtFirst(keys.second);
  });
});

describeGateway('replicas that are listed', () => {
  const rendered = (list: string) =>
    execFileSync(join(HOME, 'render-replicas'), ['memory_replicas', list], { encoding: 'utf8' });

  test('an address stands with what it leads to, and a name that leads nowhere does not stop the others', () => {
    expect(rendered('127.0.0.1:1,nothing.invalid:2,127.0.0.2:3')).toBe(
      [
        'upstream memory_replicas {',
        '  zone memory_replicas 64k;',
        '  hash $space consistent;',
        '  server 127.0.0.1:1 max_fails=2 fail_timeout=2s; # 127.0.0.1',
        '  # nothing.invalid:2 leads nowhere',
        '  server 127.0.0.2:3 max_fails=2 fail_timeout=2s; # 127.0.0.2',
        '}',
        '',
      ].join('\n'),
    );
  });

  test('the gateway starts where no name leads anywhere', async () => {
    const gateway = await startGateway({ memoryUpstream: 'one.invalid:1,two.invalid:1' });
    const key = await gateway.createKey('ann', 'agent-ro');
    const answer = await exchange(gateway.plainPort, { path: '/memories', headers: bearer(key) });
    expect([answer.status, answer.body.code]).toEqual([502, 'service_unreachable']);
    await gateway.stop();
  });

  test('replicas that are elsewhere are tried again where nginx did not take them', async () => {
    const [before, after] = [await startUpstream(), await startUpstream()];
    const gateway = await startGateway({ memoryUpstream: `${before.address},nothing.invalid:1` });
    const key = await gateway.createKey('ann', 'agent-ro');
    const ask = () => exchange(gateway.plainPort, { path: '/memories', headers: bearer(key) });
    const certificate = readFileSync(gateway.certificate);
    const moved = `${after.address},nothing.invalid:1`;

    writeFileSync(gateway.certificate, 'half of another one');
    expect(await gateway.follow(moved)).toBe(false);
    await ask();
    expect([before.take().length, after.take().length]).toEqual([1, 0]);

    writeFileSync(gateway.certificate, certificate);
    expect(await gateway.follow(moved)).toBe(true);
    await ask();
    expect([before.take().length, after.take().length]).toEqual([0, 1]);
    await gateway.stop();
    await Promise.all([before.close(), after.close()]);
  });

  test('one replica is asked once, whatever becomes of it', async () => {
    const only = await startUpstream({ answer: (req) => req.socket.destroy() });
    const gateway = await startGateway({ memoryUpstream: only.address });
    const key = await gateway.createKey('ann', 'agent-ro');
    const answer = await exchange(gateway.plainPort, { path: '/memories', headers: bearer(key) });
    expect([answer.status, only.take().length]).toEqual([502, 1]);
    await gateway.stop();
    await only.close();
  });

  test.each(['one:1,', ',one:1', 'one:1, two:1', 'one:1,two'])('the list %j is refused and said', async (list) => {
    const refused = startGateway({ memoryUpstream: list, timingUpstream: `127.0.0.1:${await freePort()}` });
    await expect(refused).rejects.toThrow('or several of them separated by commas');
  });
});
