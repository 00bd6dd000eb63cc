import { ManualClock } from '@agent-faculties/service-kit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { rowCounts, START_MS, startTestService, type TestService } from '../start-service.ts';

interface EventPage {
  readonly events: { id: string }[];
  readonly next_cursor: string | null;
}

interface TaskPage {
  readonly tasks: { correlation_id: string }[];
  readonly next_cursor: string | null;
}

let service: TestService;
beforeEach(() => {
  service = startTestService();
});
afterEach(() => service.close());

const get = (url: string) => supertest(service.app).get(url);
const post = (url: string, body: object) => supertest(service.app).post(url).send(body);
const start = (body: object, agent = 'ann') => post(`/events/task-start?agent_id=${agent}`, body);
const end = (body: object, agent = 'ann') => post(`/events/task-end?agent_id=${agent}`, body);
const count = async (type: string, agent: string): Promise<number> => {
  const answer = await get(`/stats/durations/${encodeURIComponent(type)}?agent_id=${agent}`);
  return answer.status === 404 ? 0 : answer.body.summary.count;
};

describe('a name with an invisible character', () => {
  const HIDDEN = 'npm\u200b test';
  const refusalAt = (where: string) => ({
    status: 422,
    code: 'invalid_input',
    detail: `${where} contains the invisible character U+200B: send the name without it.`,
  });

  test('is refused where something new is kept under it, so that no two types look alike', async () => {
    const url = `/stopwatch/${encodeURIComponent(HIDDEN)}/start?agent_id=ann`;
    expect((await start({ task_type: HIDDEN })).body).toMatchObject(refusalAt('body/task_type'));
    expect((await post('/events', { event_type: HIDDEN })).body).toMatchObject(refusalAt('body/event_type'));
    const event = { event_type: 'note', task_type: HIDDEN };
    expect((await post('/events', event)).body).toMatchObject(refusalAt('body/task_type'));
    expect((await post(url, {})).body).toMatchObject(refusalAt('path/name'));
    expect(rowCounts(service)).toMatchObject({ events: 0, tasks: 0 });
    for (const task_type of ['läuft 🧪', '❤️ build', 'می‌خواهم']) expect((await start({ task_type })).status).toBe(200);
  });

  test('that was kept before is ended and asked for as any other', async () => {
    const line = {
      kind: 'task',
      agent_id: 'ann',
      task_type: HIDDEN,
      state: 'active',
      started_at: '2026-11-21T09:00:00Z',
    };
    const lines = ['c1', 'c2'].map((correlation_id) => JSON.stringify({ ...line, correlation_id })).join('\n');
    await supertest(service.app).post('/import').type('application/x-ndjson').send(lines);
    expect((await end({ task_type: HIDDEN, correlation_id: 'c1' })).body.task.state).toBe('ended');
    const told = { event_type: 'task_end', task_type: HIDDEN, correlation_id: 'c2' };
    expect((await post('/events?agent_id=ann', told)).body.task.state).toBe('ended');
    expect(await count(HIDDEN, 'ann')).toBe(2);
  });
});

describe('an event', () => {
  test('comes back as a literal document', async () => {
    const answer = await post('/events', {
      event_type: 'deploy',
      task_type: 'release',
      metadata: { a: [1, null], é: 'ü' },
    });
    const { id } = answer.body.event;
    expect(id).toMatch(/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      event: {
        id,
        event_id: id,
        agent_id: 'default',
        event_type: 'deploy',
        task_type: 'release',
        timestamp: '2026-11-21T09:30:00.123456+00:00',
        metadata: { a: [1, null], é: 'ü' },
        correlation_id: null,
      },
    });
    expect((await get(`/events/${id}`)).body).toEqual(answer.body);
  });

  test.each([['text'], [''], [null], [{}], [{ '': { b: [] } }], ['{"a":1}']])(
    'keeps the metadata %j as it was sent',
    async (metadata) => {
      const answer = await post('/events', { event_type: 'x', metadata });
      expect((await get(`/events/${answer.body.event.id}`)).body.event.metadata).toEqual(metadata);
    },
  );

  test('belongs to the agent of the query, else of the header, else to the default one', async () => {
    const agentOf = async (query: string, header: string | null) => {
      const request = supertest(service.app).post(`/events${query}`);
      if (header !== null) request.set('X-Agent-ID', header);
      return (await request.send({ event_type: 'x' })).body.event.agent_id;
    };
    expect(await agentOf('?agent_id=ann', 'bob')).toBe('ann');
    expect(await agentOf('', 'bob')).toBe('bob');
    expect(await agentOf('?agent_id=', 'bob')).toBe('bob');
    expect(await agentOf('', '')).toBe('default');
    expect(await agentOf('', null)).toBe('default');
    expect(await agentOf('?agent_id=%F0%9F%A4%96-editor', null)).toBe('🤖-editor');
    expect(await agentOf(`?agent_id=${'%F0%9F%A4%96'.repeat(128)}`, null)).toBe('🤖'.repeat(128));
    expect((await get('/agents')).body).toEqual({
      agents: ['ann', 'bob', 'default', '🤖'.repeat(128), '🤖-editor'].sort(),
      next_cursor: null,
    });
    // Page by page, and the longest name is a cursor too.
    const agents: string[] = [];
    for (let query = '?limit=1'; query !== ''; ) {
      const { body } = await get(`/agents${query}`).expect(200);
      agents.push(...body.agents);
      query = body.next_cursor === null ? '' : `?limit=1&cursor=${body.next_cursor}`;
    }
    expect(agents).toEqual((await get('/agents')).body.agents);
  });

  test('has an id that sorts by time also within one millisecond and when the clock is set back', async () => {
    const ids: string[] = [];
    for (const step of [0, 0, 1, -5_000, 0]) {
      service.clock.advance(step);
      ids.push((await post('/events', { event_type: 'x' })).body.event.id);
    }
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(5);
  });
});

describe('the list of events', () => {
  const list = async (query: string): Promise<string[]> =>
    (await get(`/events?${query}`)).body.events.map((event: { event_type: string }) => event.event_type);

  test('is newest first and filters by type, task type, correlation id and agent', async () => {
    await post('/events?agent_id=ann', { event_type: 'one', task_type: 'build' });
    service.clock.advance(1);
    await post('/events?agent_id=bob', { event_type: 'two', task_type: 'build', correlation_id: 'c' });
    service.clock.advance(1);
    await post('/events?agent_id=bob', { event_type: 'three' });
    expect(await list('agent_id=*')).toEqual(['three', 'two', 'one']);
    expect(await list('agent_id=bob')).toEqual(['three', 'two']);
    expect(await list('agent_id=*&task_type=build')).toEqual(['two', 'one']);
    expect(await list('agent_id=*&correlation_id=c')).toEqual(['two']);
    expect(await list('agent_id=*&event_type=one')).toEqual(['one']);
    expect(await list('agent_id=ann&event_type=two')).toEqual([]);
    expect(await list('')).toEqual([]);
    expect(await list('agent_id=*&limit=2')).toEqual(['three', 'two']);
  });

  test('compares times as instants, whatever their offset: since is included, until is not', async () => {
    await post('/events', { event_type: 'at .123456' });
    service.clock.advance(60_000);
    await post('/events', { event_type: 'a minute later' });
    expect(await list('since=2026-11-21T09:30:00Z')).toEqual(['a minute later', 'at .123456']);
    expect(await list('since=2026-11-21T09:30:00.123456Z')).toEqual(['a minute later', 'at .123456']);
    expect(await list('since=2026-11-21T09:30:00.123457Z')).toEqual(['a minute later']);
    expect(await list('since=2026-11-21T10:30:30%2B01:00')).toEqual(['a minute later']);
    expect(await list('since=2026-11-21T10:30:30+01:00')).toEqual(['a minute later']);
    expect(await list('since=2026-11-21T01:30:30-08:00')).toEqual(['a minute later']);
    expect(await list('until=2026-11-21T10:30:30+01:00')).toEqual(['at .123456']);
    expect(await list('until=2026-11-21T09:31:00.123456Z')).toEqual(['at .123456']);
    expect(await list('until=2026-11-21')).toEqual([]);
    expect(await list('since=2026-11-21&until=2026-11-22')).toHaveLength(2);
  });

  test('neither skips nor repeats over pages while writes go on, also within one microsecond', async () => {
    const expected: string[] = [];
    for (let index = 0; index < 23; index++) {
      if (index % 4 === 0) service.clock.advance(1);
      expected.unshift((await post('/events?agent_id=ann', { event_type: `e${index}` })).body.event.id);
    }
    for (const filter of ['agent_id=ann', 'agent_id=*', 'agent_id=ann&event_type=e7']) {
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page: EventPage = (await get(`/events?${filter}&limit=5${cursor && `&cursor=${cursor}`}`)).body;
        seen.push(...page.events.map((event: { id: string }) => event.id));
        cursor = page.next_cursor;
        await post('/events?agent_id=bob', { event_type: 'meanwhile' });
        await post('/events?agent_id=ann', { event_type: 'meanwhile' });
      }
      const seenBefore = seen.filter((id) => expected.includes(id));
      expect(seenBefore).toEqual(filter.includes('e7') ? [expected[23 - 1 - 7]] : expected);
      expect(new Set(seen).size).toBe(seen.length);
    }
  });
});

describe('a task', () => {
  test('starts and ends with literal documents', async () => {
    const started = await start({ task_type: 'build', estimated_seconds: 60, metadata: { branch: 'main' } });
    const { correlation_id, event } = started.body;
    expect(correlation_id).toMatch(/^[0-9a-f]{32}$/);
    const task = {
      correlation_id,
      agent_id: 'ann',
      task_type: 'build',
      state: 'active',
      outcome: null,
      started_at: '2026-11-21T09:30:00.123456+00:00',
      ended_at: null,
      duration_seconds: null,
      elapsed_seconds: 0,
      estimated_seconds: 60,
      metadata: { branch: 'main' },
    };
    expect(started.body).toEqual({
      event: {
        id: event.id,
        event_id: event.id,
        agent_id: 'ann',
        event_type: 'task_start',
        task_type: 'build',
        timestamp: '2026-11-21T09:30:00.123456+00:00',
        metadata: { branch: 'main' },
        correlation_id,
      },
      correlation_id,
      task,
      replayed: false,
    });
    service.clock.advance(2_500.5);
    expect((await get('/events/active?agent_id=ann')).body).toEqual({
      active_tasks: [{ ...event, elapsed_seconds: 2.501 }],
    });
    const ended = await end({ task_type: 'build', correlation_id, outcome: 'error', metadata: 'log' });
    const endedTask = {
      ...task,
      state: 'ended',
      outcome: 'error',
      ended_at: '2026-11-21T09:30:02.623956+00:00',
      duration_seconds: 2.501,
      elapsed_seconds: 2.501,
    };
    expect(ended.body).toEqual({
      event: { ...ended.body.event, event_type: 'task_end', metadata: 'log', correlation_id, agent_id: 'ann' },
      duration_seconds: 2.501,
      task: endedTask,
      replayed: false,
    });
    expect((await get(`/tasks/${correlation_id}`)).body).toEqual({ task: endedTask });
    expect((await get('/events/active?agent_id=ann')).body).toEqual({ active_tasks: [] });
  });

  test('that is told of later has the times that were told, and each may be told again', async () => {
    const begin = { task_type: 'build', correlation_id: 'c1', timestamp: '2026-11-20T08:00:00+01:00' };
    const over = { task_type: 'build', correlation_id: 'c1', timestamp: '2026-11-20T07:00:30.5Z' };
    const started = await start(begin);
    expect(started.body.event.timestamp).toBe('2026-11-20T07:00:00.000000+00:00');
    expect(started.body.task).toMatchObject({ started_at: started.body.event.timestamp, elapsed_seconds: 95_400.123 });
    expect((await start(begin)).body).toEqual({ ...started.body, replayed: true });
    expect((await start({ ...begin, timestamp: null })).body.replayed).toBe(true);
    const ended = await end(over);
    expect(ended.body).toMatchObject({
      event: { timestamp: '2026-11-20T07:00:30.500000+00:00' },
      duration_seconds: 30.5,
      task: { ended_at: '2026-11-20T07:00:30.500000+00:00', outcome: 'ok' },
      replayed: false,
    });
    expect((await end(over)).body).toEqual({ ...ended.body, replayed: true });
    expect((await end({ ...over, timestamp: null })).body).toEqual({ ...ended.body, replayed: true });
    expect(rowCounts(service)).toMatchObject({ events: 2, tasks: 1 });
  });

  test('that has ended is not told to have ended in another way: the first end stands, and who tells of the other one hears of it', async () => {
    const { correlation_id } = (await start({ task_type: 'x' })).body;
    const failed = { task_type: 'x', correlation_id, outcome: 'error' };
    const first = (await end(failed)).body;
    const before = rowCounts(service);
    const other = await end({ ...failed, outcome: 'ok' });
    expect(other.body).toMatchObject({ status: 409, code: 'already_ended' });
    expect(other.body.detail).toContain("ended with the outcome 'error', and nothing was changed");
    expect((await end(failed)).body).toEqual({ ...first, replayed: true });
    // As a client of OpenTime sends it, which knows no outcomes.
    expect((await end({ task_type: 'x', correlation_id })).body).toEqual({ ...first, replayed: true });
    expect(rowCounts(service)).toEqual(before);
  });

  test('that has ended is not told to have ended at another time: the first end stands, and who tells of the other one hears of it', async () => {
    await start({ task_type: 'x', correlation_id: 'c1', timestamp: '2026-11-20T07:00:00Z' });
    const over = { task_type: 'x', correlation_id: 'c1', timestamp: '2026-11-20T07:01:00Z' };
    await end(over);
    const other = await end({ ...over, timestamp: '2026-11-20T07:59:00Z' });
    expect(other.body).toMatchObject({ status: 409, code: 'already_ended' });
    expect(other.body.detail).toContain('ended at 2026-11-20T07:01:00.000Z, and nothing was changed');
    expect((await end({ ...over, timestamp: '2026-11-20T08:01:00+01:00' })).body.replayed).toBe(true);
    expect((await get('/tasks/c1')).body.task.duration_seconds).toBe(60);
  });

  test('that is told of with another start is refused, and one whose end lies before its start as well', async () => {
    await start({ task_type: 'x', correlation_id: 'c1', timestamp: '2026-11-20T07:00:00Z' });
    const other = await start({ task_type: 'x', correlation_id: 'c1', timestamp: '2026-11-20T07:00:01Z' });
    expect(other.body).toMatchObject({ status: 409, code: 'correlation_id_in_use' });
    expect(other.body.detail).toContain('started at 2026-11-20T07:00:00.000Z');
    const counts = rowCounts(service);
    for (const correlation_id of ['c1', null]) {
      const early = await end({ task_type: 'x', correlation_id, timestamp: '2026-11-20T06:59:59.999999Z' });
      expect(early.body).toMatchObject({ status: 422, code: 'invalid_input' });
      expect(early.body.detail).toMatch(
        /^body\/timestamp lies before the start of the task \(2026-11-20T07:00:00\.000Z\)/,
      );
    }
    expect(rowCounts(service)).toEqual(counts);
    const ended = await end({ task_type: 'x', correlation_id: 'c1', timestamp: '2026-11-20T07:00:00Z' });
    expect(ended.body).toMatchObject({ duration_seconds: 0, task: { state: 'ended' } });
  });

  test('may be told of by POST /events, and lies in the list where it was', async () => {
    await post('/events?agent_id=ann', { event_type: 'now' });
    const told = { task_type: 'build', correlation_id: 'c1' };
    await post('/events?agent_id=ann', { event_type: 'deploy', timestamp: '2026-11-20T07:00:10Z' });
    await post('/events?agent_id=ann', { ...told, event_type: 'task_start', timestamp: '2026-11-20T07:00:00Z' });
    const ended = await post('/events?agent_id=ann', {
      ...told,
      event_type: 'task_end',
      timestamp: '2026-11-20T07:01:00Z',
    });
    expect(ended.body.task).toMatchObject({ state: 'ended', duration_seconds: 60 });
    const { events } = (await get('/events?agent_id=ann')).body;
    expect(events.map(({ event_type }: { event_type: string }) => event_type)).toEqual([
      'now',
      'task_end',
      'deploy',
      'task_start',
    ]);
    expect((await get('/stats/durations/build?agent_id=ann')).body.summary).toMatchObject({
      count: 1,
      mean_seconds: 60,
    });
  });

  test('of another clock may be up to five minutes ahead', async () => {
    const { body } = await start({ task_type: 'x', timestamp: '2026-11-21T09:35:00Z' });
    expect(body.task).toMatchObject({ started_at: '2026-11-21T09:35:00.000000+00:00', elapsed_seconds: 0 });
  });

  test('that took less than a millisecond never shows 0, and one that took no time does', async () => {
    const one = (await start({ task_type: 'x' })).body.correlation_id;
    service.clock.advance(0.002);
    expect((await end({ task_type: 'x', correlation_id: one })).body.duration_seconds).toBe(0.001);
    const two = (await start({ task_type: 'x' })).body.correlation_id;
    expect((await end({ task_type: 'x', correlation_id: two })).body.duration_seconds).toBe(0);
  });

  test('never has a negative duration when the clock is set back', async () => {
    const { correlation_id } = (await start({ task_type: 'x' })).body;
    service.clock.advance(-10_000);
    const ended = await end({ task_type: 'x', correlation_id });
    expect(ended.body.task).toMatchObject({
      duration_seconds: 0,
      started_at: '2026-11-21T09:30:00.123456+00:00',
      ended_at: '2026-11-21T09:30:00.123456+00:00',
    });
  });

  test('that is ended again is answered with the first result, and nothing is written', async () => {
    const { correlation_id } = (await start({ task_type: 'x' })).body;
    service.clock.advance(5_000);
    const first = (await end({ task_type: 'x', correlation_id })).body;
    service.clock.advance(5_000);
    const before = rowCounts(service);
    const second = await end({ task_type: 'x', correlation_id, metadata: 'again' }, 'bob');
    expect([second.status, second.body]).toEqual([200, { ...first, replayed: true }]);
    expect(rowCounts(service)).toEqual(before);
    expect(await count('x', 'ann')).toBe(1);
  });

  test('counts for the agent that started it, whoever ends it', async () => {
    const { correlation_id } = (await start({ task_type: 'x' })).body;
    service.clock.advance(5_000);
    const ended = (await end({ task_type: 'x', correlation_id }, 'bob')).body;
    expect([ended.task.agent_id, ended.event.agent_id, ended.duration_seconds]).toEqual(['ann', 'bob', 5]);
    expect([await count('x', 'ann'), await count('x', 'bob'), await count('x', '*')]).toEqual([1, 0, 1]);
  });

  test('is not ended under another type or an unknown id, and nothing is written', async () => {
    const { correlation_id } = (await start({ task_type: 'x' })).body;
    const before = rowCounts(service);
    const other = await end({ task_type: 'y', correlation_id });
    expect([other.status, other.body.code]).toEqual([409, 'task_type_mismatch']);
    const unknown = await end({ task_type: 'x', correlation_id: 'nobody' });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'unknown_correlation_id']);
    expect(rowCounts(service)).toEqual(before);
    expect((await get(`/tasks/${correlation_id}`)).body.task.state).toBe('active');
  });

  test('is ended without an id when it is the only one of its type of this agent', async () => {
    const none = await end({ task_type: 'x' });
    expect([none.status, none.body.code]).toEqual([404, 'no_active_task']);
    const { correlation_id } = (await start({ task_type: 'x' })).body;
    await start({ task_type: 'x' }, 'bob');
    await start({ task_type: 'y' });
    service.clock.advance(1_000);
    const ended = await end({ task_type: 'x' });
    expect(ended.body).toMatchObject({ duration_seconds: 1, task: { correlation_id }, event: { correlation_id } });
    const again = await end({ task_type: 'x' });
    expect([again.status, again.body.code]).toEqual([404, 'no_active_task']);
  });

  test('is not ended without an id when several of its type run: the answer names them', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 3; index++) ids.push((await start({ task_type: 'x' })).body.correlation_id);
    const before = rowCounts(service);
    const answer = await end({ task_type: 'x' });
    expect([answer.status, answer.body.code]).toEqual([409, 'ambiguous_task']);
    expect([...answer.body.correlation_ids].sort()).toEqual([...ids].sort());
    expect(rowCounts(service)).toEqual(before);
  });

  test('that is started again with the same own id is replayed, with another meaning it is refused', async () => {
    const body = { task_type: 'x', correlation_id: 'mine/1 %', estimated_seconds: 3, metadata: { a: { b: 1 } } };
    const first = (await start(body)).body;
    expect([first.correlation_id, first.replayed]).toEqual(['mine/1 %', false]);
    const before = rowCounts(service);
    expect((await start({ ...body })).body).toEqual({ ...first, replayed: true });
    const others: [object, string][] = [
      [{ ...body, task_type: 'y' }, 'ann'],
      [{ ...body, estimated_seconds: 4 }, 'ann'],
      [{ ...body, metadata: { a: { b: 2 } } }, 'ann'],
      [body, 'bob'],
    ];
    for (const [other, agent] of others) {
      const refused = await start(other, agent);
      expect([refused.status, refused.body.code]).toEqual([409, 'correlation_id_in_use']);
    }
    expect(rowCounts(service)).toEqual(before);
    await end({ task_type: 'x', correlation_id: 'mine/1 %' });
    // A late retry of the start: the task has ended meanwhile and stays so.
    const late = await start({ ...body, metadata: { a: { b: 1 } } });
    expect(late.body).toMatchObject({ event: first.event, replayed: true, task: { state: 'ended' } });
    expect((await get('/tasks/mine%2F1%20%25')).body.task.state).toBe('ended');
  });

  test('that an importer posts as events pairs in the same way', async () => {
    const opened = await post('/events?agent_id=ann', {
      event_type: 'task_start',
      task_type: 'x',
      correlation_id: 'c1',
    });
    expect(opened.body).toMatchObject({ task: { state: 'active', correlation_id: 'c1' }, replayed: false });
    service.clock.advance(4_000);
    const body = { event_type: 'task_end', task_type: 'x', correlation_id: 'c1' };
    expect((await post('/events?agent_id=ann', body)).body).toMatchObject({
      task: { outcome: 'ok', duration_seconds: 4 },
    });
    expect((await post('/events?agent_id=ann', body)).body.replayed).toBe(true);
    expect(await count('x', 'ann')).toBe(1);
    expect((await post('/events', { ...body, correlation_id: 'c2' })).status).toBe(404);
    expect((await post('/events', { event_type: 'task_end', correlation_id: 'c1' })).status).toBe(422);
    const alone = await post('/events', { event_type: 'task_start', task_type: 'x' });
    expect([alone.status, alone.body.task]).toEqual([200, undefined]);
  });

  test('of a type with any characters can be read back by path', async () => {
    for (const type of [
      'tool:a/b',
      '100%',
      '%2F',
      '...',
      '.env',
      'a b+c?d#e&f',
      '🤖 é',
      '<img src=x onerror=alert(1)>',
      "'; DROP TABLE tasks;--",
    ]) {
      await start({ task_type: type });
      service.clock.advance(1_000);
      await end({ task_type: type });
      for (const place of ['durations', 'recommend-timeout', 'distribution', 'trend']) {
        const answer = await get(`/stats/${place}/${encodeURIComponent(type)}?agent_id=ann`);
        expect([place, type, answer.status]).toEqual([place, type, 200]);
        if (place === 'durations') expect(answer.body.summary).toMatchObject({ task_type: type, count: 1 });
      }
      const listed = await get(`/tasks?agent_id=ann&task_type=${encodeURIComponent(type)}`);
      expect(listed.body.tasks).toHaveLength(1);
    }
  });
});

describe('a list of tasks', () => {
  test('is newest start first, filters, and neither skips nor repeats over pages while tasks start and end', async () => {
    const expected: string[] = [];
    for (let index = 0; index < 17; index++) {
      if (index % 3 === 0) service.clock.advance(1_000);
      expected.unshift((await start({ task_type: index % 2 ? 'odd' : 'even' })).body.correlation_id);
    }
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: TaskPage = (await get(`/tasks?agent_id=ann&limit=4${cursor && `&cursor=${cursor}`}`)).body;
      seen.push(...page.tasks.map((task: { correlation_id: string }) => task.correlation_id));
      cursor = page.next_cursor;
      await start({ task_type: 'even' });
      await end({ task_type: 'odd', correlation_id: expected.at(-2), outcome: 'cancelled' });
    }
    expect(seen).toEqual(expected);
    const ids = async (query: string) =>
      (await get(`/tasks?agent_id=ann&${query}`)).body.tasks.map(
        (task: { correlation_id: string }) => task.correlation_id,
      );
    expect(await ids('outcome=cancelled')).toEqual([expected.at(-2)]);
    expect(await ids('state=ended')).toEqual([expected.at(-2)]);
    expect(await ids('state=abandoned')).toEqual([]);
    expect(await ids('state=active&task_type=odd')).toHaveLength(7);
    expect(await ids('until=2026-11-21T10:30:02+01:00')).toEqual(expected.slice(-3));
    expect(await ids('since=2026-11-21T09:30:06Z')).toHaveLength(2 + 5);
  });
});

describe('a forgotten task', () => {
  const DAY_MS = 86_400_000;
  const runAbandonment = () => service.jobs.find((job) => job.name === 'abandonment')?.run();

  test('is abandoned after the configured time, leaves the active list, and a late end still closes it', async () => {
    const { correlation_id } = (await start({ task_type: 'x' })).body;
    service.clock.advance(DAY_MS);
    expect(await runAbandonment()).toBeNull();
    service.clock.advance(1);
    expect(await runAbandonment()).toEqual({ abandoned: 1 });
    expect(await runAbandonment()).toBeNull();
    expect((await get(`/tasks/${correlation_id}`)).body.task).toMatchObject({
      state: 'abandoned',
      ended_at: null,
      abandoned_at: '2026-11-22T09:30:00.124456+00:00',
      duration_seconds: null,
    });
    expect((await get('/events/active?agent_id=ann')).body.active_tasks).toEqual([]);
    const byType = await end({ task_type: 'x' });
    expect([byType.status, byType.body]).toEqual([
      404,
      expect.objectContaining({ code: 'no_active_task', correlation_ids: [correlation_id] }),
    ]);
    service.clock.advance(999);
    const late = await end({ task_type: 'x', correlation_id });
    expect(late.body).toMatchObject({ duration_seconds: 86_401, replayed: false, task: { state: 'ended' } });
    expect(late.body.task).not.toHaveProperty('abandoned_at');
    expect(await count('x', 'ann')).toBe(1);
    expect((await get('/stats/durations/x?agent_id=ann')).body.summary.outcomes).toMatchObject({
      ok: 1,
      abandoned: 0,
      active: 0,
    });
  });
});

describe('retention', () => {
  test('deletes what is older, keeps running tasks with their starts, and forgets unused names', async () => {
    service.close();
    service = startTestService({
      clock: new ManualClock(START_MS),
      config: { retentionDays: 2, abandonAfterSeconds: 1e9 },
    });
    const job = service.jobs.find(({ name }) => name === 'retention');
    await post('/events?agent_id=old', { event_type: 'gone', task_type: 'gone type' });
    const ended = (await start({ task_type: 'x' })).body.correlation_id;
    const running = (await start({ task_type: 'running' })).body.correlation_id;
    service.clock.advance(1_000);
    await end({ task_type: 'x', correlation_id: ended });
    expect(await count('x', 'ann')).toBe(1);
    service.clock.advance(86_400_000);
    const kept = (await start({ task_type: 'x' })).body.correlation_id;
    service.clock.advance(3_000);
    await end({ task_type: 'x', correlation_id: kept });
    service.clock.advance(86_400_000);
    expect(await job?.run()).toEqual({ events: 3, tasks: 1 });
    expect((await get('/stats/durations/x?agent_id=ann')).body.summary).toMatchObject({ count: 1, max_seconds: 3 });
    expect((await get(`/tasks/${ended}`)).status).toBe(404);
    expect((await get('/agents')).body.agents).toEqual(['ann']);
    expect((await get('/stats/task-types?agent_id=*')).body.task_types).toEqual(['running', 'x']);
    expect((await get('/events/active?agent_id=ann')).body.active_tasks).toMatchObject([{ correlation_id: running }]);
    expect(await job?.run()).toEqual({ events: 0, tasks: 0 });
  });

  test('of an abandoned task counts from when it was given up, so that its late end finds it', async () => {
    service.close();
    service = startTestService({ config: { retentionDays: 1, abandonAfterSeconds: 2 * 86_400 } });
    const { correlation_id } = (await start({ task_type: 'x' })).body;
    service.clock.advance(3 * 86_400_000);
    for (const name of ['abandonment', 'retention']) await service.jobs.find((job) => job.name === name)?.run();
    const late = await end({ task_type: 'x', correlation_id });
    expect([late.status, late.body.duration_seconds]).toEqual([200, 3 * 86_400]);
  });
});
