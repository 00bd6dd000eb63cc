import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { startTestService, type TestService } from '../start-service.ts';

/** The clock of the test stands at 2026-11-21T09:30:00.123456Z. */
const TASKS = [
  // 90 minutes over the midnight of Berlin (23:00Z), with 30 of them in the 20th.
  { id: 'c1', agent: 'ann', type: 'build', from: '2026-11-19T22:30:00Z', to: '2026-11-20T00:00:00Z', outcome: 'ok' },
  {
    id: 'c2',
    agent: 'ann',
    type: 'test',
    from: '2026-11-19T23:30:00Z',
    to: '2026-11-20T00:30:00Z',
    outcome: 'timeout',
  },
  { id: 'c3', agent: 'bob', type: 'build', from: '2026-11-20T10:00:00Z', to: '2026-11-20T10:00:10Z', outcome: 'error' },
  { id: 'c4', agent: 'ann', type: 'build', from: '2026-11-01T10:00:00Z', to: '2026-11-01T10:00:10Z', outcome: 'ok' },
];

let service: TestService;
const ask = (query: string) => supertest(service.app).get(`/stats/time-spent?${query}`);
const spent = async (query: string) => (await ask(query)).body.time_spent;

beforeAll(async () => {
  service = startTestService();
  const lines = TASKS.map(({ id, agent, type, from, to, outcome }) => ({
    ...{ kind: 'task', correlation_id: id, agent_id: agent, task_type: type, state: 'ended', outcome },
    ...{ started_at: from, ended_at: to, duration_seconds: (Date.parse(to) - Date.parse(from)) / 1000 },
  }));
  const { body } = await supertest(service.app)
    .post('/import')
    .set('Content-Type', 'application/x-ndjson')
    .send(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  if (body.imported !== TASKS.length) throw new Error(JSON.stringify(body));
  await supertest(service.app).post('/events/task-start?agent_id=ann').send({ task_type: 'deploy' });
  service.clock.advance(60_000);
});
afterAll(() => service.close());

describe('where the time went', () => {
  test('is told by session, with what was done in it, for what hooks bring', async () => {
    const hooks = startTestService();
    const hook = (event: string, fields: object) =>
      supertest(hooks.app)
        .post('/hooks/claude-code?agent_id=ann')
        .send({ hook_event_name: event, session_id: 's1', cwd: '/work', ...fields });
    const bash = { tool_name: 'Bash', tool_use_id: 't1', tool_input: { command: 'npm test' } };
    await hook('UserPromptSubmit', { prompt: 'go' });
    hooks.clock.advance(10_000);
    await hook('PreToolUse', bash);
    hooks.clock.advance(40_000);
    await hook('PostToolUse', { ...bash, tool_response: {} });
    hooks.clock.advance(10_000);
    await hook('Stop', {});
    await supertest(hooks.app).post('/events/task-start?agent_id=ann').send({ task_type: 'by hand' });
    hooks.clock.advance(5_000);
    const of = async (query: string) =>
      (await supertest(hooks.app).get(`/stats/time-spent?agent_id=ann&${query}`)).body.time_spent.groups;
    expect(await of('group_by=session')).toMatchObject([
      { session: 's1', tasks: 2, spent_seconds: 100, busy_seconds: 60 },
      { session: null, tasks: 1, spent_seconds: 5 },
    ]);
    expect(await of('group_by=session&then_by=task_type')).toMatchObject([
      { session: 's1', task_type: 'exchange', spent_seconds: 60 },
      { session: 's1', task_type: 'npm test', spent_seconds: 40 },
      { session: null, task_type: 'by hand', spent_seconds: 5 },
    ]);
    hooks.close();
  });

  test('is told by the session in which a task started, as the header, the query, a tool or the task itself names it', async () => {
    const own = startTestService();
    const begin = async (id: string, body: object, query = '') => {
      const request = supertest(own.app).post(`/events/task-start?agent_id=ann${query}`).set('X-Session-ID', 's1');
      return (await request.send({ task_type: 'build', correlation_id: id, ...body })).body;
    };
    const started = await begin('c1', {});
    expect(started).toMatchObject({ event: { metadata: null }, task: { metadata: { session: 's1' } } });
    await begin('c2', { metadata: { branch: 'main' } }, '&session_id=s2');
    await begin('c3', { metadata: { session: 's3' } });
    await begin('c4', { metadata: 'a text' });
    const event = { event_type: 'task_start', task_type: 'build', correlation_id: 'c5' };
    await supertest(own.app).post('/events?agent_id=ann&session_id=s1').send(event);
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'start', arguments: { task_type: 'x' } },
    };
    await supertest(own.app)
      .post('/mcp?agent_id=ann&session_id=s2')
      .set('Accept', 'application/json, text/event-stream')
      .send(call);
    own.clock.advance(10_000);
    const again = await begin('c1', {}, '&session_id=restarted');
    expect(again).toMatchObject({ replayed: true, task: { metadata: { session: 's1' } } });
    expect(await begin('c3', { metadata: { session: 's4' } })).toMatchObject({ code: 'correlation_id_in_use' });
    const answer = await supertest(own.app).get('/stats/time-spent?agent_id=ann&group_by=session');
    expect(answer.body.time_spent.groups).toMatchObject([
      { session: 's1', tasks: 2 },
      { session: 's2', tasks: 2 },
      { session: null, tasks: 1 },
      { session: 's3', tasks: 1 },
    ]);
    own.close();
  });

  test('is told of the last seven days by type, what runs up to now', async () => {
    expect((await ask('agent_id=ann')).body).toEqual({
      time_spent: {
        since: '2026-11-15T00:00:00.000000+00:00',
        until: '2026-11-21T09:31:00.123456+00:00',
        time_zone: 'UTC',
        total: {
          ...{ tasks: 3, spent_seconds: 9_060, busy_seconds: 7_260, running_seconds: 60, cut_off_seconds: 3_600 },
          longest_seconds: 5_400,
          outcomes: { ok: 1, error: 0, timeout: 1, cancelled: 0, active: 1, abandoned: 0 },
        },
        groups: [
          {
            task_type: 'build',
            ...{ tasks: 1, spent_seconds: 5_400, busy_seconds: 5_400, running_seconds: 0, cut_off_seconds: 0 },
            longest_seconds: 5_400,
            outcomes: { ok: 1, error: 0, timeout: 0, cancelled: 0, active: 0, abandoned: 0 },
          },
          {
            task_type: 'test',
            ...{ tasks: 1, spent_seconds: 3_600, busy_seconds: 3_600, running_seconds: 0, cut_off_seconds: 3_600 },
            longest_seconds: 3_600,
            outcomes: { ok: 0, error: 0, timeout: 1, cancelled: 0, active: 0, abandoned: 0 },
          },
          {
            task_type: 'deploy',
            ...{ tasks: 1, spent_seconds: 60, busy_seconds: 60, running_seconds: 60, cut_off_seconds: 0 },
            longest_seconds: 60,
            outcomes: { ok: 0, error: 0, timeout: 0, cancelled: 0, active: 1, abandoned: 0 },
          },
        ],
      },
    });
  });

  test('by days of a time zone, with each part of a task on its day', async () => {
    const of = 'agent_id=*&group_by=day&then_by=agent&until=2026-11-21';
    const { since, groups } = await spent(`${of}&time_zone=Europe/Berlin`);
    expect(since).toBe('2026-11-14T23:00:00.000000+00:00');
    expect(groups.map((one: Record<string, unknown>) => [one.day, one.agent_id, one.tasks, one.spent_seconds])).toEqual(
      [
        ['2026-11-19', 'ann', 1, 1_800],
        ['2026-11-20', 'ann', 2, 7_200],
        ['2026-11-20', 'bob', 1, 10],
      ],
    );
    expect((await spent(of)).groups).toHaveLength(3);
  });

  test('takes of a task what lies between since and until', async () => {
    const between = (since: string, until: string) => spent(`agent_id=*&since=${since}&until=${until}`);
    expect((await between('2026-11-19T23:00:00Z', '2026-11-19T23:40:00Z')).total).toMatchObject({
      ...{ tasks: 2, spent_seconds: 3_000, busy_seconds: 2_400 },
    });
    expect((await between('2026-11-01', '2026-11-21')).groups[0]).toMatchObject({ task_type: 'build', tasks: 3 });
    expect(await spent('agent_id=*&task_type=build&group_by=outcome')).toMatchObject({
      groups: [
        { outcome: 'ok', spent_seconds: 5_400 },
        { outcome: 'error', spent_seconds: 10 },
      ],
    });
    expect(await spent('agent_id=nobody&group_by=project')).toMatchObject({ total: { tasks: 0 }, groups: [] });
    expect((await spent('agent_id=ann&group_by=project')).groups).toMatchObject([{ project: null, tasks: 3 }]);
  });

  test.each([
    ['group_by=day&then_by=day', 'query/then_by must be something else than group_by.'],
    ['time_zone=Mars', 'query/time_zone must be the IANA name of a time zone, such as Europe/Berlin.'],
    ['since=2126-01-01', 'query/since must lie before now.'],
    ['group_by=day&since=2024-01-01', 'query/since must lie at most 400 days before until where days are asked for.'],
  ])('of %s is refused in words', async (query, detail) => {
    const { status, body } = await ask(query);
    expect({ status, code: body.code, detail: body.detail }).toEqual({ status: 422, code: 'invalid_input', detail });
  });
});
