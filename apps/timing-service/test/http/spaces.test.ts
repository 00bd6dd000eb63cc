import { once } from 'node:events';
import { existsSync, readdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { openEventReader, readContract } from '@agent-faculties/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { metric, parseExposition } from '../../../../packages/service-kit/test/exposition.ts';
import { backUpDatabase } from '../../src/storage/backup/back-up-database.ts';
import { startTestService, type TestService } from '../start-service.ts';
import { type Method, REQUESTS, told } from './space-requests.ts';

const SPACES = ['default', 'shop', 'blog'] as const;
type SpaceName = (typeof SPACES)[number];

/** Holds all spaces, of which two may be open at a time; and a service for each space that holds nothing else. */
let all: TestService;
let alone: Record<SpaceName, TestService>;

const send = (service: TestService, space: string, method: Method, path: string, body?: object | string) => {
  const request = supertest(service.app)[method](path).set({ 'X-Agent-ID': 'ann', 'X-Space': space });
  if (typeof body === 'string') return request.set('Content-Type', 'application/x-ndjson').send(body);
  return body === undefined ? request : request.send(body);
};

/** Sends the same to the space and to its twin. */
async function inBoth(space: SpaceName, method: Method, path: string, body?: object | string) {
  const answer = await send(all, space, method, path, body);
  return [answer, await send(alone[space], 'default', method, path, body)] as const;
}

const everyone = () => [all, ...Object.values(alone)];
const advance = (ms: number) => {
  for (const { clock } of everyone()) clock.advance(ms);
};

beforeAll(async () => {
  all = startTestService({ config: { openSpaces: 2 } });
  alone = { default: startTestService(), shop: startTestService(), blog: startTestService() };
  for (let run = 0; run < 12; run++) {
    for (const [index, space] of SPACES.entries()) {
      // The same ids in every space, and another history in each.
      const task = { task_type: run % 3 === index ? 'lint' : 'build', correlation_id: `run-${run}` };
      const start = { ...task, estimated_seconds: 1 + run * (index + 1), project: index === 1 ? 'web' : undefined };
      for (const { status, text } of await inBoth(space, 'post', '/events/task-start', start)) {
        if (status !== 200) throw new Error(text);
      }
      advance(1_000 * (index + 1) ** 3 + run * 37);
      const outcome = run % (index + 3) === 2 ? 'timeout' : 'ok';
      if (run < 10 - index) await inBoth(space, 'post', '/events/task-end', { ...task, outcome });
    }
  }
  for (const space of SPACES) {
    await inBoth(space, 'post', '/events', { event_type: 'deploy', task_type: `of ${space}` });
    await inBoth(space, 'post', '/stopwatch/tea/start');
    advance(500);
  }
});
afterAll(() => {
  for (const service of everyone()) service.close();
});

/** The stream and the health have tests below, the page in test/browser. */
const ELSEWHERE: ReadonlySet<string> = new Set(['streamEvents', 'getHealth', 'getDashboard']);

test('every operation that happens in a space has a request here', () => {
  const { paths } = readContract(new URL('../../openapi.yaml', import.meta.url));
  const inSpace = Object.values(paths).flatMap((item) =>
    Object.values(item as Record<string, { operationId: string; parameters?: { $ref?: string }[] }>).flatMap(
      ({ operationId, parameters = [] }) =>
        parameters.some(({ $ref }) => $ref === '#/components/parameters/space') ? [operationId] : [],
    ),
  );
  expect(Object.keys(REQUESTS).sort()).toEqual(inSpace.filter((id) => !ELSEWHERE.has(id)).sort());
});

describe('an answer in a space is that of a service which has nothing else', () => {
  for (const [operationId, requests] of Object.entries(REQUESTS)) {
    for (const [method, path, body] of requests) {
      test(`${operationId}: ${method} ${path}`, async () => {
        for (const space of SPACES) {
          const [answer, twin] = await inBoth(space, method, path, body);
          expect(told(answer)).toEqual(told(twin));
        }
      });
    }
  }

  test('also afterwards', async () => {
    for (const path of [
      '/tasks?limit=1000',
      '/events?limit=1000',
      '/stopwatches',
      '/stats/durations?agent_id=*',
      '/export?agent_id=*',
    ]) {
      for (const space of SPACES) {
        const [answer, twin] = await inBoth(space, 'get', path);
        expect(told(answer)).toEqual(told(twin));
      }
    }
  });
});

describe('a space', () => {
  test('is named in the query too, and never crossed by the id of an event', async () => {
    const { body } = await send(all, 'shop', 'get', '/events?task_type=of%20shop');
    const path = `/events/${body.events[0].id}`;
    expect((await send(all, 'shop', 'get', path)).status).toBe(200);
    const query = await supertest(all.app).get(`${path}?space=shop`).set('X-Agent-ID', 'ann');
    expect(query.status).toBe(200);
    for (const space of ['default', 'blog', 'nobody']) {
      const answer = await send(all, space, 'get', path);
      expect([answer.status, answer.body.code]).toEqual([404, 'unknown_event']);
    }
  });

  test('that does not exist is empty, and is made by the first write that is not refused', async () => {
    const file = () => readdirSync(`${all.path}.spaces`).includes('fresh.db');
    expect((await send(all, 'fresh', 'get', '/tasks')).body).toEqual({ tasks: [], next_cursor: null });
    expect((await send(all, 'fresh', 'delete', '/stopwatch/tea')).body.code).toBe('unknown_stopwatch');
    expect((await send(all, 'fresh', 'get', '/stats/durations/build')).status).toBe(404);
    expect((await send(all, 'fresh', 'post', '/stopwatch/tea/stop')).body.code).toBe('unknown_stopwatch');
    expect((await send(all, 'fresh', 'post', '/events/task-end', { task_type: 'x' })).body.code).toBe('no_active_task');
    expect((await send(all, 'fresh', 'post', '/hooks/claude-code', {})).status).toBe(200);
    expect((await send(all, 'fresh', 'get', '/tasks')).body.tasks).toEqual([]);
    expect(readdirSync(`${all.path}.spaces`).filter((name) => name.startsWith('fresh'))).toEqual([]);
    expect((await send(all, 'fresh', 'post', '/stopwatch/tea/start')).status).toBe(200);
    expect(file()).toBe(true);
    expect((await send(all, 'fresh', 'get', '/stopwatches')).body.stopwatches).toHaveLength(1);
  });

  test.each(['A', 'a_b', '-a', 'a-', '', 'x'.repeat(64), '../a', 'a/b', '%2e'])('cannot be called %j', async (name) => {
    const answer = await supertest(all.app).post('/events').query({ space: name }).send({ event_type: 'x' });
    expect(answer.status).toBe(name === '' ? 200 : 422);
  });

  (existsSync('/dev/full') ? test : test.skip)(
    'that a full disk keeps from being made leaves nothing behind',
    async () => {
      const folder = `${all.path}.spaces`;
      const logged = all.lines.length;
      symlinkSync('/dev/full', join(folder, 'full.db.sums.new'));
      const answer = await send(all, 'full', 'post', '/stopwatch/tea/start');
      expect([answer.status, answer.body.code]).toEqual([503, 'database_unavailable']);
      expect(answer.body.detail).toBe(
        "The database of the space 'full' cannot be opened, because the disk is full: nothing was written. Make room and send it again.",
      );
      expect(all.lines.splice(logged)).toMatchObject([{ level: 'error', space: 'full' }]);
      expect(readdirSync(folder).filter((name) => name.startsWith('full'))).toEqual([]);
      expect((await send(all, 'full', 'post', '/stopwatch/tea/start')).status).toBe(200);
    },
  );

  test('is healthy where its own database is', async () => {
    const health = (space: string) => send(all, space, 'get', '/health');
    const placeOf = async (space: string) => (await health(space)).body.database.path;
    expect([await placeOf('default'), await placeOf('shop'), await placeOf('nowhere')]).toEqual([
      all.path,
      `${all.path}.spaces/shop.db`,
      `${all.path}.spaces/nowhere.db`,
    ]);
    expect((await supertest(all.app).get('/health?space=shop')).body.database.path).toMatch(/shop\.db$/);
  });

  test('that is damaged is so in its health, and in that of no other space', async () => {
    const first = startTestService();
    await send(first, 'shop', 'post', '/stopwatch/tea/start');
    await first.stop();
    writeFileSync(`${first.path}.spaces/shop.db`, 'no database');
    const again = startTestService({ path: first.path });
    expect((await send(again, 'shop', 'get', '/health')).status).toBe(503);
    expect((await send(again, 'blog', 'get', '/health')).status).toBe(200);
    expect((await send(again, 'default', 'get', '/health')).status).toBe(200);
    again.close();
    first.close();
  });

  test('that is a link to somewhere else is refused, by a backup too', async () => {
    const folder = `${all.path}.spaces`;
    symlinkSync(join(folder, 'shop.db'), join(folder, 'link.db'));
    // Links are found as the other spaces are, at a start.
    const answer = await send(all, 'link', 'post', '/stopwatch/tea/start');
    expect([answer.status, answer.body.code]).toEqual([503, 'database_unavailable']);
    expect(answer.body.detail).toContain('finds the reason in the log');
    expect(all.lines).toMatchObject([
      { level: 'error', space: 'link', err: { message: expect.stringContaining('symbolic link') } },
    ]);
    await expect(backUpDatabase(all.path, async () => {})).rejects.toThrow('link.db is a symbolic link');
    unlinkSync(join(folder, 'link.db'));
  });

  test('is refused when there are too many', async () => {
    const few = startTestService({ config: { maxSpaces: 2 } });
    expect((await send(few, 'a', 'post', '/events', { event_type: 'x' })).status).toBe(200);
    const refused = await send(few, 'b', 'post', '/events', { event_type: 'x' });
    expect([refused.status, refused.body.code]).toEqual([409, 'too_many_spaces']);
    expect((await send(few, 'b', 'get', '/events')).body.events).toEqual([]);
    few.close();
  });

  test('is closed after ten idle minutes, kept by a restart, and counted', async () => {
    const first = startTestService();
    await send(first, 'a', 'post', '/events/task-start', { task_type: 'x', correlation_id: 'one' });
    const open = async () =>
      metric(parseExposition((await supertest(first.app).get('/metrics')).text), 'timing_spaces_open');
    expect(await open()).toBe(2);
    first.clock.advance(10 * 60_000);
    for (const job of first.jobs) await job.run();
    expect(await open()).toBe(1);
    expect((await send(first, 'a', 'get', '/tasks/one')).status).toBe(200);
    await first.stop();
    const again = startTestService({ path: first.path });
    expect((await send(again, 'a', 'get', '/tasks/one')).status).toBe(200);
    expect((await send(again, 'default', 'get', '/tasks/one')).status).toBe(404);
    again.close();
    first.close();
  });

  test('has its tasks abandoned and its events expire, open or not', async () => {
    const service = startTestService({ config: { abandonAfterSeconds: 60, retentionDays: 1, openSpaces: 2 } });
    const spaces = ['a', 'b', 'c', 'default'];
    for (const space of spaces) {
      await send(service, space, 'post', '/events', { event_type: 'old' });
      service.clock.advance(25 * 3_600_000);
      await send(service, space, 'post', '/events/task-start', { task_type: 'x', correlation_id: 'x' });
      service.clock.advance(-25 * 3_600_000);
    }
    service.clock.advance(26 * 3_600_000);
    for (const { run } of service.jobs) await run();
    for (const space of spaces) {
      expect((await send(service, space, 'get', '/tasks/x')).body.task.state).toBe('abandoned');
      expect((await send(service, space, 'get', '/events?event_type=old')).body.events).toEqual([]);
    }
    service.close();
  });
});

describe('the stream of a space', () => {
  test('tells of what happens in it and nothing else, from before it exists, however long nobody asks', async () => {
    const service = startTestService({ config: { openSpaces: 2 } });
    const server = createServer(service.app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const stream = await openEventReader({ port, path: '/events/stream?agent_id=*&space=late' });
    expect(await stream.next()).toMatchObject({ event: null });
    const note = (space: string, event_type: string) => send(service, space, 'post', '/events', { event_type });
    await note('default', 'of others');
    await note('late', 'first');
    expect((await stream.next()).data.event.event_type).toBe('first');
    service.clock.advance(3_600_000);
    for (const job of service.jobs) await job.run();
    // There is room for no third one while the stream is open.
    expect((await note('third', 'x')).status).toBe(503);
    await note('late', 'second');
    expect((await stream.next()).data.event.event_type).toBe('second');
    stream.close();
    server.closeAllConnections();
    server.close();
    service.close();
  });
});
