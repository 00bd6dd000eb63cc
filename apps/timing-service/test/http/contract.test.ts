import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { parse } from 'yaml';
import { rowCounts, runTasks, startTestService, type TestService } from '../start-service.ts';

/** One request an operation: it answers 200, and service-kit checks the answer against the contract. */
interface Example {
  readonly request: readonly [method: 'get' | 'post' | 'delete', url: string, body?: object | string];
  readonly fault?: readonly [
    method: 'get' | 'post' | 'delete',
    url: string,
    status: number,
    code: string,
    body?: object,
  ];
}

const EVENT_LINE = JSON.stringify({
  kind: 'event',
  id: '0199aa00000070008000000000000001',
  agent_id: 'ann',
  event_type: 'deploy',
  timestamp: '2026-11-20T10:00:00.000001+00:00',
});

const EXAMPLES: Record<string, Example> = {
  receiveHook: {
    request: [
      'post',
      '/hooks/claude-code',
      { hook_event_name: 'UserPromptSubmit', session_id: 's-1', prompt: 'When is the deploy window?' },
    ],
    fault: ['get', '/hooks/claude-code', 405, 'method_not_allowed'],
  },
  listHooks: { request: ['get', '/hooks'], fault: ['get', '/hooks?x=1', 422, 'invalid_request'] },
  getHealth: { request: ['get', '/health'], fault: ['get', '/health?x=1', 422, 'invalid_request'] },
  getLiveness: { request: ['get', '/health/live'], fault: ['post', '/health/live', 405, 'method_not_allowed'] },
  getReadiness: { request: ['get', '/health/ready'], fault: ['delete', '/health/ready', 405, 'method_not_allowed'] },
  getMetrics: { request: ['get', '/metrics'], fault: ['post', '/metrics', 405, 'method_not_allowed'] },
  getDashboard: { request: ['get', '/dashboard'], fault: ['post', '/dashboard', 405, 'method_not_allowed'] },
  listAgents: { request: ['get', '/agents'], fault: ['get', '/agents?agent_id=*', 422, 'invalid_identity'] },
  getNow: { request: ['get', '/clock/now'], fault: ['delete', '/clock/now', 405, 'method_not_allowed'] },
  getElapsed: {
    request: ['get', '/clock/elapsed?since=2026-11-21T09:30:00+00:00'],
    fault: ['get', '/clock/elapsed', 422, 'invalid_request'],
  },
  startStopwatch: {
    request: ['post', '/stopwatch/tea/start'],
    fault: ['post', '/stopwatch/tea/start?agent_id=*', 422, 'invalid_identity'],
  },
  stopStopwatch: {
    request: ['post', '/stopwatch/ready/stop'],
    fault: ['post', '/stopwatch/nobody/stop', 404, 'unknown_stopwatch'],
  },
  getStopwatch: {
    request: ['get', '/stopwatch/ready'],
    fault: ['get', '/stopwatch/nobody', 404, 'unknown_stopwatch'],
  },
  listStopwatches: {
    request: ['get', '/stopwatches'],
    fault: ['get', '/stopwatches?agent_id=*', 422, 'invalid_identity'],
  },
  deleteStopwatch: {
    request: ['delete', '/stopwatch/ready'],
    fault: ['delete', '/stopwatch/nobody', 404, 'unknown_stopwatch'],
  },
  recordEvent: {
    request: ['post', '/events', { event_type: 'deploy', metadata: { commit: '4f2a9c1' } }],
    fault: ['post', '/events', 422, 'invalid_request', { event_type: '' }],
  },
  listEvents: { request: ['get', '/events'], fault: ['get', '/events?limit=0', 422, 'invalid_request'] },
  startTask: {
    request: ['post', '/events/task-start', { task_type: 'build', estimated_seconds: 60, correlation_id: 'mine' }],
    fault: [
      'post',
      '/events/task-start',
      409,
      'correlation_id_in_use',
      { task_type: 'other', correlation_id: 'known' },
    ],
  },
  endTask: {
    request: ['post', '/events/task-end', { task_type: 'open', correlation_id: 'known', outcome: 'error' }],
    fault: ['post', '/events/task-end', 404, 'no_active_task', { task_type: 'nothing' }],
  },
  listActiveTasks: {
    request: ['get', '/events/active'],
    fault: ['get', '/events/active?task_type=', 422, 'invalid_request'],
  },
  streamEvents: {
    request: ['get', '/events/stream'],
    fault: ['get', '/events/stream?last_event_id=x', 422, 'invalid_request'],
  },
  getEvent: { request: ['get', '/events/{id}'], fault: ['get', '/events/none', 404, 'unknown_event'] },
  listTasks: {
    request: ['get', '/tasks?state=ended&limit=2'],
    fault: ['get', '/tasks?state=lost', 422, 'invalid_request'],
  },
  getTask: { request: ['get', '/tasks/known'], fault: ['get', '/tasks/none', 404, 'unknown_correlation_id'] },
  listSummaries: {
    request: ['get', '/stats/durations'],
    fault: ['get', '/stats/durations?since=x', 422, 'invalid_request'],
  },
  getSummary: {
    request: ['get', '/stats/durations/test%20run'],
    fault: ['get', '/stats/durations/none', 404, 'no_completed_tasks'],
  },
  listTaskTypes: {
    request: ['get', '/stats/task-types'],
    fault: ['get', '/stats/task-types?x=1', 422, 'invalid_request'],
  },
  recommendTimeout: {
    request: ['get', '/stats/recommend-timeout/test%20run'],
    fault: ['get', '/stats/recommend-timeout/test%20run?safety_margin=0.9', 422, 'invalid_request'],
  },
  checkTimeout: {
    request: ['get', '/stats/check-timeout/test%20run?elapsed_seconds=2&timeout_seconds=10'],
    fault: ['get', '/stats/check-timeout/test%20run?elapsed_seconds=2', 422, 'invalid_request'],
  },
  compareApproaches: {
    request: [
      'post',
      '/stats/compare-approaches',
      { approaches: [{ name: 'all', steps: [{ task_type: 'test run' }, { task_type: 'new', estimated_seconds: 3 }] }] },
    ],
    fault: ['post', '/stats/compare-approaches', 422, 'invalid_request', { approaches: [{ name: 'a', steps: [] }] }],
  },
  getDistribution: {
    request: ['get', '/stats/distribution/test%20run'],
    fault: ['get', '/stats/distribution/none', 404, 'no_completed_tasks'],
  },
  getTrend: {
    request: ['get', '/stats/trend/test%20run'],
    fault: ['get', '/stats/trend/test%20run?limit=1', 422, 'invalid_request'],
  },
  exportData: { request: ['get', '/export'], fault: ['get', '/export?x=1', 422, 'invalid_request'] },
  importData: {
    request: ['post', '/import', `${EVENT_LINE}\n`],
    fault: ['post', '/import', 415, 'unsupported_media_type', { kind: 'event' }],
  },
  postMcp: {
    request: ['post', '/mcp?tools=opentime', { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
    fault: ['post', '/mcp?tools=all', 422, 'invalid_request', { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
  },
};

/**
 * Of what Python's re, RE2 (Go), Java, Rust and JavaScript without the u flag read alike: literals, classes, \\xHH, \\s, \\S,
 * escaped signs, groups without look-around, repetitions.
 */
const READ_ALIKE =
  /^(?:[\w ^$|.*+?,-]|\(\?:|\((?!\?)|[)[\]]|\{\d+(?:,\d*)?\}|\\x[0-9a-f]{2}|\\[sS]|\\[.*+?()[\]{}|^$\\/-])*$/;

const spec = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, { operationId: string }>>;
};
const operations = Object.entries(spec.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId }]) => ({ path, method, operationId })),
);

/** What browsers send along for a page that is not the service's own; none can send less. */
const FOREIGN_PAGES: readonly Record<string, string>[] = [
  { Origin: 'https://evil.test', 'Sec-Fetch-Site': 'cross-site' },
  { Origin: 'https://evil.test' },
  { Origin: 'null' },
  { 'Sec-Fetch-Site': 'cross-site' },
  { Origin: 'http://localhost:3000', 'Sec-Fetch-Site': 'same-site' },
];

describe('the contract', () => {
  let service: TestService;
  let eventId: string;

  beforeAll(async () => {
    service = startTestService();
    await runTasks(service, 'test run', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    await supertest(service.app).post('/stopwatch/ready/start');
    await supertest(service.app).post('/events/task-start').send({ task_type: 'open', correlation_id: 'known' });
    eventId = (await supertest(service.app).post('/events').send({ event_type: 'x' })).body.event.id;
  });
  afterAll(() => service.close());

  test('has an example for every operation', () => {
    expect(Object.keys(EXAMPLES).sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
    expect(operations.length).toBeGreaterThanOrEqual(30);
  });

  // A fault first, because the good request may delete what the fault speaks of.
  test.each(operations)('$method $path answers its documented error', async ({ operationId }) => {
    const [method, url, status, code, body] = EXAMPLES[operationId]?.fault ?? ['get', '/', 0, ''];
    const answer = await supertest(service.app)[method](url).send(body);
    expect(answer.status).toBe(status);
    expect(answer.type).toBe('application/problem+json');
    expect(JSON.parse(answer.text)).toMatchObject({ status, code, detail: expect.stringMatching(/\S{2,}.*\S/) });
  });

  const withId = (url: string) => url.replace('{id}', eventId);

  test.each(operations)('$method $path is not there for another host', async ({ operationId }) => {
    const [method, url, body] = EXAMPLES[operationId]?.request ?? ['get', '/'];
    const before = [rowCounts(service), (await supertest(service.app).get('/export')).text];
    const request = supertest(service.app)[method](withId(url)).set('Host', 'evil.test:8080');
    const answer = await (typeof body === 'string' ? request.type('application/x-ndjson') : request).send(body);
    expect([answer.status, answer.body.code]).toEqual([421, 'misdirected_request']);
    expect([rowCounts(service), (await supertest(service.app).get('/export')).text]).toEqual(before);
  });

  const writes = operations.filter(({ method }) => method !== 'get');
  test.each(writes)('$method $path does nothing for a page of another site', async ({ operationId }) => {
    const [method, url, body] = EXAMPLES[operationId]?.request ?? ['get', '/'];
    const before = [rowCounts(service), (await supertest(service.app).get('/export')).text];
    for (const headers of FOREIGN_PAGES) {
      const request = supertest(service.app)[method](withId(url)).set(headers);
      const whole = await (typeof body === 'string' ? request.type('application/x-ndjson') : request).send(body);
      const bare = await supertest(service.app)[method](withId(url)).set(headers);
      expect([whole.body.code, bare.body.code, whole.status]).toEqual(['cross_site', 'cross_site', 403]);
    }
    expect([rowCounts(service), (await supertest(service.app).get('/export')).text]).toEqual(before);
  });

  test.each(operations)('$method $path answers 200 as the contract says', async ({ operationId }) => {
    const [method, url, body] = EXAMPLES[operationId]?.request ?? ['get', '/'];
    const request = supertest(service.app)[method](url.replace('{id}', eventId));
    if (operationId === 'streamEvents') {
      // A stream has no end of its own.
      request.buffer(false).parse((res, done) => {
        res.once('data', () => {
          service.streams.endAll();
          done(null, '');
        });
      });
    }
    const answer = await (typeof body === 'string'
      ? request.type('application/x-ndjson').send(body)
      : request.send(body));
    expect({ status: answer.status, text: answer.status === 200 ? '' : answer.text }).toEqual({
      status: 200,
      text: '',
    });
  });

  test('has only patterns that the tools of other languages read alike', () => {
    const patterns: string[] = [];
    const collect = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [key, value] of Object.entries(node)) {
        if (key === 'pattern' && typeof value === 'string') patterns.push(value);
        else collect(value);
      }
    };
    collect(spec);
    expect(patterns.length).toBeGreaterThan(0);
    expect(patterns.filter((pattern) => !READ_ALIKE.test(pattern))).toEqual([]);
    expect(
      ['\\p{Cc}', '(?=a)', '\\u0000', '(?<!a)b', '(?<name>a)'].filter((pattern) => READ_ALIKE.test(pattern)),
    ).toEqual([]);
  });

  test('is served as JSON, and its page names nothing outside this server', async () => {
    const json = await supertest(service.app).get('/openapi.json');
    expect(json.body.info.title).toBe('timing-service');
    for (const page of ['/docs', '/dashboard']) {
      const html = await supertest(service.app).get(page);
      expect([html.status, html.type]).toEqual([200, 'text/html']);
      expect(html.text).not.toMatch(/(src|href)="(https?:)?\/\//);
      expect(html.headers['content-security-policy']).toContain("default-src 'none'");
    }
  });

  test('answers HEAD as GET without a body, and streams and exports do not hang on it', async () => {
    const gets = operations.filter(({ method }) => method === 'get').map(({ operationId }) => EXAMPLES[operationId]);
    for (const example of gets) {
      const url = example?.request[1].replace('{id}', eventId) ?? '';
      if (url === '/stopwatch/ready') continue;
      const answer = await supertest(service.app).head(url);
      expect([url, answer.status, answer.text ?? '']).toEqual([url, 200, '']);
    }
  });

  test.each(['/', '/nothing', '/events/', '/Events', '/stats', '/stopwatch', '/dashboard/assets/%2e%2e/app.ts'])(
    'answers 404 at %s',
    async (path) => {
      const answer = await supertest(service.app).get(path);
      expect([answer.status, answer.type]).toEqual([404, 'application/problem+json']);
    },
  );

  test('names the methods of a path that does not answer this one', async () => {
    const answer = await supertest(service.app).put('/events');
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD, POST']);
  });
});
