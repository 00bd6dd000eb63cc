import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { parse } from 'yaml';
import {
  closeFastEmbedder,
  fastEmbedder,
  say,
  startTestService,
  type TestService,
  temporaryFolder,
} from '../start-service.ts';

type Method = 'get' | 'post' | 'put' | 'delete';

/** One request an operation: it answers 200, and service-kit checks the answer against the contract. `{id}` is a memory. */
interface Example {
  readonly request: readonly [method: Method, url: string, body?: object];
  readonly fault: readonly [method: Method, url: string, status: number, code: string, body?: object];
}

const EXAMPLES: Record<string, Example> = {
  ingest: {
    request: [
      'post',
      '/ingest',
      {
        role: 'assistant',
        content: 'Release 2.4.1 fixes the login loop.',
        name: 'Ann',
        agent_id: 'ann',
        session_id: 's1',
        scope: 'SHARED',
        tags: ['release', 'login'],
        importance: 0.7,
        timestamp: '2026-11-20T10:00:00+01:00',
        metadata: { commit: '4f2a9c1', nested: { list: [1, null, 'é'] } },
        idempotency_key: 'known',
      },
    ],
    fault: ['post', '/ingest', 409, 'idempotency_key_reused', { content: 'Other words.', idempotency_key: 'first' }],
  },
  recall: {
    request: [
      'post',
      '/recall',
      {
        query: 'What fixes the login loop?',
        top_k: 5,
        min_score: 0.01,
        kinds: ['episodic', 'semantic'],
        tags: [],
        scope: 'TEAM',
        since: '2026-01-01',
        until: '2027-01-01',
        explain: true,
        strengthen: true,
        max_context_chars: 500,
      },
    ],
    fault: ['post', '/recall', 422, 'invalid_request', { query: '' }],
  },
  ingestAndRecall: {
    request: ['post', '/ingest_and_recall', { content: 'Is the login loop fixed?', top_k: 3, explain: true }],
    fault: ['post', '/ingest_and_recall', 422, 'invalid_request', { query: 'content is missing' }],
  },
  getWorkingMemory: {
    request: ['get', '/working_memory?session_id=s1'],
    fault: ['get', '/working_memory?agent_id=*', 422, 'invalid_identity'],
  },
  getMemory: { request: ['get', '/memory/{id}'], fault: ['get', '/memory/none', 404, 'unknown_memory'] },
  updateMemory: {
    request: ['put', '/memory/{id}', { gist: 'The build runs on db-9.', tags: ['ci'], importance: 1, metadata: {} }],
    fault: ['put', '/memory/{id}', 422, 'invalid_request', {}],
  },
  deleteMemory: { request: ['delete', '/memory/{id}'], fault: ['delete', '/memory/none', 404, 'unknown_memory'] },
  listMemories: {
    request: ['get', '/memories?limit=2&kind=episodic&scope=TEAM&q=the&since=2026-01-01&until=2027-01-01'],
    fault: ['get', '/memories?limit=0', 422, 'invalid_request'],
  },
  deleteAgentMemories: {
    request: ['delete', '/memories/agent/ann'],
    fault: ['delete', '/memories/agent/nobody', 404, 'no_memories_of_agent'],
  },
  save: { request: ['post', '/save'], fault: ['post', '/save?force=1', 422, 'invalid_request'] },
  consolidate: {
    request: ['post', '/consolidate', { agent_id: 'ann', dry_run: true, prune_after_days: 30, keep_per_agent: 0 }],
    fault: ['post', '/consolidate', 422, 'invalid_request', { prune_after_days: 0 }],
  },
  getConsolidation: { request: ['get', '/consolidate'], fault: ['get', '/consolidate?x=1', 422, 'invalid_request'] },
  endOfDay: { request: ['post', '/end_of_day', {}], fault: ['post', '/end_of_day', 422, 'invalid_request', { x: 1 }] },
  listPruned: { request: ['get', '/pruned'], fault: ['get', '/pruned?agent_id=*', 422, 'invalid_identity'] },
  restorePruned: {
    request: ['post', '/pruned/restore', { ids: ['none'] }],
    fault: ['post', '/pruned/restore', 422, 'invalid_request', { ids: 'none' }],
  },
  getStats: { request: ['get', '/stats'], fault: ['get', '/stats?agent_id=*', 422, 'invalid_identity'] },
  merge: {
    request: [
      'post',
      '/merge',
      {
        agent_id: 'ann',
        memories: [
          { id: '0193a000000070008000000000000001', content: 'From elsewhere.', created_at: '2026-11-20T10:00:00Z' },
          { id: 'none' },
        ],
        embedding_model: 'another@1',
        vectors: [['AAAA'], null],
        dry_run: false,
      },
    ],
    fault: ['post', '/merge', 422, 'invalid_request', { memories: {} }],
  },
  listContradictions: {
    request: [
      'post',
      '/contradictions',
      { threshold: 0.4, agent_ids: ['cid', 'dee'], include_same_agent: true, states: ['open', 'resolved'], limit: 5 },
    ],
    fault: ['post', '/contradictions', 422, 'invalid_request', { threshold: 2 }],
  },
  resolveContradiction: {
    request: ['post', '/contradictions/{contradiction}/resolve', { dismiss: true, note: 'Both may stand.' }],
    fault: ['post', '/contradictions/none/resolve', 404, 'unknown_contradiction', { dismiss: true }],
  },
  exportMemories: { request: ['get', '/export?vectors=true'], fault: ['get', '/export?x=1', 422, 'invalid_request'] },
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
  getReadiness: { request: ['get', '/health/ready'], fault: ['put', '/health/ready', 405, 'method_not_allowed'] },
  getMetrics: { request: ['get', '/metrics'], fault: ['post', '/metrics', 405, 'method_not_allowed'] },
  getOpenApi: { request: ['get', '/openapi.json'], fault: ['put', '/openapi.json', 405, 'method_not_allowed'] },
  getDashboard: { request: ['get', '/dashboard'], fault: ['post', '/dashboard', 405, 'method_not_allowed'] },
  postMcp: {
    request: ['post', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
    fault: ['post', '/mcp?x=1', 422, 'invalid_request', { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
  },
  getDocs: { request: ['get', '/docs'], fault: ['delete', '/docs', 405, 'method_not_allowed'] },
};

/**
 * Of what Python's re, RE2 (Go), Java, Rust and JavaScript without the u flag read alike: literals, classes, \\xHH, \\s, \\S,
 * escaped signs, groups without look-around, repetitions.
 */
const READ_ALIKE =
  /^(?:[\w ^$|.*+?,-]|\(\?:|\((?!\?)|[)[\]]|\{\d+(?:,\d*)?\}|\\x[0-9a-f]{2}|\\[sS]|\\[.*+?()[\]{}|^$\\/-])*$/;

const contract = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, { operationId: string }>>;
};
const METHODS = new Set(['get', 'post', 'put', 'delete', 'patch']);
const operations = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([method]) => METHODS.has(method))
    .map(([method, { operationId }]) => ({ path, method, operationId })),
);

/** What browsers send along for a page that is not the service's own; none can send less. */
const FOREIGN_PAGES: readonly Record<string, string>[] = [
  { Origin: 'https://evil.test', 'Sec-Fetch-Site': 'cross-site' },
  { Origin: 'https://evil.test' },
  { Origin: 'null' },
  { 'Sec-Fetch-Site': 'cross-site' },
  { Origin: 'http://localhost:3000', 'Sec-Fetch-Site': 'same-site' },
];

let service: TestService;
let id: string;
let contradiction: string;
const folder = temporaryFolder();

beforeAll(async () => {
  service = await startTestService({ dataDir: folder.path });
  id = (await say(service, 'default', { content: 'The first of all words.', idempotency_key: 'first' })).memory.id;
  await say(service, 'cid', 'The Alder kettle holds 2 litres.');
  await say(service, 'dee', 'The Alder kettle holds 3 litres.');
  const { body } = await supertest(service.app).post('/contradictions').send({});
  contradiction = body.contradictions[0].id;
});
afterAll(async () => {
  await service.close();
  folder.remove();
  await closeFastEmbedder();
});

const send = ([method, url, body]: readonly [Method, string, (object | undefined)?]) => {
  const request = supertest(service.app)[method](url.replace('{id}', id).replace('{contradiction}', contradiction));
  return body ? request.send(body) : request;
};

describe('the contract', () => {
  test('has only patterns that the tools of other languages read alike', () => {
    const patterns: string[] = [];
    const collect = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [key, value] of Object.entries(node)) {
        if (key === 'pattern' && typeof value === 'string') patterns.push(value);
        else collect(value);
      }
    };
    collect(contract);
    expect(patterns.length).toBeGreaterThan(0);
    expect(patterns.filter((pattern) => !READ_ALIKE.test(pattern))).toEqual([]);
    expect(
      ['\\p{Cc}', '(?=a)', '\\u0000', '(?<!a)b', '(?<name>a)'].filter((pattern) => READ_ALIKE.test(pattern)),
    ).toEqual([]);
  });

  test('has an example for every operation', () => {
    expect(Object.keys(EXAMPLES).sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
    expect(operations.length).toBeGreaterThanOrEqual(17);
  });

  test('is what /openapi.json shows', async () => {
    expect((await supertest(service.app).get('/openapi.json')).body).toEqual(contract);
  });

  test.each(operations)('$method $path answers its documented error', async ({ operationId }) => {
    const { fault } = EXAMPLES[operationId] as Example;
    const [method, url, status, code, body] = fault;
    const answer = await send([method, url, body]);
    expect([answer.status, answer.type]).toEqual([status, 'application/problem+json']);
    expect(JSON.parse(answer.text)).toMatchObject({ status, code, detail: expect.stringMatching(/\S{2,}.*\S/) });
  });

  /** What the service keeps and has done: and on disk. */
  const state = async () => {
    const answers = await Promise.all(
      ['/export', '/consolidate', '/pruned', '/health'].map((url) => send(['get', url])),
    );
    return [...answers.map(({ text }) => text), service.opened.persistence.state()];
  };

  test.each(operations)('$method $path is not there for another host', async ({ operationId }) => {
    const { request } = EXAMPLES[operationId] as Example;
    const before = await state();
    const answer = await send(request).set('Host', 'evil.test:7832');
    expect([answer.status, answer.body.code]).toEqual([421, 'misdirected_request']);
    expect(await state()).toEqual(before);
  });

  const writes = operations.filter(({ method }) => method !== 'get');
  test.each(writes)('$method $path does nothing for a page of another site', async ({ operationId }) => {
    const { request } = EXAMPLES[operationId] as Example;
    const [method, url] = request;
    const before = await state();
    for (const headers of FOREIGN_PAGES) {
      const whole = await send(request).set(headers);
      const bare = await send([method, url]).set(headers);
      expect([whole.body.code, bare.body.code, whole.status]).toEqual(['cross_site', 'cross_site', 403]);
    }
    expect(await state()).toEqual(before);
  });

  test.each(operations)('$method $path answers 200 as the contract says', async ({ operationId }) => {
    const { request } = EXAMPLES[operationId] as Example;
    if (request[1].includes('{id}')) id = (await say(service, 'default', `Words for ${operationId}.`)).memory.id;
    if (operationId === 'deleteAgentMemories') await say(service, 'ann', 'Something of ann.');
    const answer = await send(request);
    const { status, text } = answer;
    expect({ status, fault: status === 200 ? '' : text }).toEqual({ status: 200, fault: '' });
  });

  test('lets no cache keep an answer, which may be for this caller alone', async () => {
    for (const url of ['/memories', '/export', '/memory/none', '/health']) {
      expect((await send(['get', url])).headers['cache-control']).toBe('no-store');
    }
  });

  test.each(['/docs', '/dashboard'])('shows a page at %s that names nothing outside this server', async (path) => {
    const page = await supertest(service.app).get(path);
    expect([page.status, page.type]).toEqual([200, 'text/html']);
    expect(page.text).not.toMatch(/(src|href)="(https?:)?\/\//);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  });

  test('answers HEAD as GET without a body, and an export does not hang on it', async () => {
    id = (await say(service, 'default', 'Words for HEAD.')).memory.id;
    for (const { method, operationId } of operations) {
      if (method !== 'get') continue;
      const url = (EXAMPLES[operationId] as Example).request[1].replace('{id}', id);
      const answer = await supertest(service.app).head(url);
      expect([url, answer.status, answer.text ?? '']).toEqual([url, 200, '']);
    }
    expect((await supertest(service.app).head('/memory/none')).status).toBe(404);
  });

  test.each(Object.keys(contract.paths))('%s names the methods that it answers', async (path) => {
    const known = operations.filter((operation) => operation.path === path).map(({ method }) => method.toUpperCase());
    const expected = [...known, ...(known.includes('GET') ? ['HEAD'] : [])].sort();
    for (const method of ['get', 'post', 'put', 'delete', 'patch'] as const) {
      if (known.includes(method.toUpperCase())) continue;
      const answer = await supertest(service.app)[method](path.replace('{id}', 'x').replace('{agent_id}', 'x'));
      expect([method, answer.status, answer.type]).toEqual([method, 405, 'application/problem+json']);
      expect(answer.headers.allow?.split(', ').sort()).toEqual(expected);
    }
  });

  test.each([
    '/',
    '/nothing',
    '/Ingest',
    '/memories/',
    '/memory',
    '/memory/a/b',
    '/memories/agent',
    '/memories/agent/',
  ])('has nothing at %s', async (path) => {
    const answer = await supertest(service.app).get(path).set('X-Request-ID', 'r');
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.text)).toEqual({
      type: 'urn:agent-faculties:problem:not_found',
      title: 'Not found',
      status: 404,
      detail: 'There is nothing at this path: see /docs for the paths that exist.',
      code: 'not_found',
      request_id: 'r',
    });
  });
});

describe('GET /health', () => {
  test('says what is there, and for how long', async () => {
    const own = await startTestService();
    own.clock.advance(90_500);
    await say(own, 'ann', 'Said to all.');
    await say(own, 'ann', { content: 'Said to ann.', scope: 'PRIVATE' });
    const answer = await supertest(own.app).get('/health');
    expect(answer.body).toEqual({
      status: 'ok',
      version: '0.0.0-test',
      uptime_seconds: 90.5,
      memories: 1,
      vectors: 1,
      embedding: { model: expect.stringMatching(/^agent-memory-static/), dimension: 240, ready: true, pending: 0 },
      contradictions: { model: null, ready: true, pending: 1 },
      persistence: { data_dir: null, refusal: null },
      consolidation: { running: null, next_run_at: null, last_report: null },
    });
    own.clock.set(0);
    expect((await supertest(own.app).get('/health')).body.uptime_seconds).toBe(0);
    await own.close();
  });

  test('says 503 while the model cannot be asked', async () => {
    const { modelId, dimension, kind, maxTokens, embed, close } = await fastEmbedder();
    const embedder = { modelId, dimension, kind, maxTokens, embed, close, isReady: () => false };
    const own = await startTestService({ embedder });
    const answer = await supertest(own.app).get('/health');
    expect([answer.status, answer.type]).toEqual([503, 'application/problem+json']);
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'not_ready', embedding: { ready: false } });
    await own.close();
  });

  test('names the data directory', async () => {
    const { persistence } = (await supertest(service.app).get('/health')).body;
    expect(persistence).toEqual({ data_dir: service.opened.persistence.state().dataDir, refusal: null });
    expect(persistence.data_dir).not.toBeNull();
  });
});
