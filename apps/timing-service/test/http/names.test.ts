import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { SqliteEngine } from '../../src/storage/sqlite/sqlite-engine.ts';
import { runTasks, START_MS, startTestService, type TestService } from '../start-service.ts';

let service: TestService;
beforeEach(() => {
  service = startTestService();
});
afterEach(() => service.close());

const get = (path: string) => supertest(service.app).get(path);
const post = (path: string, body: object) => supertest(service.app).post(path).send(body);
const types = async () => (await get('/stats/task-types?agent_id=*').expect(200)).body.task_types;

describe('blanks around a name', () => {
  test('make no other task type, at a start, at an end, in an event and in what is asked', async () => {
    await runTasks(service, 'build', [10]);
    await runTasks(service, ' build', [10]);
    await runTasks(service, 'build\u00a0', [10]);
    await runTasks(service, 'npm test', [10]);
    await runTasks(service, 'npm\u00a0 test', [10]);
    await runTasks(service, 'caf\u00e9', [10]);
    await runTasks(service, 'cafe\u0301', [10]);
    await post('/events', { event_type: ' deploy ', task_type: ' build ' }).expect(200);
    expect(await types()).toEqual(['build', 'caf\u00e9', 'npm test']);
    expect((await get('/tasks?task_type=cafe%CC%81').expect(200)).body.tasks).toHaveLength(2);
    const within = await get('/stats/durations/npm%20%20test').expect(200);
    expect(within.body.summary).toMatchObject({ task_type: 'npm test', count: 2 });
    const { body } = await get('/stats/durations/build%20').expect(200);
    expect(body.summary).toMatchObject({ task_type: 'build', count: 3 });
    const asked = [
      '/stats/recommend-timeout/build%20',
      '/stats/check-timeout/build%20?elapsed_seconds=1&timeout_seconds=60',
      '/stats/distribution/build%20',
      '/stats/trend/build%20?limit=4',
      '/stats/estimate/build%20',
    ];
    for (const path of asked) expect(JSON.stringify((await get(path).expect(200)).body)).not.toContain('"build "');
    expect((await get('/tasks?task_type=%20build').expect(200)).body.tasks).toHaveLength(3);
    expect((await get('/events?event_type=deploy%20').expect(200)).body.events).toHaveLength(1);
    const spent = await get('/stats/time-spent?task_type=build%20').expect(200);
    expect(spent.body.time_spent.total.tasks).toBe(3);
  });

  test('keep no start from being paired, replayed and ended', async () => {
    const start = { event_type: 'task_start ', task_type: 'build ', correlation_id: 'a' };
    await post('/events', start).expect(200);
    expect((await post('/events', { ...start, task_type: 'build' }).expect(200)).body.replayed).toBe(true);
    expect((await get('/events/active?task_type=build%20').expect(200)).body.active_tasks).toHaveLength(1);
    await post('/events/task-end', { task_type: ' build' }).expect(200);
    expect((await get('/tasks/a').expect(200)).body.task).toMatchObject({ task_type: 'build', state: 'ended' });
  });

  test('and accents leave no name longer than one that can be asked for', async () => {
    // U+FB2C is three characters in NFC (Unicode, CompositionExclusions): 42 of them and two letters have 128.
    const longest = `${'\ufb2c'.repeat(42)}ab`;
    await runTasks(service, longest, [10]);
    const [kept] = await types();
    expect([...kept]).toHaveLength(128);
    await get(`/stats/durations/${encodeURIComponent(kept)}`).expect(200);
    const sent = '\ufb2c'.repeat(43);
    for (const [path, body] of [
      ['/events/task-start', { task_type: sent }],
      ['/events/task-start', { task_type: 'build', correlation_id: sent }],
      ['/events', { event_type: sent }],
      [`/stopwatch/${encodeURIComponent(sent)}/start`, {}],
    ] as const)
      expect((await post(path, body).expect(422)).body.detail).toContain(
        'must have at most 128 characters, and has 129',
      );
    const { text } = await get('/export?agent_id=*').expect(200);
    const imported = (lines: string) =>
      supertest(service.app).post('/import?space=other').type('application/x-ndjson').send(lines).expect(200);
    expect((await imported(text)).body).toMatchObject({ imported: 3, rejected: [] });
    expect((await imported(text.replaceAll(kept, sent))).body.rejected).toEqual(
      [1, 2, 3].map((line) => ({
        line,
        reason: expect.stringContaining('task_type must have at most 128 characters'),
      })),
    );
  });

  test('of a correlation id make no other task, wherever they stand', async () => {
    const start = { task_type: 'build', correlation_id: ' job 1 ' };
    const { body } = await post('/events/task-start', start).expect(200);
    expect([body.correlation_id, body.event.correlation_id]).toEqual(['job 1', 'job 1']);
    const again = await post('/events/task-start', { ...start, correlation_id: 'job\u00a0 1' }).expect(200);
    expect(again.body.replayed).toBe(true);
    await post('/events', { event_type: 'note', correlation_id: 'job 1 ' }).expect(200);
    const asEvent = { event_type: 'task_start', task_type: 'build' };
    await post('/events', { ...asEvent, correlation_id: ' job 2' }).expect(200);
    await post('/events', { ...asEvent, event_type: 'task_end', correlation_id: 'job 2 ' }).expect(200);
    expect((await get('/tasks/job%201%20').expect(200)).body.task).toMatchObject({ state: 'active' });
    await post('/events/task-end', { ...start, correlation_id: 'job 1  ' }).expect(200);
    expect((await get('/tasks?agent_id=*').expect(200)).body.tasks).toMatchObject([
      { correlation_id: 'job 2', state: 'ended' },
      { correlation_id: 'job 1', state: 'ended' },
    ]);
    expect((await get('/events?correlation_id=%20job%201').expect(200)).body.events).toHaveLength(3);
  });

  test('make no other approach, step or stopwatch', async () => {
    await runTasks(service, 'build', [10, 11]);
    const { body } = await post('/stats/compare-approaches', {
      approaches: [{ name: ' whole ', steps: [{ task_type: 'build ' }] }],
    }).expect(200);
    expect(body.approaches[0].name).toBe('whole');
    await supertest(service.app).post('/stopwatch/tea%20/start').expect(200);
    await supertest(service.app).post('/stopwatch/%20tea/stop').expect(200);
    const { stopwatches } = (await get('/stopwatches').expect(200)).body;
    expect(stopwatches.map(({ name }: { name: string }) => name)).toEqual(['tea']);
    await supertest(service.app).delete('/stopwatch/tea%20').expect(200, { deleted: 'tea' });
  });

  test('are left out of an import, a span, a hook and a tool of MCP', async () => {
    const task = { kind: 'task', correlation_id: 'b', agent_id: 'ann', task_type: 'build ', state: 'active' };
    const lines = JSON.stringify({ ...task, started_at: '2026-11-21T09:00:00Z' });
    await supertest(service.app).post('/import').type('application/x-ndjson').send(lines).expect(200);
    const span = {
      traceId: '1'.repeat(32),
      spanId: '2'.repeat(16),
      name: 'chat',
      startTimeUnixNano: '1795253000000000000',
    };
    const attributes = [{ key: 'gen_ai.request.model', value: { stringValue: ' opus ' } }];
    await post('/v1/traces', {
      resourceSpans: [{ scopeSpans: [{ spans: [{ ...span, endTimeUnixNano: '1795253001000000000', attributes }] }] }],
    }).expect(200);
    const hook = { hook_event_name: 'PreToolUse', session_id: 's', tool_name: ' Read ', tool_use_id: 't' };
    await post('/hooks/claude-code', hook).expect(200);
    const params = { name: 'start', arguments: { task_type: ' lint ' } };
    await supertest(service.app)
      .post('/mcp')
      .set('Accept', 'application/json, text/event-stream')
      .send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
      .expect(200);
    expect(await types()).toEqual(['build', 'chat opus', 'lint', 'tool:Read']);
  });
});

describe.each(['.', '..', ' .. '])('the name %j, which means another place in a URL', (name) => {
  const refusal = (where: string) => ({
    code: 'invalid_input',
    detail: `${where} must not be '${name.trim()}', which means another place in a URL and cannot be asked for: send another name.`,
  });

  test('is no task type, no stopwatch and no correlation id', async () => {
    const body = { event_type: 'deploy', task_type: name };
    for (const path of ['/events/task-start', '/events']) {
      const refused = await post(path, path === '/events' ? body : { task_type: name });
      expect([refused.status, refused.body]).toEqual([422, expect.objectContaining(refusal('body/task_type'))]);
    }
    const params = { name: 'stopwatch_start', arguments: { name } };
    const tool = await supertest(service.app)
      .post('/mcp?tools=opentime')
      .set('Accept', 'application/json, text/event-stream')
      .send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect(tool.text).toContain(`must not be '${name.trim()}'`);
    const started = await post('/events/task-start', { task_type: 'build', correlation_id: name });
    expect([started.status, started.body]).toEqual([422, expect.objectContaining(refusal('body/correlation_id'))]);
    expect(await types()).toEqual([]);
    expect((await get('/stopwatches').expect(200)).body.stopwatches).toEqual([]);
  });
});

describe('what an earlier version recorded with blanks around its type or its id', () => {
  test('can be asked for, ended and imported again', async () => {
    service.close();
    const engine = new SqliteEngine({ path: ':memory:', synchronous: 'normal' });
    service = startTestService({ engine });
    const old = {
      agentId: 'default',
      project: null,
      taskType: 'build ',
      startedMs: START_MS - 60_000,
      abandonedMs: null,
      estimatedSeconds: null,
      metadata: null,
    } as const;
    const ended = { ...old, correlationId: 'old', state: 'ended', outcome: 'ok', endedMs: START_MS } as const;
    const active = { ...old, correlationId: 'runs', state: 'active', outcome: null, endedMs: null } as const;
    await engine.home.stores.transfer.import([
      { kind: 'task', task: { ...ended, durationSeconds: 60, endEventId: null } },
      { kind: 'task', task: { ...active, durationSeconds: null, endEventId: null } },
    ]);
    const exported = await get('/export').expect(200);
    const again = await supertest(service.app).post('/import').type('application/x-ndjson').send(exported.text);
    expect(again.body).toMatchObject({ duplicates: 2, rejected: [] });
    expect((await get('/stats/durations/build%20').expect(200)).body.summary).toMatchObject({ count: 1 });
    await get('/stats/durations/build').expect(404);
    await post('/events/task-end', { task_type: 'build ', correlation_id: 'runs' }).expect(200);
    expect((await get('/stats/durations/build%20').expect(200)).body.summary).toMatchObject({ count: 2 });
  });

  test('keeps its id: a start again is replayed, and an end finds it', async () => {
    const task = { kind: 'task', correlation_id: 'old ', agent_id: 'default', task_type: 'build', state: 'active' };
    const lines = JSON.stringify({ ...task, started_at: '2026-11-21T09:00:00Z' });
    await supertest(service.app).post('/import').type('application/x-ndjson').send(lines).expect(200);
    const sent = { task_type: 'build', correlation_id: 'old ' };
    expect((await post('/events/task-start', sent).expect(200)).body).toMatchObject({ replayed: true });
    await post('/events', { event_type: 'note', correlation_id: 'old ' }).expect(200);
    expect((await get('/events?correlation_id=old%20').expect(200)).body.events).toHaveLength(1);
    expect((await get('/tasks/old%20').expect(200)).body.task.state).toBe('active');
    await get('/tasks/old').expect(404);
    await post('/events/task-end', sent).expect(200);
    expect((await get('/tasks/old%20').expect(200)).body.task.state).toBe('ended');
  });
});
