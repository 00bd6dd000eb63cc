import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ManualClock } from '@agent-faculties/service-kit';
import { copyOfKilled } from '@agent-faculties/testing';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { LOCK_FILE } from '../../src/persistence/files/file-names.ts';
import {
  ask,
  closeFastEmbedder,
  countedIds,
  START_MS,
  say,
  startTestService,
  type TestService,
  temporaryFolder,
} from '../start-service.ts';

const HOUR = 3_600_000;
const inHours = (hours: number) => new Date(START_MS + hours * HOUR).toISOString();

let folder: ReturnType<typeof temporaryFolder>;
let clock: ManualClock;
let running: TestService[];
let service: TestService;
beforeEach(async () => {
  folder = temporaryFolder();
  clock = new ManualClock(START_MS);
  running = [];
  service = await start('data');
});
afterEach(async () => {
  for (const one of running) await one.close();
  folder.remove();
});
afterAll(closeFastEmbedder);

const ids = countedIds();
async function start(name: string): Promise<TestService> {
  const started = await startTestService({ dataDir: join(folder.path, name), clock, ids, logLevel: 'info' });
  running.push(started);
  return started;
}

/** A start on the directory as a process that was killed at this moment leaves it behind. */
async function afterAKill(): Promise<TestService> {
  const copy = `copy-${running.length}`;
  copyOfKilled(join(folder.path, 'data'), { to: join(folder.path, copy), without: [LOCK_FILE] });
  return await start(copy);
}

const get = async (one: TestService, path: string) => await supertest(one.app).get(path).set('X-Agent-ID', 'ann');
const endOfDay = async () => (await supertest(service.app).post('/end_of_day').set('X-Agent-ID', 'ann').send({})).body;
const onDisk = () => {
  const path = join(folder.path, 'data');
  const names = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return names.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1')).join('');
};

/** Says what expires in an hour, beside what stays; resolves to the id of what expires. */
async function sayBoth(): Promise<string> {
  await say(service, 'ann', { content: 'The badge office is open until five.', session_id: 's' });
  const secret = {
    content: 'The guest code for Zanzibar is 4711 this week.',
    session_id: 's',
    idempotency_key: 'code',
  };
  return (await say(service, 'ann', { ...secret, expires_at: inHours(1) })).memory.id;
}

/** Everything that answers, in one text. */
async function answers(one: TestService): Promise<string> {
  const told: unknown[] = [await ask(one, 'ann', { query: 'guest code for Zanzibar', top_k: 100 })];
  for (const path of [
    '/memories?q=zanzibar',
    '/memories',
    '/stats',
    '/export',
    '/working_memory?session_id=s',
    '/pruned',
  ]) {
    told.push((await get(one, path)).text);
  }
  const contradictions = await supertest(one.app)
    .post('/contradictions')
    .send({ include_same_agent: true, threshold: 0 });
  return JSON.stringify([...told, contradictions.body]);
}

describe('a memory that has expired', () => {
  test('is in no answer from its instant on, and counts nowhere', async () => {
    const id = await sayBoth();
    await say(service, 'ann', { content: 'The guest code for Zanzibar is 4712 this week.', session_id: 't' });
    clock.advance(HOUR - 1);
    expect(await answers(service)).toContain('4711');
    expect((await get(service, '/memories')).body.total).toBe(3);
    clock.advance(1);
    expect((await get(service, `/memory/${id}`)).body.code).toBe('unknown_memory');
    const told = await answers(service);
    expect(told).not.toContain('4711');
    expect(told).not.toContain(id);
    expect((await get(service, '/memories')).body.total).toBe(2);
    expect((await get(service, '/stats')).body.totals.total).toBe(2);
    expect((await get(service, '/health')).body).toMatchObject({ memories: 2, vectors: 2 });
  });

  test('is in no picture that was drawn just before', async () => {
    await sayBoth();
    await ask(service, 'ann', { query: 'guest code for Zanzibar', strengthen: true });
    const pictures = async () =>
      (await get(service, '/memories/summary')).text + (await get(service, '/memories/timeline')).text;
    clock.advance(HOUR - 1);
    expect((await pictures()).match(/4711/g)).toHaveLength(3);
    clock.advance(1);
    expect(await pictures()).not.toContain('4711');
  });

  test('leaves its place to what had superseded it, also after a kill -9', async () => {
    const { memory: old } = await say(service, 'ann', 'The stand-up is at 9.');
    const thisWeek = { content: 'The stand-up is at 10 this week.', supersedes: [old.id], expires_at: inHours(1) };
    const { memory: temporary } = await say(service, 'ann', thisWeek);
    const last = { content: 'The stand-up is at half past 9.', supersedes: [temporary.id] };
    const { memory: next } = await say(service, 'ann', last);
    clock.advance(HOUR);
    const { context } = await ask(service, 'ann', { query: 'When is the stand-up?' });
    expect(context).toContain('ann (superseded): The stand-up is at 9.');
    expect(context).toContain('ann: The stand-up is at half past 9.');
    for (const one of [service, await afterAKill()]) {
      const { memory } = (await get(one, `/memory/${old.id}`)).body;
      const supersession = { agent_id: 'ann', reason: 'what replaced it was replaced' };
      expect(memory).toMatchObject({ superseded_by: next.id, supersession });
    }
  });

  test('supersedes nothing, and what is changed after that is there after a kill -9', async () => {
    const { memory: old } = await say(service, 'ann', { content: 'The stand-up is at 9.' });
    const temporary = { content: 'The stand-up is at 10 this week.', supersedes: [old.id], expires_at: inHours(1) };
    await say(service, 'ann', temporary);
    await supertest(service.app).post('/save').send({});
    clock.advance(HOUR);
    expect((await get(service, `/memory/${old.id}`)).body.memory).toMatchObject({
      superseded_by: null,
      supersession: null,
    });
    expect((await ask(service, 'ann', { query: 'When is the stand-up?' })).context).not.toContain('(superseded)');
    const changed = await supertest(service.app)
      .put(`/memory/${old.id}`)
      .set('X-Agent-ID', 'ann')
      .send({ tags: ['team'] });
    const again = await afterAKill();
    const { updated_at } = changed.body.memory;
    const told = (await get(again, `/memory/${old.id}`)).body.memory;
    expect(told).toMatchObject({ tags: ['team'], superseded_by: null, updated_at });
  });

  test('is in no recall as of an earlier now, which moves neither strengths nor scores', async () => {
    await sayBoth();
    clock.advance(24 * 30 * HOUR);
    const recalled = async (now: object) => {
      const { memories } = await ask(service, 'ann', { query: 'badge office Zanzibar', strengthen: false, ...now });
      return memories.map(({ content, strength, score }: Record<string, unknown>) => [content, strength, score]);
    };
    const [told] = await recalled({});
    expect(told).toEqual(['The badge office is open until five.', expect.any(Number), expect.any(Number)]);
    expect(told?.[1]).toBeLessThan(1);
    for (const hours of [0.5, 24 * 29]) expect(await recalled({ now: inHours(hours) })).toEqual([told]);
  });

  test('cannot be changed, deleted or brought back by an old copy', async () => {
    const id = await sayBoth();
    const copy = (await get(service, `/memory/${id}`)).body.memory;
    clock.advance(HOUR);
    for (const request of [
      supertest(service.app).put(`/memory/${id}`).send({ expires_at: null }),
      supertest(service.app).delete(`/memory/${id}`),
    ]) {
      expect((await request.set('X-Agent-ID', 'ann')).status).toBe(404);
    }
    const later = { ...copy, updated_at: inHours(1) };
    for (const [record, why] of [
      [later, 'expires_at lies in the past: it is gone'],
      [{ ...later, expires_at: null }, expect.stringContaining('not free here')],
    ] as const) {
      const merged = await supertest(service.app)
        .post('/merge')
        .set('X-Agent-ID', 'ann')
        .send({ memories: [record] });
      expect(merged.body.report.rejected).toEqual([{ index: 0, reason: why }]);
    }
  });

  test('has no history, also where it was deleted before', async () => {
    const id = await sayBoth();
    const other = await say(service, 'ann', { content: 'The guest code is 4713.', expires_at: inHours(1) });
    await supertest(service.app)
      .put(`/memory/${id}`)
      .set('X-Agent-ID', 'ann')
      .send({ tags: ['code'] });
    await supertest(service.app).delete(`/memory/${other.memory.id}`).set('X-Agent-ID', 'ann');
    for (const one of [id, other.memory.id]) expect((await get(service, `/memory/${one}/history`)).status).toBe(200);
    clock.advance(HOUR);
    for (const one of [id, other.memory.id]) expect((await get(service, `/memory/${one}/history`)).status).toBe(404);
  });

  test('leaves the history with the end of the day where it was deleted before', async () => {
    const { memory } = await say(service, 'ann', { content: 'The guest code is 4711.', expires_at: inHours(1) });
    const { memory: kept } = await say(service, 'ann', { content: 'The alarm code is 4712.', expires_at: inHours(1) });
    await supertest(service.app).put(`/memory/${kept.id}`).set('X-Agent-ID', 'ann').send({ expires_at: null });
    for (const { id } of [memory, kept]) {
      await supertest(service.app).delete(`/memory/${id}`).set('X-Agent-ID', 'ann');
    }
    clock.advance(HOUR - 1);
    await endOfDay();
    expect(onDisk()).toContain('4711');
    clock.advance(1);
    await endOfDay();
    expect(onDisk()).not.toContain('4711');
    for (const one of [service, await afterAKill()]) {
      expect((await get(one, `/memory/${kept.id}/history`)).body.versions[0]).toMatchObject({ operation: 'delete' });
    }
  });

  test('stays gone after a kill, and its key belongs to what was said since', async () => {
    await sayBoth();
    clock.advance(HOUR);
    const again = await say(service, 'ann', { content: 'A new code comes on Monday.', idempotency_key: 'code' });
    expect(again.duplicate).toBe(false);
    const other = await afterAKill();
    expect(await answers(other)).not.toContain('4711');
    // So late that the words alone would be another message.
    clock.advance(48 * HOUR);
    const repeated = await say(other, 'ann', { content: 'A new code comes on Monday.', idempotency_key: 'code' });
    expect(repeated).toMatchObject({ duplicate: true, memory: { id: again.memory.id } });
  });

  test('leaves the disk with the end of the day, and the audit says so', async () => {
    const id = await sayBoth();
    clock.advance(HOUR);
    await service.opened.persistence.save();
    expect(await answers(service)).not.toContain('4711');
    expect(onDisk()).toContain('4711');
    expect(await answers(await afterAKill())).not.toContain('4711');
    service.lines.length = 0;
    expect((await endOfDay()).report).toMatchObject({ failed: [], expired: 1 });
    const audit = service.lines.find(({ wrote }) => wrote !== undefined);
    expect(audit?.wrote).toEqual({ expired: { count: 1, ids: [id] } });
    expect(onDisk()).not.toContain('4711');
    expect((await endOfDay()).report.expired).toBe(0);
  });

  test.each([
    ['by its id', (id: string) => `/memory/${id}`],
    ['by its id, with versions', (id: string) => `/memory/${id}`],
    ['with its agent', () => '/memories/agent/ann'],
  ])('can be erased before that: %s', async (name, pathOf) => {
    const id = await sayBoth();
    if (name.includes('versions')) {
      await supertest(service.app)
        .put(`/memory/${id}`)
        .set('X-Agent-ID', 'ann')
        .send({ tags: ['code'] });
    }
    clock.advance(HOUR);
    await service.opened.persistence.save();
    expect(onDisk()).toContain('4711');
    const erasing = supertest(service.app).delete(pathOf(id)).query({ erase: true });
    expect((await erasing.set('X-Agent-ID', 'ann')).status).toBe(200);
    expect(onDisk()).not.toContain('4711');
    expect((await endOfDay()).report.expired).toBe(0);
  });

  describe('that absorbed another', () => {
    let absorbed: string;
    beforeEach(async () => {
      const words = { content: 'The guest entrance of the staging host is port 4711.', expires_at: inHours(1) };
      const { memory: own } = await say(service, 'ann', words);
      absorbed = (await say(service, 'bob', words)).memory.id;
      await supertest(service.app).post('/consolidate').set('X-Agent-ID', 'ann').send({});
      expect((await get(service, `/memory/${absorbed}`)).body.memory.id).toBe(own.id);
      clock.advance(HOUR);
      await service.opened.persistence.save();
      expect(onDisk().includes('4711')).toBe(true);
    });

    test('leaves the disk with the versions of both', async () => {
      expect((await endOfDay()).report).toMatchObject({ failed: [], expired: 1 });
      expect(onDisk().includes('4711')).toBe(false);
    });

    test('can be erased by the id of either', async () => {
      const erasing = supertest(service.app).delete(`/memory/${absorbed}`).query({ erase: true });
      expect((await erasing.set('X-Agent-ID', 'bob')).status).toBe(200);
      expect(onDisk().includes('4711')).toBe(false);
      expect((await endOfDay()).report.expired).toBe(0);
    });
  });

  test('can be erased with the agent whose words it absorbed', async () => {
    const words = { content: 'The guest entrance of the staging host is port 4711.', expires_at: inHours(1) };
    for (const agent of ['ann', 'bob']) await say(service, agent, words);
    await supertest(service.app).post('/consolidate').set('X-Agent-ID', 'ann').send({});
    clock.advance(HOUR);
    await service.opened.persistence.save();
    expect(onDisk().includes('4711')).toBe(true);
    const erasing = supertest(service.app).delete('/memories/agent/bob').query({ erase: true });
    expect((await erasing.set('X-Agent-ID', 'bob')).status).toBe(200);
    expect(onDisk().includes('4711')).toBe(false);
  });

  test('is erased by nobody from another project, who may see it and not change it', async () => {
    const shared = { content: 'The pier opens at 4711.', scope: 'SHARED', expires_at: inHours(1) };
    const saying = supertest(service.app).post('/ingest').set('X-Agent-ID', 'ann').set('X-Project', 'till');
    const { memory } = (await saying.send(shared)).body;
    expect(memory).toMatchObject({ project: 'till', scope: 'SHARED' });
    clock.advance(HOUR);
    for (const path of [`/memory/${memory.id}`, '/memories/agent/ann']) {
      const erasing = supertest(service.app).delete(path).query({ erase: true }).set('X-Project', 'shop');
      expect((await erasing.set('X-Agent-ID', 'bob')).status).toBe(404);
    }
    expect((await endOfDay()).report.expired).toBe(1);
  });

  test('is erased by nobody who could not see it', async () => {
    const secret = { content: 'My locker code is 4711.', scope: 'PRIVATE', expires_at: inHours(1) };
    const { memory } = await say(service, 'ann', secret);
    clock.advance(HOUR);
    for (const path of [`/memory/${memory.id}`, '/memories/agent/ann']) {
      const erasing = supertest(service.app).delete(path).query({ erase: true });
      expect((await erasing.set('X-Agent-ID', 'bob')).status).toBe(404);
    }
    expect((await endOfDay()).report.expired).toBe(1);
  });

  test('is kept where its expiry was taken back or put off in time', async () => {
    const id = await sayBoth();
    const put = (change: object) => supertest(service.app).put(`/memory/${id}`).set('X-Agent-ID', 'ann').send(change);
    await put({ expires_at: inHours(3) });
    clock.advance(2 * HOUR);
    expect((await get(service, `/memory/${id}`)).status).toBe(200);
    await put({ expires_at: null });
    clock.advance(2 * HOUR);
    expect((await endOfDay()).report.expired).toBe(0);
    expect((await get(await afterAKill(), `/memory/${id}`)).status).toBe(200);
  });

  test('is pruned by nobody before, because it could be restored then', async () => {
    const small = { content: 'Lunch was fine, thanks.', importance: 0, expires_at: inHours(24 * 365) };
    await say(service, 'ann', small);
    clock.advance(24 * HOUR * 200);
    const { body } = await supertest(service.app)
      .post('/consolidate')
      .set('X-Agent-ID', 'ann')
      .send({ keep_per_agent: 0 });
    expect(body.report.pruned).toBe(0);
  });

  test('goes with hundreds of others that expire at once', async () => {
    for (let n = 0; n < 250; n++)
      await say(service, 'ann', { content: `Ticket ${n} is open.`, expires_at: inHours(1) });
    clock.advance(HOUR);
    expect((await get(service, '/memories')).body.total).toBe(0);
    expect((await endOfDay()).report.expired).toBe(250);
  });
});

test('a version that was to be gone by now is not come back to', async () => {
  const put = async (path: string, body: object) =>
    await supertest(service.app).put(path).set('X-Agent-ID', 'ann').send(body);
  const { memory } = await say(service, 'ann', 'The lamp needs 40 watts.');
  const path = `/memory/${memory.id}`;
  await put(path, { expires_at: inHours(1) });
  await put(path, { expires_at: null });
  clock.advance(2 * HOUR);
  const [entry] = (await get(service, `${path}/history`)).body.versions;
  const revert = await supertest(service.app).post(`${path}/revert`).send({ version: entry.version });
  expect([revert.status, revert.body.code]).toEqual([409, 'cannot_revert']);
  expect((await get(service, path)).body.memory.expires_at).toBeNull();
});
