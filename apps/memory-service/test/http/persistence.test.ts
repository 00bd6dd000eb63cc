import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Embedder } from '@agent-faculties/embeddings';
import { describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { LOCK_FILE } from '../../src/persistence/files/file-names.ts';
import { anyProject } from '../sample-memory.ts';
import { ask, fastEmbedder, say, type TestService } from '../start-service.ts';
import { servicesOnDisk } from './services-on-disk.ts';

const DAY_MS = 86_400_000;

const disk = servicesOnDisk();
const { start, stop, restarted, killed } = disk;

/** A model that records what it is asked for and answers when the test says so. */
async function watchedEmbedder({ modelId, hold }: { modelId?: string; hold?: (text: string) => Promise<void> } = {}) {
  const model = await fastEmbedder();
  const texts: string[] = [];
  const embedder: Embedder = {
    modelId: modelId ?? model.modelId,
    dimension: model.dimension,
    kind: model.kind,
    judgesAnswers: model.judgesAnswers,
    maxTokens: model.maxTokens,
    isReady: () => model.isReady(),
    embed: async (wanted) => {
      texts.push(...wanted);
      for (const text of wanted) await hold?.(text);
      return await model.embed(wanted);
    },
    close: async () => {},
  };
  return { embedder, texts };
}

const get = async ({ app }: TestService, path: string, agent = 'ann') =>
  (await supertest(app).get(path).set('X-Agent-ID', agent)).body;
const health = (service: TestService) => get(service, '/health');
const files = (path = disk.dataDir()) =>
  readdirSync(path)
    .filter((name) => name !== LOCK_FILE)
    .sort();

const SAID = [
  { content: 'Project Kestrel moves to Lisbon.', session_id: 's', tags: ['move'], metadata: { n: [1, 'é', null] } },
  { content: 'The wiki password rotates every 90 days.', name: 'Nora', importance: 0.9, scope: 'SHARED' },
  { content: 'My salary talk is on Friday.', scope: 'PRIVATE', role: 'user', idempotency_key: 'k' },
  { content: `Long: ${'the audit of server 7 found nothing. '.repeat(60)}`, timestamp: '2026-01-05T10:00:00Z' },
  { content: 'データベースは移行されました 🚀\u2028\u0000', session_id: 's' },
  { content: 'This one is deleted.', idempotency_key: 'gone' },
  { content: 'This one is edited: the train leaves at nine.' },
];

/** Everything that a caller can see of the store. */
async function seen(service: TestService) {
  const recalled = await Promise.all(
    ['Project Kestrel', 'wiki password', 'audit of server 7', 'train', '移行'].map(async (query) =>
      (await ask(service, 'ann', { query, top_k: 100 })).memories.map(({ id, score }) => ({ id, score })),
    ),
  );
  return {
    list: await get(service, '/memories?limit=100'),
    stats: await get(service, '/stats'),
    toBob: await get(service, '/memories?limit=100', 'bob'),
    entities: service.opened.indexes.entities.namedIn('Kestrel, Lisbon and Nora', anyProject('ann')),
    recalled,
  };
}

async function fill(service: TestService): Promise<string[]> {
  const stored: string[] = [];
  for (const message of SAID) {
    disk.clock.advance(1_000);
    stored.push((await say(service, 'ann', message)).memory.id);
  }
  await supertest(service.app).delete(`/memory/${stored[5]}`);
  await supertest(service.app)
    .put(`/memory/${stored[6]}`)
    .send({ gist: 'The train leaves at ten.', tags: ['edited'] });
  await ask(service, 'ann', { query: 'wiki password', strengthen: true });
  return stored;
}

describe('a restart', () => {
  test('brings back everything as it was, and embeds nothing again', async () => {
    const first = await watchedEmbedder();
    const before = await start({ embedder: first.embedder });
    const stored = await fill(before);
    disk.clock.advance(3 * DAY_MS);
    const expected = await seen(before);
    expect(expected.list.total).toBe(6);
    expect(expected.list.memories.find(({ id }: { id: string }) => id === stored[1])).toMatchObject({
      recall_count: 1,
    });
    const second = await watchedEmbedder();
    const after = await restarted(before, { embedder: second.embedder });
    expect(second.texts).toEqual([]);
    expect(await seen(after)).toEqual(expected);
    expect((await health(after)).embedding.pending).toBe(0);
    expect(after.opened.persistence.isUnsaved()).toBe(false);
  });

  test('keeps knowing words and idempotency keys, also of what was deleted', async () => {
    const before = await start();
    const stored = await fill(before);
    const repeat = { ...SAID[0], content: SAID[0]?.content as string, idempotency_key: 'repeat' };
    expect(await say(before, 'ann', repeat)).toMatchObject({ duplicate: true, memory: { id: stored[0] } });
    const killedThen = await start({ dataDir: killed() });
    disk.clock.advance(2 * DAY_MS);
    expect(await say(killedThen, 'ann', repeat)).toMatchObject({ duplicate: true, memory: { id: stored[0] } });
    disk.clock.advance(-2 * DAY_MS);
    const after = await restarted(before);
    const again = (place: number) => say(after, 'ann', SAID[place] as { content: string });
    expect(await again(0)).toMatchObject({ duplicate: true, memory: { id: stored[0] } });
    expect(await again(2)).toMatchObject({ duplicate: true, memory: { id: stored[2] } });
    const reused = { content: 'Other words.', idempotency_key: 'k', agent_id: 'ann' };
    expect((await supertest(after.app).post('/ingest').send(reused)).body.code).toBe('idempotency_key_reused');
    for (const place of [5, 6]) {
      const { duplicate, memory } = await again(place);
      expect([duplicate, memory.id === stored[place]]).toEqual([false, false]);
    }
    disk.clock.advance(DAY_MS);
    expect(await say(after, 'ann', repeat)).toMatchObject({ duplicate: true, memory: { id: stored[0] } });
    expect((await again(0)).duplicate).toBe(false);
  });

  test('leaves its files and no journal, to be written again by nothing but a change', async () => {
    const before = await start();
    await fill(before);
    expect(files().length).toBeGreaterThan(0);
    await stop(before);
    expect(files()).toEqual(['entities.json', 'faiss.index', 'history.ndjson', 'memories.json', 'memories.packed']);
    const after = await start();
    await seen(after);
    expect(after.opened.persistence.isUnsaved()).toBe(false);
    await ask(after, 'ann', { query: 'train', strengthen: true });
    expect(after.opened.persistence.isUnsaved()).toBe(true);
  });
});

describe('POST /save', () => {
  test('writes everything, once for all who ask at once, and says what it wrote', async () => {
    const service = await start();
    await fill(service);
    const { persistence } = service.opened;
    expect(persistence.state().unsavedChanges).toBe(9);
    const saves = await Promise.all(
      Array.from({ length: 5 }, (_, i) => supertest(service.app).post(`/save?agent_id=${i === 0 ? 'bob' : 'ann'}`)),
    );
    expect(saves.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    // PRIVATE memories are nobody else's business.
    expect(saves.map(({ body }) => body.memories)).toEqual([5, 6, 6, 6, 6]);
    expect(persistence.state()).toMatchObject({ unsavedChanges: 0, journalBytes: 0, lastSavedAt: disk.clock.now() });
    expect(files()).toEqual(['entities.json', 'faiss.index', 'history.ndjson', 'memories.json', 'memories.packed']);
  });

  test('while others write loses nothing of theirs', async () => {
    const service = await start();
    const writes: Promise<{ memory: { id: string } }>[] = [];
    for (let round = 0; round < 5; round++) {
      for (let i = 0; i < 20; i++) writes.push(say(service, 'ann', `Round ${round}, fact ${i}.`));
      writes.push(
        supertest(service.app)
          .post('/save')
          .then(() => say(service, 'ann', `Saved ${round} times.`)),
      );
    }
    const stored = (await Promise.all(writes)).map(({ memory }) => memory.id);
    const copy = await start({ dataDir: killed() });
    const listed = (await get(copy, '/memories?limit=1000')).memories.map(({ id }: { id: string }) => id);
    expect(new Set(listed)).toEqual(new Set(stored));
  });

  test('is a conflict where nothing is kept on disk', async () => {
    const service = await start({ dataDir: null });
    const answer = await supertest(service.app).post('/save');
    expect([answer.status, answer.body.code]).toEqual([409, 'no_data_directory']);
    expect(answer.body.detail).toContain('--data-dir');
  });
});

describe('a change that waits for the disk', () => {
  test('of many that delete the same memory is one, and the others find nothing', async () => {
    const service = await start();
    const { memory } = await say(service, 'ann', 'The wiki moves.');
    const deletes = Array.from({ length: 10 }, () => supertest(service.app).delete(`/memory/${memory.id}`));
    const statuses = (await Promise.all(deletes)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, ...Array.from({ length: 9 }, () => 404)]);
  });

  test('of many with the same If-Match, words, key or last place lets one through', async () => {
    const service = await start({ config: { maxMemories: 4 } });
    const post = (body: object) => supertest(service.app).post('/ingest').send(body);
    const { memory } = await say(service, 'ann', 'The wiki moves.');
    const ifMatch = (await supertest(service.app).get(`/memory/${memory.id}`)).headers.etag as string;
    const times = <T>(one: (i: number) => PromiseLike<T>) => Promise.all(Array.from({ length: 10 }, (_, i) => one(i)));
    const puts = await times((i) =>
      supertest(service.app)
        .put(`/memory/${memory.id}`)
        .set('If-Match', ifMatch)
        .send({ gist: `Try ${i}.` }),
    );
    expect(puts.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 412)]);
    const words = await times(() => post({ content: 'Said ten times at once.' }));
    expect(words.filter(({ body }) => !body.duplicate)).toHaveLength(1);
    const keyed = await times((i) => post({ content: `Keyed ${i}.`, idempotency_key: 'one' }));
    expect(keyed.filter(({ status }) => status === 200)).toHaveLength(1);
    const crowd = await times((i) => post({ content: `Crowd ${i}.` }));
    expect(crowd.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    expect((await get(service, '/memories')).total).toBe(4);
  });
});

describe('a kill without a save', () => {
  test('loses nothing that was answered but recent strengthening, and embeds nothing again', async () => {
    const service = await start();
    const stored = await fill(service);
    const expected = await seen(service);
    const watched = await watchedEmbedder();
    const after = await start({ dataDir: killed(), embedder: watched.embedder });
    expect(watched.texts).toEqual([]);
    const found = await seen(after);
    const withoutStrength = (list: { memories: Record<string, unknown>[] }) =>
      list.memories.map(({ strength: _, recall_count: __, last_recalled_at: ___, ...memory }) => memory);
    expect(withoutStrength(found.list)).toEqual(withoutStrength(expected.list));
    expect(found.stats).toEqual(expected.stats);
    expect(found.entities).toEqual(expected.entities);
    expect(found.recalled.map((memories) => memories[0]?.id)).toEqual(
      expected.recalled.map((memories) => memories[0]?.id),
    );
    expect((await supertest(after.app).get(`/memory/${stored[5]}`)).status).toBe(404);
    // The start has saved, because something was deleted.
    expect(after.opened.persistence.state().unsavedChanges).toBe(0);
    expect(await say(after, 'ann', SAID[2] as { content: string })).toMatchObject({ duplicate: true });
  });

  test('after a save and further changes comes back with both', async () => {
    const service = await start();
    const stored = await fill(service);
    await supertest(service.app).post('/save');
    await supertest(service.app).put(`/memory/${stored[0]}`).send({ gist: 'Project Kestrel stays in Porto.' });
    await supertest(service.app).delete(`/memory/${stored[1]}`);
    const late = await say(service, 'ann', 'Said after the save.');
    const after = await start({ dataDir: killed() });
    const listed = (await get(after, '/memories')).memories.map(({ id }: { id: string }) => id);
    expect(new Set(listed)).toEqual(new Set([late.memory.id, ...stored.filter((_, i) => i !== 1 && i !== 5)]));
    expect((await ask(after, 'ann', 'Porto')).memories[0]?.id).toBe(stored[0]);
    expect(
      (await ask(after, 'ann', { query: 'wiki password', top_k: 100 })).memories.map(({ id }) => id),
    ).not.toContain(stored[1]);
  });
});

describe('a kill after a delete', () => {
  test('leaves the words in the history from the next start on, and nowhere once none is kept', async () => {
    const service = await start();
    const { memory } = await say(service, 'ann', 'The wiki password is Rumpelstilzchen.');
    await say(service, 'ann', 'Kestrel ships on Friday.');
    await supertest(service.app).delete(`/memory/${memory.id}`);
    const dataDir = killed();
    const onDisk = () => readdirSync(dataDir).filter((name) => readFileSync(join(dataDir, name)).includes('Rumpel'));
    expect(onDisk()).not.toEqual([]);
    await stop(await start({ dataDir }));
    expect(onDisk()).toEqual(['history.ndjson']);
    await start({ dataDir, historyMs: 0 });
    expect(onDisk()).toEqual([]);
  });
});

describe('another model', () => {
  test('makes the vectors again in the background, while words are served', async () => {
    const before = await start();
    await fill(before);
    let letGo = () => {};
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const { embedder, texts } = await watchedEmbedder({
      modelId: 'another-model@1',
      hold: async (text) => {
        if (text.includes('.')) await gate;
      },
    });
    const after = await restarted(before, { embedder });
    after.jobs.start();
    const { embedding, vectors } = await health(after);
    // One of the six is PRIVATE, and nobody else's business.
    expect(after.opened.indexes.rows.waiting.size).toBe(6);
    expect([embedding, vectors]).toEqual([{ model: 'another-model@1', dimension: 240, ready: true, pending: 5 }, 0]);
    expect((await ask(after, 'ann', 'Kestrel Lisbon')).memories[0]?.content).toContain('Kestrel');
    // A message that comes meanwhile gets its vector at once.
    await say(after, 'ann', 'No full stop here');
    expect(after.opened.indexes.rows.waiting.size).toBe(6);
    letGo();
    while (after.opened.indexes.rows.waiting.size > 0) await nextTurn();
    expect(texts).toContain('The train leaves at ten.');
    expect((await health(after)).vectors).toBeGreaterThanOrEqual(6);
    expect((await ask(after, 'ann', 'Kestrel Lisbon')).memories[0]?.content).toContain('Kestrel');
    // They are there for the next start too.
    const again = await watchedEmbedder({ modelId: 'another-model@1' });
    const next = await restarted(after, { embedder: again.embedder });
    expect([next.opened.indexes.rows.waiting.size, again.texts]).toEqual([0, []]);
  });

  test('is stopped in the middle without harm', async () => {
    const before = await start();
    await fill(before);
    const { embedder } = await watchedEmbedder({ modelId: 'another-model@1' });
    const after = await restarted(before, { embedder });
    after.jobs.start();
    const back = await restarted(after);
    back.jobs.start();
    while (back.opened.indexes.rows.waiting.size > 0) await nextTurn();
    expect((await get(back, '/memories')).total).toBe(6);
  });

  test('that is none serves words, and the vectors are made again when there is a model', async () => {
    const before = await start();
    const stored = await fill(before);
    const without = await restarted(before, { embedder: null });
    expect((await health(without)).embedding).toEqual({ model: null, dimension: 0, ready: true, pending: 0 });
    expect((await ask(without, 'ann', 'wiki password')).memories[0]?.id).toBe(stored[1]);
    const { memory } = await say(without, 'ann', 'Said without a model: heliotrope.');
    const back = await restarted(without);
    back.jobs.start();
    while (back.opened.indexes.rows.waiting.size > 0) await nextTurn();
    expect((await health(back)).vectors).toBeGreaterThanOrEqual(6);
    expect((await ask(back, 'ann', 'heliotrope')).memories[0]?.id).toBe(memory.id);
  });
});

test('a service without a data directory forgets', async () => {
  const before = await start({ dataDir: null });
  await fill(before);
  const after = await restarted(before, { dataDir: null });
  expect((await get(after, '/memories')).total).toBe(0);
});
