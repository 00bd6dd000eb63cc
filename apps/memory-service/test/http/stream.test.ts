import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type EventReader, openEventReader } from '@agent-faculties/testing';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { closeFastEmbedder, say, startTestService, type TestService } from '../start-service.ts';

let service: TestService;
let server: Server;
const open: EventReader[] = [];

beforeEach(async () => {
  service = await startTestService();
  server = createServer(service.app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  for (const reader of open.splice(0)) reader.close();
  server.closeAllConnections();
  server.close();
  await service.close();
});
afterAll(() => closeFastEmbedder());

const SECRET = 'My locker code is moss.';
const ID = expect.stringMatching(/^\d{15}$/);

async function connect(agent: string, { query = '', lastId }: { query?: string; lastId?: string | null } = {}) {
  const { port } = server.address() as AddressInfo;
  const headers = { 'X-Agent-ID': agent, ...(lastId && { 'Last-Event-ID': lastId }) };
  const reader = await openEventReader({ port, path: `/events/stream${query}`, headers });
  open.push(reader);
  return reader;
}

/** One that stands where everything so far was told. */
async function listener(agent: string, about: Parameters<typeof connect>[1] = {}) {
  const reader = await connect(agent, about);
  expect(await reader.next()).toEqual({ id: ID, event: null, data: null });
  return reader;
}

const as = (agent: string) => ({
  put: async (path: string, body: object) =>
    await supertest(service.app).put(path).set('X-Agent-ID', agent).send(body).expect(200),
  post: async (path: string, body: object = {}) =>
    await supertest(service.app).post(path).set('X-Agent-ID', agent).send(body).expect(200),
  delete: async (path: string) => await supertest(service.app).delete(path).set('X-Agent-ID', agent).expect(200),
});

describe('the stream', () => {
  test('tells who changed which memory, and none of its words', async () => {
    const reader = await listener('bob');
    expect(reader.res.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    });
    const { memory } = await say(service, 'ann', 'The release train leaves on Thursday.');
    const at = '2026-11-21T09:30:00.123Z';
    const about = { at, memory_id: memory.id, agent_id: 'ann', project: null, scope: 'TEAM' };
    const next = async () => {
      const { event, data } = await reader.next();
      return { event, data };
    };
    expect(await next()).toEqual({ event: 'added', data: { ...about, by: 'ann', operation: null } });
    await as('bob').put(`/memory/${memory.id}`, { gist: 'It leaves on Friday.' });
    expect(await next()).toEqual({ event: 'edited', data: { ...about, by: 'bob', operation: 'edit' } });
    await as('cleo').post(`/memory/${memory.id}/invalidate`, { reason: 'There are no trains any more.' });
    expect(await next()).toEqual({ event: 'invalidated', data: { ...about, by: 'cleo', operation: 'invalidate' } });
    await as('ann').delete(`/memory/${memory.id}`);
    expect(await next()).toEqual({ event: 'deleted', data: { ...about, by: 'ann', operation: 'delete' } });
    const { memory: erased } = await say(service, 'ann', 'My locker code is fern.');
    await next();
    await as('cleo').delete(`/memory/${erased.id}?erase=true`);
    const forgotten = { event: 'deleted', data: { ...about, memory_id: erased.id, by: 'cleo', operation: 'erase' } };
    expect(await next()).toEqual(forgotten);
    const gone = await say(service, 'ann', 'The kettle boils at noon.');
    await next();
    const newer = await say(service, 'bob', { content: 'The kettle is sold.', supersedes: [gone.memory.id] });
    const two = [await next(), await next()].sort((one, other) =>
      (one.event as string).localeCompare(other.event as string),
    );
    expect(two).toMatchObject([
      { event: 'added', data: { memory_id: newer.memory.id, by: 'bob' } },
      {
        event: 'superseded',
        data: { memory_id: gone.memory.id, superseded_by: newer.memory.id, by: 'bob', operation: 'supersede' },
      },
    ]);
  });

  test('tells of contradictions and of what is decided about them', async () => {
    const reader = await listener('cleo');
    const a = await say(service, 'ann', 'Nightly backups of the billing service take 40 minutes.');
    const b = await say(service, 'bob', 'Nightly backups of the billing service take 70 minutes.');
    expect([(await reader.next()).event, (await reader.next()).event]).toEqual(['added', 'added']);
    const { contradictions } = (await as('cleo').post('/contradictions')).body;
    const [{ id }] = contradictions;
    const memory_ids = [a.memory.id, b.memory.id];
    const about = { at: expect.any(String), contradiction_id: id, memory_ids };
    expect(await reader.next()).toEqual({
      id: ID,
      event: 'contradiction',
      data: { ...about, what: 'found', by: null },
    });
    await as('cleo').post(`/contradictions/${id}/resolve`, { winner: b.memory.id });
    const superseded = {
      event: 'superseded',
      data: { memory_id: a.memory.id, superseded_by: b.memory.id, by: 'cleo', operation: 'resolve' },
    };
    expect((await reader.next()).data).toEqual({ ...about, what: 'resolved', by: 'cleo' });
    expect(await reader.next()).toMatchObject(superseded);
    await as('bob').post(`/contradictions/${id}/resolve`, { reopen: true });
    expect((await reader.next()).data).toEqual({ ...about, what: 'reopened', by: 'bob' });
    expect(await reader.next()).toMatchObject({ event: 'edited', data: { memory_id: a.memory.id } });
    // An edit that takes the successor back opens it again, too.
    await as('cleo').post(`/contradictions/${id}/resolve`, { winner: b.memory.id });
    expect([(await reader.next()).event, await reader.next()]).toMatchObject(['contradiction', superseded]);
    await as('bob').put(`/memory/${a.memory.id}`, { superseded_by: null });
    const two = [await reader.next(), await reader.next()];
    expect(two).toMatchObject([
      { event: 'edited', data: { memory_id: a.memory.id, operation: 'edit' } },
      { event: 'contradiction', data: { ...about, what: 'reopened', by: 'bob' } },
    ]);
  });

  test('tells of pairs that are doubtful, and who judged them', async () => {
    const reader = await listener('eve');
    const a = await say(service, 'cid', 'The backups of billing run every night.');
    const b = await say(service, 'dee', 'The backups of billing no longer run.');
    await as('cid').post('/contradictions');
    const [{ id }] = (await supertest(service.app).get('/contradictions/doubtful')).body.pairs;
    await as('dee').post(`/contradictions/${id}/judge`, { says: 'contradiction', judge: 'a-model' });
    const told = [await reader.next(), await reader.next(), await reader.next(), await reader.next()];
    const about = { at: expect.any(String), contradiction_id: id, memory_ids: [a.memory.id, b.memory.id] };
    expect(told.slice(2).map(({ data }) => data)).toEqual([
      { ...about, what: 'doubtful', by: null },
      { ...about, what: 'judged', by: 'dee' },
    ]);
  });

  test('tells of a consolidation when it has finished, and of no dry run', async () => {
    const reader = await listener('bob');
    await as('ann').post('/consolidate', { dry_run: true });
    const { report } = (await as('ann').post('/consolidate')).body;
    expect(await reader.next()).toEqual({
      id: ID,
      event: 'consolidation',
      data: { at: expect.any(String), run_id: report.run_id, outcome: 'done' },
    });
  });

  test('tells that a memory has expired once the service notices', async () => {
    const { memory } = await say(service, 'ann', {
      content: 'The guest code is 1234 today.',
      expires_at: '2026-11-21T10:00:00Z',
    });
    const reader = await listener('bob');
    service.clock.set(Date.parse('2026-11-21T10:00:01Z'));
    await supertest(service.app).get('/memories');
    expect(await reader.next()).toMatchObject({
      event: 'deleted',
      data: { memory_id: memory.id, by: null, operation: 'expire' },
    });
  });

  test('keeps what is PRIVATE to its agent, and says when it becomes so or ends being so', async () => {
    const [ann, bob] = [await listener('ann'), await listener('bob')];
    const { memory } = await say(service, 'ann', { content: SECRET, scope: 'PRIVATE' });
    const open = await say(service, 'ann', 'The kettle boils at noon.');
    expect([(await ann.next()).data.memory_id, (await ann.next()).data.memory_id]).toEqual([memory.id, open.memory.id]);
    expect((await bob.next()).data.memory_id).toBe(open.memory.id);
    await as('ann').put(`/memory/${memory.id}`, { scope: 'TEAM' });
    expect(await ann.next()).toMatchObject({ event: 'edited', data: { memory_id: memory.id, scope: 'TEAM' } });
    expect(await bob.next()).toMatchObject({ event: 'added', data: { memory_id: memory.id, scope: 'TEAM' } });
    await as('ann').put(`/memory/${memory.id}`, { scope: 'PRIVATE' });
    expect(await ann.next()).toMatchObject({ event: 'edited', data: { memory_id: memory.id, scope: 'PRIVATE' } });
    expect(await bob.next()).toMatchObject({ event: 'deleted', data: { memory_id: memory.id, scope: 'TEAM' } });
  });

  test('in a project tells of it, of what has none and of what others share', async () => {
    const reader = await listener('bob', { query: '?project=blue' });
    const told = [
      await say(service, 'ann', { content: 'Blue builds with ninja.', project: 'blue' }),
      await say(service, 'ann', { content: 'Tea is at four.' }),
      await say(service, 'ann', { content: 'Red shares its printer.', project: 'red', scope: 'SHARED' }),
    ];
    await say(service, 'ann', { content: 'Red builds with make.', project: 'red' });
    told.push(await say(service, 'ann', { content: 'Blue tests with jest.', project: 'blue' }));
    for (const { memory } of told) expect((await reader.next()).data.memory_id).toBe(memory.id);
  });
});

describe('resuming', () => {
  test.each(['header', 'query'])('after the last id of the %s loses nothing and repeats nothing', async (place) => {
    const first = await listener('bob');
    await say(service, 'ann', 'The first one is seen.');
    const { id } = await first.next();
    first.close();
    const missed = [
      await say(service, 'ann', 'Nobody listens to the second.'),
      await say(service, 'bob', { content: 'The third is for bob alone.', scope: 'PRIVATE' }),
    ];
    await say(service, 'ann', { content: SECRET, scope: 'PRIVATE' });
    const again = await connect('bob', place === 'header' ? { lastId: id } : { query: `?last_event_id=${id}` });
    expect(await again.next()).toEqual({ id, event: null, data: null });
    missed.push(await say(service, 'ann', 'The fourth comes live.'));
    for (const { memory } of missed) expect((await again.next()).data.memory_id).toBe(memory.id);
  });

  test('works from the first message on, before anything has happened', async () => {
    const first = await connect('bob');
    const { id } = await first.next();
    first.close();
    const { memory } = await say(service, 'ann', 'The kettle boils at noon.');
    const again = await connect('bob', { lastId: id });
    await again.next();
    expect((await again.next()).data.memory_id).toBe(memory.id);
  });

  test('says reset to an id of another run, and to that of an event which the reader may not see', async () => {
    const ann = await listener('ann');
    await say(service, 'ann', { content: SECRET, scope: 'PRIVATE' });
    const { id } = await ann.next();
    for (const lastId of ['000000000000007', id]) {
      const reader = await connect('bob', { lastId });
      expect(await reader.next()).toEqual({ id: ID, event: 'reset', data: {} });
    }
  });

  test('says reset when more was missed than is kept; PRIVATE events of others push out none', async () => {
    const [ann, bob] = [await connect('ann'), await connect('bob')];
    const [annsId, bobsId] = [(await ann.next()).id, (await bob.next()).id];
    ann.close();
    bob.close();
    const memoriesOf = (agent_id: string, scope: string, marks: string) =>
      Array.from({ length: 4_001 }, (_, number) => ({
        id: `0193a000-0000-7000-8000-${marks}${String(number).padStart(11, '0')}`,
        content: `${scope} number ${number} of ${agent_id}`,
        created_at: '2026-11-20T10:00:00Z',
        agent_id,
        scope,
      }));
    const missed = await say(service, 'ann', 'The kettle boils at noon.');
    await as('ann').post('/merge', { memories: memoriesOf('ann', 'PRIVATE', 'a').slice(0, 2_000) });
    await as('ann').post('/merge', { memories: memoriesOf('ann', 'PRIVATE', 'a').slice(2_000) });
    expect((await (await connect('ann', { lastId: annsId })).next()).event).toBe('reset');
    const again = await connect('bob', { lastId: bobsId });
    expect((await again.next()).event).toBeNull();
    expect((await again.next()).data.memory_id).toBe(missed.memory.id);
    await as('ann').post('/merge', { memories: memoriesOf('ann', 'TEAM', 'b').slice(0, 2_000) });
    await as('ann').post('/merge', { memories: memoriesOf('ann', 'TEAM', 'b').slice(2_000) });
    expect((await (await connect('bob', { lastId: bobsId })).next()).event).toBe('reset');
  });
});

test('ends when the service stops', async () => {
  const reader = await listener('bob');
  expect(service.streams.size).toBe(1);
  service.streams.endAll();
  await expect(reader.next()).rejects.toThrow('the stream has ended');
});
