import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { START_MS, startTestService, type TestService } from '../start-service.ts';

let service: TestService;
let directory: string;
let path: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'timing-stopwatches-'));
  path = join(directory, 'timing.db');
  service = startTestService({ path });
});
afterAll(() => {
  service.close();
  rmSync(directory, { recursive: true, force: true });
});

const get = (url: string) => supertest(service.app).get(url);

describe('the clock', () => {
  test('tells one reading as text and as a number', async () => {
    service.clock.set(START_MS);
    expect((await get('/clock/now')).body).toEqual({
      now: '2026-11-21T09:30:00.123456+00:00',
      unix: 1_795_253_400.123456,
    });
    service.clock.set(1_795_253_400_000);
    expect((await get('/clock/now')).body).toEqual({ now: '2026-11-21T09:30:00.000000+00:00', unix: 1_795_253_400 });
  });

  test.each([
    ['2026-11-21T09:29:50Z', 10],
    ['2026-11-21T09:29:58.499Z', 1.501],
    ['2026-11-21T10:29:50+01:00', 10],
    ['2026-11-21T01:29:50-08:00', 10],
    ['2026-11-21', 34_200],
    ['2026-11-21T09:30:10Z', -10],
    ['2026-11-21T09:30:00Z', 0],
  ])('says how long ago %s was', async (since, elapsed_seconds) => {
    service.clock.set(1_795_253_400_000);
    const encoded = await get(`/clock/elapsed?since=${encodeURIComponent(since)}`);
    expect(encoded.body).toEqual({ elapsed_seconds, since });
    const raw = await get(`/clock/elapsed?since=${since}`);
    expect(raw.body.elapsed_seconds).toBe(elapsed_seconds);
  });
});

describe('a stopwatch', () => {
  const call = (method: 'get' | 'post' | 'delete', url: string, agent: string) =>
    supertest(service.app)[method](url).set('X-Agent-ID', agent);

  test('runs, is read, stops once, starts anew and is deleted, all as literal documents', async () => {
    service.clock.set(START_MS);
    const running = {
      name: 'tea',
      agent_id: 'ann',
      started_at: '2026-11-21T09:30:00.123456+00:00',
      stopped_at: null,
      elapsed_seconds: 0,
      is_running: true,
    };
    expect((await call('post', '/stopwatch/tea/start', 'ann')).body).toEqual({ ...running, restarted: false });
    service.clock.advance(1_500);
    expect((await call('get', '/stopwatch/tea', 'ann')).body).toEqual({ ...running, elapsed_seconds: 1.5 });
    service.clock.advance(500);
    const stopped = {
      ...running,
      stopped_at: '2026-11-21T09:30:02.123456+00:00',
      elapsed_seconds: 2,
      is_running: false,
    };
    expect((await call('post', '/stopwatch/tea/stop', 'ann')).body).toEqual(stopped);
    service.clock.advance(5_000);
    expect((await call('post', '/stopwatch/tea/stop', 'ann')).body).toEqual(stopped);
    expect((await call('get', '/stopwatch/tea', 'ann')).body).toEqual(stopped);
    expect((await call('get', '/stopwatches', 'ann')).body).toEqual({ stopwatches: [stopped] });
    expect((await call('post', '/stopwatch/tea/start', 'ann')).body).toMatchObject({
      restarted: true,
      is_running: true,
      elapsed_seconds: 0,
      stopped_at: null,
      started_at: '2026-11-21T09:30:07.123456+00:00',
    });
    expect((await call('delete', '/stopwatch/tea', 'ann')).body).toEqual({ deleted: 'tea' });
    for (const [method, url] of [
      ['get', ''],
      ['post', '/stop'],
      ['delete', ''],
    ] as const) {
      const gone = await call(method, `/stopwatch/tea${url}`, 'ann');
      expect([gone.status, gone.body.code]).toEqual([404, 'unknown_stopwatch']);
    }
  });

  test('belongs to one agent', async () => {
    await call('post', '/stopwatch/mine/start', 'eve');
    expect((await call('get', '/stopwatch/mine', 'bob')).status).toBe(404);
    expect((await call('post', '/stopwatch/mine/stop', 'bob')).status).toBe(404);
    expect((await call('delete', '/stopwatch/mine', 'bob')).status).toBe(404);
    await call('post', '/stopwatch/mine/start', 'bob');
    await call('post', '/stopwatch/mine/stop', 'bob');
    expect((await call('get', '/stopwatch/mine', 'eve')).body.is_running).toBe(true);
    expect((await call('get', '/stopwatches', 'bob')).body.stopwatches).toHaveLength(1);
    expect((await get('/agents')).body.agents).toEqual(expect.arrayContaining(['bob', 'eve']));
  });

  test('has a name with any characters', async () => {
    for (const name of ['tool:a/b', '100%', '%2F', 'a b+c?d#e&f', '🤖 é', 'start', 'x/start', '__proto__', '<b>']) {
      const url = `/stopwatch/${encodeURIComponent(name)}`;
      expect((await call('post', `${url}/start`, 'names')).body.name).toBe(name);
      expect((await call('get', url, 'names')).body.name).toBe(name);
      expect((await call('post', `${url}/stop`, 'names')).body.name).toBe(name);
      expect((await call('delete', url, 'names')).body).toEqual({ deleted: name });
    }
  });

  test('never shows a negative time when the clock is set back', async () => {
    await call('post', '/stopwatch/back/start', 'clock');
    service.clock.advance(-60_000);
    expect((await call('get', '/stopwatch/back', 'clock')).body.elapsed_seconds).toBe(0);
    const { body } = await call('post', '/stopwatch/back/stop', 'clock');
    expect(body.elapsed_seconds).toBe(0);
    expect(body.stopped_at).toBe(body.started_at);
    expect(service.lines).toMatchObject([
      { level: 'warn', msg: expect.stringContaining('the clock was set back'), stopwatch: 'back', agent: 'clock' },
    ]);
    service.clock.advance(60_000);
  });

  test('survives a restart of the service, running or stopped, in the order of creation', async () => {
    service.clock.set(START_MS);
    for (const name of ['c', 'a', 'b']) await call('post', `/stopwatch/${name}/start`, 'keeper');
    service.clock.advance(3_000);
    await call('post', '/stopwatch/a/stop', 'keeper');
    await call('post', '/stopwatch/c/start', 'keeper');
    const { clock } = service;
    service.close();
    service = startTestService({ path, clock });
    clock.advance(4_000);
    const { stopwatches } = (await call('get', '/stopwatches', 'keeper')).body;
    expect(stopwatches.map((one: Record<string, unknown>) => [one.name, one.elapsed_seconds, one.is_running])).toEqual([
      ['c', 4, true],
      ['a', 3, false],
      ['b', 7, true],
    ]);
  });

  test('is the last of a thousand: the next is refused until one is deleted', async () => {
    const insert = service.database.db.$client.prepare(
      "INSERT INTO stopwatches (agent_id, name, started_us) VALUES ('many', ?, 0)",
    );
    for (let index = 0; index < 999; index++) insert.run(`s${index}`);
    expect((await call('post', '/stopwatch/last/start', 'many')).status).toBe(200);
    const full = await call('post', '/stopwatch/more/start', 'many');
    expect([full.status, full.body.code]).toEqual([409, 'too_many_stopwatches']);
    expect((await call('get', '/stopwatch/more', 'many')).status).toBe(404);
    expect((await call('post', '/stopwatch/last/start', 'many')).body.restarted).toBe(true);
    expect((await call('post', '/stopwatch/more/start', 'other')).status).toBe(200);
    await call('delete', '/stopwatch/s0', 'many');
    expect((await call('post', '/stopwatch/more/start', 'many')).status).toBe(200);
  });
});

describe('the service', () => {
  test('reports its health and the path of its database', async () => {
    const health = await get('/health');
    expect(health.body).toEqual({
      status: 'ok',
      version: '0.0.0-test',
      uptime_seconds: expect.any(Number),
      database: { ok: true, path },
    });
  });

  test('counts what it does in metrics without names of agents or task types', async () => {
    const post = (url: string, body: object) => supertest(service.app).post(url).send(body);
    await post('/events/task-start?agent_id=secret-agent', { task_type: 'secret type' });
    await post('/events/task-start?agent_id=secret-agent', { task_type: 'secret type' });
    service.clock.advance(2_000);
    const ids = (await get('/events/active?agent_id=secret-agent')).body.active_tasks;
    await post('/events/task-end', {
      task_type: 'secret type',
      correlation_id: ids[0].correlation_id,
      outcome: 'error',
    });
    await get('/stopwatch/secret%20name');
    const { text } = await get('/metrics');
    expect(text).toMatch(/^timing_events_total\{kind="task_start"\} 2$/m);
    expect(text).toMatch(/^timing_events_total\{kind="task_end"\} 1$/m);
    expect(text).toMatch(/^timing_active_tasks 1$/m);
    expect(text).toMatch(/^timing_task_duration_seconds_count\{outcome="error"\} 1$/m);
    expect(text).toMatch(/^timing_task_duration_seconds_bucket\{le="5",outcome="error"\} 1$/m);
    expect(text).toMatch(
      /^http_request_duration_seconds_count\{method="GET",route="\/stopwatch\/\{name\}",status="404"\} \d+$/m,
    );
    expect(text).not.toContain('secret');
  });
});
