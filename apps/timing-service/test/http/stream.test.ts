import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type EventReader, openEventReader } from '@agent-faculties/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { startTestService, type TestService } from '../start-service.ts';

let service: TestService;
let server: Server;
const open: EventReader[] = [];
beforeAll(async () => {
  service = startTestService();
  server = createServer(service.app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});
afterAll(() => {
  service.close();
  server.closeAllConnections();
  server.close();
});

async function connect(query: string, lastEventId?: string): Promise<EventReader> {
  const { port } = server.address() as AddressInfo;
  const headers = lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId };
  const stream = await openEventReader({ port, path: `/events/stream${query}`, headers });
  open.push(stream);
  return stream;
}

const IMPORTED = `${JSON.stringify({ kind: 'event', id: 'once', agent_id: 'zoe', event_type: 'x', timestamp: '2026-11-20T10:00:00Z' })}\n`;
const post = (url: string, body?: object) => supertest(service.app).post(url).send(body);
const note = async (event_type: string, agent = 'ann') =>
  (await post(`/events?agent_id=${agent}`, { event_type })).body.event;

describe('the stream', () => {
  test('says where it stands, then sends what happens to this agent and nothing of others', async () => {
    const stream = await connect('?agent_id=ann');
    expect(stream.res.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(await stream.next()).toMatchObject({ event: null, data: null, id: expect.stringMatching(/^\d+\.\d+$/) });
    await note('of bob', 'bob');
    const event = await note('of ann');
    expect(await stream.next()).toEqual({
      id: expect.stringMatching(/^\d+\.\d+$/),
      event: 'timing',
      data: { event, task: null },
    });
    const { correlation_id } = (await post('/events/task-start?agent_id=ann', { task_type: 'x' })).body;
    expect((await stream.next()).data.task).toMatchObject({ correlation_id, state: 'active' });
    const { task } = (await post('/events/task-end?agent_id=ann', { task_type: 'x', correlation_id })).body;
    expect((await stream.next()).data.task).toEqual(task);
    await post('/stopwatch/tea/start?agent_id=bob');
    await post('/stopwatch/tea/start?agent_id=ann');
    expect(await stream.next()).toMatchObject({
      id: expect.stringMatching(/^\d+\.\d+$/),
      event: 'stopwatch',
      data: { stopwatch: { name: 'tea', agent_id: 'ann' } },
    });
    await supertest(service.app).delete('/stopwatch/tea?agent_id=ann');
    expect(await stream.next()).toMatchObject({ event: 'stopwatch', data: { deleted: 'tea', agent_id: 'ann' } });
  });

  test('of all agents has those of all', async () => {
    const stream = await connect('?agent_id=*');
    await stream.next();
    for (const agent of ['ann', 'bob']) {
      await note('x', agent);
      expect((await stream.next()).data.event.agent_id).toBe(agent);
    }
  });

  test.each(['header', 'query'])('resumes after the last id of the %s without loss or repetition', async (place) => {
    const first = await connect('?agent_id=ann');
    await first.next();
    await note('seen');
    const { id } = await first.next();
    first.close();
    await note('missed 1');
    await note('of bob', 'bob');
    await note('missed 2');
    const again =
      place === 'header'
        ? await connect('?agent_id=ann&last_event_id=0', id ?? '')
        : await connect(`?agent_id=ann&last_event_id=${id}`);
    expect([(await again.next()).data.event.event_type, (await again.next()).data.event.event_type]).toEqual([
      'missed 1',
      'missed 2',
    ]);
    await note('live');
    expect((await again.next()).data.event.event_type).toBe('live');
  });

  test('loses nothing and repeats nothing between what was missed and what is live', async () => {
    const first = await connect('?agent_id=ann');
    const { id } = await first.next();
    const expected: string[] = [];
    const write = async (name: string) => {
      expected.push(name);
      await note(name);
    };
    for (let index = 0; index < 200; index++) await write(`before ${index}`);
    const connecting = connect('?agent_id=ann', id ?? '');
    for (let index = 0; index < 50; index++) await write(`meanwhile ${index}`);
    const stream = await connecting;
    for (let index = 0; index < 10; index++) await write(`after ${index}`);
    const seen: string[] = [];
    while (seen.length < expected.length) seen.push((await stream.next()).data.event.event_type);
    expect(seen).toEqual(expected);
  });

  test.each([
    ['a stopwatch', () => post('/stopwatch/missed/start?agent_id=ann')],
    ['an import', () => supertest(service.app).post('/import').type('application/x-ndjson').send(IMPORTED)],
  ])('says reset on resuming after %s was missed, and not when it was seen', async (_what, change) => {
    const first = await connect('?agent_id=ann');
    const { id } = await first.next();
    await change();
    const { id: afterChange } = await first.next();
    const sameCount = expect.stringMatching(new RegExp(`\\.${afterChange?.split('.')[1]}$`));
    const stale = await connect('?agent_id=ann', id ?? '');
    expect(await stale.next()).toEqual({ event: 'reset', data: {}, id: sameCount });
    const current = await connect('?agent_id=ann', afterChange ?? '');
    expect(await current.next()).toEqual({ event: null, data: null, id: sameCount });
    const byQuery = await connect(`?agent_id=ann&last_event_id=${id}`);
    expect((await byQuery.next()).event).toBe('reset');
  });

  test('says reset to an id of an earlier run of the service', async () => {
    const stream = await connect('?agent_id=ann');
    const [sequence] = (await stream.next()).id?.split('.') ?? [];
    const resumed = await connect('?agent_id=ann', `${sequence}.0`);
    expect((await resumed.next()).event).toBe('reset');
  });

  test('replays more than may wait for a slow reader', async () => {
    const first = await connect('?agent_id=ann');
    const { id } = await first.next();
    first.close();
    const metadata = 'x'.repeat(60_000);
    for (let index = 0; index < 150; index++) {
      await post('/events?agent_id=ann', { event_type: `large ${index}`, metadata });
    }
    const again = await connect('?agent_id=ann', id ?? '');
    for (let index = 0; index < 150; index++) {
      expect((await again.next()).data.event.event_type).toBe(`large ${index}`);
    }
    await note('live');
    expect((await again.next()).data.event.event_type).toBe('live');
  });

  test.each([
    ['more was missed than it replays', '0'],
    ['the id is not from this database', '999999999999999'],
    ['the id is from another service', 'mwsoqh0p'],
  ])('says reset when %s, and goes on live', async (_why, id) => {
    if (id === '0') for (let index = 0; index < 501; index++) await note('many');
    const stream = await connect('?agent_id=ann', id);
    expect(await stream.next()).toMatchObject({ event: 'reset', data: {} });
    await note('live');
    const messages = [await stream.next()];
    while (messages.at(-1)?.event !== 'timing') messages.push(await stream.next());
    expect(messages.at(-1)?.data.event.event_type).toBe('live');
  });

  test('tells of abandoned tasks and of imports', async () => {
    await post('/events/task-start?agent_id=ann', { task_type: 'x', correlation_id: 'forgotten' });
    const stream = await connect('?agent_id=ann');
    await stream.next();
    service.clock.advance(86_400_001);
    await service.jobs.find(({ name }) => name === 'abandonment')?.run();
    expect(await stream.next()).toMatchObject({
      event: 'tasks',
      data: { abandoned: [{ correlation_id: 'forgotten', state: 'abandoned' }] },
    });
    const line =
      '{"kind":"event","id":"imported","agent_id":"zoe","event_type":"x","timestamp":"2026-11-20T10:00:00Z"}\n';
    await supertest(service.app).post('/import').type('application/x-ndjson').send(line);
    expect(await stream.next()).toMatchObject({ event: 'reset' });
  });

  test('ends when the service stops', async () => {
    const stream = await connect('?agent_id=ann');
    await stream.next();
    service.streams.endAll();
    await expect(stream.next()).rejects.toThrow('the stream has ended');
  });
});
