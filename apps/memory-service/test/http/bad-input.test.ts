import { gzipSync } from 'node:zlib';
import { expectProblem } from '@agent-faculties/testing/suites';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import supertest, { type Response } from 'supertest';
import { closeFastEmbedder, say, startTestService, type TestService } from '../start-service.ts';

const POSTS = {
  '/ingest': { content: 'Tulips grow slowly.' },
  '/recall': { query: 'tulips', strengthen: false },
  '/ingest_and_recall': { content: 'Tulips grow slowly.' },
} as const;
type Path = keyof typeof POSTS;
const PATHS = Object.keys(POSTS) as Path[];
const MESSAGES = ['/ingest', '/ingest_and_recall'] as const;

let service: TestService;
let id: string;
let before: object;

// One service for all, because nothing here may change it.
beforeAll(async () => {
  service = await startTestService();
  const message = { content: 'The wiki password rotates.', session_id: 's', idempotency_key: 'k', metadata: { x: 1 } };
  id = (await say(service, 'default', message)).memory.id;
  await say(service, 'bob', { content: 'Secret of bob.', scope: 'PRIVATE', session_id: 's' });
  before = await state();
});
afterAll(async () => {
  await service.close();
  await closeFastEmbedder();
});

/** All that a request could have changed. */
async function state(): Promise<object> {
  const { records, revision } = service.opened.indexes;
  const get = async (path: string) => (await supertest(service.app).get(path)).text;
  return {
    size: records.size,
    given: records.end,
    revision,
    list: await get('/memories?agent_id=*'),
    working: [await get('/working_memory'), await get('/working_memory?session_id=s')],
  };
}

/** A 4xx problem document that says what to do, and nothing written. */
async function expectRefused(answer: Response, note: string, status?: number): Promise<void> {
  expectProblem(answer, note, { status });
  const [now, then] = [await state(), before];
  before = now;
  expect({ note, ...now }).toEqual({ note, ...then });
}

const post = (path: string, body: object) => supertest(service.app).post(path).send(body);
const postText = (path: string, text: string) => supertest(service.app).post(path).type('application/json').send(text);
const put = (change: object | undefined) => supertest(service.app).put(`/memory/${id}`).send(change);

/** Values that no field takes for text. */
const NO_TEXT = [7, true, [], ['text'], {}, { a: 1 }, null];
const BAD_NAMES = [
  '',
  ' ',
  ' \t ',
  '\u00a0',
  'a\u0000b',
  'a\nb',
  'a\u0085b',
  'x'.repeat(129),
  'x'.repeat(300),
  '\ud800',
];
const BAD_TIMES = [
  '',
  'yesterday',
  '1795253400',
  '2026-02-31',
  '2026-13-01',
  '2026-11-21T25:00:00Z',
  '2026-11-21T09:30:60Z',
  'NaN',
  '+275760-09-13T00:00:00Z',
  '\u0000',
  '9'.repeat(65),
];

describe('a bad body', () => {
  test.each(PATHS)('of POST %s that is no JSON object is refused', async (path) => {
    for (const text of [
      '{',
      '{"content":',
      '{"content":"a"}}',
      "{'content':'a'}",
      '{"n":NaN}',
      '{"n":Infinity}',
      '\u0000',
    ]) {
      await expectRefused(await postText(path, text), `${path} ${text}`, 400);
    }
    for (const text of ['[]', '[1]', '{}']) await expectRefused(await postText(path, text), `${path} ${text}`, 422);
    for (const text of ['7', '"text"', 'null', 'true', '']) {
      await expectRefused(await postText(path, text), `${path} ${text}`);
    }
  });

  test.each(PATHS)('of POST %s with an unknown field is refused and the field is named', async (path) => {
    for (const field of ['colour', 'id', 'created_at', 'kind', 'agentId', 'toString', 'topK']) {
      const answer = await post(path, { ...POSTS[path], [field]: 'red' });
      await expectRefused(answer, `${path} ${field}`, 422);
      expect(answer.text).toContain(field);
    }
    const polluting = JSON.stringify(POSTS[path]).replace('{', '{"__proto__":{"scope":"PRIVATE"},');
    await expectRefused(await postText(path, polluting), path);
  });

  test.each(PATHS)('of POST %s with another content type, charset or encoding is refused', async (path) => {
    const text = JSON.stringify(POSTS[path]);
    for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'application/x-ndjson']) {
      await expectRefused(await supertest(service.app).post(path).type(type).send(text), `${path} ${type}`, 415);
    }
    const send = (headers: Record<string, string>) => supertest(service.app).post(path).set(headers).send(text);
    const json = 'application/json';
    await expectRefused(await send({ 'Content-Type': `${json}; charset=koi9` }), `${path} charset`, 415);
    await expectRefused(await send({ 'Content-Type': json, 'Content-Encoding': 'zip' }), `${path} zip`, 415);
    await expectRefused(await send({ 'Content-Type': json, 'Content-Encoding': 'gzip' }), `${path} not gzip`, 400);
  });

  test.each(PATHS)('of POST %s that is nested deeply is refused', async (path) => {
    for (const depth of [100, 20_000]) {
      for (const [open, close] of [
        ['{"a":', '}'],
        ['[', ']'],
      ] as const) {
        const nested = `{"metadata":{"a":${open.repeat(depth)}1${close.repeat(depth)}},`;
        const text = JSON.stringify(POSTS[path]).replace('{', nested);
        await expectRefused(await postText(path, text), `${path} ${open} ${depth}`);
      }
    }
  });

  test.each(PATHS)('of POST %s that is too large is refused', async (path) => {
    const field = path === '/recall' ? 'query' : 'content';
    const large = JSON.stringify({ ...POSTS[path], [field]: 'y'.repeat(20_000_000) });
    await expectRefused(await postText(path, large), `${path} 20 MB`, 413);
    const bomb = gzipSync(JSON.stringify({ ...POSTS[path], [field]: 'y'.repeat(5_000_000) }));
    const answer = await supertest(service.app)
      .post(path)
      .set({ 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
      .serialize((body) => body)
      .send(bomb as never);
    await expectRefused(answer, `${path} gzip bomb`, 413);
    await expectRefused(await post(path, { ...POSTS[path], [field]: 'y'.repeat(200_001) }), `${path} 200,001`, 422);
  });

  test('an empty text is refused in one sentence', async () => {
    for (const [path, field] of [
      ['/ingest', 'content'],
      ['/recall', 'query'],
    ] as const) {
      const { body } = await post(path, { [field]: '' });
      expect(body.errors).toEqual([{ where: `body/${field}`, message: 'must not be blank' }]);
    }
  });

  test('an item that is given twice is named in plain words', async () => {
    const { errors } = (await post('/ingest', { content: 'x', tags: ['a', 'b', 'a'] })).body;
    const message = 'must not hold the same item twice: 0 and 2 are the same, counted from 0';
    expect(errors).toEqual([{ where: 'body/tags', message }]);
  });

  test('a field of another name is answered with the name that it has here, or with all of them', async () => {
    const messageOf = async (answer: PromiseLike<Response>) => {
      const { errors } = (await answer).body as { errors: { where: string; message: string }[] };
      return errors.at(-1)?.message;
    };
    expect(await messageOf(post('/ingest', { content: 'x', agentId: 'ann' }))).toBe(
      'is not known here: write agent_id',
    );
    expect(await messageOf(post('/ingest_and_recall', { content: 'x', topK: 3 }))).toBe(
      'is not known here: write top_k',
    );
    expect(await messageOf(post('/consolidate', { dryRun: true }))).toBe('is not known here: write dry_run');
    expect(await messageOf(put({ content: 'x' }))).toMatch(
      /^is not known here: remove it, or take one of gist, tags, importance, /,
    );
  });

  test.each(PATHS)('of POST %s without words is refused', async (path) => {
    const field = path === '/recall' ? 'query' : 'content';
    for (const blank of ['', ' ', '\t\r\n', '\u00a0\u2003\ufeff', '\u2028', ...NO_TEXT]) {
      await expectRefused(
        await post(path, { ...POSTS[path], [field]: blank }),
        `${path} ${JSON.stringify(blank)}`,
        422,
      );
    }
  });
});

describe('a bad field', () => {
  const values = (field: string): readonly unknown[] => {
    switch (field) {
      case 'role':
      case 'scope':
        return ['', 'team', 'Team', 'ALL', 'robot', ...NO_TEXT];
      case 'name':
        return ['a\u0000b', 'a\nb', 'x'.repeat(129), '\ud800', 7, true, [], {}];
      case 'tags':
        return [
          'tag',
          7,
          true,
          null,
          {},
          { 0: 'a' },
          ['a', 'a'],
          [1],
          [null],
          [['a']],
          ...BAD_NAMES.map((name) => [name]),
          Array.from({ length: 65 }, (_, i) => `t${i}`),
        ];
      case 'importance':
        return [-0.1, 1.5, 1e308, '0.5', true, null, [], {}];
      case 'timestamp':
        return [
          ...BAD_TIMES,
          '1969-12-31T23:59:59Z',
          '0001-01-01',
          '2026-11-23',
          '9999-12-31T23:59:59Z',
          1795253400,
          true,
          null,
          {},
        ];
      case 'metadata':
        return ['text', 7, true, null, [], [{}], { a: 'x'.repeat(64 * 1024) }];
      case 'idempotency_key':
        return [...BAD_NAMES, 7, true, null, [], {}];
      case 'top_k':
        return [0, -1, 101, 1e9, 1.5, '10', true, null, [], {}];
      case 'min_score':
        return [-0.1, 1.1, '0', true, null, [], {}];
      case 'kinds':
        return ['episodic', [], ['other'], ['episodic', 'semantic', 'episodic'], [1], null, {}, 7];
      case 'since':
      case 'until':
        return [...BAD_TIMES, 1795253400, true, null, [], {}];
      case 'explain':
      case 'strengthen':
        return ['true', 1, 0, null, [], {}];
      case 'max_context_chars':
        return [-1, 1.5, 100_001, '4000', true, null, [], {}];
      default:
        return ['', ' ', ...NO_TEXT];
    }
  };
  const messageFields = ['role', 'name', 'scope', 'tags', 'importance', 'timestamp', 'metadata', 'idempotency_key'];
  const recallFields = [
    'top_k',
    'min_score',
    'kinds',
    'tags',
    'scope',
    'since',
    'until',
    'explain',
    'strengthen',
    'max_context_chars',
  ];
  const cases: [Path, string][] = [
    ...MESSAGES.flatMap((path) => messageFields.map((field): [Path, string] => [path, field])),
    ...recallFields.map((field): [Path, string] => ['/recall', field]),
    ...['top_k', 'query', 'explain', 'max_context_chars'].map((field): [Path, string] => ['/ingest_and_recall', field]),
  ];

  test.each(cases)('of POST %s is refused: %s', async (path, field) => {
    for (const value of values(field)) {
      const note = `${path} ${field} ${JSON.stringify(value).slice(0, 60)}`;
      await expectRefused(await post(path, { ...POSTS[path], [field]: value }), note, 422);
    }
  });

  test('of POST /recall that leaves no time between since and until is refused', async () => {
    for (const until of ['2026-11-21', '2026-11-22']) {
      const range = { since: '2026-11-22', until };
      await expectRefused(await post('/recall', { ...POSTS['/recall'], ...range }), until, 422);
    }
  });

  test('that is a number beyond all numbers, or an integer that is not kept exactly, is refused', async () => {
    for (const [path, field] of cases) {
      // The last of two fields of one name counts.
      if (field in POSTS[path]) continue;
      for (const number of ['1e999', '-1e999', '1234567890123456789']) {
        const value = field === 'metadata' ? `{"deep":[{"a":${number}}]}` : number;
        const text = JSON.stringify(POSTS[path]).replace('{', `{"${field}":${value},`);
        await expectRefused(await postText(path, text), `${path} ${field} ${number}`, 422);
      }
    }
  });

  test.each([
    ['gist', ['', ' \n', 'y'.repeat(200_001), ...NO_TEXT]],
    ['tags', values('tags')],
    ['importance', values('importance')],
    ['scope', values('scope')],
    ['metadata', values('metadata')],
  ] as [string, unknown[]][])('of PUT /memory/{id} is refused: %s', async (field, bad) => {
    for (const value of bad) {
      await expectRefused(
        await put({ tags: [], [field]: value }),
        `${field} ${JSON.stringify(value).slice(0, 60)}`,
        422,
      );
    }
  });

  test('of PUT /memory/{id} alone, or none at all, or an unknown one, is refused', async () => {
    for (const change of [{}, undefined, [], { colour: 'red' }, { agent_id: 'default' }, { session_id: 's' }]) {
      await expectRefused(await put(change), JSON.stringify(change) ?? 'no body');
    }
  });
});

describe('a bad caller', () => {
  const BAD_AGENTS = ['*', ' ann', 'ann ', '   ', 'a\u0000b', 'a\nb', 'x'.repeat(129), 'x'.repeat(300)];

  test.each(PATHS)('of POST %s is refused', async (path) => {
    for (const agent_id of BAD_AGENTS) {
      const note = `${path} ${JSON.stringify(agent_id)}`;
      await expectRefused(await supertest(service.app).post(path).query({ agent_id }).send(POSTS[path]), note, 422);
      await expectRefused(await post(path, { ...POSTS[path], agent_id }), note, 422);
      if (agent_id === '*') continue;
      const session_id = agent_id;
      await expectRefused(await supertest(service.app).post(path).query({ session_id }).send(POSTS[path]), note, 422);
      await expectRefused(await post(path, { ...POSTS[path], session_id }), note, 422);
    }
    for (const value of [7, true, [], ['ann'], {}]) {
      await expectRefused(await post(path, { ...POSTS[path], agent_id: value }), `${path} ${value}`, 422);
      await expectRefused(await post(path, { ...POSTS[path], session_id: value }), `${path} ${value}`, 422);
    }
    for (const name of ['X-Agent-ID', 'X-Session-ID']) {
      for (const value of ['x'.repeat(300), 'a\tb']) {
        const answer = await supertest(service.app).post(path).set(name, value).send(POSTS[path]);
        await expectRefused(answer, `${path} ${name} ${value}`, 422);
      }
    }
  });

  test('that claims what belongs to another is refused as if it was not there', async () => {
    const { memories } = (await supertest(service.app).get('/memories?agent_id=bob')).body;
    const { id: secret } = memories[0];
    const as = (method: 'get' | 'put' | 'delete') => supertest(service.app)[method](`/memory/${secret}`);
    await expectRefused(await as('get'), 'get', 404);
    await expectRefused(await as('put').send({ tags: ['mine'] }), 'put', 404);
    await expectRefused(await as('put').send({ scope: 'TEAM' }), 'put scope', 404);
    await expectRefused(await as('delete'), 'delete', 404);
    await expectRefused(await as('put').send({ agent_id: 'bob', tags: ['mine'] }), 'put as bob', 422);
  });
});

describe('a bad URL', () => {
  test.each([
    '/memory/%E0%A4%A',
    '/memory/%',
    '/memory/%ff',
    '/memory/%00',
    '/memory/a%2Fb/c',
    '/memory/..%2f..%2fetc%2fpasswd%00',
    '/memory/%ED%A0%80',
    `/memory/${'x'.repeat(129)}`,
    `/memory/${'x'.repeat(10_000)}`,
  ])('%s names no memory', async (url) => {
    await expectRefused(await supertest(service.app).get(url), url);
    await expectRefused(await supertest(service.app).put(url).send({ tags: [] }), url);
    await expectRefused(await supertest(service.app).delete(url), url);
  });

  test.each([...['%E0%A4%A', '%', '%ff', '%00', '%20', 'a%0Ab', 'a/b', 'x'.repeat(129), 'x'.repeat(300)]])(
    'DELETE /memories/agent/%s is refused',
    async (agent) => {
      await expectRefused(await supertest(service.app).delete(`/memories/agent/${agent}`), agent);
    },
  );

  test.each([
    ...['0', '1001', '-1', '1.5', '0x10', '1e1', '%2B5', '%205', 'ten', '1e999', 'NaN', '', '1&limit=2', '١'].map(
      (value) => `limit=${value}`,
    ),
    ...['', 'nonsense', 'MTIz', 'x'.repeat(129), '%00', 'LTEuYQ', 'MS4uLi8', 'a&cursor=b'].map(
      (value) => `cursor=${value}`,
    ),
    ...['', 'other', 'Episodic', 'episodic&kind=semantic'].map((value) => `kind=${value}`),
    ...['', 'team', 'ALL', 'TEAM&scope=SHARED'].map((value) => `scope=${value}`),
    ...['', '%20', '%00', 'a%0Ab', 'x'.repeat(129), 'a&tag=b', '%E0%A4%A'].map((value) => `tag=${value}`),
    ...['%20', '%00', 'x'.repeat(129), 'a&session_id=b'].map((value) => `session_id=${value}`),
    ...['%20ann', '%00', 'x'.repeat(129), 'a&agent_id=b'].map((value) => `agent_id=${value}`),
    ...['', 'x'.repeat(1001), 'a&q=b', '%ff'].map((value) => `q=${value}`),
    ...BAD_TIMES.flatMap((time) => [`since=${encodeURIComponent(time)}`, `until=${encodeURIComponent(time)}`]),
    'since=2026-11-22&until=2026-11-21',
    ...['colour=red', 'tags=a', 'tag[]=a', 'tag[a]=b', '%ff=1', '__proto__=1', '__proto__[scope]=TEAM'],
  ])('GET /memories?%s is refused', async (query) => {
    await expectRefused(await supertest(service.app).get(`/memories?${query}`), query);
  });

  test.each(['/working_memory', '/stats', '/export', '/health', `/memory/none`])(
    'GET %s with an unknown or repeated parameter is refused',
    async (path) => {
      await expectRefused(await supertest(service.app).get(`${path}?colour=red`), path, 422);
      await expectRefused(await supertest(service.app).get(`${path}?agent_id=a&agent_id=b`), path, 422);
      await expectRefused(await supertest(service.app).get(`${path}?agent_id=%E0%A4%A`), path, 400);
    },
  );

  test.each([...PATHS, '/save'])('of POST %s with an unknown or repeated parameter is refused', async (path) => {
    const body = POSTS[path as Path] ?? undefined;
    for (const query of ['colour=red', 'agent_id=a&agent_id=b', 'top_k=5', 'agent_id[]=a']) {
      await expectRefused(await supertest(service.app).post(`${path}?${query}`).send(body), `${path} ${query}`);
    }
  });
});

// Last, because these write.
describe('a good body', () => {
  test.each(PATHS)('of POST %s is taken: what was refused above was refused for its fault alone', async (path) => {
    expect((await post(path, POSTS[path])).status).toBe(200);
  });

  test('may hold as much as is said, and not a character more', async () => {
    const words = `${'word '.repeat(40_000).slice(0, 199_999)}.`;
    expect((await post('/ingest', { content: `  ${words}\n` })).body.memory.content).toBe(words);
    expect((await post('/ingest', { content: `${words}.` })).status).toBe(422);
    // Characters, not UTF-16 units.
    expect((await post('/ingest', { content: '🚀'.repeat(200_000) })).status).toBe(200);
    expect((await post('/recall', { query: words })).status).toBe(200);
    expect((await put({ gist: words })).status).toBe(200);
    const metadata = { a: 'é'.repeat(32 * 1024 - 4) };
    expect(Buffer.byteLength(JSON.stringify(metadata))).toBe(64 * 1024);
    expect((await put({ metadata })).body.memory.metadata).toEqual(metadata);
    const tags = Array.from({ length: 64 }, (_, i) => `${i}${'🚀'.repeat(126)}`);
    expect((await post('/ingest', { content: 'Tagged.', tags })).body.memory.tags).toEqual(tags);
  });

  test('may hold what looks odd and is text all the same', async () => {
    for (const content of [
      '\u0000',
      'a\u0000b',
      '\ud800',
      '{"content":1}',
      '%s%n',
      "'; DROP TABLE memories; --",
      '<img src=x>',
    ]) {
      const { status, body } = await post('/ingest', { content });
      expect([content, status]).toEqual([content, 200]);
      // Halves of surrogate pairs are no characters; no file could give them back.
      expect(body.memory.content).toBe(content.toWellFormed());
      expect((await post('/recall', { query: content })).status).toBe(200);
      expect((await supertest(service.app).get(`/memories?q=${encodeURIComponent(body.memory.content)}`)).status).toBe(
        200,
      );
    }
  });
});
