import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '../../../packages/testing/src/index.ts';
import { type Answer, exchange } from './exchange.ts';
import { type GatewayOptions, hasNginx, type RealGateway, startGateway } from './real-gateway.ts';
import { type RecordingUpstream, startUpstream } from './recording-upstream.ts';

const describeGateway = hasNginx() ? describe : describe.skip;
const MOST_SENT = 500;
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

/** Sends one request after the other until so many were refused with 429; a slow machine may send more that are not. */
async function untilRefused(times: number, send: () => Promise<Answer>) {
  const others: number[] = [];
  const refused: Answer[] = [];
  while (refused.length < times && others.length < MOST_SENT) {
    const answer = await send();
    if (answer.status === 429) refused.push(answer);
    else others.push(answer.status);
  }
  return { others, refused };
}

describeGateway('limits of the gateway', () => {
  let upstream: RecordingUpstream;
  let gateway: RealGateway;

  async function start(options: GatewayOptions = {}): Promise<void> {
    gateway = await startGateway({ memoryUpstream: upstream.address, timingUpstream: upstream.address, ...options });
  }

  beforeAll(async () => {
    upstream = await startUpstream();
  });
  afterAll(() => upstream.close());
  afterEach(async () => {
    await gateway.stop();
    upstream.take();
  });

  test('a key that asks too often gets 429, and others do not', async () => {
    await start({ env: { GATEWAY_KEY_RATE: '1', GATEWAY_KEY_BURST: '20' } });
    const eager = await gateway.createKey('eager', 'agent-ro');
    const calm = await gateway.createKey('calm', 'agent-ro');
    const { others, refused } = await untilRefused(20, () =>
      exchange(gateway.plainPort, { path: '/health', headers: bearer(eager) }),
    );
    expect([others.length >= 20, new Set(others), refused.length]).toEqual([true, new Set([200]), 20]);
    expect(refused[0]?.body).toMatchObject({
      status: 429,
      code: 'too_many_requests',
      detail: 'This key sends more requests than it may: wait a second, then go on slower.',
    });
    expect(refused[0]?.headers['retry-after']).toBe('1');
    expect((await exchange(gateway.plainPort, { path: '/health', headers: bearer(calm) })).status).toBe(200);
  });

  test('an address that tries wrong keys gets 429, and a known key from there does not', async () => {
    await start();
    const key = await gateway.createKey('ann', 'agent-ro');
    const from = '127.7.0.1';
    const { others, refused } = await untilRefused(20, () =>
      exchange(gateway.plainPort, { path: '/health', headers: bearer('f'.repeat(64)), from }),
    );
    expect([others.length >= 11, new Set(others), refused.length]).toEqual([true, new Set([401]), 20]);
    const known = await exchange(gateway.plainPort, { path: '/health', headers: bearer(key), from });
    expect(known.status).toBe(200);
    expect(refused[0]?.body.detail).toBe(
      'Too many requests without a known key come from this address: wait a second and send a key.',
    );
    const elsewhere = await exchange(gateway.plainPort, { path: '/health', from: '127.7.0.2' });
    expect(elsewhere.status).toBe(401);
  });

  test('bodies fit the limits of the services: 1 MiB, 256 KiB, 2 MiB of hooks and spans, and none for what is streamed', async () => {
    await start();
    const admin = await gateway.createKey('ann', 'system-admin');
    const post = (path: string, bytes: number, more: Record<string, string> = {}) =>
      exchange(gateway.plainPort, {
        method: 'POST',
        path,
        headers: { ...bearer(admin), ...more },
        body: Buffer.alloc(bytes, 'x'),
      });
    const chunked = { 'Transfer-Encoding': 'chunked' };
    upstream.take();
    for (const headers of [{}, chunked]) {
      for (const [path, limit] of [
        ['/ingest', 1024 ** 2],
        ['/timing/events', 256 * 1024],
        ['/hooks/codex', 2 * 1024 ** 2],
        ['/timing/hooks/codex', 2 * 1024 ** 2],
        ['/timing/v1/traces', 2 * 1024 ** 2],
      ] as const) {
        expect((await post(path, limit, headers)).status).toBe(200);
        expect(upstream.take()).toMatchObject([{ bodyBytes: limit }]);
        const over = await post(path, limit + 1, headers);
        expect([over.status, over.body.code]).toEqual([413, 'payload_too_large']);
        expect(upstream.take()).toEqual([]);
      }
      for (const path of ['/merge', '/timing/import']) {
        expect((await post(path, 5_000_000, headers)).status).toBe(200);
        expect(upstream.take()).toMatchObject([{ bodyBytes: 5_000_000 }]);
      }
    }
  });

  test('limits of bodies follow the settings', async () => {
    await start({ env: { GATEWAY_MEMORY_BODY_LIMIT: '2m', GATEWAY_TIMING_BODY_LIMIT: '10k' } });
    const key = await gateway.createKey('ann', 'agent-rw');
    const post = async (path: string, bytes: number) =>
      (await exchange(gateway.plainPort, { method: 'POST', path, headers: bearer(key), body: Buffer.alloc(bytes) }))
        .status;
    expect(await post('/ingest', 2 * 1024 ** 2)).toBe(200);
    expect(await post('/timing/events', 10_241)).toBe(413);
  });

  test('a service that is not there is 502, whatever its address is, and is found once it is back', async () => {
    const port = await freePort();
    await start({ memoryUpstream: `127.0.0.1:${port}`, timingUpstream: 'no-such-host.invalid:8080' });
    const key = await gateway.createKey('ann', 'agent-ro');
    const ask = (path: string) => exchange(gateway.plainPort, { path, headers: bearer(key) });
    for (const path of ['/health', '/timing/health']) {
      const answer = await ask(path);
      expect([answer.status, answer.body.code]).toEqual([502, 'service_unreachable']);
      expect(answer.headers['retry-after']).toBe('5');
      expect(answer.headers['content-type']).toBe('application/problem+json');
    }
    expect((await exchange(gateway.plainPort, { path: '/health' })).status).toBe(401);
    const late = await startUpstream({ port });
    expect((await ask('/health')).status).toBe(200);
    await late.close();
  });

  test('a service that does not answer in time is 504, one that breaks off is 502', async () => {
    const silent = await startUpstream({ answer: () => undefined });
    const broken = await startUpstream({ answer: (req) => req.socket.destroy() });
    await start({
      memoryUpstream: silent.address,
      timingUpstream: broken.address,
      env: { GATEWAY_UPSTREAM_TIMEOUT: '1' },
    });
    const key = await gateway.createKey('ann', 'agent-rw');
    const late = await exchange(gateway.plainPort, {
      method: 'POST',
      path: '/ingest',
      headers: bearer(key),
      body: '{}',
    });
    expect([late.status, late.body.code]).toEqual([504, 'service_timeout']);
    expect(late.body.detail).toContain('look before you send it again');
    expect((await exchange(gateway.plainPort, { path: '/timing/health', headers: bearer(key) })).status).toBe(502);
    expect(silent.take().filter(({ method }) => method === 'POST')).toHaveLength(1);
    await Promise.all([silent.close(), broken.close()]);
  });

  test('an error of a service goes through as it is', async () => {
    const document = '{"status":409,"code":"conflict","detail":"of the service"}';
    const service = await startUpstream({
      answer: (_req, res) =>
        void res
          .writeHead(409, { 'Content-Type': 'application/problem+json; charset=utf-8', ETag: '"7"' })
          .end(document),
    });
    await start({ memoryUpstream: service.address });
    const key = await gateway.createKey('ann', 'agent-ro');
    const answer = await exchange(gateway.plainPort, { path: '/memory/a', headers: bearer(key) });
    expect([answer.status, answer.text, answer.headers.etag]).toEqual([409, document, '"7"']);
    await service.close();
  });

  test('one line in the log for each request, with who and what, and without key, query or body', async () => {
    await start();
    const key = await gateway.createKey('ann', 'agent-rw');
    const secret = 'nightshade';
    const headers = { ...bearer(key), 'X-Request-ID': 'r-1', 'X-Session-ID': secret, 'User-Agent': secret };
    await exchange(gateway.plainPort, {
      method: 'POST',
      path: `/ingest?agent_id=${secret}`,
      headers,
      body: `{"content":"${secret}"}`,
    });
    await exchange(gateway.plainPort, { path: `/memories?q=${secret}`, headers: bearer('e'.repeat(64)) });
    await exchange(gateway.plainPort, { method: 'DELETE', path: `/memory/abc?x=${secret}`, headers });
    const basic = { Authorization: `Basic ${Buffer.from(`ann:${key}`).toString('base64')}` };
    await exchange(gateway.tlsPort, { path: '/health', headers: basic, tls: true });
    // Each of nginx' workers writes its line when it has answered, so the next one's may come first.
    const paths = ['/ingest', '/memories', '/memory/abc', '/health'];
    const lines = (await gateway.accessLog(4)).sort(
      (a, b) => paths.indexOf(String(a.path)) - paths.indexOf(String(b.path)),
    );
    const who = {
      name: 'gateway',
      role: 'agent-rw',
      agent: 'ann',
      msg: 'request',
      level: 'info',
      address: '127.0.0.1',
    };
    expect(lines).toMatchObject([
      { ...who, request_id: 'r-1', method: 'POST', path: '/ingest', route: 'memory:/ingest', status: 200, tls: '' },
      { key_id: '', role: '', agent: '', method: 'GET', path: '/memories', status: 401, upstream_ms: null },
      { ...who, method: 'DELETE', path: '/memory/abc', route: 'memory:/memory/{id}', status: 403 },
      { ...who, path: '/health', status: 200, tls: 'TLSv1.3' },
    ]);
    expect(lines[0]?.key_id).toMatch(/^k-[0-9a-f]{8}$/);
    expect([typeof lines[0]?.duration_ms, typeof lines[0]?.upstream_ms]).toEqual(['number', 'number']);
    const written = gateway.accessText() + gateway.said();
    for (const text of [key, secret, basic.Authorization, 'e'.repeat(64)]) expect(written).not.toContain(text);
  });

  test('what goes wrong with a service is not told with what was asked', async () => {
    await start({ memoryUpstream: `127.0.0.1:${await freePort()}` });
    const key = await gateway.createKey('ann', 'agent-ro');
    expect((await exchange(gateway.plainPort, { path: '/memories?q=nightshade', headers: bearer(key) })).status).toBe(
      502,
    );
    expect(await gateway.accessLine('/memories')).toMatchObject({ status: 502 });
    expect(gateway.accessText() + gateway.said()).not.toContain('nightshade');
  });

  test('a password is taken over TLS, and changes nothing for another site', async () => {
    await start();
    const key = await gateway.createKey('ann', 'team-admin');
    const basic = { Authorization: `Basic ${Buffer.from(`any:${key}`).toString('base64')}` };
    const ask = (method: string, path: string, more: Record<string, string>) =>
      exchange(gateway.tlsPort, { method, path, headers: { ...basic, ...more }, tls: true });
    expect((await ask('GET', '/health', { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(200);
    expect((await ask('POST', '/save', { 'Sec-Fetch-Site': 'same-origin' })).status).toBe(200);
    for (const site of [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': 'none' },
      {},
    ]) {
      const answer = await ask('POST', '/save', site);
      expect([answer.status, answer.body.code]).toEqual([403, 'cross_site']);
    }
    expect(
      (await exchange(gateway.tlsPort, { method: 'POST', path: '/save', headers: bearer(key), tls: true })).status,
    ).toBe(200);
  });

  test.each(['eDp5', 'eDp5e', 'eDp5eQ', 'eDp5eQ=', 'eDp5eQ==', 'eDp5eXg', 'eDp5eXg==', 'e===', '====', ''])(
    'the password %j is a wrong key',
    async (credentials) => {
      await start();
      const headers = { Authorization: `Basic ${credentials}` };
      const answer = await exchange(gateway.tlsPort, { path: '/health', headers, tls: true });
      expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated']);
    },
  );

  test('a browser is asked for a password over TLS, and a program never', async () => {
    await start();
    const challenge = async (tls: boolean, headers: Record<string, string>) => {
      const port = tls ? gateway.tlsPort : gateway.plainPort;
      const answer = await exchange(port, { path: '/dashboard', headers, tls });
      expect(answer.status).toBe(401);
      return String(answer.headers['www-authenticate']);
    };
    const page = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Site': 'cross-site' };
    const both = 'Bearer realm="agent-faculties", Basic realm="agent-faculties", charset="UTF-8"';
    expect(await challenge(true, page)).toBe(both);
    expect(await challenge(true, { 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Site': 'same-origin' })).toBe(both);
    expect(await challenge(true, { 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Site': 'cross-site' })).not.toContain('Basic');
    expect(await challenge(true, {})).not.toContain('Basic');
    expect(await challenge(false, page)).not.toContain('Basic');
  });
});
