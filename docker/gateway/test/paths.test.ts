import { connect as connectHttp2 } from 'node:http2';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exchange, rawExchange } from './exchange.ts';
import { hasNginx, type RealGateway, startGateway } from './real-gateway.ts';
import { type RecordingUpstream, startUpstream, UPSTREAM_DATE } from './recording-upstream.ts';

const describeGateway = hasNginx() ? describe : describe.skip;

describeGateway('what is sent to the gateway in other ways than a client would', () => {
  let memory: RecordingUpstream;
  let timing: RecordingUpstream;
  let gateway: RealGateway;
  let reader: string;
  let admin: string;

  beforeAll(async () => {
    [memory, timing] = await Promise.all([startUpstream(), startUpstream()]);
    gateway = await startGateway({ memoryUpstream: memory.address, timingUpstream: timing.address });
    reader = await gateway.createKey('reader', 'agent-ro');
    admin = await gateway.createKey('ann', 'system-admin');
    memory.take();
  });

  afterAll(async () => {
    await gateway.stop();
    await Promise.all([memory.close(), timing.close()]);
  });

  const taken = () => [...memory.take(), ...timing.take()];
  const asReader = () => ({ Authorization: `Bearer ${reader}` });
  const asAdmin = () => ({ Authorization: `Bearer ${admin}` });

  describe('paths', () => {
    /** Each is another way to write something that a reader may not ask, or may: none of them is what it is written as. */
    test.each([
      '//merge',
      '/merge/',
      '/merge//',
      '/Merge',
      '/MERGE',
      '/merg%65',
      '/%6derge',
      '/./merge',
      '/x/../merge',
      '/recall/../merge',
      '/recall%2f..%2fmerge',
      '/recall%2F..%2Fmerge',
      '/recall/%2e%2e/merge',
      '/recall/.%2e/merge',
      '/recall;/../merge',
      '/merge;a=b',
      '/merge.json',
      '/merge%20',
      '/merge%0a',
      '/merge#',
      '/merge#?x',
      '/merge%3f',
      '/merge\\',
      '\\merge',
      '/memory/..',
      '/memory/.',
      '/memory/%2e%2e',
      '/memory/%2E.',
      '/memory/',
      '/memory//x',
      '/memory/a/b',
      '/memory/a%zz',
      '/memory/a%',
      '/memory/caf\u00e9',
      '/timing/../merge',
      '/timing//events',
      '/timing',
      '/timing/',
      '/Timing/events',
      '/timing%2fevents',
      '/timing/memories/agent/ann',
      '/memory-service/ingest',
      '/metrics',
      '/timing/metrics',
      '/health/live',
      '/health/ready',
      '/timing/health/ready',
      '/dashboard/assets/',
      '/dashboard/assets/..',
      '/dashboard/assets/../../merge',
      '/dashboard/assets/%2e%2e/index.html',
      '/docs/',
      '/_authorize',
      '/_problem/401',
      '/gateway',
      '/gateway/health/',
      '/',
      '/.',
      '*',
      '',
    ])('%j is refused for a reader and for an administrator, by every method', async (path) => {
      for (const headers of [asReader(), asAdmin()]) {
        for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
          const head = `${method} ${path} HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\nContent-Length: 0\r\n`;
          const answer = await rawExchange(gateway.plainPort, `${head}Authorization: ${headers.Authorization}\r\n\r\n`);
          expect(answer).toMatch(/^HTTP\/1\.1 (400|404) /);
          expect(answer).toContain('application/problem+json');
        }
      }
      expect(taken()).toEqual([]);
    });

    test.each([
      ['GET', '/memories?q=a%2Fb&agent_id=../merge', '/memories?q=a%2Fb&agent_id=../merge'],
      ['GET', '/memory/a%2f..%2fb', '/memory/a%2f..%2fb'],
      ['GET', '/memory/a..b', '/memory/a..b'],
      ['GET', '/memory/.a', '/memory/.a'],
      ['GET', '/memory/...', '/memory/...'],
      ['GET', "/memory/a$&'()*+,;=:@!~_-", "/memory/a$&'()*+,;=:@!~_-"],
      [
        'GET',
        '/timing/stats/durations/tool%3Aa%2Fb?since=2026-01-01T00:00:00+01:00',
        '/stats/durations/tool%3Aa%2Fb?since=2026-01-01T00:00:00+01:00',
      ],
      ['GET', '/timing/stats/durations/%E2%9C%93%20done', '/stats/durations/%E2%9C%93%20done'],
      ['GET', '/timing/events?event_type=/timing/x', '/events?event_type=/timing/x'],
      ['GET', '/dashboard/assets/shared/theme.css', '/dashboard/assets/shared/theme.css'],
    ])('%s %s reaches the service byte for byte', async (method, path, url) => {
      const answer = await exchange(gateway.plainPort, { method, path, headers: asReader() });
      const key = path.startsWith('/timing/dashboard') ? 403 : 200;
      expect(answer.status).toBe(key);
      expect(taken()).toMatchObject([{ method, url }]);
    });

    test('a request line with the whole address is what its path says', async () => {
      const send = (target: string) =>
        rawExchange(
          gateway.plainPort,
          `POST ${target} HTTP/1.1\r\nHost: gateway\r\nContent-Length: 0\r\nConnection: close\r\nAuthorization: Bearer ${reader}\r\n\r\n`,
        );
      expect(await send('http://elsewhere/recall')).toMatch(/^HTTP\/1\.1 200 /);
      expect(taken()).toMatchObject([{ url: '/recall' }]);
      expect(await send('http://elsewhere/merge')).toMatch(/^HTTP\/1\.1 403 /);
      expect(await send('http://elsewhere/recall/../merge')).toMatch(/^HTTP\/1\.1 404 /);
      expect(taken()).toEqual([]);
    });

    test('HTTP/2 is judged alike', async () => {
      const client = connectHttp2(`https://127.0.0.1:${gateway.tlsPort}`, { rejectUnauthorized: false });
      const ask = (headers: Record<string, string>) =>
        new Promise<number>((resolve, reject) => {
          const stream = client.request({ ':method': 'POST', authorization: `Bearer ${reader}`, ...headers });
          stream.on('response', (answer) => resolve(Number(answer[':status'])));
          stream.on('error', reject);
          stream.resume().end();
        });
      const paths = ['/recall', '/ingest', '//recall', '/recall/../ingest', '/recall/'];
      const statuses = await Promise.all(paths.map((path) => ask({ ':path': path })));
      client.close();
      expect(statuses).toEqual([200, 403, 404, 404, 404]);
      expect(taken()).toMatchObject([{ url: '/recall' }]);
    });
  });

  describe('headers', () => {
    test('who asks is overwritten, however it is written, and the key stays here', async () => {
      const headers = {
        ...asReader(),
        'X-Agent-ID': ['mallory', 'eve'],
        'x-role': 'system-admin',
        'X-Key-Id': 'k-00000000',
        X_Agent_ID: 'mallory',
        X_Role: 'system-admin',
        'X-Forwarded-For': '10.0.0.1',
        'X-Original-URL': '/merge',
        'X-Rewrite-URL': '/merge',
        'X-HTTP-Method-Override': 'DELETE',
        'X-HTTP-Method': 'DELETE',
        'X-Method-Override': 'DELETE',
        Cookie: 'a=b',
        'Proxy-Authorization': 'Basic eDp5',
        'X-Session-ID': 's-1',
        'X-Project': 'shop',
        'X-Allowed-Projects': 'shop,blog',
        'X-Space': 'default',
        'If-Match': '"1"',
        'Content-Type': 'application/json',
      };
      const answer = await exchange(gateway.plainPort, { path: '/memory/a', headers });
      expect(answer.status).toBe(200);
      const [seen] = taken();
      expect(seen?.method).toBe('GET');
      const names = (seen?.rawHeaders ?? []).filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
      expect(names.sort()).toEqual(
        [
          'x-agent-id',
          'x-key-id',
          'x-role',
          'x-request-id',
          'x-session-id',
          'x-project',
          'x-space',
          'if-match',
          'content-type',
          'host',
          'connection',
        ].sort(),
      );
      expect(seen?.headers).toMatchObject({
        'x-agent-id': 'reader',
        'x-role': 'agent-ro',
        'x-session-id': 's-1',
        'x-project': 'shop',
        'x-space': 'default',
        'if-match': '"1"',
      });
      expect(JSON.stringify(seen?.rawHeaders)).not.toContain(reader);
    });

    test.each(['?_method=DELETE', '?method=DELETE', '?X-HTTP-Method-Override=DELETE'])(
      'a method in the query %s means nothing',
      async (query) => {
        await exchange(gateway.plainPort, { path: `/memory/a${query}`, headers: asReader() });
        expect(taken()).toMatchObject([{ method: 'GET' }]);
      },
    );

    test.each([
      ['in upper case', (key: string) => `Bearer ${key.toUpperCase()}`],
      ['with one character more', (key: string) => `Bearer ${key}0`],
      ['with one character less', (key: string) => `Bearer ${key.slice(1)}`],
      ['of another scheme', (key: string) => `Token ${key}`],
      ['without a scheme', (key: string) => key],
      ['twice in one header', (key: string) => `Bearer ${key}, Bearer ${key}`],
      ['as a password over plain HTTP', (key: string) => `Basic ${Buffer.from(`ann:${key}`).toString('base64')}`],
    ])('a key %s is none', async (name, header) => {
      const from = `127.3.0.${name.length}`;
      const answer = await exchange(gateway.plainPort, {
        path: '/health',
        headers: { Authorization: header(admin) },
        from,
      });
      expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated']);
      expect(answer.text).not.toContain(admin);
      expect(taken()).toEqual([]);
    });

    test('the name of the scheme may be written in any case', async () => {
      const answer = await exchange(gateway.plainPort, {
        path: '/health',
        headers: { Authorization: `bearer ${reader}` },
      });
      expect(answer.status).toBe(200);
      taken();
    });

    test.each([
      ['a.b_c-1', true],
      ['x'.repeat(64), true],
      ['x'.repeat(65), false],
      ['a b', false],
      ['a"b', false],
      ['', false],
    ])('the request id %j is %s to be taken on', async (id, isTaken) => {
      const answer = await exchange(gateway.plainPort, {
        path: '/health',
        headers: { ...asReader(), 'X-Request-ID': id },
      });
      const [seen] = taken();
      const used = seen?.headers['x-request-id'];
      expect(answer.headers['x-request-id']).toBe(used);
      if (isTaken) expect(used).toBe(id);
      else expect(used).toMatch(/^[0-9a-f]{32}$/);
    });

    test('the date of an answer is that of the service', async () => {
      const answer = await exchange(gateway.plainPort, { path: '/health', headers: asReader() });
      expect(taken()).toHaveLength(1);
      expect(answer.headers.date).toBe(UPSTREAM_DATE);
    });
  });

  describe('bytes', () => {
    const line = (method: string, path: string) => `${method} ${path} HTTP/1.1\r\nHost: gateway\r\n`;
    const key = () => `Authorization: Bearer ${reader}\r\n`;

    test.each<[string, () => string, number]>([
      [
        'both Content-Length and Transfer-Encoding',
        () =>
          `${line('POST', '/recall')}${key()}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nDELETE /memory/a HTTP/1.1\r\nHost: x\r\n\r\n`,
        400,
      ],
      [
        'two Content-Lengths',
        () => `${line('POST', '/recall')}${key()}Content-Length: 0\r\nContent-Length: 5\r\n\r\nhello`,
        400,
      ],
      [
        'a Content-Length that is no number',
        () => `${line('POST', '/recall')}${key()}Content-Length: +5\r\n\r\nhello`,
        400,
      ],
      [
        'a chunk whose length is no number',
        () => `${line('POST', '/recall')}${key()}Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n`,
        400,
      ],
      ['another Transfer-Encoding', () => `${line('POST', '/recall')}${key()}Transfer-Encoding: gzip\r\n\r\n`, 501],
      [
        'two Transfer-Encodings',
        () =>
          `${line('POST', '/recall')}${key()}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n`,
        400,
      ],
      ['two keys', () => `${line('GET', '/health')}${key()}Authorization: Bearer ${admin}\r\n\r\n`, 400],
      ['no Host', () => `GET /health HTTP/1.1\r\n${key()}\r\n`, 400],
      ['two Hosts', () => `${line('GET', '/health')}Host: other\r\n${key()}\r\n`, 400],
      ['a NUL in the path', () => `${line('GET', '/memory/a%00b')}${key()}\r\n`, 400],
      ['a path above the root', () => `${line('GET', '/../../merge')}${key()}\r\n`, 400],
      ['a method in lower case', () => `${line('get', '/health')}${key()}\r\n`, 400],
      ['no HTTP', () => 'hello\r\n\r\n', 400],
      ['a TLS greeting', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
      ['TRACE', () => `${line('TRACE', '/health')}${key()}\r\n`, 405],
      ['CONNECT', () => `CONNECT elsewhere:443 HTTP/1.1\r\nHost: elsewhere:443\r\n${key()}\r\n`, 400],
      ['HTTP/3.0', () => `GET /health HTTP/3.0\r\nHost: gateway\r\n${key()}\r\n`, 505],
    ])('%s', async (_name, bytes, status) => {
      const answer = await rawExchange(gateway.plainPort, bytes());
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(answer).toContain('Content-Type: application/problem+json');
      expect(answer).toMatch(
        new RegExp(`"status":${status},"detail":"[^"]{20,}","code":"[a-z_]+","request_id":"[0-9a-f]{32}"`),
      );
      // What was smuggled behind it is not answered either.
      expect(answer.match(/^HTTP\/1\.1 \d/gm)).toHaveLength(1);
      expect(taken().filter(({ method, url }) => method !== 'POST' || url !== '/recall')).toEqual([]);
    });

    test('plain HTTP on the port for TLS', async () => {
      const answer = await rawExchange(gateway.tlsPort, `${line('GET', '/health')}${key()}\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain('This port speaks TLS: use https:// in the address.');
    });

    test.each<[string, string, Record<string, string>, number, string]>([
      ['a URL', `/memories?q=${'x'.repeat(17_000)}`, {}, 414, 'uri_too_long'],
      ['a header', '/memories', { 'X-Long': 'x'.repeat(17_000) }, 431, 'headers_too_large'],
    ])('%s over 16 KiB', async (_name, path, headers, status, code) => {
      const answer = await exchange(gateway.plainPort, { path, headers: { ...asReader(), ...headers } });
      expect([answer.status, answer.body.code]).toEqual([status, code]);
      expect(taken()).toEqual([]);
    });
  });
});
