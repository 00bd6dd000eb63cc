import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { closeFastEmbedder, emptyStore, START_MS, say, startTestService, type TestService } from '../start-service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterEach(async () => {
  await emptyStore(service);
  service.clock.set(START_MS);
});
afterAll(async () => {
  await service.close();
  await closeFastEmbedder();
});

const HOUR = 3_600_000;
const instant = (ms: number) => new Date(ms).toISOString();
const inHours = (hours: number) => instant(START_MS + hours * HOUR);
const as = (agent: string, request: supertest.Test) => request.set('X-Agent-ID', agent);
const get = (path: string, agent = 'ann') => as(agent, supertest(service.app).get(path));
const post = (path: string, body: object, agent = 'ann') => as(agent, supertest(service.app).post(path)).send(body);
const put = (id: string, change: object, agent = 'ann') =>
  as(agent, supertest(service.app).put(`/memory/${id}`)).send(change);

describe('validity at ingest and edit', () => {
  test('comes back as it was said, in any form of an instant', async () => {
    const { memory } = await say(service, 'ann', {
      content: 'The release freeze is on.',
      valid_from: '2026-11-21',
      valid_until: '2026-12-05T10:00:00+01:00',
      expires_at: '2027-01-01T00:00:00.5004Z',
    });
    const said = {
      valid_from: '2026-11-21T00:00:00.000Z',
      valid_until: '2026-12-05T09:00:00.000Z',
      expires_at: '2027-01-01T00:00:00.500Z',
      invalidation: null,
    };
    expect(memory).toMatchObject(said);
    expect((await get(`/memory/${memory.id}`)).body.memory).toMatchObject(said);
  });

  test('is taken back with null, field by field', async () => {
    const { memory } = await say(service, 'ann', {
      content: 'The release freeze is on.',
      valid_from: inHours(1),
      valid_until: inHours(2),
      expires_at: inHours(3),
    });
    const left: Record<string, string | null> = {
      valid_from: inHours(1),
      valid_until: inHours(2),
      expires_at: inHours(3),
    };
    for (const field of Object.keys(left)) {
      left[field] = null;
      const answer = await put(memory.id, { [field]: null });
      expect([answer.status, answer.body.memory]).toEqual([200, expect.objectContaining(left)]);
    }
  });

  test.each([
    [{ valid_from: inHours(2), valid_until: inHours(2) }, 'body/valid_until'],
    [{ valid_from: inHours(2), valid_until: inHours(1) }, 'body/valid_until'],
    [{ expires_at: inHours(0) }, 'body/expires_at'],
    [{ valid_until: 'soon' }, 'body/valid_until'],
    [{ valid_from: 5 }, 'body/valid_from'],
  ])('refuses %j and says where', async (validity, where) => {
    const refused = await post('/ingest', { content: 'The release freeze is on.', ...validity });
    expect([refused.status, refused.body.errors?.[0]?.where]).toEqual([422, where]);
    expect((await get('/memories')).body.total).toBe(0);
    const { memory } = await say(service, 'ann', 'Another thing.');
    const edit = await put(memory.id, validity);
    expect([edit.status, edit.body.errors?.[0]?.where]).toEqual([422, where]);
    expect((await get(`/memory/${memory.id}`)).body.memory).toEqual(memory);
  });

  test('an edit of one end is held against the other end that is stored', async () => {
    const { memory } = await say(service, 'ann', { content: 'The freeze is on.', valid_from: inHours(5) });
    expect((await put(memory.id, { valid_until: inHours(4) })).status).toBe(422);
    expect((await put(memory.id, { valid_until: inHours(6) })).status).toBe(200);
    expect((await put(memory.id, { valid_from: inHours(6) })).status).toBe(422);
  });
});

describe('the same words with another validity', () => {
  const words = 'The release freeze is on.';
  const total = async () => (await get('/memories')).body.total;

  test('are a new memory once the first one has ended, and strengthen it until then', async () => {
    const first = await say(service, 'ann', { content: words, valid_until: inHours(2) });
    service.clock.advance(HOUR);
    expect(await say(service, 'ann', words)).toMatchObject({ duplicate: true, memory: { id: first.memory.id } });
    service.clock.advance(HOUR);
    expect(await say(service, 'ann', words)).toMatchObject({ duplicate: false, memory: { valid_until: null } });
    expect(await total()).toBe(2);
  });

  test('that say when they hold are kept beside those that hold for good', async () => {
    await say(service, 'ann', words);
    const bounded = { content: words, valid_until: inHours(2) };
    expect((await say(service, 'ann', bounded)).duplicate).toBe(false);
    expect((await say(service, 'ann', bounded)).duplicate).toBe(true);
    expect(await total()).toBe(2);
  });

  test('are never lost with a memory that expires', async () => {
    await say(service, 'ann', { content: words, expires_at: inHours(2) });
    expect((await say(service, 'ann', words)).duplicate).toBe(false);
  });
});
