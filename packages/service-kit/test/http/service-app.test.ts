import zlib, { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { type Listening, listen, openContract } from '../../src/http.ts';
import { ConflictError, NotFoundError, UnavailableError } from '../../src/index.ts';
import { rawExchange } from '../raw-exchange.ts';
import { CONTRACT, createSample } from '../sample-service.ts';

const { app } = createSample();
const json = (path: string, body: string) => request(app).post(path).set('Content-Type', 'application/json').send(body);

describe('a request that fits the contract', () => {
  test('reaches the handler with coerced parameters and defaults', async () => {
    const answer = await request(app).get('/things?ratio=0.5&tag=a&tag=b');
    expect(answer.body.query).toEqual({ ratio: 0.5, tag: ['a', 'b'], limit: 50 });
  });

  test.each([
    ['limit=010&ratio=-0', { limit: 10, ratio: 0 }],
    ['limit=5&ratio=1e-3', { limit: 5, ratio: 0.001 }],
    ['limit=5&ratio=2E%2B2', { limit: 5, ratio: 200 }],
  ])('reads the numbers of the query %s', async (query, numbers) => {
    const answer = await request(app).get(`/things?${query}`);
    expect([answer.status, answer.body.query]).toEqual([200, numbers]);
  });

  test.each([
    ['a+b', 'a b'],
    ['a%2Bb', 'a+b'],
    ["a:b/(c),d'e!", "a:b/(c),d'e!"],
    ['%D0%B0', 'а'],
  ])('reads the query text %s as %s', async (sent, meant) => {
    const answer = await request(app).get(`/things?q=${sent}`);
    expect([answer.status, answer.body.query.q]).toEqual([200, meant]);
  });

  test.each([
    ['tool%3Aa%2Fb', 'tool:a/b'],
    ['50%2525', '50%25'],
    ['a%20b+c', 'a b+c'],
    ['active%2F', 'active/'],
  ])('hands the path segment %s to the handler as %s', async (sent, meant) => {
    const answer = await request(app).get(`/things/${sent}`);
    expect([answer.status, answer.body]).toEqual([200, { name: meant }]);
    const started = await request(app).post(`/things/${sent}/start`);
    expect(started.body).toEqual({ started: meant });
  });

  test('prefers a literal path to a parameter that would fit too', async () => {
    const answer = await request(app).get('/things/active');
    expect(answer.body).toEqual({ active: true });
  });

  test.each([
    ['no body', () => request(app).post('/things/a/start')],
    ['an empty object', () => request(app).post('/things/a/start').send({})],
  ])('needs no body where the contract has none: %s', async (_, send) => {
    expect((await send()).status).toBe(200);
  });

  test('answers HEAD like GET without a body', async () => {
    const answer = await request(app).head('/things/a');
    expect([answer.status, answer.text, answer.headers['content-length']]).toEqual([200, undefined, '12']);
  });

  test('inflates a compressed body', async () => {
    const answer = await request(app)
      .post('/things')
      .set({ 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
      .serialize((body) => body)
      .send(gzipSync('{"name":"x"}') as never);
    expect([answer.status, answer.body.body]).toEqual([200, { name: 'x' }]);
  });
});

/** What is said of an unknown name, with those of the sample contract. */
const NO_PARAMETER = 'is not known here: remove it, or take one of agent_id, limit, ratio, q, since, tag';
const BEYOND = 'is beyond 2^53, where numbers are not kept exactly: send it as a string';
const NO_FIELD = 'is not known here: remove it, or take one of name, count, agent_id, session_id, metadata, parts';

describe('a request that does not fit the contract', () => {
  test('is answered with a problem document that names every fault', async () => {
    const answer = await request(app).get('/things?limit=0&ratio=x&foo=1&bar=2').set('X-Request-ID', 'request-1');
    expect(answer.status).toBe(422);
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(JSON.parse(answer.text)).toEqual({
      type: 'urn:agent-faculties:problem:invalid_request',
      title: 'The request does not fit the contract',
      status: 422,
      detail: `query/foo ${NO_PARAMETER} (and 3 more in errors). Correct it; /docs shows the contract.`,
      code: 'invalid_request',
      request_id: 'request-1',
      errors: [
        { where: 'query/foo', message: NO_PARAMETER },
        { where: 'query/bar', message: NO_PARAMETER },
        { where: 'query/limit', message: 'must be >= 1' },
        { where: 'query/ratio', message: 'must be number' },
      ],
    });
  });

  test('is told the names that it meant', async () => {
    const write = (where: string, name: string) => ({ where, message: `is not known here: write ${name}` });
    const query = await request(app).get('/things?agentId=x&Tags=a');
    expect(query.body.errors).toEqual([write('query/agentId', 'agent_id'), write('query/Tags', 'tag')]);
    const body = await request(app).post('/things').send({ name: 'x', 'session-id': 's', part: [] });
    expect(body.body.errors).toEqual([write('body/session-id', 'session_id'), write('body/part', 'parts')]);
  });

  test('is told every fault of a body', async () => {
    const answer = await request(app).post('/things').send({ nme: 'x', count: -1 });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual([
      { where: 'body/name', message: 'is required' },
      { where: 'body/nme', message: NO_FIELD },
      { where: 'body/count', message: 'must be >= 0' },
    ]);
  });

  test('is told all types that a field may have', async () => {
    const answer = await request(app).post('/things').send({ name: 'x', metadata: 5 });
    expect(answer.body.errors).toEqual([{ where: 'body/metadata', message: 'must be object or null' }]);
  });

  test.each([
    ['limit=1&limit=2', 'query/limit', 'is given more than once: send it once'],
    ['q=a&q=b', 'query/q', 'is given more than once: send it once'],
    ['limit=', 'query/limit', 'must be integer'],
    ['limit=1.5', 'query/limit', 'must be an integer in decimal digits, such as 10'],
    ['limit=-1', 'query/limit', 'must be >= 1'],
    ...['0x10', '1e1', '%2B5', '%205', '5%20', '5.0', '0b1', '1_0', '%EF%BC%95'].map((sent) => [
      `limit=${sent}`,
      'query/limit',
      ['1_0', '%EF%BC%95'].includes(sent) ? 'must be integer' : 'must be an integer in decimal digits, such as 10',
    ]),
    ['lim%69t=0x10', 'query/limit', 'must be an integer in decimal digits, such as 10'],
    ...['0x1', '%2B0.5', '.5', '5.', '%200.5'].map((sent) => [
      `ratio=${sent}`,
      'query/ratio',
      'must be a decimal number, such as 0.5',
    ]),
    ['ratio=NaN', 'query/ratio', 'must be number'],
    ['ratio=Infinity', 'query/ratio', 'must be a finite number'],
    ['ratio=1e999', 'query/ratio', 'must be a finite number'],
    ['__proto__=1', 'query/__proto__', NO_PARAMETER],
  ])('refuses the query %s', async (query, where, message) => {
    const answer = await request(app).get(`/things?${query}`);
    expect([answer.status, answer.body.errors]).toEqual([422, [{ where, message }]]);
  });

  test.each(['Infinity', '1e999', 'NaN', 'x'])('refuses the number %s in a path', async (value) => {
    const answer = await request(app).get(`/levels/${value}`);
    expect([answer.status, answer.body.errors[0].where]).toEqual([422, 'path/level']);
  });

  test.each([
    ['{"name":"x","count":1e999}', 'body/count', 'must be a finite number'],
    ['{"name":"x","metadata":{"a":[1,-1e999]}}', 'body/metadata/a/1', 'must be a finite number'],
    ['{"name":"x","metadata":{"ids":[1e20,9007199254740993,9007199254740994]}}', 'body/metadata/ids/1', BEYOND],
    [`{"name":"x","metadata":{"a":${'['.repeat(63)}${']'.repeat(63)}}}`, 'body', 'is nested deeper than 64 levels'],
    [`${'['.repeat(30_000)}${']'.repeat(30_000)}`, 'body', 'is nested deeper than 64 levels'],
    ['{"name":"x","__proto__":{"a":1}}', 'body/__proto__', NO_FIELD],
    ['[]', 'body', 'must be object'],
  ])('refuses the body %.40s', async (body, where, message) => {
    const answer = await json('/things', body);
    expect([answer.status, answer.body.errors]).toEqual([422, [{ where, message }]]);
  });

  test('accepts large numbers that come back as they were sent', async () => {
    const answer = await json('/things', '{"name":"x","metadata":{"ids":[1e20,9007199254740992,"9007199254740993"]}}');
    expect(answer.status).toBe(200);
  });

  test('accepts a body of 64 levels', async () => {
    const answer = await json('/things', `{"name":"x","metadata":{"a":${'['.repeat(62)}${']'.repeat(62)}}}`);
    expect(answer.status).toBe(200);
  });

  test('asks for the body when none is sent', async () => {
    const answer = await request(app).post('/things');
    expect([answer.status, answer.body.code]).toEqual([422, 'invalid_request']);
  });

  test('asks for the body when none is sent, though none of its fields is required', async () => {
    const answer = await request(app).put('/levels/1');
    expect([answer.status, answer.body.errors]).toEqual([422, [{ where: 'body', message: 'is required' }]]);
    expect((await request(app).put('/levels/1').send({ count: 1 })).body).toEqual({ body: { count: 1 } });
  });

  test('is told the faults of items, and of too many items only that', async () => {
    const of = async (parts: object[]) => (await request(app).post('/things').send({ name: 'x', parts })).body.errors;
    expect(await of([{ id: 'a' }, {}])).toEqual([{ where: 'body/parts/1/id', message: 'is required' }]);
    expect(await of(Array(20_000).fill({}))).toEqual([{ where: 'body/parts', message: 'must have at most 2 items' }]);
  });

  test('with thousands of fields is told the first fault, and accepted without one', async () => {
    const fields = Array.from({ length: 5_000 }, (_, index) => `"f${index}":1`).join();
    const refused = await json('/things', `{"name":"x",${fields}}`);
    expect(refused.body.errors).toEqual([{ where: 'body/f0', message: NO_FIELD }]);
    const accepted = await json('/things', `{"name":"x","metadata":{${fields}}}`);
    expect(accepted.status).toBe(200);
  });

  test('lists no more than 100 faults', async () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`extra${index}`, 1]));
    const answer = await request(app)
      .post('/things')
      .send({ name: 'x', ...many });
    expect([answer.status, answer.body.errors.length]).toEqual([422, 100]);
  });
});

describe('a request that cannot be read', () => {
  test.each(['{"name":', 'name', '5', '"text"', 'null', "{'name':'x'}"])('answers 400 to the body %s', async (body) => {
    const answer = await json('/things', body);
    expect([answer.status, answer.body.code]).toEqual([400, 'malformed_json']);
    // True of "null" too, which is JSON.
    expect(answer.body.detail).toMatch(/^The body is no JSON object or array: send one of these in UTF-8/);
  });

  test.each([
    '/things/%E0%A4%A',
    '/things?q=%E0%A4%A',
    '/things?q=%FF',
    '/things?q=%',
    '/things?tag[]=a',
    '/things?tag%5B%5D=a',
  ])('answers 400 to the URL %s', async (url) => {
    const answer = await request(app).get(url);
    expect([answer.status, answer.body.code]).toEqual([400, 'malformed_url']);
  });

  test.each([
    ['text/plain', 'unsupported_media_type'],
    ['application/x-www-form-urlencoded', 'unsupported_media_type'],
    ['application/json; charset=latin1', 'unsupported_media_type'],
  ])('answers 415 to the content type %s', async (type, code) => {
    const answer = await request(app).post('/things').set('Content-Type', type).send('{"name":"x"}');
    expect([answer.status, answer.body.code]).toEqual([415, code]);
  });

  test('answers 415 to an unknown content encoding', async () => {
    const answer = await request(app)
      .post('/things')
      .set({ 'Content-Type': 'application/json', 'Content-Encoding': 'compress' })
      .send('{}');
    expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type']);
  });

  // Node reads zstd since 22.15, and so does body-parser there.
  const encodings = ['gzip', 'deflate', 'br', ...('createZstdDecompress' in zlib ? ['zstd'] : [])];
  test.each(encodings)('answers 400 to a body that is not %s, though its encoding says so', async (encoding) => {
    const answer = await request(app)
      .post('/things')
      .set({ 'Content-Type': 'application/json', 'Content-Encoding': encoding })
      .send('{}');
    expect([answer.status, answer.body.code]).toEqual([400, 'malformed_json']);
  });

  test('answers 400 to a body that is not UTF-8, compressed or not', async () => {
    const send = (body: Buffer, headers: Record<string, string> = {}) =>
      request(app)
        .post('/things')
        .set({ 'Content-Type': 'application/json', ...headers })
        .serialize((sent) => sent)
        .send(body as never);
    for (const bytes of ['fffe', 'c3', 'c0af', 'eda080']) {
      const body = Buffer.concat([Buffer.from('{"name":"x'), Buffer.from(bytes, 'hex'), Buffer.from('"}')]);
      for (const answer of [await send(body), await send(gzipSync(body), { 'Content-Encoding': 'gzip' })]) {
        expect([bytes, answer.status, answer.body]).toMatchObject([bytes, 400, { code: 'malformed_json' }]);
      }
    }
    const text = '{"name":"é🚲"}';
    const utf16 = { 'Content-Type': 'application/json; charset=utf-16le' };
    for (const answer of [await send(Buffer.from(text)), await send(Buffer.from(text, 'utf16le'), utf16)]) {
      expect([answer.status, answer.body.body]).toEqual([200, { name: 'é🚲' }]);
    }
  });

  test('answers 413 to a body over the limit', async () => {
    const answer = await json('/things', `{"name":"${'x'.repeat(64 * 1024)}"}`);
    expect([answer.status, answer.body.code, answer.body.detail]).toEqual([
      413,
      'payload_too_large',
      'The body is over 65536 bytes: send less at once.',
    ]);
  });

  test('answers 413 to a body of 20 MB', async () => {
    const answer = await json('/things', `{"name":"${'x'.repeat(20_000_000)}"}`);
    expect(answer.status).toBe(413);
  });

  test('counts a compressed body after inflation', async () => {
    const answer = await request(app)
      .post('/things')
      .set({ 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
      .serialize((body) => body)
      .send(gzipSync(`{"name":"${'x'.repeat(20_000_000)}"}`) as never);
    expect([answer.status, answer.body.code]).toEqual([413, 'payload_too_large']);
  });
});

describe('a path or method that is not in the contract', () => {
  test.each(['/', '/nope', '/health/', '/Health', '/things/a/b', '/things/', '/docs/nope', '/favicon.ico'])(
    'answers 404 to %s',
    async (path) => {
      const answer = await request(app).get(path);
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
      expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    },
  );

  test.each([
    ['delete', '/things', 'GET, HEAD, POST'],
    ['put', '/things/a', 'GET, HEAD'],
    ['get', '/things/a/start', 'POST'],
    ['options', '/things', 'GET, HEAD, POST'],
    ['post', '/metrics', 'GET, HEAD'],
  ] as const)('answers 405 to %s %s and names the methods', async (method, path, allow) => {
    const answer = await request(app)[method](path);
    expect([answer.status, answer.headers.allow, answer.body.code]).toEqual([405, allow, 'method_not_allowed']);
    expect(answer.body.detail).toBe(`This path does not answer this method: use ${allow}.`);
  });

  test('answers HEAD of an unknown path with 404 and no body', async () => {
    const answer = await request(app).head('/nope');
    expect([answer.status, answer.text]).toEqual([404, undefined]);
  });
});

describe('the caller', () => {
  test('comes from query, body and header', async () => {
    const fromHeader = await request(app).get('/things').set({ 'X-Agent-ID': 'a', 'X-Session-ID': 's' });
    expect(fromHeader.body).toMatchObject({ agent_id: 'a', session_id: 's' });
    const fromBody = await request(app).post('/things').set('X-Agent-ID', 'a').send({ name: 'x', agent_id: 'b' });
    expect(fromBody.body).toMatchObject({ agent_id: 'b', session_id: null });
    const fromQuery = await request(app).get('/things?agent_id=c').set('X-Agent-ID', 'a');
    expect(fromQuery.body.agent_id).toBe('c');
    expect((await request(app).get('/things')).body.agent_id).toBe('default');
  });

  test('is refused when its id is invalid', async () => {
    const answer = await request(app).get('/health').set('X-Agent-ID', 'x'.repeat(129));
    expect([answer.status, answer.body.code, answer.body.errors[0].where]).toEqual([
      422,
      'invalid_identity',
      'header/X-Agent-ID',
    ]);
  });

  test('may be * only where the operation reads for all agents', async () => {
    const allowed = await request(app).get('/things?agent_id=*');
    expect([allowed.status, allowed.body.agent_id]).toEqual([200, '*']);
    const refused = await request(app).post('/things').send({ name: 'x', agent_id: '*' });
    expect([refused.status, refused.body.code]).toEqual([422, 'invalid_identity']);
  });

  test('understands all projects in what reads only', async () => {
    const asked = await request(app).get('/things').set('X-Project', '*');
    expect(asked.status).toBe(200);
    const refused = await request(app).post('/things').set('X-Project', '*').send({ name: 'x' });
    expect([refused.status, refused.body.code]).toEqual([422, 'invalid_identity']);
    expect((await request(app).post('/things').set('X-Project', 'shop').send({ name: 'x' })).status).toBe(200);
  });
});

describe('an error of a handler', () => {
  const answerTo = async (getHealth: () => never) => {
    const sample = createSample({ handlers: { getHealth } });
    const answer = await request(sample.app).get('/health').set('X-Request-ID', 'r');
    return { answer, lines: sample.lines };
  };

  test.each([
    {
      error: new NotFoundError('There is no stopwatch "a": start it.'),
      status: 404,
      code: 'not_found',
      title: 'Not found',
    },
    { error: new UnavailableError('No database: try again.'), status: 503, code: 'unavailable', title: 'Unavailable' },
    {
      error: new ConflictError('Say which.', { code: 'several_tasks' }),
      status: 409,
      code: 'several_tasks',
      title: 'Conflict',
    },
  ])('is answered by its class: $error.name', async ({ error, status, code, title }) => {
    const { answer } = await answerTo(() => {
      throw error;
    });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toEqual({
      type: `urn:agent-faculties:problem:${code}`,
      title,
      status,
      detail: error.message,
      code,
      request_id: 'r',
    });
  });

  test('carries faults and further members', async () => {
    const { answer } = await answerTo(() => {
      throw new ConflictError('Name one.', {
        faults: [{ where: 'body/correlation_id', message: 'is missing' }],
        extra: { correlation_ids: ['1', '2'] },
      });
    });
    expect(answer.body).toMatchObject({
      errors: [{ where: 'body/correlation_id', message: 'is missing' }],
      correlation_ids: ['1', '2'],
    });
  });

  test.each([
    ['an Error', new Error('SQLITE_CORRUPT in /srv/secret.db')],
    ['text', 'secret'],
    ['the word by which Express skips a route', 'route'],
    ['nothing', undefined],
    ['null', null],
    ['an object with a status', { status: 418, message: 'secret' }],
  ])('that was not thrown on purpose is a 500 without internals: %s', async (_, thrown) => {
    const { answer, lines } = await answerTo(() => {
      throw thrown;
    });
    expect(answer.status).toBe(500);
    expect(JSON.parse(answer.text)).toEqual({
      type: 'urn:agent-faculties:problem:internal_error',
      title: 'Internal error',
      status: 500,
      detail:
        'The server failed on this request. Report the request_id to its operator, who finds the reason in the log.',
      code: 'internal_error',
      request_id: 'r',
    });
    const [logged] = lines.filter((line) => line.level === 'error');
    expect(logged).toMatchObject({ request_id: 'r', err: { stack: expect.stringContaining('Error') } });
  });

  test('that is an answer outside the contract is a 500 when answers are validated', async () => {
    const outside = () => ({ status: 200, body: { status: 'ok', secret: 1 } }) as never;
    const strict = createSample({ handlers: { getHealth: outside } });
    expect((await request(strict.app).get('/health')).body.code).toBe('internal_error');
    const lenient = createSample({
      handlers: { getHealth: outside },
      options: { contract: openContract(CONTRACT, { validateResponses: false }) },
    });
    expect((await request(lenient.app).get('/health')).status).toBe(200);
  });
});

describe('what a service says about itself', () => {
  test('serves the contract as it was written', async () => {
    const answer = await request(app).get('/openapi.json');
    expect(answer.body.paths['/things'].get.operationId).toBe('listThings');
    expect(answer.text).not.toContain('allowReserved');
    expect(Object.keys(answer.body.paths['/things'])).toEqual(['get', 'post']);
  });

  test('serves /docs from its own host alone', async () => {
    const page = await request(app).get('/docs');
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers['content-security-policy']).toContain("script-src 'self';");
    const references = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
    const files = references.filter((reference) => !reference.startsWith('#'));
    expect(files).toContain('./docs/swagger-ui-bundle.js');
    for (const file of files) {
      expect(file).toMatch(/^\.\/docs\//);
      expect((await request(app).get(file.slice(1))).status).toBe(200);
    }
    expect(page.text).not.toMatch(/<script>/);
    const start = await request(app).get('/docs/swagger-ui-init.js');
    expect(start.text).toContain('"validatorUrl": null');
  });

  test('sends /docs/ to /docs', async () => {
    const answer = await request(app).get('/docs/');
    expect([answer.status, answer.headers.location]).toEqual([308, '../docs']);
  });

  test('shows each application its own contract', async () => {
    const other = {
      spec: { openapi: '3.1.0', info: { title: 'Other', version: '1' }, paths: {} },
      warmUp: async () => {},
    };
    createSample({
      options: { contract: { ...other, validation: (_req, _res, next) => next() }, handlers: {} as never },
    });
    expect((await request(app).get('/docs/swagger-ui-init.js')).text).toContain('Sample service');
  });

  test('counts requests by route in /metrics', async () => {
    const sample = createSample();
    await request(sample.app).get('/things/a');
    await request(sample.app).get('/things/b');
    await request(sample.app).get('/nope');
    const answer = await request(sample.app).get('/metrics');
    expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(answer.text).toContain(
      'http_request_duration_seconds_count{method="GET",route="/things/{name}",status="200"} 2',
    );
    expect(answer.text).toContain('http_request_duration_seconds_count{method="GET",route="unmatched",status="404"} 1');
  });

  test('forbids guessing of types and hides the framework', async () => {
    const { headers } = await request(app).get('/health');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers).not.toHaveProperty('x-powered-by');
  });
});

describe('createServiceApp', () => {
  test('refuses a contract with an operation that has no handler', () => {
    expect(() => createSample({ options: { handlers: {} as never } })).toThrow(
      'Operations without a handler: getHealth, listThings, createThing, getThing, getActiveThings, startThing, getLevel, changeLevel.',
    );
  });

  test('refuses a handler that is not in the contract', () => {
    const handlers = { getNothing: () => undefined } as never;
    expect(() => createSample({ handlers })).toThrow('Handlers without an operation in the contract: getNothing.');
  });

  test('mounts what stands outside the contract before validation', async () => {
    const sample = createSample({
      options: { mount: (express) => void express.get('/page', (_req, res) => void res.type('html').send('<p>')) },
    });
    expect((await request(sample.app).get('/page')).text).toBe('<p>');
  });
});

describe('on the wire', () => {
  let listening: Listening;
  beforeAll(async () => {
    listening = await listen(app, { host: '127.0.0.1', port: 0 });
  });
  afterAll(() => {
    listening.server.close();
    listening.server.closeAllConnections();
  });

  test.each(['GET http://[ HTTP/1.1', 'GET //[ HTTP/1.1', 'GET /things?q=\\ HTTP/1.1', 'GET /%00 HTTP/1.1'])(
    'survives %s',
    async (line) => {
      const answer = await rawExchange(listening, `${line}\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 (200|400|404|421) /);
    },
  );
});
