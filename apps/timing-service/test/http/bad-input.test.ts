import { expectProblem } from '@agent-faculties/testing/suites';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import supertest, { type Response } from 'supertest';
import { rowCounts, startTestService, type TestService } from '../start-service.ts';

const JSON_POSTS = {
  '/events': { event_type: 'deploy' },
  '/events/task-start': { task_type: 'build' },
  '/events/task-end': { task_type: 'open', correlation_id: 'open-1' },
  '/stats/compare-approaches': { approaches: [{ name: 'a', steps: [{ task_type: 'build', estimated_seconds: 1 }] }] },
} as const;
const PATHS = Object.keys(JSON_POSTS) as (keyof typeof JSON_POSTS)[];
const NAMED = { '/events': 'event_type', '/events/task-start': 'task_type', '/events/task-end': 'task_type' } as const;
const BAD_NAMES: [string, unknown][] = [
  ['empty', ''],
  ['blank', ' \t '],
  ['a no-break space', '\u00a0'],
  ['with a NUL', 'a\u0000b'],
  ['with a line break', 'a\nb'],
  ['with a C1 control', 'a\u0085b'],
  ['of 129 characters', 'x'.repeat(129)],
  ['of 300 characters', 'x'.repeat(300)],
  ['half a surrogate pair', '\ud800'],
  ['a number', 7],
  ['true', true],
  ['a list', ['build']],
  ['an object', { a: 1 }],
];
const MALFORMED = [
  '{',
  '{"task_type":',
  '{"task_type":"a"}}',
  "{'task_type':'a'}",
  '{"estimated_seconds":NaN}',
  '{"n":Infinity}',
  '\u0000',
];
const NOT_OBJECTS = ['[]', '[1]', '{}'];

let service: TestService;
let before: Record<string, number>;

// One service for all, because nothing here may change it.
beforeAll(async () => {
  service = startTestService();
  await supertest(service.app).post('/events/task-start').send({ task_type: 'open', correlation_id: 'open-1' });
  await supertest(service.app).post('/stopwatch/tea/start');
  before = rowCounts(service);
});
afterAll(() => service.close());

/** A 4xx problem document that says what to do, and nothing written. */
function expectRefused(answer: Response, note: string, status?: number): void {
  expectProblem(answer, note, { status });
  expect({ note, ...rowCounts(service) }).toEqual({ note, ...before });
}

const post = (path: string, body: object) => supertest(service.app).post(path).send(body);
const postText = (path: string, text: string) => supertest(service.app).post(path).type('application/json').send(text);

describe('a bad body', () => {
  test.each(PATHS)('of POST %s that is no JSON is refused', async (path) => {
    for (const text of MALFORMED) expectRefused(await postText(path, text), `${path} ${text}`, 400);
  });

  test.each(PATHS)('of POST %s that is no fitting object is refused', async (path) => {
    for (const text of NOT_OBJECTS) expectRefused(await postText(path, text), `${path} ${text}`, 422);
    for (const text of ['7', '"text"', 'null', 'true', ''])
      expectRefused(await postText(path, text), `${path} ${text}`);
  });

  test.each(PATHS)('of POST %s with an unknown field is refused and the field is named', async (path) => {
    const answer = await post(path, { ...JSON_POSTS[path], colour: 'red' });
    expectRefused(answer, path, 422);
    expect(answer.text).toContain('colour');
    expectRefused(await postText(path, JSON.stringify(JSON_POSTS[path]).replace('{', '{"__proto__":{"a":1},')), path);
  });

  test.each(PATHS)('of POST %s with another content type, charset or encoding is refused', async (path) => {
    const text = JSON.stringify(JSON_POSTS[path]);
    for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      expectRefused(await supertest(service.app).post(path).type(type).send(text), `${path} ${type}`, 415);
    }
    const charset = await supertest(service.app)
      .post(path)
      .set('Content-Type', 'application/json; charset=koi9')
      .send(text);
    expectRefused(charset, `${path} charset`, 415);
    const encoding = await supertest(service.app)
      .post(path)
      .set('Content-Type', 'application/json')
      .set('Content-Encoding', 'zip')
      .send(text);
    expectRefused(encoding, `${path} encoding`, 415);
    const notGzip = await supertest(service.app)
      .post(path)
      .set('Content-Type', 'application/json')
      .set('Content-Encoding', 'gzip')
      .send(text);
    expectRefused(notGzip, `${path} not gzip`, 400);
  });

  test.each(PATHS)('of POST %s that is nested deeply is refused', async (path) => {
    for (const depth of [100, 20_000]) {
      const nested = `{"metadata":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)},`;
      expectRefused(await postText(path, JSON.stringify(JSON_POSTS[path]).replace('{', nested)), `${path} ${depth}`);
    }
  });

  test.each(['/events', '/events/task-start', '/events/task-end'] as const)(
    'of POST %s with a timestamp that is no instant, lies before 1970 or is still to come is refused, and named',
    async (path) => {
      // The clock stands at 09:30:00: five minutes are allowed for clocks that differ, a zone that was left out is not.
      for (const timestamp of [
        '',
        'yesterday',
        1_795_253_400,
        {},
        '1969-12-31T23:59:59Z',
        '2026-11-21T09:35:01',
        '2300-01-01',
      ]) {
        const answer = await post(path, { ...JSON_POSTS[path], timestamp });
        expectRefused(answer, `${path} ${timestamp}`, 422);
        expect(answer.body.errors[0].where).toBe('body/timestamp');
      }
    },
  );

  test('of 20 MB is refused as too large', async () => {
    const text = JSON.stringify({ event_type: 'x', metadata: 'y'.repeat(20_000_000) });
    for (const path of ['/events', '/events/task-start']) {
      expectRefused(await supertest(service.app).post(path).type('application/json').send(text), path, 413);
    }
  });

  test('of spans that would take long to parse is refused as too large, though it fits the limit', async () => {
    const names = Array.from({ length: 100_000 }, (_, index) => `"${index.toString(36)}":0`);
    const text = `{"resourceSpans":[{${names.join(',')}}]}`;
    expect(text.length).toBeLessThan(2 * 1024 ** 2);
    expectRefused(await postText('/v1/traces', text), 'dense', 413);
  });

  test('that is large only after decompression is refused as too large', async () => {
    const { gzipSync } = await import('node:zlib');
    const answer = await supertest(service.app)
      .post('/events')
      .set('Content-Type', 'application/json')
      .set('Content-Encoding', 'gzip')
      .serialize((body) => body)
      .send(gzipSync(JSON.stringify({ event_type: 'x', metadata: 'y'.repeat(5_000_000) })) as never);
    expectRefused(answer, 'gzip bomb', 413);
  });

  test.each(Object.entries(NAMED))('of POST %s with a bad %s is refused', async (path, field) => {
    for (const [note, value] of [...BAD_NAMES, ['null', null], ['absent', undefined]]) {
      const answer = await post(path, { ...JSON_POSTS[path as '/events'], [field]: value });
      expectRefused(answer, `${path} ${field} ${note}`, 422);
    }
  });

  test.each(Object.keys(NAMED))('of POST %s with a bad correlation id is refused', async (path) => {
    for (const [note, value] of BAD_NAMES) {
      const body = { ...JSON_POSTS[path as '/events'], correlation_id: value };
      expectRefused(await post(path, body), `${path} correlation_id ${note}`, 422);
    }
  });

  test.each(Object.keys(NAMED))(
    'of POST %s with metadata that is a list, a number or a truth value is refused',
    async (path) => {
      for (const metadata of [[], [1], 7, true]) {
        expectRefused(await post(path, { ...JSON_POSTS[path as '/events'], metadata }), `${path} ${metadata}`, 422);
      }
    },
  );

  test.each(Object.keys(NAMED))('of POST %s with an integer that is not kept exactly is refused', async (path) => {
    const text = JSON.stringify({ ...JSON_POSTS[path as '/events'], metadata: { order: 7 } });
    const answer = await postText(path, text.replace(':7', ':1234567890123456789'));
    expectRefused(answer, path, 422);
    expect(answer.body.detail).toContain(
      'body/metadata/order is beyond 2^53, where numbers are not kept exactly: send',
    );
  });

  test('with an estimate that is no positive finite number is refused', async () => {
    for (const number of ['0', '-1', '1e999', '-1e999', '1e308', '1000000001', '"7"', 'true', '[]', '{}']) {
      const start = await postText('/events/task-start', `{"task_type":"build","estimated_seconds":${number}}`);
      expectRefused(start, `start ${number}`, 422);
    }
    for (const number of ['-1', '1e999', '1e308', '"7"', 'true']) {
      const text = `{"approaches":[{"name":"a","steps":[{"task_type":"build","estimated_seconds":${number}}]}]}`;
      expectRefused(await postText('/stats/compare-approaches', text), `compare ${number}`, 422);
    }
  });

  test('with an unknown outcome is refused', async () => {
    for (const outcome of ['failed', '', 'OK', null, 1]) {
      expectRefused(await post('/events/task-end', { ...JSON_POSTS['/events/task-end'], outcome }), `${outcome}`, 422);
    }
  });

  test('with approaches of one name, without steps, or with bad names is refused', async () => {
    const step = { task_type: 'build', estimated_seconds: 1 };
    const bad: object[] = [
      {
        approaches: [
          { name: 'a', steps: [step] },
          { name: 'a', steps: [step] },
        ],
      },
      { approaches: [{ name: 'a', steps: [] }] },
      { approaches: [{ name: 'a' }] },
      { approaches: [{ steps: [step] }] },
      { approaches: [{ name: ' ', steps: [step] }] },
      { approaches: [{ name: 'a', steps: [{ ...step, task_type: '' }] }] },
      { approaches: [{ name: 'a', steps: [{ ...step, colour: 1 }] }] },
      { approaches: [null] },
      { approaches: 'a' },
      { approaches: null },
      { approaches: Array.from({ length: 51 }, (_, index) => ({ name: `a${index}`, steps: [step] })) },
      { approaches: [{ name: 'a', steps: Array.from({ length: 101 }, () => step) }] },
    ];
    for (const body of bad)
      expectRefused(await post('/stats/compare-approaches', body), JSON.stringify(body).slice(0, 80), 422);
  });
});

describe('a bad agent', () => {
  const BAD_AGENTS = ['*', ' ann', 'ann ', '   ', 'a\u0000b', 'a\nb', 'x'.repeat(129), 'x'.repeat(300)];
  const WRITES: [string, object | undefined][] = [
    ...Object.entries(JSON_POSTS).filter(([path]) => path.startsWith('/events')),
    ['/stopwatch/tea/start', undefined],
    ['/stopwatch/tea/stop', undefined],
  ];

  test.each(WRITES)('in the query of POST %s is refused', async (path, body) => {
    for (const agent_id of BAD_AGENTS) {
      const answer = await supertest(service.app).post(path).query({ agent_id }).send(body);
      expectRefused(answer, `${path} ${JSON.stringify(agent_id)}`, 422);
    }
  });

  test.each(WRITES)('in the header of POST %s is refused', async (path, body) => {
    for (const agent of ['*', 'x'.repeat(300), 'a\tb']) {
      const answer = await supertest(service.app).post(path).set('X-Agent-ID', agent).send(body);
      expectRefused(answer, `${path} ${JSON.stringify(agent)}`, 422);
    }
  });

  test.each(['/stopwatches', '/stopwatch/tea', '/agents', '/tasks/open-1'])(
    'that means all of them is refused where one is needed: GET %s',
    async (path) => {
      expectRefused(await supertest(service.app).get(`${path}?agent_id=*`), path, 422);
    },
  );
});

describe('a bad URL', () => {
  test.each([
    '/stopwatch/%E0%A4%A',
    '/stopwatch/%',
    '/stopwatch/%ff',
    '/stopwatch/%00',
    '/stopwatch/a%00b',
    '/stopwatch/%20',
    '/stopwatch/a%0Ab',
    `/stopwatch/${'x'.repeat(129)}`,
    `/stopwatch/${'x'.repeat(5_000)}`,
    '/stopwatch/a/b',
    '/stopwatch/..%2f..%2fetc%2fpasswd%00',
    '/stopwatch/%ED%A0%80',
  ])('%s names no stopwatch', async (url) => {
    expectRefused(await supertest(service.app).get(url), url);
    expectRefused(await supertest(service.app).post(`${url}/start`), url);
    expectRefused(await supertest(service.app).delete(url), url);
  });

  test.each([
    '/clock/elapsed',
    '/clock/elapsed?since=',
    '/clock/elapsed?since=yesterday',
    '/clock/elapsed?since=1795253400',
    '/clock/elapsed?since=2026-02-31',
    '/clock/elapsed?since=2026-11-21T25:00:00Z',
    '/clock/elapsed?since=NaN',
    '/clock/elapsed?since=%00',
    '/clock/elapsed?since=%E0%A4%A',
    '/clock/elapsed?since=2026-11-21&since=2026-11-22',
    '/clock/elapsed?since[]=2026-11-21',
    '/clock/elapsed?since[a]=2026-11-21',
    `/clock/elapsed?since=${'9'.repeat(65)}`,
    '/events?since=soon',
    '/events?until=soon',
    '/events?since=2026-11-22&until=2026-11-21',
    '/tasks?since=2026-11-22&until=2026-11-22',
    '/tasks?since=2026-13-01',
    '/stats/durations/open?since=soon',
    '/events?limit=0',
    '/events?limit=1001',
    '/events?limit=-1',
    '/events?limit=1.5',
    '/events?limit=0x10',
    '/events?limit=1e1',
    '/events?limit=%2B5',
    '/events?limit=ten',
    '/events?limit=1e999',
    '/events?limit=NaN',
    '/events?limit=',
    '/events?limit=1&limit=2',
    '/events?cursor=nonsense',
    '/events?cursor=',
    '/events?cursor=MTIz',
    `/events?cursor=${'M'.repeat(101)}`,
    '/tasks?cursor=nonsense',
    '/events?event_type=',
    '/events?event_type=%00',
    `/events?task_type=${'x'.repeat(300)}`,
    '/events?colour=red',
    '/events?%ff=1',
    '/tasks?outcome=lost',
    '/tasks?state=lost',
    '/stats/durations/open?outcome=lost',
    '/stats/durations/%E0%A4%A',
    '/stats/durations/%00',
    '/stats/recommend-timeout/open?percentile=1.01',
    '/stats/recommend-timeout/open?percentile=-0.1',
    '/stats/recommend-timeout/open?percentile=NaN',
    '/stats/recommend-timeout/open?percentile=',
    '/stats/recommend-timeout/open?safety_margin=0.99',
    '/stats/recommend-timeout/open?safety_margin=Infinity',
    '/stats/recommend-timeout/open?safety_margin=1e999',
    '/stats/check-timeout/open?elapsed_seconds=1',
    '/stats/check-timeout/open?timeout_seconds=1',
    '/stats/check-timeout/open?elapsed_seconds=-1&timeout_seconds=1',
    '/stats/check-timeout/open?elapsed_seconds=1&timeout_seconds=0',
    '/stats/check-timeout/open?elapsed_seconds=Infinity&timeout_seconds=1',
    '/stats/check-timeout/open?elapsed_seconds=1&timeout_seconds=1e999',
    '/stats/check-timeout/open?elapsed_seconds=nan&timeout_seconds=1',
    '/stats/check-timeout/open?elapsed_seconds=1&elapsed_seconds=2&timeout_seconds=1',
    '/stats/trend/open?limit=1',
    '/stats/time-spent?group_by=',
    '/stats/time-spent?group_by=day,agent',
    '/stats/time-spent?group_by=day&then_by=day',
    '/stats/time-spent?time_zone=Mars',
    '/stats/time-spent?since=2126-01-01',
    '/stats/time-spent?since=2026-11-21&until=2026-11-21',
    '/stats/time-spent?group_by=day&since=2024-11-21',
    '/events/%00',
    '/events/a%2Fb/c',
    '/tasks/%E0%A4%A',
    '/events/stream?last_event_id=-1',
    '/health?verbose=1',
  ])('GET %s is refused', async (url) => {
    expectRefused(await supertest(service.app).get(url), url);
  });

  test.each(PATHS)('of POST %s with an unknown or repeated parameter is refused', async (path) => {
    expectRefused(await post(`${path}?colour=red`, JSON_POSTS[path]), path, 422);
    expectRefused(await post(`${path}?agent_id=a&agent_id=b`, JSON_POSTS[path]), path, 422);
  });

  test('that repeats a parameter or has an unknown one on a stopwatch is refused', async () => {
    expectRefused(await supertest(service.app).post('/stopwatch/new/start?agent_id=a&agent_id=b'), 'repeated', 422);
    expectRefused(await supertest(service.app).post('/stopwatch/new/start?colour=red'), 'unknown', 422);
  });
});

describe('a refused body', () => {
  test.each<[keyof typeof JSON_POSTS, object, string]>([
    ['/stats/compare-approaches', { approaches: ['build', 'test'] }, 'body/approaches/0 must be object'],
    ['/stats/compare-approaches', { approaches: [{ name: 'a', steps: [] }] }, 'steps must have at least 1 item. '],
    ['/events/task-start', { taskType: 'build' }, 'body/task_type is required'],
    ['/events/task-start', { task_type: 'build', metadata: [1] }, 'must be object or string or null'],
    ['/events/task-end', { task_type: 'build', outcome: 'success' }, 'must be one of ok, error, timeout, cancelled'],
    ['/events', { type: 'deploy' }, 'body/event_type is required'],
  ])('of POST %s, %j, is told what is wrong and shown one that is taken', async (path, body, fault) => {
    const { detail } = (await post(path, body)).body;
    expect(detail).toContain(fault);
    const shown = JSON.parse(detail.split(' A body that fits: ')[1]);
    expect((await post(path, { ...shown, colour: 'red' })).body.errors).toEqual([
      { where: 'body/colour', message: expect.stringMatching(/^is not known here: remove it\b/) },
    ]);
  });
});

// Last, because these write.
describe('a good body', () => {
  test.each(PATHS)('of POST %s is taken: what was refused above was refused for its fault alone', async (path) => {
    expect((await post(path, JSON_POSTS[path])).status).toBe(200);
  });

  test('may carry 64 KiB of metadata and not a byte more', async () => {
    const now = rowCounts(service);
    const metadata = 'é'.repeat(32 * 1024 - 1);
    const refused = await post('/events', { event_type: 'x', metadata: `${metadata}y` });
    expect([refused.status, rowCounts(service)]).toEqual([422, now]);
    const kept = await post('/events', { event_type: 'x', metadata });
    expect(kept.body.event.metadata).toBe(metadata);
  });
});
