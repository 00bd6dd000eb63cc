import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import type { ServiceHosts } from '../../src/http/host-and-origin-guard.ts';
import { type Listening, listen, openContract } from '../../src/http.ts';
import { rawExchange } from '../raw-exchange.ts';
import { CONTRACT, createSample } from '../sample-service.ts';

const LOCAL: ServiceHosts = { host: '127.0.0.1', allowedHosts: null };
const NETWORK: ServiceHosts = { host: '0.0.0.0', allowedHosts: ['box.local', '192.168.1.7', '[fd00::5]'] };

/** Compiled once. */
const contract = openContract(CONTRACT, { validateResponses: true });

function appOf(hosts: ServiceHosts, { behindGateway = false } = {}) {
  const trustedHeader = behindGateway ? { mayName: () => false } : undefined;
  return createSample({ options: { contract, hosts, trustedHeader } });
}

const local = appOf(LOCAL);
const network = appOf(NETWORK);

/** Status and code of the answer to a GET of /health that has this Host. */
async function answerTo(host: string, sample = local) {
  const answer = await request(sample.app).get('/health').set('Host', host);
  return [answer.status, answer.body.code ?? answer.body.status];
}

describe('the host of a request', () => {
  test.each([
    'localhost',
    'localhost:8080',
    'LOCALHOST.:1',
    'app.localhost:3000',
    '127.0.0.1',
    '127.1.2.3:80',
    '[::1]:80',
  ])('may be %s wherever the service listens', async (host) => {
    expect(await answerTo(host)).toEqual([200, 'ok']);
    expect(await answerTo(host, network)).toEqual([200, 'ok']);
  });

  test.each(['evil.test', 'evil.test:8080', 'localhost.evil.test', '127.0.0.1.evil.test', '192.168.1.7', '0.0.0.0'])(
    'may not be %s',
    async (host) => {
      expect(await answerTo(host)).toEqual([421, 'misdirected_request']);
    },
  );

  test.each(['', 'localhost,evil.test', 'localhost@evil.test', 'evil.test#localhost', 'localhost:x', 'a b', '::1'])(
    'may not be the malformed %j',
    async (host) => {
      const sent = `GET /health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      expect(await onTheWire(sent)).toMatch(/^HTTP\/1\.1 421 /);
    },
  );

  test.each([
    ['box.local', 200],
    ['BOX.LOCAL.:8080', 200],
    ['192.168.1.7:8080', 200],
    ['[FD00:0:0::5]:8080', 200],
    ['0.0.0.0:8080', 200],
    ['sub.box.local', 421],
    ['192.168.1.8', 421],
    ['evil.test', 421],
  ])('is held against --host and --allowed-hosts: %s gives %i', async (host, status) => {
    expect((await answerTo(host, network))[0]).toBe(status);
  });

  test('may be anything behind a gateway, unless allowed hosts are named', async () => {
    expect((await answerTo('timing-service:8080', appOf(LOCAL, { behindGateway: true })))[0]).toBe(200);
    const named = appOf({ host: '0.0.0.0', allowedHosts: ['timing-service'] }, { behindGateway: true });
    expect((await answerTo('timing-service:8080', named))[0]).toBe(200);
    expect((await answerTo('evil.test', named))[0]).toBe(421);
  });

  test('is refused with what to set, and stands in the log', async () => {
    const sample = appOf(LOCAL);
    const answer = await request(sample.app).get('/health').set({ Host: 'Box.local:8080', 'X-Request-ID': 'r' });
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(JSON.parse(answer.text)).toEqual({
      type: 'urn:agent-faculties:problem:misdirected_request',
      title: 'Misdirected request',
      status: 421,
      detail:
        'This service is not called box.local: use localhost, or, where clients are to use that name, start it with ' +
        '--allowed-hosts box.local (in the environment ..._ALLOWED_HOSTS).',
      code: 'misdirected_request',
      request_id: 'r',
    });
    const lines = sample.lines.filter(({ msg }) => msg === 'request');
    expect(lines).toMatchObject([{ status: 421, host: 'Box.local:8080', path: '/health' }]);
  });

  test.each([
    '/openapi.json',
    '/docs',
    '/docs/swagger-ui.css',
    '/metrics',
    '/health/live',
    '/health/ready',
    '/nope',
    '/%E0%A4%A',
    '/docs/',
  ])('is looked at before anything else, at %s with every method', async (path) => {
    const { app } = local;
    for (const method of ['get', 'head', 'post', 'put', 'delete', 'options', 'patch'] as const) {
      expect([method, (await request(app)[method](path).set('Host', 'evil.test')).status]).toEqual([method, 421]);
    }
  });
});

describe('a request of a page', () => {
  const { app } = local;
  const OWN = '127.0.0.1:8080';
  const send = (method: 'get' | 'head' | 'post' | 'options', headers: Record<string, string>) =>
    request(app)
      [method](method === 'post' ? '/things/a/start' : '/health')
      .set({ Host: OWN, ...headers });

  test.each([
    ['another site', { Origin: 'https://evil.test', 'Sec-Fetch-Site': 'cross-site' }],
    ['another site, in a browser without fetch metadata', { Origin: 'https://evil.test' }],
    ['another site, without an origin', { 'Sec-Fetch-Site': 'cross-site' }],
    ['another port of this machine', { Origin: 'http://127.0.0.1:3000', 'Sec-Fetch-Site': 'same-site' }],
    ['another port, without fetch metadata', { Origin: 'http://127.0.0.1:3000' }],
    ['another name of this machine', { Origin: 'http://localhost:8080', 'Sec-Fetch-Site': 'cross-site' }],
    ['a sandboxed frame', { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }],
    ['a file', { Origin: 'null' }],
    ['an extension', { Origin: 'chrome-extension://abcdefghijklmnop', 'Sec-Fetch-Site': 'none' }],
    ['a site whose name begins like this one', { Origin: 'http://127.0.0.1:8080.evil.test' }],
    ['a site with this one as user', { Origin: 'http://127.0.0.1:8080@evil.test' }],
    ['two origins', { Origin: `http://${OWN}, http://evil.test` }],
    ['a scheme that no server has', { Origin: `file://${OWN}` }],
    ['an unknown relation', { 'Sec-Fetch-Site': 'cross-origin' }],
    ['nowhere', { Origin: '' }],
  ])('of %s may only read', async (_, headers) => {
    const refused = await send('post', headers);
    expect([refused.status, refused.body.code, refused.body.title]).toEqual([403, 'cross_site', 'Forbidden']);
    expect((await send('options', headers)).status).toBe(403);
    const read = await send('get', headers);
    expect([read.status, read.headers['access-control-allow-origin']]).toEqual([200, undefined]);
    expect(read.headers['cross-origin-resource-policy']).toBe('same-origin');
    expect((await send('head', headers)).status).toBe(200);
  });

  test.each([
    ['the service itself', { Origin: `http://${OWN}`, 'Sec-Fetch-Site': 'same-origin' }],
    ['the service itself, without fetch metadata', { Origin: `http://${OWN}` }],
    ['the service behind TLS', { Origin: 'https://localhost', Host: 'localhost' }],
    ['the service behind TLS, which names its port', { Origin: 'https://localhost', Host: 'localhost:443' }],
    ['the service at the port of HTTP', { Origin: 'http://localhost', Host: 'localhost:80' }],
    ['the service at its IPv6 address', { Origin: 'http://[::1]:8080', Host: '[::1]:8080' }],
    ['nobody: the user typed the address', { 'Sec-Fetch-Site': 'none' }],
    ['nobody: a program', {}],
  ])('of %s may write', async (_, headers) => {
    expect((await send('post', headers)).body).toEqual({ started: 'a' });
  });

  test('may not write behind a gateway either', async () => {
    const gated = appOf(LOCAL, { behindGateway: true }).app;
    const post = (headers: object) =>
      request(gated)
        .post('/things/a/start')
        .set({ Host: 'timing-service', ...headers });
    expect((await post({ Origin: 'https://evil.test' })).body.code).toBe('cross_site');
    expect((await post({})).status).toBe(200);
  });

  test('stands in the log with its origin when it is refused', async () => {
    const sample = appOf(LOCAL);
    await request(sample.app).post('/things/a/start').set('Origin', 'https://evil.test');
    expect(sample.lines.filter(({ msg }) => msg === 'request')).toMatchObject([
      { status: 403, origin: 'https://evil.test' },
    ]);
  });
});

let listening: Listening;
beforeAll(async () => {
  listening = await listen(local.app, { host: '127.0.0.1', port: 0 });
});
afterAll(() => {
  listening.server.close();
  listening.server.closeAllConnections();
});
const onTheWire = (bytes: string) => rawExchange(listening, bytes);

describe('on the wire', () => {
  const CLOSE = 'Connection: close\r\n\r\n';

  test.each([
    ['no Host', `GET /health HTTP/1.1\r\n${CLOSE}`],
    ['two Hosts', `GET /health HTTP/1.1\r\nHost: localhost\r\nHost: evil.test\r\n${CLOSE}`],
    ['the same Host twice', `GET /health HTTP/1.1\r\nHost: localhost\r\nHOST: localhost\r\n${CLOSE}`],
    ['an absolute target', `GET http://evil.test/health HTTP/1.1\r\nHost: localhost\r\n${CLOSE}`],
    ['an absolute target with a user', `GET http://localhost@evil.test/health HTTP/1.1\r\nHost: localhost\r\n${CLOSE}`],
    ['an absolute target in capitals', `GET HTTP://EVIL.TEST/health HTTP/1.1\r\nHost: localhost\r\n${CLOSE}`],
    ['an absolute target without Host', `GET http://localhost/health HTTP/1.1\r\n${CLOSE}`],
    ['a foreign Host in HTTP/1.0', `GET /health HTTP/1.0\r\nHost: evil.test\r\n${CLOSE}`],
    ['the whole server meant', `OPTIONS * HTTP/1.1\r\nHost: evil.test\r\n${CLOSE}`],
  ])('421 answers a request with %s', async (_, bytes) => {
    const answer = await onTheWire(bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 421 /);
    expect(answer).toContain('Content-Type: application/problem+json; charset=utf-8');
    expect(answer).toContain('"code":"misdirected_request"');
  });

  test.each([
    ['HTTP/1.0 without Host', `GET /health HTTP/1.0\r\n${CLOSE}`],
    ['HTTP/1.0 with Host', `GET /health HTTP/1.0\r\nHost: localhost\r\n${CLOSE}`],
    [
      'an absolute target, which the Host does not change',
      `GET http://localhost:1/health HTTP/1.1\r\nHost: evil.test\r\n${CLOSE}`,
    ],
    ['an absolute target with a query alone', `GET http://localhost?q=1 HTTP/1.1\r\nHost: localhost\r\n${CLOSE}`, 404],
    ['an absolute target without a path', `GET http://localhost HTTP/1.1\r\nHost: localhost\r\n${CLOSE}`, 404],
    ['a lower-case header', `GET /health HTTP/1.1\r\nhost: localhost\r\n${CLOSE}`],
  ])('nothing keeps out %s', async (_, bytes, status = 200) => {
    expect(await onTheWire(bytes)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  test('a page that has no host of its own to compare with may not write', async () => {
    const sent = `POST /things/a/start HTTP/1.0\r\nOrigin: http://evil.test\r\n${CLOSE}`;
    expect(await onTheWire(sent)).toMatch(/^HTTP\/1\.1 403 /);
  });
});
