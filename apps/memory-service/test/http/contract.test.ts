import { openContract } from '@agent-faculties/service-kit/http';
import { type OperationExample, walkContract } from '@agent-faculties/testing/suites';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { CONTRACT } from '../../src/wire/contract-file.ts';
import {
  closeFastEmbedder,
  fastEmbedder,
  START_MS,
  say,
  startTestService,
  type TestService,
  temporaryFolder,
} from '../start-service.ts';

const EXAMPLES: Record<string, OperationExample> = {
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
  listDoubtful: {
    request: ['get', '/contradictions/doubtful?limit=5&include_same_agent=true'],
    fault: ['get', '/contradictions/doubtful?limit=0', 422, 'invalid_request'],
  },
  judgeContradiction: {
    request: ['post', '/contradictions/{doubtful}/judge', { says: 'compatible', judge: 'm' }],
    fault: ['post', '/contradictions/none/judge', 404, 'unknown_contradiction', { says: 'compatible', judge: 'm' }],
  },
  getMemories: {
    request: ['post', '/memories/get', { ids: ['{id}', 'none'] }],
    fault: ['post', '/memories/get', 422, 'invalid_request', { ids: [] }],
  },
  updateMemory: {
    request: ['put', '/memory/{id}', { gist: 'The build runs on db-9.', tags: ['ci'], importance: 1, metadata: {} }],
    fault: ['put', '/memory/{id}', 422, 'invalid_request', {}],
  },
  invalidateMemory: {
    request: ['post', '/memory/{id}/invalidate', { reason: 'It was cancelled.', at: '2026-11-20' }],
    fault: ['post', '/memory/{id}/invalidate', 422, 'invalid_request', { reason: ' ' }],
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
  explainAbsence: {
    request: ['post', '/memory/{id}/why_not', { query: 'Which port?', top_k: 2, scope: 'PRIVATE' }],
    fault: ['post', '/memory/none/why_not', 404, 'unknown_memory', { query: 'Which port?' }],
  },
  getAgenda: {
    request: ['get', '/memories/agenda?from=2026-11-21&days=9&limit=3&tag=release&as_of=2026-11-21'],
    fault: ['get', '/memories/agenda?days=63', 422, 'invalid_request'],
  },
  getTimeline: {
    request: ['get', '/memories/timeline?buckets=7&since=2026-01-01&as_of=2026-11-21'],
    fault: ['get', '/memories/timeline?buckets=0', 422, 'invalid_request'],
  },
  getSummary: {
    request: ['get', '/memories/summary'],
    fault: ['get', '/memories/summary?x=1', 422, 'invalid_request'],
  },
  getRelations: {
    request: ['get', '/memory/{id}/relations'],
    fault: ['get', '/memory/none/relations', 404, 'unknown_memory'],
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
  getMemoryHistory: {
    request: ['get', '/memory/{id}/history'],
    fault: ['get', '/memory/none/history', 404, 'unknown_memory'],
  },
  revertMemory: {
    request: ['post', '/memory/{id}/revert', { version: START_MS.toString(36), reason: 'a slip' }],
    fault: ['post', '/memory/{id}/revert', 404, 'unknown_version', { version: 'none' }],
  },
  undoConsolidation: {
    request: ['post', '/consolidate/{run}/undo'],
    fault: ['post', '/consolidate/none/undo', 404, 'unknown_run'],
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
  streamEvents: {
    request: ['get', '/events/stream'],
    fault: ['get', '/events/stream?last_event_id=x', 422, 'invalid_request'],
  },
  listHooks: { request: ['get', '/hooks'], fault: ['get', '/hooks?x=1', 422, 'invalid_request'] },
  getPrompt: { request: ['get', '/prompt?mode=rest'], fault: ['get', '/prompt?mode=x', 422, 'invalid_request'] },
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

let service: TestService;
let id: string;
let contradiction: string;
let run: string;
let doubtful: string;
let prepared = 0;
const folder = temporaryFolder();

beforeAll(async () => {
  service = await startTestService({ dataDir: folder.path });
  id = (await say(service, 'default', { content: 'The first of all words.', idempotency_key: 'first' })).memory.id;
  await say(service, 'cid', 'The Alder kettle holds 2 litres.');
  await say(service, 'dee', 'The Alder kettle holds 3 litres.');
  await say(service, 'cid', 'The backups of billing run every night.');
  await say(service, 'dee', 'The backups of billing no longer run.');
  const { body } = await supertest(service.app).post('/contradictions').send({});
  contradiction = body.contradictions[0].id;
  for (const session_id of ['a', 'b']) await say(service, 'dee', { content: 'The lamp needs 40 watts.', session_id });
  run = (await supertest(service.app).post('/consolidate').send({})).body.report.run_id;
  doubtful = (await supertest(service.app).get('/contradictions/doubtful')).body.pairs[0].id;
});
afterAll(async () => {
  await service.close();
  folder.remove();
  await closeFastEmbedder();
});

walkContract({
  contract: CONTRACT,
  examples: EXAMPLES,
  app: () => service.app,
  urlOf: (url) =>
    url
      .replace('{id}', id)
      .replace('{contradiction}', contradiction)
      .replace('{doubtful}', doubtful)
      .replace('{run}', run),
  endless: {
    streamEvents: (request) => {
      request.buffer(false).parse((res, done) => {
        res.once('data', () => {
          service.streams.endAll();
          done(null, '');
        });
      });
    },
  },
  state: async () => {
    const urls = ['/export', '/consolidate', '/pruned', '/health'];
    const answers = await Promise.all(urls.map((url) => supertest(service.app).get(url)));
    return [...answers.map(({ text }) => text), service.opened.persistence.state()];
  },
  prepare: async (operationId) => {
    if (EXAMPLES[operationId]?.request[1].includes('{id}')) {
      id = (await say(service, 'default', `Words for ${operationId} ${++prepared}.`)).memory.id;
    }
    if (operationId === 'deleteAgentMemories') await say(service, 'ann', 'Something of ann.');
  },
  nothingAt: ['/Ingest', '/memories/', '/memory', '/memory/a/b', '/memories/agent', '/memories/agent/'],
});

test('the contract is a document of OpenAPI', async () => {
  const { warmUp } = openContract(CONTRACT, { validateResponses: false, validateContract: true });
  await warmUp(async () => {});
});

test('no cache may keep an answer, which may be for this caller alone', async () => {
  for (const url of ['/memories', '/export', '/memory/none', '/health']) {
    expect((await supertest(service.app).get(url)).headers['cache-control']).toBe('no-store');
  }
});

test('HEAD of a memory that is not there is 404', async () => {
  expect((await supertest(service.app).head('/memory/none')).status).toBe(404);
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
      persistence: { data_dir: null, refusal: null, vectors_in: 'memory' },
      consolidation: { running: null, next_run_at: null, last_report: null },
      webhooks: { configured: 0, failing: 0, gone: 0 },
    });
    own.clock.set(0);
    expect((await supertest(own.app).get('/health')).body.uptime_seconds).toBe(0);
    await own.close();
  });

  test('says 503 while the model cannot be asked', async () => {
    const { modelId, dimension, kind, judgesAnswers, maxTokens, embed, close } = await fastEmbedder();
    const embedder = { modelId, dimension, kind, judgesAnswers, maxTokens, embed, close, isReady: () => false };
    const own = await startTestService({ embedder });
    const answer = await supertest(own.app).get('/health');
    expect([answer.status, answer.type]).toEqual([503, 'application/problem+json']);
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'not_ready', embedding: { ready: false } });
    await own.close();
  });

  test('names the data directory', async () => {
    const { persistence } = (await supertest(service.app).get('/health')).body;
    expect(persistence).toEqual({
      data_dir: service.opened.persistence.state().dataDir,
      refusal: null,
      vectors_in: 'memory',
    });
    expect(persistence.data_dir).not.toBeNull();
  });
});
