import { loadSpec, operationsOf } from '@agent-faculties/service-kit/http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { rowCounts, startTestService, type TestService } from '../start-service.ts';

let service: TestService;

beforeAll(() => {
  service = startTestService({ config: { trustIdentityHeader: true } });
});

afterAll(() => service.close());

type Method = 'get' | 'post' | 'delete';
interface Call {
  readonly method: Method;
  readonly path: string;
  readonly body?: object;
  /** The other agents that a request of an administrator, and of everybody else, may name. */
  readonly admin: 'nobody' | 'one' | 'all';
  readonly others: 'nobody' | 'all';
}

const START = { task_type: 'build', correlation_id: 'run-1' };
const RISK = '/stats/check-timeout/build?elapsed_seconds=1&timeout_seconds=2';

/** Every operation that speaks for an agent, with a request that fits the contract. */
const SPEAKING: Readonly<Record<string, Call>> = {
  listAgents: { method: 'get', path: '/agents', admin: 'one', others: 'nobody' },
  listProjects: { method: 'get', path: '/projects', admin: 'all', others: 'nobody' },
  startStopwatch: { method: 'post', path: '/stopwatch/s/start', admin: 'nobody', others: 'nobody' },
  stopStopwatch: { method: 'post', path: '/stopwatch/s/stop', admin: 'nobody', others: 'nobody' },
  getStopwatch: { method: 'get', path: '/stopwatch/s', admin: 'one', others: 'nobody' },
  deleteStopwatch: { method: 'delete', path: '/stopwatch/s', admin: 'nobody', others: 'nobody' },
  listStopwatches: { method: 'get', path: '/stopwatches', admin: 'one', others: 'nobody' },
  recordEvent: { method: 'post', path: '/events', body: { event_type: 'deploy' }, admin: 'nobody', others: 'nobody' },
  listEvents: { method: 'get', path: '/events', admin: 'all', others: 'nobody' },
  startTask: { method: 'post', path: '/events/task-start', body: START, admin: 'nobody', others: 'nobody' },
  endTask: { method: 'post', path: '/events/task-end', body: START, admin: 'nobody', others: 'nobody' },
  listActiveTasks: { method: 'get', path: '/events/active', admin: 'all', others: 'nobody' },
  streamEvents: { method: 'get', path: '/events/stream', admin: 'all', others: 'nobody' },
  getEvent: { method: 'get', path: '/events/unknown', admin: 'one', others: 'nobody' },
  listTasks: { method: 'get', path: '/tasks', admin: 'all', others: 'nobody' },
  getTask: { method: 'get', path: '/tasks/unknown', admin: 'one', others: 'nobody' },
  listSummaries: { method: 'get', path: '/stats/durations', admin: 'all', others: 'all' },
  getSummary: { method: 'get', path: '/stats/durations/build', admin: 'all', others: 'all' },
  listTaskTypes: { method: 'get', path: '/stats/task-types', admin: 'all', others: 'all' },
  recommendTimeout: { method: 'get', path: '/stats/recommend-timeout/build', admin: 'all', others: 'all' },
  checkTimeout: { method: 'get', path: RISK, admin: 'all', others: 'all' },
  compareApproaches: {
    method: 'post',
    path: '/stats/compare-approaches',
    body: { approaches: [] },
    admin: 'all',
    others: 'all',
  },
  getDistribution: { method: 'get', path: '/stats/distribution/build', admin: 'all', others: 'all' },
  estimateDuration: { method: 'get', path: '/stats/estimate/build', admin: 'all', others: 'all' },
  getTrend: { method: 'get', path: '/stats/trend/build', admin: 'all', others: 'nobody' },
  getTimeSpent: { method: 'get', path: '/stats/time-spent', admin: 'all', others: 'nobody' },
  exportData: { method: 'get', path: '/export', admin: 'all', others: 'nobody' },
  importData: { method: 'post', path: '/import', admin: 'nobody', others: 'nobody' },
  receiveHook: {
    method: 'post',
    path: '/hooks/claude-code',
    body: { hook_event_name: 'UserPromptSubmit', session_id: 's', prompt: 'Hello.' },
    admin: 'nobody',
    others: 'nobody',
  },
  receiveTraces: { method: 'post', path: '/v1/traces', body: {}, admin: 'nobody', others: 'nobody' },
  listHooks: { method: 'get', path: '/hooks', admin: 'all', others: 'nobody' },
  postMcp: { method: 'post', path: '/mcp', body: { method: 'ping' }, admin: 'nobody', others: 'nobody' },
};

/** These operations belong to no agent. */
const SILENT = ['getHealth', 'getPrompt', 'getMetrics', 'getDashboard', 'getNow', 'getElapsed'];

const calls = Object.entries(SPEAKING);

function send({ method, path, body }: Call, headers: Record<string, string>, query: Record<string, string> = {}) {
  const request = supertest(service.app)[method](path).set(headers).query(query);
  if (path === '/import') return request.set('Content-Type', 'application/x-ndjson').send('');
  // A stream never ends; its head says enough, and HEAD is answered like GET.
  if (path === '/events/stream') return supertest(service.app).head(path).set(headers).query(query);
  return body === undefined ? request : request.send(body);
}

const isForeign = ({ status }: { status: number }) => status === 403;

describe('with a trusted header', () => {
  test('every operation of the contract is in one of the two lists', () => {
    const spec = loadSpec(new URL('../../openapi.yaml', import.meta.url));
    const probes = new Set(['getLiveness', 'getReadiness']);
    const operations = operationsOf(spec).map(({ operationId }) => operationId);
    const known = [...Object.keys(SPEAKING), ...SILENT].sort();
    expect(operations.filter((operation) => !probes.has(operation)).sort()).toEqual(known);
  });

  test.each(calls)('%s without the header is 401 and writes nothing', async (_name, call) => {
    const before = rowCounts(service);
    const answer = await send(call, {}, { agent_id: 'ann' });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="agent-faculties"');
    expect(rowCounts(service)).toEqual(before);
  });

  test.each(calls)('%s names another agent only where the role may read for it', async (_name, call) => {
    const before = rowCounts(service);
    const foreign = async (role: string, agent_id: string) =>
      isForeign(await send(call, { 'X-Agent-ID': 'ann', 'X-Role': role }, { agent_id }));
    for (const role of ['team-admin', 'system-admin']) {
      expect([role, await foreign(role, 'bob')]).toEqual([role, call.admin === 'nobody']);
      expect([role, await foreign(role, '*')]).toEqual([role, call.admin === 'nobody']);
    }
    for (const role of ['agent-rw', 'agent-ro', 'somebody', 'team-admin, team-admin']) {
      expect([role, await foreign(role, 'bob')]).toEqual([role, true]);
      expect([role, await foreign(role, '*')]).toEqual([role, call.others !== 'all']);
    }
    expect(rowCounts(service)).toEqual(before);
  });

  test("'*' stays a fault where an operation speaks of one agent, for administrators as well", async () => {
    const admin = { 'X-Agent-ID': 'ann', 'X-Role': 'system-admin' };
    for (const [name, call] of calls.filter(([, { admin }]) => admin === 'one')) {
      expect([name, (await send(call, admin, { agent_id: '*' })).status]).toEqual([name, 422]);
    }
  });

  test.each(calls)('%s stays in the projects of the key', async (_name, call) => {
    const before = rowCounts(service);
    const key = { 'X-Agent-ID': 'ann', 'X-Role': 'system-admin', 'X-Allowed-Projects': 'shop,blog' };
    const refused = [
      send(call, key, { project: 'other' }),
      send(call, key, { project: '*' }),
      send(call, { ...key, 'X-Project': 'other' }),
      send(call, { ...key, 'X-Project': 'other' }, { project: 'shop' }),
      send(call, key),
    ];
    for (const answer of await Promise.all(refused)) expect(answer.status).toBe(403);
    expect(rowCounts(service)).toEqual(before);
  });

  test('names the projects of a key that asks for another', async () => {
    const headers = { 'X-Agent-ID': 'ann', 'X-Allowed-Projects': 'shop,blog' };
    const answer = await supertest(service.app)
      .post('/events')
      .set(headers)
      .send({ event_type: 'deploy', project: 'other' });
    expect([answer.status, answer.body]).toEqual([
      403,
      expect.objectContaining({
        code: 'foreign_project',
        detail: "body project names another project: your key is for 'shop', 'blog', name one of these.",
        errors: [{ where: 'body/project', message: expect.any(String) }],
      }),
    ]);
  });

  test('is in the only project of a key by itself', async () => {
    const headers = { 'X-Agent-ID': 'dan', 'X-Allowed-Projects': 'shop' };
    const answer = await supertest(service.app).post('/events').set(headers).send({ event_type: 'deploy' });
    expect(answer.body.event).toMatchObject({ agent_id: 'dan', project: 'shop' });
  });

  test('says what to do', async () => {
    const answer = await send(SPEAKING.listEvents as Call, { 'X-Agent-ID': 'ann' }, { agent_id: 'bob' });
    expect(answer.body).toMatchObject({
      code: 'foreign_agent',
      detail:
        "query agent_id names another agent than the one of your key, which is 'ann': leave it out, or use the key of that agent.",
      errors: [{ where: 'query/agent_id' }],
    });
  });

  test('writes under the agent of the header, and reads pooled figures of all for everybody', async () => {
    const start = { ...(SPEAKING.startTask as Call), body: { task_type: 'deploy', correlation_id: 'd-1' } };
    const started = await send(start, { 'X-Agent-ID': 'bob' }, { agent_id: 'bob' });
    expect(started.body.event.agent_id).toBe('bob');
    await send({ ...start, path: '/events/task-end' }, { 'X-Agent-ID': 'bob' });
    const types = await send(SPEAKING.listTaskTypes as Call, { 'X-Agent-ID': 'ann' }, { agent_id: '*' });
    expect(types.body.task_types).toEqual(['deploy']);
  });

  test.each([
    '/health',
    '/dashboard',
    '/metrics',
    '/openapi.json',
    '/docs',
    '/clock/now',
    '/health/live',
    '/health/ready',
  ])('answers GET %s without the header', async (path) => {
    expect((await supertest(service.app).get(path)).status).toBe(200);
  });
});
