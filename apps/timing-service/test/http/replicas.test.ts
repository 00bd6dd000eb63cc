import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openPostgres, parseStoreUrl } from '@agent-faculties/postgres-kit';
import { createLog, ManualClock } from '@agent-faculties/service-kit';
import {
  type EventReader,
  hasPostgres,
  openEventReader,
  type PostgresServer,
  startPostgres,
} from '@agent-faculties/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { PostgresEngine } from '../../src/storage/postgres/postgres-engine.ts';
import { START_MS, startTestService, type TestService } from '../start-service.ts';
import { type Method, REQUESTS, told } from './space-requests.ts';

const SPACES = ['default', 'shop'] as const;
const silent = createLog({ name: 'test', level: 'silent' });

(hasPostgres() ? describe : describe.skip)('two replicas over one database', () => {
  let server: PostgresServer;
  let url: string;
  let engineOfOne: PostgresEngine;
  let one: TestService;
  let two: TestService;
  const clock = new ManualClock(START_MS);
  /** A service with a file, which is asked the same. */
  let twin: TestService;
  const open: Server[] = [];

  const CONFIG = { abandonAfterSeconds: 60, retentionDays: 1 };
  const connect = () => PostgresEngine.open({ url: parseStoreUrl(url), log: silent, waitMs: 0 });

  beforeAll(async () => {
    server = await startPostgres();
    url = await server.newDatabase('timing');
    const engines = await Promise.all([connect(), connect()]);
    [engineOfOne] = engines;
    [one, two] = engines.map((engine) => startTestService({ engine, clock, config: CONFIG })) as [
      TestService,
      TestService,
    ];
    twin = startTestService({ clock, config: CONFIG });
  });
  afterAll(async () => {
    for (const each of open) each.closeAllConnections();
    for (const each of open) each.close();
    await Promise.all([one.stop(), two.stop()]);
    twin.close();
    await server.remove();
  });

  const send = (service: TestService, space: string, method: Method, path: string, body?: object | string) => {
    const request = supertest(service.app)[method](path).set({ 'X-Agent-ID': 'ann', 'X-Space': space });
    if (typeof body === 'string') return request.set('Content-Type', 'application/x-ndjson').send(body);
    return body === undefined ? request : request.send(body);
  };
  const post = (service: TestService, path: string, body: object, space = 'default') =>
    send(service, space, 'post', path, body);

  /** Writes go to one replica and the twin, questions to both replicas and the twin. */
  let turn = 0;
  async function alike(space: string, method: Method, path: string, body?: object | string): Promise<void> {
    turn++;
    const replicas = method === 'get' ? [one, two] : [turn % 2 === 0 ? one : two];
    const answers = [];
    for (const replica of replicas) answers.push(told(await send(replica, space, method, path, body)));
    const expected = told(await send(twin, space, method, path, body));
    for (const answer of answers) expect(answer).toEqual(expected);
  }

  describe('answer as a service with a file does', () => {
    test('while tasks start and end in two spaces', async () => {
      for (let run = 0; run < 12; run++) {
        for (const [index, space] of SPACES.entries()) {
          const task = { task_type: run % 3 === index ? 'lint' : 'build', correlation_id: `run-${run}` };
          const start = {
            ...task,
            estimated_seconds: 1 + run * (index + 1),
            project: run % 4 === 1 ? 'web' : undefined,
          };
          await alike(space, 'post', '/events/task-start', start);
          clock.advance(1_000 * (index + 1) ** 3 + run * 37);
          const outcome = run % (index + 3) === 2 ? 'timeout' : 'ok';
          if (run < 10 - index) await alike(space, 'post', '/events/task-end', { ...task, outcome });
          if (run % 5 === 0) await alike(space, 'get', '/stats/durations/build');
        }
      }
    });

    for (const [operationId, requests] of Object.entries(REQUESTS)) {
      if (operationId === 'listHooks') continue;
      for (const [method, path, body] of requests) {
        test(`${operationId}: ${method} ${path}`, async () => {
          for (const space of SPACES) {
            await alike(space, method, path, body);
            clock.advance(7);
          }
        });
      }
    }

    const QUESTIONS = [
      '/tasks?limit=1000',
      '/tasks?state=active&project=web',
      '/tasks?outcome=timeout&agent_id=*',
      '/tasks?since=2026-11-21T09:30:10Z&until=2026-11-21T09:30:40Z',
      '/tasks?task_type=build',
      '/events?event_type=note',
      '/events?correlation_id=run-1',
      '/events/active',
      '/stopwatches',
      '/agents',
      '/projects?agent_id=*',
      '/stats/durations?agent_id=*',
      '/stats/durations/build?project=web',
      '/stats/durations/build?since=2026-11-21T09:30:20Z&agent_id=*',
      '/stats/estimate/build?estimated_seconds=5',
      '/stats/trend/build',
      '/export?agent_id=*',
      '/export?project=web',
    ];
    const askEverything = async () => {
      for (const path of QUESTIONS) for (const space of SPACES) await alike(space, 'get', path);
    };

    test('afterwards', askEverything);

    test('page by page', async () => {
      for (const service of [one, twin]) {
        const seen: string[] = [];
        let cursor = '';
        do {
          const { body } = await send(service, 'default', 'get', `/tasks?limit=4${cursor}`);
          seen.push(...body.tasks.map(({ correlation_id }: { correlation_id: string }) => correlation_id));
          cursor = body.next_cursor ? `&cursor=${body.next_cursor}` : '';
        } while (cursor);
        const { body } = await send(service, 'default', 'get', '/tasks?limit=1000');
        expect(seen).toEqual(body.tasks.map(({ correlation_id }: { correlation_id: string }) => correlation_id));
      }
    });

    test('after tasks were abandoned, ended late and expired, and those who had samples read them anew', async () => {
      await askEverything();
      clock.advance(10 * 60_000);
      for (const { name, run } of [...one.jobs, ...twin.jobs]) if (name === 'abandonment') await run();
      await askEverything();
      await alike('default', 'post', '/events/task-end', { task_type: 'build', correlation_id: 'run-11' });
      await askEverything();
      clock.advance(25 * 3_600_000);
      for (const space of SPACES) await alike(space, 'post', '/events', { event_type: 'new', task_type: 'kept' });
      for (const { name, run } of [...two.jobs, ...twin.jobs]) if (name === 'retention') await run();
      await askEverything();
      // The other replica did it within the hour.
      for (const { name, run } of one.jobs) if (name === 'retention') expect(await run()).toBeNull();
    });
  });

  describe('decide together', () => {
    test('a start with one id is written once, and answered to all', async () => {
      const start = { task_type: 'race', correlation_id: 'race' };
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, index) => post(index % 2 === 0 ? one : two, '/events/task-start', start)),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(answers.filter(({ body }) => !body.replayed)).toHaveLength(1);
      expect(new Set(answers.map(({ body }) => body.event.id)).size).toBe(1);
    });

    test('an end without an id closes the only task once', async () => {
      const ends = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          post(index % 2 === 0 ? one : two, '/events/task-end', { task_type: 'race' }),
        ),
      );
      expect(ends.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(ends.filter(({ body }) => body.code === 'no_active_task')).toHaveLength(7);
    });

    test('what was written at one is read at the other, and counted in its statistics, at once', async () => {
      for (let run = 0; run < 20; run++) {
        const [writer, reader] = run % 2 === 0 ? [one, two] : [two, one];
        const { body } = await post(writer, '/events/task-start', { task_type: 'seen' });
        clock.advance(1_000 + run);
        await post(reader, '/events/task-end', { task_type: 'seen', correlation_id: body.correlation_id });
        for (const service of [writer, reader]) {
          const { summary } = (await send(service, 'default', 'get', '/stats/durations/seen')).body;
          expect([summary.count, summary.max_seconds]).toEqual([run + 1, 1 + run / 1000]);
        }
      }
    });

    test('a thousandth stopwatch is made once', async () => {
      const made = await Promise.all(
        Array.from({ length: 10 }, (_, index) => post(index % 2 === 0 ? one : two, '/stopwatch/same/start', {})),
      );
      expect(made.filter(({ body }) => !body.restarted)).toHaveLength(1);
    });

    test('writers that meet in all kinds of order lose nothing and wait for nobody for ever', async () => {
      const line = (id: string) =>
        `${JSON.stringify({ kind: 'task', agent_id: 'ann', task_type: 'met', correlation_id: id, state: 'ended', outcome: 'ok', started_at: '2026-01-01T00:00:00Z', ended_at: '2026-01-01T00:00:01Z' })}\n`;
      const ids = Array.from({ length: 30 }, (_, index) => `met-${index}`);
      const answers = await Promise.all([
        ...ids.map((correlation_id, index) =>
          post(index % 2 === 0 ? one : two, '/events/task-start', { task_type: 'other', correlation_id }),
        ),
        ...[one, two].map((service) =>
          send(service, 'default', 'post', '/import', ids.toReversed().map(line).join('')),
        ),
      ]);
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
      const { body } = await send(one, 'default', 'get', '/tasks?limit=1000&agent_id=*');
      const found = body.tasks.filter(({ correlation_id }: { correlation_id: string }) => ids.includes(correlation_id));
      expect(found).toHaveLength(30);
    });
  });

  describe('stream', () => {
    async function listen(service: TestService, query: string, lastEventId?: string): Promise<EventReader> {
      const listening = createServer(service.app).listen(0, '127.0.0.1');
      open.push(listening);
      await once(listening, 'listening');
      const { port } = listening.address() as AddressInfo;
      const headers = lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId };
      return await openEventReader({ port, path: `/events/stream${query}`, headers });
    }

    test('what either of them writes, once and in the order in which it was written, and go on at the other', async () => {
      const stream = await listen(one, '?agent_id=*&space=live');
      expect(await stream.next()).toMatchObject({ event: null });
      const ids: string[] = [];
      const write = async (count: number) => {
        const sent = await Promise.all(
          Array.from({ length: count }, (_, index) =>
            post(index % 2 === 0 ? one : two, '/events', { event_type: 'x' }, 'live'),
          ),
        );
        ids.push(...sent.map(({ body }) => body.event.id));
      };
      await write(20);
      const seen: string[] = [];
      let last = '';
      while (seen.length < 20) {
        const { data, id } = await stream.next();
        seen.push(data.event.id);
        last = id as string;
      }
      expect(seen.toSorted()).toEqual(ids.toSorted());
      stream.close();
      await write(20);
      const resumed = await listen(two, '?agent_id=*&space=live', last);
      while (seen.length < 40) seen.push((await resumed.next()).data.event.id);
      expect(seen.toSorted()).toEqual(ids.toSorted());
      const { body } = await send(one, 'live', 'get', '/export');
      expect(body).toEqual({});
      const stored = (await send(one, 'live', 'get', '/export?agent_id=*')).text.split('\n').slice(0, -1);
      expect(seen).toEqual(stored.map((text) => JSON.parse(text).id));
      await post(one, '/stopwatch/tea/start', {}, 'live');
      expect((await resumed.next()).data.stopwatch.name).toBe('tea');
      await send(two, 'live', 'delete', '/stopwatch/tea');
      expect((await resumed.next()).data.deleted).toBe('tea');
      resumed.close();
    });
  });

  describe('when the server is killed', () => {
    test('whose disk is full, they are degraded until a write is taken', async () => {
      const postgres = await openPostgres({ url: parseStoreUrl(url), log: silent, applicationName: 'test', waitMs: 0 });
      const change = (text: string) => postgres.query({ text });
      const ready = async () => {
        await engineOfOne.look();
        const { status, body } = await supertest(one.app).get('/health/ready');
        return [status, body.status];
      };
      await change(`CREATE FUNCTION timing.fill() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END $$`);
      try {
        for (const [path, table, body] of [
          ['/events', 'event', { event_type: 'x' }],
          ['/stopwatch/full/start', 'stopwatch', {}],
        ] as const) {
          await change(`CREATE TRIGGER full_disk BEFORE INSERT ON timing.${table} EXECUTE FUNCTION timing.fill()`);
          const refused = await post(one, path, body);
          await change(`DROP TRIGGER full_disk ON timing.${table}`);
          expect([refused.status, refused.body.detail]).toEqual([503, expect.stringContaining('its disk is full')]);
          expect((await send(one, 'default', 'get', '/events')).status).toBe(200);
          expect(await ready()).toEqual([200, 'degraded']);
          expect(await ready()).toEqual([200, 'degraded']);
          expect((await post(two, '/events', { event_type: 'x' })).status).toBe(200);
          expect(await ready()).toEqual([200, 'ready']);
        }
      } finally {
        await postgres.close();
      }
    });

    test('they answer 503 meanwhile and nothing that was answered is lost', async () => {
      const acknowledged: string[] = [];
      const refused: number[] = [];
      let isDone = false;
      const writer = async (service: TestService, name: string) => {
        for (let index = 0; !isDone; index++) {
          const correlation_id = `${name}-${index}`;
          const { status } = await post(service, '/events/task-start', { task_type: 'kill', correlation_id });
          if (status === 200) acknowledged.push(correlation_id);
          else refused.push(status);
        }
      };
      const writers = [writer(one, 'a'), writer(two, 'b'), writer(two, 'c')];
      while (acknowledged.length < 30) await new Promise(setImmediate);
      await server.kill();
      const away = await post(one, '/events', { event_type: 'x' });
      expect([away.status, away.headers['retry-after']]).toEqual([503, '5']);
      await engineOfOne.look();
      expect((await supertest(one.app).get('/health/ready')).status).toBe(503);
      await server.startAgain();
      const before = acknowledged.length;
      while (acknowledged.length < before + 30) await new Promise(setImmediate);
      isDone = true;
      await Promise.all(writers);
      expect(
        [one, two].flatMap(({ lines }) => lines.filter((line) => line.level === 'error').map(({ err }) => err)),
      ).toEqual([]);
      expect(new Set(refused)).toEqual(new Set([503]));
      await engineOfOne.look();
      expect((await supertest(one.app).get('/health/ready')).status).toBe(200);
      for (const correlation_id of acknowledged) {
        expect((await send(one, 'default', 'get', `/tasks/${correlation_id}`)).status).toBe(200);
      }
      const ended = { task_type: 'kill', correlation_id: acknowledged[0] };
      expect((await post(two, '/events/task-end', ended)).status).toBe(200);
      expect((await send(one, 'default', 'get', '/stats/durations/kill')).body.summary.count).toBe(1);
    });
  });
});
