import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  ApiError,
  ConnectionError,
  memoryClient,
  RateLimitError,
  type Runtime,
  TimeoutError,
  timingClient,
  UnauthorizedError,
  UnavailableError,
  UnexpectedAnswerError,
} from '../src/index.ts';
import { faultyServer, problem, type Step } from './faulty-server.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 9, 30);
const HEALTHY: Step = { body: { status: 'ok' } };
const BUSY = problem(503, 'unavailable');

let server: Awaited<ReturnType<typeof faultyServer>>;
let pauses: number[];
/** Ends the time of all calls so far. */
let expire: () => void;
let random: number;
let runtime: Partial<Runtime>;

beforeAll(async () => {
  server = await faultyServer();
});
beforeEach(() => {
  pauses = [];
  random = 0;
  let keys = 0;
  const limits: AbortController[] = [];
  expire = () => limits.map((limit) => limit.abort());
  runtime = {
    sleep: async (ms, signal) => {
      pauses.push(ms);
      signal.throwIfAborted();
    },
    timeout: () => {
      const limit = new AbortController();
      limits.push(limit);
      return limit.signal;
    },
    random: () => random,
    now: () => NOW_MS,
    newKey: () => `key-${++keys}`,
  };
});
afterAll(() => server.close());

const memory = (options = {}) => memoryClient({ url: server.url, runtime, ...options });
const timing = (options = {}) => timingClient({ url: server.url, runtime, ...options });
const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no error',
    (error) => error,
  );

describe('a request that may be sent again', () => {
  test.each<[string, Step]>([
    ['a connection that was cut', 'cut'],
    ['an answer that broke off', 'half'],
    ['408', problem(408, 'request_timeout')],
    ['429', problem(429, 'too_many')],
    ['502', { status: 502, body: '<html>Bad Gateway</html>' }],
    ['503', BUSY],
    ['504', problem(504, 'unavailable')],
  ])('is sent again after %s', async (_, fault) => {
    server.will(fault, fault, HEALTHY);
    expect(await memory().getHealth()).toEqual({ status: 'ok' });
    expect(server.seen.map(({ method, url }) => [method, url])).toEqual(Array(3).fill(['GET', '/health']));
  });

  // Not 421, which fetch itself sends once more over another connection (Fetch standard, HTTP-network fetch).
  test.each([400, 401, 403, 404, 409, 412, 413, 422, 500])('is not sent again after %i', async (status) => {
    server.will(problem(status, 'some_code'));
    expect(await failure(memory().getHealth())).toMatchObject({ status, code: 'some_code', requestId: 'r-1' });
    expect(server.seen).toHaveLength(1);
  });

  test('pauses longer each time, by half at least and by all at most', async () => {
    server.will(BUSY);
    await failure(memory({ maxRetries: 7 }).getHealth());
    expect(pauses).toEqual([125, 250, 500, 1_000, 2_000, 4_000, 4_000]);
    random = 0.999_999_9;
    pauses = [];
    await failure(memory({ maxRetries: 7 }).getHealth());
    expect(pauses.map(Math.round)).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 8_000]);
  });

  test.each([
    ['3', 3_000],
    [new Date(NOW_MS + 5_000).toUTCString(), 5_000],
    ['soon', 125],
    [new Date(NOW_MS - 5_000).toUTCString(), 125],
  ])('waits as long as Retry-After: %s says', async (value, pauseMs) => {
    server.will(problem(503, 'stopping', { 'Retry-After': value }), HEALTHY);
    await memory().getHealth();
    expect(pauses).toEqual([pauseMs]);
  });

  test('fails at once where Retry-After is later than its time', async () => {
    server.will(problem(429, 'too_many', { 'Retry-After': '61' }));
    expect(await failure(memory().getHealth())).toBeInstanceOf(RateLimitError);
    expect([pauses, server.seen.length]).toEqual([[], 1]);
  });

  test('fails with the last fault, after as many retries as are wanted', async () => {
    server.will(BUSY);
    expect(await failure(memory().getHealth())).toBeInstanceOf(UnavailableError);
    expect(server.seen).toHaveLength(3);
    server.will('cut');
    expect(await failure(memory().getHealth({}, { maxRetries: 0 }))).toBeInstanceOf(ConnectionError);
    expect(server.seen).toHaveLength(1);
  });

  test('has one key in all its attempts, and another in the next call', async () => {
    const client = memory();
    for (const key of ['key-1', 'key-2']) {
      server.will('cut', BUSY, { body: { memory: null, duplicate: true } });
      await client.ingest({ content: 'Once.' });
      expect(server.seen.map(({ body }) => JSON.parse(body))).toEqual(
        Array(3).fill({ content: 'Once.', idempotency_key: key }),
      );
    }
    server.will('cut', { body: {} });
    await client.ingest({ content: 'Once.', idempotency_key: 'mine' });
    expect(server.seen.map(({ body }) => JSON.parse(body).idempotency_key)).toEqual(['mine', 'mine']);
  });

  test('is a start of a task, because it has a correlation id, and an end that names one', async () => {
    server.will('cut', { body: {} });
    await timing().startTask({ task_type: 'build' });
    expect(server.seen.map(({ body }) => JSON.parse(body).correlation_id)).toEqual(['key-1', 'key-1']);
    server.will('cut', { body: {} });
    await timing().endTask({ task_type: 'build', correlation_id: 'c' });
    expect(server.seen).toHaveLength(2);
  });
});

describe('while a service that has answered is started anew', () => {
  const refusal = () => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) });
  };
  /** A client whose service refuses so many connections from then on that it is told. */
  const restarted = (options = {}) => {
    const world = { refusals: 0 };
    const fetch: typeof globalThis.fetch = (...request) =>
      world.refusals-- > 0 ? refusal() : globalThis.fetch(...request);
    return { world, client: memory({ fetch, ...options }) };
  };

  test('any call is sent again for 8 s, because nothing was done', async () => {
    server.will({ body: {} });
    const { world, client } = restarted();
    await client.getHealth();
    world.refusals = 9;
    await client.deleteMemory({ id: 'x' });
    expect(pauses).toEqual([125, 250, 500, 500, 500, 500, 500, 500, 500]);
    expect(server.seen.map(({ method }) => method)).toEqual(['GET', 'DELETE']);
    random = 0.999_999_9;
    pauses = [];
    world.refusals = Number.POSITIVE_INFINITY;
    expect(await failure(client.getHealth())).toBeInstanceOf(ConnectionError);
    const waitedMs = pauses.reduce((sum, one) => sum + one, 0);
    expect(Math.round(waitedMs)).toBe(7_750);
  });

  test('the next call does not wait so long, until it has answered again', async () => {
    server.will(HEALTHY);
    const { world, client } = restarted();
    await client.getHealth();
    const pausesOf = async (refusals: number) => {
      pauses = [];
      world.refusals = refusals;
      await failure(client.getHealth());
      return pauses.length;
    };
    const never = Number.POSITIVE_INFINITY;
    const long = await pausesOf(never);
    expect([long > 9, await pausesOf(never), await pausesOf(2), await pausesOf(never)]).toEqual([true, 2, 2, long]);
  });

  test('no call waits for a service that was never there, nor one without retries or time', async () => {
    const { world, client } = restarted();
    world.refusals = Number.POSITIVE_INFINITY;
    await failure(client.getHealth());
    expect(pauses).toEqual([125, 250]);
    server.will(HEALTHY);
    world.refusals = 0;
    await client.getHealth();
    world.refusals = Number.POSITIVE_INFINITY;
    pauses = [];
    await failure(client.getHealth({}, { maxRetries: 0 }));
    expect(pauses).toEqual([]);
    await failure(client.getHealth({}, { timeoutMs: 600 }));
    expect(pauses).toEqual([125, 250, 500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 500]);
    await failure(client.getHealth());
    expect(pauses).toHaveLength(17 + 2);
  });
});

describe('a request that may not be sent again', () => {
  const calls: [string, () => Promise<unknown>][] = [
    ['deleteMemory', () => memory().deleteMemory({ id: 'x' })],
    ['consolidate', () => memory().consolidate()],
    ['recordEvent', () => timing().recordEvent({ event_type: 'deploy' })],
    ['endTask without an id', () => timing().endTask({ task_type: 'build' })],
    ['startStopwatch', () => timing().startStopwatch({ name: 'tea' })],
  ];

  test.each(calls)('is sent once: %s', async (_, call) => {
    for (const fault of ['cut', BUSY] as const) {
      server.will(fault, { body: {} });
      expect(await failure(call())).toBeInstanceOf(Error);
      expect(server.seen).toHaveLength(1);
    }
  });

  test.each(calls)('is sent again after 429, which says that nothing was done: %s', async (_, call) => {
    server.will(problem(429, 'too_many'), { body: {} });
    await call();
    expect(server.seen).toHaveLength(2);
  });
});

test('an address that fetch cannot take is refused at once', () => {
  expect(() => memory({ url: '127.0.0.1:7832' })).toThrow(
    'url must begin with http:// or https://, and is "127.0.0.1:7832".',
  );
  expect(() => memory({ url: 'localhost:7832' })).toThrow(TypeError);
  for (const url of ['http://', 'https://h:x'])
    expect(() => memory({ url })).toThrow(
      `url must be an address such as http://127.0.0.1:7832, and is ${JSON.stringify(url)}.`,
    );
  for (const url of ['HTTPS://example.org', new URL('http://127.0.0.1:7832')]) expect(timing({ url })).toBeDefined();
});

test('an address without a host is taken where a page or a fetch that is handed in can tell it', async () => {
  for (const url of ['', '/timing'])
    expect(() => timing({ url })).toThrow(`url must begin with http:// or https://, and is ${JSON.stringify(url)}.`);
  const asked: unknown[] = [];
  const fetch = async (url: unknown) => {
    asked.push(url);
    return Response.json({});
  };
  for (const url of ['', '/timing']) await timing({ url, fetch }).getHealth();
  expect(asked).toEqual(['/health', '/timing/health']);
  Object.assign(globalThis, { location: { href: 'http://127.0.0.1/' } });
  try {
    expect(timing({ url: '/timing' })).toBeDefined();
  } finally {
    Reflect.deleteProperty(globalThis, 'location');
  }
});

describe('time and signals', () => {
  test('a call ends when its time is over, and says that it did', async () => {
    server.will('silence');
    const call = failure(memory({ timeoutMs: 1_234 }).getHealth());
    await server.nextRequest();
    expire();
    const error = await call;
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ message: `GET ${server.url}/health was not answered within 1234 ms.` });
  });

  test('around a model and a task it waits no longer than the client does', async () => {
    const problems: unknown[] = [];
    const client = { timeoutMs: 1_234, onProblem: (error: unknown) => problems.push(String(error)) };
    server.will('silence');
    const asked = memory(client).around([{ role: 'user', content: 'Why?' }], () => '');
    const timed = timing(client).withTask('build', () => 'done');
    await server.nextRequest();
    expire();
    while (!server.seen.some(({ url }) => url === '/events/task-end')) await server.nextRequest();
    expire();
    expect(await Promise.all([asked, timed])).toEqual(['', 'done']);
    // Of the recall, and of the start and the end of the task.
    expect(problems).toHaveLength(3);
    expect(problems.join()).toMatch(/(not answered within 1234 ms.*){3}/);
  });

  test('a call ends with the reason of its signal, also between two attempts', async () => {
    const reason = new Error('enough');
    for (const step of ['silence', 'cut'] as const) {
      const stop = new AbortController();
      server.will(step);
      const call = failure(memory().getHealth({}, { signal: stop.signal, maxRetries: 9 }));
      await server.nextRequest();
      stop.abort(reason);
      expect(await call).toBe(reason);
    }
    expect(await failure(memory().getHealth({}, { signal: AbortSignal.abort(reason) }))).toBe(reason);
  });

  test('a stream goes on after the time of its call', async () => {
    server.will({ headers: { 'Content-Type': 'application/x-ndjson' }, body: '{"id":"1"}\n\n{"id":"2"}\n{"id":"3"}' });
    const lines = memory().exportMemories()[Symbol.asyncIterator]();
    expect((await lines.next()).value).toEqual({ id: '1' });
    expire();
    expect((await lines.next()).value).toEqual({ id: '2' });
    expect((await lines.next()).value).toEqual({ id: '3' });
    expect((await lines.next()).done).toBe(true);
  });

  test('a stream that breaks off is no end', async () => {
    server.will('half');
    const lines = memory().exportMemories()[Symbol.asyncIterator]();
    expect(await failure(lines.next())).toBeInstanceOf(ConnectionError);
  });

  test('a stream ends with the reason of its signal', async () => {
    const fetch = async (_: unknown, init?: RequestInit) => {
      const body = new ReadableStream({
        start: (stream) => init?.signal?.addEventListener('abort', () => stream.error(init.signal?.reason)),
      });
      return new Response(body);
    };
    const reason = new Error('enough');
    const stop = new AbortController();
    const lines = memory({ fetch }).exportMemories({}, { signal: stop.signal });
    const next = failure(lines[Symbol.asyncIterator]().next());
    stop.abort(reason);
    expect(await next).toBe(reason);
  });

  test.each([
    ['a page of somebody else', { headers: { 'Content-Type': 'text/html' }, body: '<h1>Please log in</h1>' }],
    ['an answer without a body', { status: 204, body: '' }],
  ])('%s in place of lines is said to be one', async (_, step) => {
    server.will(step);
    expect(await failure(memory().exportMemories()[Symbol.asyncIterator]().next())).toBeInstanceOf(
      UnexpectedAnswerError,
    );
  });

  test('server-sent events go on from where a stream began that broke off before the first of them', async () => {
    const stream = (text: string): Step => ({ headers: { 'Content-Type': 'text/event-stream' }, body: text });
    server.will(
      stream('id: 5\n: connected\n\nid: 6\nevent: added\n'),
      stream('id: 6\nevent: added\ndata: {"a":1}\n\n'),
    );
    for await (const event of memory().streamEvents()) {
      expect(event).toEqual({ event: 'added', id: '6', data: { a: 1 } });
      break;
    }
    expect(server.seen.map(({ url }) => url)).toEqual(['/events/stream', '/events/stream?last_event_id=5']);
  });

  test.each([
    ['a page of somebody else', { headers: { 'Content-Type': 'text/html' }, body: '<h1>Please log in</h1>' }],
    ['JSON', { body: { events: [] } }],
    ['data that are no JSON', { headers: { 'Content-Type': 'text/event-stream' }, body: 'data: hello\n\n' }],
    ['an answer without a body', { status: 204, headers: { 'Content-Type': 'text/event-stream' }, body: '' }],
  ])('%s in place of server-sent events is said to be one', async (_, step) => {
    server.will(step);
    const next = memory({ maxRetries: 0 }).streamEvents()[Symbol.asyncIterator]().next();
    expect(await failure(next)).toBeInstanceOf(UnexpectedAnswerError);
    expect(server.seen).toHaveLength(1);
  });

  test('a server-sent event may hold a line separator', async () => {
    server.will({ headers: { 'Content-Type': 'text/event-stream' }, body: 'id: 1\ndata: {"a":"one\u2028two"}\n\n' });
    const { value } = await timing().streamEvents()[Symbol.asyncIterator]().next();
    expect(value).toEqual({ event: 'message', id: '1', data: { a: 'one\u2028two' } });
  });

  test('server-sent events go on from the last one where the connection ends', async () => {
    const stream = (text: string): Step => ({ headers: { 'Content-Type': 'text/event-stream' }, body: text });
    server.will(
      stream(': hello\n\nid: 7\nevent: timing\ndata: {"a":\ndata: 1}\n\n'),
      'cut',
      stream('id: 8\r\ndata: {"b":2}\r\n\r\n'),
    );
    const seen: unknown[] = [];
    for await (const event of timing().streamEvents({ agent_id: '*' })) if (seen.push(event) === 2) break;
    expect(seen).toEqual([
      { event: 'timing', id: '7', data: { a: 1 } },
      { event: 'message', id: '8', data: { b: 2 } },
    ]);
    expect(server.seen.map(({ url }) => url)).toEqual([
      '/events/stream?agent_id=*',
      '/events/stream?agent_id=*&last_event_id=7',
      '/events/stream?agent_id=*&last_event_id=7',
    ]);
  });
});

describe('server-sent events over a gateway', () => {
  const stream = (id: number): Step => ({
    headers: { 'Content-Type': 'text/event-stream' },
    body: `id: ${id}\nevent: added\ndata: {}\n\n`,
  });

  test('go on once the service is back, for however long the gateway has answered in its place', async () => {
    server.will(stream(1), ...Array<Step>(20).fill(problem(502, 'unavailable')), stream(2));
    const seen: string[] = [];
    for await (const { id } of memory().streamEvents()) if (seen.push(id) === 2) break;
    expect(seen).toEqual(['1', '2']);
    expect(server.seen.at(-1)?.url).toBe('/events/stream?last_event_id=1');
  });

  test('end with the error where they have not begun, and where the service refuses them', async () => {
    const events = () => memory().streamEvents()[Symbol.asyncIterator]();
    server.will(BUSY);
    expect(await failure(events().next())).toBeInstanceOf(UnavailableError);
    server.will(stream(1), problem(401, 'missing_identity'));
    const begun = events();
    expect(await failure(begun.next())).toMatch('no error');
    expect(await failure(begun.next())).toBeInstanceOf(UnauthorizedError);
  });
});

describe('what is sent', () => {
  test('names agent, session, key and trace, of the call before those of the client', async () => {
    server.will(HEALTHY);
    const client = memory({
      agentId: 'ann',
      sessionId: 's1',
      key: 'k',
      headers: { 'X-Own': '1' },
      traceparent: () => '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    });
    await client.getHealth();
    await client.getHealth({}, { agentId: 'jürgen', headers: { 'X-Own': '2' } });
    const [first, second] = server.seen.map(({ headers }) => headers);
    expect(first).toMatchObject({
      'x-agent-id': 'ann',
      'x-session-id': 's1',
      authorization: 'Bearer k',
      'x-own': '1',
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    });
    expect(Buffer.from(second?.['x-agent-id'] as string, 'latin1').toString('utf8')).toBe('jürgen');
    expect(second?.['x-own']).toBe('2');
  });

  test('goes below the path of the address, and encodes what stands in a path', async () => {
    server.will({ body: {} });
    const client = timingClient({ url: `${server.url}/timing/`, runtime });
    await client.getSummary({ task_type: 'a/b c%', since: '2026-01-01T00:00:00+01:00' });
    expect(server.seen[0]?.url).toBe('/timing/stats/durations/a%2Fb%20c%25?since=2026-01-01T00%3A00%3A00%2B01%3A00');
  });

  test('has a Date in a query as in a body: ISO 8601', async () => {
    server.will({ body: { memories: [] } });
    const since = new Date('2026-01-01T00:00:00+01:00') as never;
    await memory().listMemories({ since });
    await memory().recall({ query: 'Why?', since });
    expect(server.seen.map(({ url, body }) => url + body)).toEqual([
      '/memories?since=2025-12-31T23%3A00%3A00.000Z',
      '/recall{"query":"Why?","since":"2025-12-31T23:00:00.000Z"}',
    ]);
  });

  test('has U+FFFD in a path for half of a surrogate pair, as elsewhere', async () => {
    server.will({ body: {} });
    const cut = 'cut \ud83d';
    await memory().getMemory({ id: cut }, { agentId: cut });
    await timing().getTimeSpent({ task_type: cut });
    expect(server.seen.map(({ url }) => url)).toEqual([
      '/memory/cut%20%EF%BF%BD',
      '/stats/time-spent?task_type=cut+%EF%BF%BD',
    ]);
    expect(Buffer.from(server.seen[0]?.headers['x-agent-id'] as string, 'latin1').toString('utf8')).toBe('cut \ufffd');
  });

  test.each([
    ['estimated_seconds must not be NaN: JSON cannot say it.', { estimated_seconds: Number.NaN }],
    ['estimated_seconds must not be -Infinity: JSON cannot say it.', { estimated_seconds: Number.NEGATIVE_INFINITY }],
    ['cost must not be NaN: JSON cannot say it.', { metadata: { costs: [{ cost: Number.NaN }] } }],
    ['cost must not be 5n: JSON cannot say it.', { metadata: { cost: 5n } }],
    ['timestamp must not be Invalid Date: JSON cannot say it.', { timestamp: new Date('yesterday') as never }],
  ])('is not sent where null would be sent in place of a value: %s', async (message, wrong) => {
    server.will({ body: {} });
    const error = await failure(timing().startTask({ task_type: 'build', ...wrong }));
    expect(error).toEqual(new TypeError(message));
    expect(await failure(timing().importData([wrong]))).toEqual(error);
    expect(server.seen).toEqual([]);
  });

  test('a Date that is none is refused by its name in a query too', async () => {
    const since = new Date('yesterday') as never;
    expect(await failure(timing().getTimeSpent({ since }))).toEqual(new TypeError('since must not be Invalid Date.'));
  });

  test.each(['', '.', '..'])('is nothing where a path would be another one: %j', async (id) => {
    server.will({ body: {} });
    const error = await failure(memory().deleteMemory({ id }));
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toHaveProperty('message', id === '' ? 'id is missing.' : `id must not be "${id}".`);
    expect(server.seen).toEqual([]);
  });

  test('is lines in batches of 500, whose reports are one', async () => {
    const report = {
      received: 500,
      imported: 499,
      updated: 0,
      duplicates: 0,
      rejected_count: 1,
      rejected: [{ line: 3, reason: 'x' }],
    };
    server.will({ body: report }, 'cut', { body: { ...report, redacted: [{ type: 'private', count: 1 }] } });
    const lines = Array.from({ length: 1_000 }, (_, index) => (index % 2 === 0 ? { index } : `{"index":${index}}\n`));
    expect(await timing().importData(lines)).toEqual({
      received: 1_000,
      imported: 998,
      updated: 0,
      duplicates: 0,
      rejected_count: 2,
      rejected: [
        { line: 3, reason: 'x' },
        { line: 503, reason: 'x' },
      ],
      redacted: [{ type: 'private', count: 1 }],
    });
    const bodies = server.seen.map(({ body }) => body.trimEnd().split('\n'));
    expect(bodies.map((body) => [body.length, body[0]])).toEqual([
      [500, '{"index":0}'],
      [500, '{"index":500}'],
      [500, '{"index":500}'],
    ]);
  });
});

describe('errors', () => {
  test('say what to do, and keep the problem document', async () => {
    server.will(problem(401, 'missing_identity'));
    const error = await failure(memory().getHealth());
    expect(error).toBeInstanceOf(UnauthorizedError);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ message: 'Do this. (401 missing_identity)', problem: { title: 'missing_identity' } });
  });

  test('name the address where nothing is there, as where the port is that of the other service', async () => {
    server.will(problem(404, 'not_found'));
    const error = await failure(timing().getHealth());
    expect(error).toMatchObject({ message: `Do this. (404 not_found, GET ${server.url}/health)` });
  });

  test('are errors too where what answers is no service', async () => {
    server.will({ status: 418, body: 'teapot' });
    expect(await failure(memory().getHealth())).toMatchObject({
      status: 418,
      code: 'no_problem_document',
      message: 'teapot (418 no_problem_document)',
    });
    server.will({ body: '<html>' });
    expect(await failure(memory().getHealth())).toBeInstanceOf(UnexpectedAnswerError);
    expect(server.seen).toHaveLength(1);
  });

  test.each(['[]', 'null', '"text"', '7'])('are so too where JSON of another shape comes: %s', async (body) => {
    server.will({ body });
    const calls = [
      memory().getHealth(),
      memory().listMemories(),
      memory().exportMemories()[Symbol.asyncIterator]().next(),
      timing().importData([{ index: 1 }]),
    ];
    for (const call of calls) expect(await failure(call)).toBeInstanceOf(UnexpectedAnswerError);
  });

  test('are so too where a page has no list of items', async () => {
    server.will({ body: { memories: null, next_cursor: null } });
    expect(await failure(memory().listMemories())).toBeInstanceOf(UnexpectedAnswerError);
    expect(await failure(timing().listTasks()[Symbol.asyncIterator]().next())).toBeInstanceOf(UnexpectedAnswerError);
  });

  test('say where nothing answers', async () => {
    const error = await failure(memoryClient({ url: 'http://127.0.0.1:65535', runtime }).getHealth());
    expect(error).toMatchObject({
      name: 'ConnectionError',
      message: expect.stringContaining('http://127.0.0.1:65535 cannot be reached (connect ECONNREFUSED'),
    });
  });

  test('say of a port that fetch refuses what to do', async () => {
    // 6000 is a blocked port of the standard: https://fetch.spec.whatwg.org/#port-blocking
    expect(await failure(memoryClient({ url: 'http://127.0.0.1:6000', runtime }).getHealth())).toMatchObject({
      message:
        'http://127.0.0.1:6000 cannot be reached (bad port): fetch refuses this port, as browsers do; give the service another one.',
    });
  });

  test('say in one line what the cause says', async () => {
    const fetch = () => Promise.reject(new TypeError('fetch failed', { cause: new Error('wrong version number:\n') }));
    expect(await failure(memory({ fetch }).getHealth())).toMatchObject({
      message: `${server.url} cannot be reached (wrong version number:): check the address and whether the service runs.`,
    });
  });

  test('are not left unhandled where only the answer with its headers is waited for', async () => {
    server.will(problem(404, 'unknown_memory'));
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', note);
    await failure(memory().getMemory({ id: 'x' }).withResponse());
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });
});
