import { loadSpec, operationsOf } from '@agent-faculties/service-kit/http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { say, startTestService, type TestService } from '../start-service.ts';

let service: TestService;
let privateId: string;

beforeAll(async () => {
  service = await startTestService({ embedder: null, config: { trustIdentityHeader: true } });
  const { memory } = await say(service, 'bob', { content: 'My salary talk is on Friday.', scope: 'PRIVATE' });
  privateId = memory.id;
  await say(service, 'bob', 'The release train leaves on Thursday.');
});

afterAll(() => service.close());

type Method = 'get' | 'post' | 'put' | 'delete';
interface Call {
  readonly method: Method;
  readonly path: string;
  readonly body?: object;
  /** The contract gives the body an agent_id. */
  readonly claimsInBody?: true;
}

const ID = '00000000-0000-7000-8000-0000000000ff';

/** Every operation that speaks for an agent, with a request that fits the contract. */
const SPEAKING: Readonly<Record<string, Call>> = {
  ingest: { method: 'post', path: '/ingest', body: { content: 'Hello.' }, claimsInBody: true },
  recall: { method: 'post', path: '/recall', body: { query: 'hello' }, claimsInBody: true },
  ingestAndRecall: { method: 'post', path: '/ingest_and_recall', body: { content: 'Hello.' }, claimsInBody: true },
  getWorkingMemory: { method: 'get', path: '/working_memory' },
  getMemory: { method: 'get', path: `/memory/${ID}` },
  listDoubtful: { method: 'get', path: '/contradictions/doubtful' },
  judgeContradiction: {
    method: 'post',
    path: `/contradictions/${ID}/judge`,
    body: { says: 'compatible', judge: 'm' },
    claimsInBody: true,
  },
  getMemories: { method: 'post', path: '/memories/get', body: { ids: [ID] }, claimsInBody: true },
  updateMemory: { method: 'put', path: `/memory/${ID}`, body: { importance: 1 } },
  invalidateMemory: {
    method: 'post',
    path: `/memory/${ID}/invalidate`,
    body: { reason: 'It was cancelled.' },
    claimsInBody: true,
  },
  deleteMemory: { method: 'delete', path: `/memory/${ID}` },
  listMemories: { method: 'get', path: '/memories' },
  deleteAgentMemories: { method: 'delete', path: '/memories/agent/nobody' },
  save: { method: 'post', path: '/save' },
  consolidate: { method: 'post', path: '/consolidate', body: {}, claimsInBody: true },
  getConsolidation: { method: 'get', path: '/consolidate' },
  endOfDay: { method: 'post', path: '/end_of_day', body: {}, claimsInBody: true },
  listPruned: { method: 'get', path: '/pruned' },
  restorePruned: { method: 'post', path: '/pruned/restore', body: {}, claimsInBody: true },
  getStats: { method: 'get', path: '/stats' },
  explainAbsence: {
    method: 'post',
    path: `/memory/${ID}/why_not`,
    body: { query: 'hello' },
    claimsInBody: true,
  },
  getAgenda: { method: 'get', path: '/memories/agenda' },
  getTimeline: { method: 'get', path: '/memories/timeline' },
  getSummary: { method: 'get', path: '/memories/summary' },
  getRelations: { method: 'get', path: `/memory/${ID}/relations` },
  merge: { method: 'post', path: '/merge', body: { memories: [] }, claimsInBody: true },
  listContradictions: { method: 'post', path: '/contradictions', body: {}, claimsInBody: true },
  resolveContradiction: {
    method: 'post',
    path: `/contradictions/${ID}/resolve`,
    body: { dismiss: true },
    claimsInBody: true,
  },
  exportMemories: { method: 'get', path: '/export' },
  getMemoryHistory: { method: 'get', path: `/memory/${ID}/history` },
  revertMemory: { method: 'post', path: `/memory/${ID}/revert`, body: { version: 'none' } },
  undoConsolidation: { method: 'post', path: `/consolidate/${ID}/undo` },
  receiveHook: {
    method: 'post',
    path: '/hooks/claude-code',
    body: { hook_event_name: 'UserPromptSubmit', session_id: 's', prompt: 'Hello.' },
  },
  listHooks: { method: 'get', path: '/hooks' },
  streamEvents: { method: 'get', path: '/events/stream' },
  postMcp: { method: 'post', path: '/mcp', body: { jsonrpc: '2.0', id: 1, method: 'ping' } },
};

/** In these, `agent_id` says whose memories or calls are listed. */
const NAMING_AUTHORS = new Set(['listMemories', 'getAgenda', 'listHooks']);
/** These operations belong to no agent. */
const SILENT = ['getHealth', 'getPrompt', 'getDashboard', 'getMetrics', 'getOpenApi', 'getDocs'];

const calls = Object.entries(SPEAKING);

function send({ method, path, body }: Call, headers: Record<string, string>, query: Record<string, string> = {}) {
  // A stream that is granted never ends; its head says enough, and HEAD is answered like GET.
  const isGranted = headers['X-Agent-ID'] === (query.agent_id ?? headers['X-Agent-ID']) && 'X-Agent-ID' in headers;
  const verb = path === '/events/stream' && isGranted ? 'head' : method;
  const request = supertest(service.app)[verb](path).set(headers).query(query);
  return body === undefined ? request : request.send(body);
}

describe('with a trusted header', () => {
  test('every operation of the contract is in one of the two lists', () => {
    const spec = loadSpec(new URL('../../openapi.yaml', import.meta.url));
    const known = [...Object.keys(SPEAKING), ...SILENT].sort();
    const probes = new Set(['getLiveness', 'getReadiness']);
    const operations = operationsOf(spec).map(({ operationId }) => operationId);
    expect(operations.filter((operation) => !probes.has(operation)).sort()).toEqual(known);
  });

  test.each(calls)('%s without the header is 401 and says what to do', async (_name, call) => {
    const answer = await send(call, {}, { agent_id: 'ann' });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="agent-faculties"');
    expect(answer.body).toMatchObject({
      code: 'missing_identity',
      title: 'Unauthorized',
      detail:
        'The header X-Agent-ID is missing, which the gateway sets from the key: send the request to the gateway, with your key.',
    });
  });

  test.each(calls.filter(([name]) => !NAMING_AUTHORS.has(name)))(
    '%s in the name of another agent is 403',
    async (_name, call) => {
      const answer = await send(call, { 'X-Agent-ID': 'ann', 'X-Role': 'system-admin' }, { agent_id: 'bob' });
      expect(answer.status).toBe(403);
      expect(answer.body).toMatchObject({
        code: 'foreign_agent',
        detail:
          "query agent_id names another agent than the one of your key, which is 'ann': leave it out, or use the key of that agent.",
      });
    },
  );

  test.each(calls.filter(([, { claimsInBody }]) => claimsInBody))(
    '%s with another agent in the body is 403, also where the query names the own one',
    async (_name, call) => {
      const claim = { ...call, body: { ...call.body, agent_id: 'bob' } };
      for (const query of [{}, { agent_id: 'ann' }]) {
        const answer = await send(claim, { 'X-Agent-ID': 'ann' }, query);
        expect(answer.status).toBe(403);
        expect(answer.body.errors).toMatchObject([{ where: 'body/agent_id' }]);
      }
    },
  );

  test('takes the own name in query and body for no claim', async () => {
    const call = { method: 'post', path: '/ingest', body: { content: 'Mine.', agent_id: 'ann' } } as const;
    const answer = await send(call, { 'X-Agent-ID': 'ann' }, { agent_id: 'ann' });
    expect(answer.status).toBe(200);
    expect(answer.body.memory.agent_id).toBe('ann');
  });

  test('refuses two agents in the header', async () => {
    const answer = await supertest(service.app)
      .get('/stats')
      .set('X-Agent-ID', ['ann', 'bob'] as never);
    expect(answer.status).toBe(422);
  });

  test('lists the memories of another agent, or of all, as far as the one who asks may see them', async () => {
    for (const agent_id of ['bob', '*']) {
      const answer = await send({ method: 'get', path: '/memories' }, { 'X-Agent-ID': 'ann' }, { agent_id });
      expect(answer.status).toBe(200);
      const ids = answer.body.memories.map(({ id }: { id: string }) => id);
      expect(ids.length).toBeGreaterThan(0);
      expect(ids).not.toContain(privateId);
    }
  });

  test('tells the agenda of another agent, or of all, as far as the one who asks may see it', async () => {
    const told = ['TEAM', 'PRIVATE'].map((scope) => ({ content: `The ${scope} review is on 24 November.`, scope }));
    for (const body of told) await send({ method: 'post', path: '/ingest', body }, { 'X-Agent-ID': 'zoe' });
    for (const agent_id of ['zoe', '*']) {
      const answer = await send({ method: 'get', path: '/memories/agenda' }, { 'X-Agent-ID': 'ann' }, { agent_id });
      expect(answer.status).toBe(200);
      expect(answer.text).toContain(told[0]?.content);
      expect(answer.text).not.toContain(told[1]?.content);
    }
  });

  test("lists an agent's own calls of hooks, and those of others for administrators only", async () => {
    const starts = { method: 'post', path: '/hooks/claude-code', body: { hook_event_name: 'SessionStart' } } as const;
    for (const agent of ['eve', 'bob']) await send(starts, { 'X-Agent-ID': agent });
    await supertest(service.app).post('/hooks/claude-code').set('X-Agent-ID', 'bob').type('json').send('[]');
    const asked = async (role: string, query = {}) => {
      const { status, body } = await send(SPEAKING.listHooks as Call, { 'X-Agent-ID': 'eve', 'X-Role': role }, query);
      return [status, body.hooks?.map(({ agent_id, result }: Record<string, string>) => `${agent_id} ${result}`)];
    };
    expect(await asked('agent-ro')).toEqual([200, ['eve ignored']]);
    for (const agent_id of ['bob', '*']) expect(await asked('agent-rw', { agent_id })).toEqual([403, undefined]);
    expect(await asked('team-admin', { agent_id: 'bob' })).toEqual([200, ['bob refused', 'bob ignored']]);
    const [, ofAll] = await asked('team-admin', { agent_id: '*' });
    expect(ofAll.slice(0, 3)).toEqual(['bob refused', 'bob ignored', 'eve ignored']);
  });

  test('deletes of another agent only what the one who asks may see', async () => {
    const answer = await send({ method: 'delete', path: '/memories/agent/bob' }, { 'X-Agent-ID': 'ann' });
    expect(answer.body).toEqual({ deleted: 1 });
    const own = await send({ method: 'get', path: `/memory/${privateId}` }, { 'X-Agent-ID': 'bob' });
    expect(own.status).toBe(200);
  });

  test('takes in records of others in a merge, and PRIVATE ones only of the agent that sends them', async () => {
    const record = (id: string, agent_id: string, scope: string) => ({
      id,
      agent_id,
      scope,
      content: `Said by ${agent_id} (${scope}).`,
      created_at: '2026-11-20T10:00:00Z',
      metadata: { agent_id: 'carol' },
    });
    const memories = [
      record('0193a000000070008000000000000001', 'dora', 'TEAM'),
      record('0193a000000070008000000000000002', 'dora', 'PRIVATE'),
      record('0193a000000070008000000000000003', 'ann', 'PRIVATE'),
    ];
    const answer = await send(
      { method: 'post', path: '/merge', body: { memories } },
      { 'X-Agent-ID': 'ann', 'X-Role': 'system-admin' },
    );
    expect(answer.body.report).toMatchObject({ added: 2, rejected: [{ index: 1 }] });
    const lines = memories.map((memory) => `${JSON.stringify(memory)}\n`).join('');
    const asOther = await supertest(service.app)
      .post('/merge?agent_id=dora')
      .set({ 'X-Agent-ID': 'ann', 'Content-Type': 'application/x-ndjson' })
      .send(lines);
    expect(asOther.status).toBe(403);
  });

  test.each(['/health', '/dashboard', '/metrics', '/openapi.json', '/docs', '/health/live', '/health/ready'])(
    'answers GET %s without the header',
    async (path) => {
      expect((await supertest(service.app).get(path)).status).toBe(200);
    },
  );
});
