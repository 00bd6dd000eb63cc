import { describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { say, startTestService, type TestService } from '../start-service.ts';
import { requestsTo } from './requests.ts';
import { shareService } from './shared-service.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

let service: TestService;
shareService((started) => {
  service = started;
});

const { post, total, memoryOf } = requestsTo(() => service);

describe('an idempotency key', () => {
  const keyed = { content: 'Deploy number 7 is done.', idempotency_key: 'k1' };

  test('sent again answers with the first memory, even days later', async () => {
    const first = await say(service, 'ann', keyed);
    service.clock.advance(30 * DAY_MS);
    const again = await say(service, 'ann', keyed);
    expect(again).toMatchObject({ duplicate: true, memory: { id: first.memory.id } });
    expect(await total()).toBe(1);
  });

  test('sent with other words is a conflict, and nothing is stored', async () => {
    await say(service, 'ann', keyed);
    const answer = await post('/ingest', { ...keyed, content: 'Deploy number 8 is done.', agent_id: 'ann' });
    expect([answer.status, answer.body.code]).toEqual([409, 'idempotency_key_reused']);
    expect(await total()).toBe(1);
  });

  const whole = {
    ...keyed,
    role: 'user',
    name: 'Dana',
    source: 'user',
    scope: 'PRIVATE',
    tags: ['deploy', 'done'],
    importance: 0.7,
    valid_from: '2026-11-01T00:00:00Z',
    valid_until: '2027-11-01T00:00:00Z',
    expires_at: '2028-11-01T00:00:00Z',
    metadata: { run: 7, steps: ['build'] },
  };

  test.each([
    { role: 'assistant', source: 'user' },
    { name: 'Dora' },
    { source: 'tool' },
    { scope: 'TEAM' },
    { tags: ['deploy'] },
    { importance: 0.8 },
    { valid_from: '2026-11-02T00:00:00Z' },
    { valid_until: '2027-11-02T00:00:00Z' },
    { expires_at: '2028-11-02T00:00:00Z' },
    { metadata: { run: 7, steps: ['test'] } },
  ])('sent with %j is a conflict that names the field, and changes nothing', async (other) => {
    const { memory } = await say(service, 'ann', whole);
    const before = await memoryOf(memory.id);
    const { status, body } = await post('/ingest', { ...whole, ...other, agent_id: 'ann' });
    expect([status, body.code]).toEqual([409, 'idempotency_key_reused']);
    expect(body.detail).toBe(
      `The idempotency key 'k1' belongs to memory '${memory.id}', whose message differs in ${Object.keys(other)[0]}: ` +
        'use a new key for a new message.',
    );
    expect(await memoryOf(memory.id)).toEqual(before);
    expect(await total()).toBe(1);
  });

  test('names every field in which the message differs', async () => {
    await say(service, 'ann', whole);
    const { body } = await post('/ingest', { ...keyed, agent_id: 'ann' });
    expect(body.detail).toContain(
      'differs in role, name, source, scope, tags, valid_from, valid_until, expires_at, metadata:',
    );
  });

  test('sent again answers with the memory, whatever has become of it, and whenever and wherever it is said', async () => {
    const { memory } = await say(service, 'ann', whole);
    service.clock.advance(MINUTE_MS);
    const change = { gist: 'Deploy 7.', tags: [], scope: 'TEAM', metadata: {}, importance: 0.1, expires_at: null };
    for (const part of [{ tags: ['x'] }, change]) {
      const edit = await supertest(service.app).put(`/memory/${memory.id}`).set('X-Agent-ID', 'ann').send(part);
      expect(edit.status).toBe(200);
    }
    const { metadata, tags, ...rest } = whole;
    const again = { ...rest, tags: ['done', 'deploy'], metadata: { steps: ['build'], run: 7 } };
    for (const more of [{}, { timestamp: '2026-11-20T00:00:00Z' }, { session_id: 's2' }]) {
      expect(await say(service, 'ann', { ...again, ...more })).toMatchObject({
        duplicate: true,
        memory: { id: memory.id, gist: 'Deploy 7.', scope: 'TEAM', tags: [] },
      });
    }
    const other = await post('/ingest', { ...again, scope: 'TEAM', agent_id: 'ann' });
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_key_reused']);
  });

  test.each([
    ['no versions are kept', { historyMs: 0 }, {}],
    ['no versions are kept, and it has a time of its own', { historyMs: 0 }, { timestamp: '2026-11-20T00:00:00Z' }],
    ['those are gone that were kept', { historyMs: DAY_MS }, { timestamp: '2026-11-20T00:00:00Z' }],
  ])('is asked for the words alone where nobody knows what it was sent with: %s', async (_why, options, time) => {
    const forgetful = await startTestService({ embedder: null, ...options });
    const { memory } = await say(forgetful, 'ann', { ...whole, ...time });
    forgetful.clock.advance(MINUTE_MS);
    const edit = supertest(forgetful.app).put(`/memory/${memory.id}`).set('X-Agent-ID', 'ann');
    await edit.send({ tags: [] }).expect(200);
    forgetful.clock.advance(2 * DAY_MS);
    await supertest(forgetful.app).post('/end_of_day').set('X-Agent-ID', 'ann').expect(200);
    expect(await say(forgetful, 'ann', { ...whole, ...time })).toMatchObject({
      duplicate: true,
      memory: { id: memory.id },
    });
    await forgetful.close();
  });

  test('sent again with a time of its own is compared with what it was sent with', async () => {
    const told = { ...whole, timestamp: '2026-11-20T00:00:00Z' };
    const { memory } = await say(service, 'ann', told);
    service.clock.advance(MINUTE_MS);
    const edit = supertest(service.app).put(`/memory/${memory.id}`).set('X-Agent-ID', 'ann');
    await edit.send({ tags: [] }).expect(200);
    expect(await say(service, 'ann', told)).toMatchObject({ duplicate: true, memory: { id: memory.id } });
    expect((await post('/ingest', { ...told, tags: ['other'], agent_id: 'ann' })).status).toBe(409);
  });

  describe('sent with words that are known already', () => {
    const again = { ...whole, idempotency_key: 'k2', tags: ['again'], metadata: { run: 8 } };
    const days = (count: number) => service.clock.advance(count * DAY_MS);

    test('is kept: a retry finds the memory days later, and so does one under the first key', async () => {
      const { memory } = await say(service, 'ann', whole);
      const same = [await say(service, 'ann', again)];
      days(2);
      for (const sent of [again, whole, again]) same.push(await say(service, 'ann', sent));
      expect(same).toEqual(Array(4).fill(expect.objectContaining({ duplicate: true })));
      expect(new Set(same.map((one) => one.memory.id))).toEqual(new Set([memory.id]));
      expect(await total()).toBe(1);
    });

    test('is a conflict with other words, and with another field of what was sent under it', async () => {
      await say(service, 'ann', { content: keyed.content, session_id: 's' });
      const { content: _, ...rest } = again;
      const first = {
        content: `  ${keyed.content.toUpperCase()} `,
        idempotency_key: 'k2',
        session_id: 's',
        tags: ['a', 'b'],
      };
      await say(service, 'ann', first);
      const detailOf = async (message: object) => (await post('/ingest', { ...message, agent_id: 'ann' })).body.detail;
      expect(await detailOf({ ...first, tags: ['b', 'a'], session_id: 'other' })).toBeUndefined();
      expect(await detailOf({ ...first, content: keyed.content })).toContain('differs in content:');
      expect(await detailOf({ ...rest, content: first.content })).toContain(
        'differs in role, name, source, scope, tags, valid_from, valid_until, expires_at, metadata, importance:',
      );
      expect(await total()).toBe(1);
    });

    test('makes no version of the memory, and no event', async () => {
      const { memory } = await say(service, 'ann', keyed);
      const read = async () => (await supertest(service.app).get(`/memory/${memory.id}?agent_id=ann`)).headers.etag;
      const etag = await read();
      await say(service, 'ann', { ...keyed, idempotency_key: 'k2' });
      expect(await read()).toBe(etag);
      const { body } = await supertest(service.app).get(`/memory/${memory.id}/history?agent_id=ann`);
      expect(body.versions).toEqual([]);
    });

    test('is kept through an edit, a delete that is reverted, and a restart', async () => {
      const { memory } = await say(service, 'ann', keyed);
      await say(service, 'ann', { ...keyed, idempotency_key: 'k2' });
      const url = `/memory/${memory.id}?agent_id=ann`;
      const { body: edited } = await supertest(service.app).put(url).send({ gist: 'Done.' });
      expect(edited.memory.gist).toBe('Done.');
      await supertest(service.app).delete(url).expect(200);
      const { body: history } = await supertest(service.app).get(`/memory/${memory.id}/history?agent_id=ann`);
      const [deleted] = history.versions;
      days(2);
      const revert = supertest(service.app).post(`/memory/${memory.id}/revert?agent_id=ann`);
      await revert.send({ version: deleted.version }).expect(200);
      const found = await say(service, 'ann', { ...keyed, idempotency_key: 'k2' });
      expect([found.duplicate, found.memory.id]).toEqual([true, memory.id]);
    });

    test('of a hundred keys the last ones are kept', async () => {
      await say(service, 'ann', keyed);
      const keys = Array.from({ length: 101 }, (_, i) => ({ ...keyed, idempotency_key: `again ${i}` }));
      for (const sent of keys) await say(service, 'ann', sent);
      days(2);
      expect((await say(service, 'ann', { ...keyed, ...keys[1] })).duplicate).toBe(true);
      expect((await say(service, 'ann', { ...keyed, ...keys[100] })).duplicate).toBe(true);
      expect((await say(service, 'ann', { ...keyed, ...keys[0] })).duplicate).toBe(false);
    });

    test('twenty keys at once are all kept', async () => {
      await say(service, 'ann', keyed);
      const all = Array.from({ length: 20 }, (_, i) => ({ ...keyed, idempotency_key: `at once ${i}` }));
      await Promise.all(all.map((sent) => say(service, 'ann', sent)));
      days(2);
      const retried = await Promise.all(all.map((sent) => say(service, 'ann', sent)));
      expect(retried.map(({ duplicate }) => duplicate)).toEqual(Array(20).fill(true));
      expect(await total()).toBe(1);
    });
  });

  test('belongs to its agent, and to a project of it', async () => {
    await say(service, 'ann', keyed);
    expect((await say(service, 'ann', { ...keyed, project: 'web' })).duplicate).toBe(false);
    expect((await say(service, 'bob', { ...keyed, content: 'Other words of bob.' })).duplicate).toBe(false);
  });

  test('sent twenty times at once makes one memory; of other words only the first are stored', async () => {
    const same = await Promise.all(Array.from({ length: 20 }, () => say(service, 'ann', keyed)));
    expect(new Set(same.map(({ memory }) => memory.id)).size).toBe(1);
    const different = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        post('/ingest', { content: `Words ${i}.`, idempotency_key: 'k2', agent_id: 'ann' }),
      ),
    );
    expect(different.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    expect(await total()).toBe(2);
  });

  test('is free again once its memory is deleted', async () => {
    const first = await say(service, 'ann', keyed);
    await supertest(service.app).delete(`/memory/${first.memory.id}?agent_id=ann`);
    const again = await say(service, 'ann', { ...keyed, content: 'Deploy number 8 is done.' });
    expect(again.duplicate).toBe(false);
  });
});
