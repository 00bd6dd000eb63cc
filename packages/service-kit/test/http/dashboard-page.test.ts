import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { dashboardPage, openContract } from '../../src/http.ts';
import { CONTRACT, createSample } from '../sample-service.ts';

// A name that begins with a dot, as folders of installed programs have.
const folder = mkdtempSync(join(tmpdir(), '.dashboard-'));
writeFileSync(join(folder, 'index.html'), '<p>page</p>');
mkdirSync(join(folder, 'assets'));
writeFileSync(join(folder, 'assets', 'main-1a.js'), 'let a = 1;');
writeFileSync(join(folder, 'assets', 'main-1a.js.map'), '{}');
afterAll(() => rmSync(folder, { recursive: true }));

const { app } = serving(folder);

function serving(place: string) {
  const page = dashboardPage(pathToFileURL(`${place}/`));
  return createSample({
    // The contract has no page; its answer is not held against it.
    handlers: { getHealth: page.getDashboard as never },
    options: { contract: openContract(CONTRACT, { validateResponses: false }), mount: page.mount },
  });
}

// RFC 9110: 13.1.1 and 13.1.4 (412), 13.2.2 (which of them counts), 14.2 and 15.5.17 (Range, 416).
describe.each([
  ['the page', '/health', 'may be kept by a browser, which asks whether it has changed', 'no-cache'],
  [
    'a file of the page',
    '/dashboard/assets/main-1a.js',
    'is kept by a browser, which does not ask for it again',
    'private, max-age=31536000, immutable',
  ],
  [
    'a file of /docs',
    '/docs/swagger-ui.css',
    'may be kept by a browser, which asks whether it has changed',
    'no-cache',
  ],
])('%s', (_, path, keeping, cacheControl) => {
  let headers: Record<string, string>;
  const get = (conditions: Record<string, string>) => request(app).get(path).set(conditions).buffer();
  beforeAll(async () => {
    headers = (await get({})).headers;
  });

  test(keeping, () => {
    expect(headers['cache-control']).toBe(cacheControl);
  });

  test('answers 416 with its length to a Range that it does not have', async () => {
    const answer = await get({ Range: 'bytes=99999999-' });
    const { 'content-range': range, 'content-type': type } = answer.headers;
    expect([answer.status, range, type]).toEqual([
      416,
      `bytes */${headers['content-length']}`,
      'application/problem+json; charset=utf-8',
    ]);
    expect(answer.body).toMatchObject({ code: 'range_not_satisfiable', status: 416, title: 'Range not satisfiable' });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('answers 206 to a Range that it has, and ignores one that is none', async () => {
    const part = await get({ Range: 'bytes=0-3' });
    expect([part.status, part.headers['content-range'], part.headers['content-length']]).toEqual([
      206,
      `bytes 0-3/${headers['content-length']}`,
      '4',
    ]);
    for (const Range of ['bytes=x', 'lines=1-2']) expect((await get({ Range })).status).toBe(200);
  });

  test.each([
    ['another tag', () => ({ 'If-Match': '"other"' }), 412],
    ['its tag', () => ({ 'If-Match': `"other", ${headers.etag}` }), 200],
    ['any tag', () => ({ 'If-Match': '*' }), 200],
    ['a time before it was changed', () => ({ 'If-Unmodified-Since': 'Sat, 01 Jan 2000 00:00:00 GMT' }), 412],
    ['a time after it was changed', () => ({ 'If-Unmodified-Since': 'Thu, 01 Jan 2099 00:00:00 GMT' }), 200],
    ['no time', () => ({ 'If-Unmodified-Since': 'yesterday' }), 200],
    [
      'its tag, whatever the time',
      () => ({ 'If-Match': headers.etag ?? '', 'If-Unmodified-Since': 'Sat, 01 Jan 2000 00:00:00 GMT' }),
      200,
    ],
    ['another tag, whatever the Range', () => ({ 'If-Match': '"other"', Range: 'bytes=99999999-' }), 412],
    ['its tag, unless it is the one that is known', () => ({ 'If-None-Match': headers.etag ?? '' }), 304],
  ])('that shall have %s is answered with the status of RFC 9110', async (_, conditions, status) => {
    const answer = await get(conditions());
    expect(answer.status).toBe(status);
    if (status === 412) {
      expect(answer.body).toMatchObject({ code: 'precondition_failed', status: 412 });
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });
});

test('a page that differs in the names of its files alone is sent, and not said to be unchanged', async () => {
  const place = join(folder, 'packed');
  mkdirSync(place);
  const { app: packed } = serving(place);
  const answerOf = async (hash: string, known = '') => {
    writeFileSync(join(place, 'index.html'), `<script src="main-${hash}.js"></script>`);
    // As npm packs each file, of whatever version.
    utimesSync(join(place, 'index.html'), 499_162_500, 499_162_500);
    return await request(packed).get('/health').set({ 'If-None-Match': known });
  };
  const { etag = '' } = (await answerOf('1a')).headers;
  expect((await answerOf('1a', etag)).status).toBe(304);
  expect((await answerOf('2b', etag)).text).toContain('main-2b.js');
});

test('the map of a script is there for those who look into it', async () => {
  const { status, headers } = await request(app).get('/dashboard/assets/main-1a.js.map');
  expect([status, headers['cache-control']]).toEqual([200, 'private, max-age=31536000, immutable']);
});

test.each([
  '/dashboard/assets/main-2b.js',
  '/dashboard/assets/main.js',
  '/dashboard/assets/index.html',
  '/dashboard/assets/%2e%2e/index.html',
  '/dashboard/assets/',
  '/dashboard/assets',
])('%s is no file of the page, and nothing keeps that answer', async (path) => {
  const { status, body, headers } = await request(app).get(path);
  expect([status, body.code, headers['cache-control']]).toEqual([404, 'not_found', 'no-store']);
});

test('a page that was not built is a problem that says what to run, until it is', async () => {
  const empty = join(folder, 'empty');
  const { app: unbuilt } = serving(empty);
  const { status, body, headers } = await request(unbuilt).get('/health');
  expect([status, body.code, headers['cache-control']]).toEqual([503, 'unavailable', 'no-store']);
  expect(body.detail).toContain('run "npm run build" in the folder of its sources');
  mkdirSync(empty);
  writeFileSync(join(empty, 'index.html'), '<p>built</p>');
  expect((await request(unbuilt).get('/health')).text).toBe('<p>built</p>');
});

describe('a refused request for the dashboard', () => {
  const refusal = (headers: Record<string, string>) =>
    request(app).get('/dashboard?space=<b>Not%20a%20name').set(headers).buffer();

  test('is a page in words for a browser, with the way back', async () => {
    const { status, text, headers } = await refusal({ Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(text).toContain(
      '<p>There is nothing at this path: see /docs for the paths that exist, and write them exactly as there; hosts of MCP ask at /mcp.</p>',
    );
    expect(text).toContain('<a href="dashboard">');
    expect(text).not.toContain('<b>');
  });

  test.each([{}, { Accept: '*/*' }, { Accept: 'application/json' }, { Accept: 'application/problem+json' }])(
    'is a problem document for %j',
    async (headers) => {
      const { body, headers: answered } = await refusal(headers as Record<string, string>);
      expect(answered['content-type']).toBe('application/problem+json; charset=utf-8');
      expect(body).toMatchObject({ status: 404, code: 'not_found' });
    },
  );

  test('is a page at the address of the service alone too', async () => {
    const { status, text } = await request(app).get('/').set('Accept', 'text/html').buffer();
    expect([status, text]).toEqual([404, expect.stringContaining('<a href="dashboard">')]);
    expect((await request(app).get('/')).body).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('is one elsewhere, for a browser too', async () => {
    const answer = await request(app).get('/nowhere').set('Accept', 'text/html').buffer();
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  });
});
