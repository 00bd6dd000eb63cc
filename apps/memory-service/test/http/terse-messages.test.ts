import { cpSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Embedder } from '@agent-faculties/embeddings';
import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { addSemantic } from '../../src/domain/consolidation/apply-plan.ts';
import { directionOf } from '../../src/domain/embedding/direction.ts';
import type { StoredMemory } from '../../src/domain/memory/memory-store.ts';
import { NOBODY } from '../../src/domain/memory/visibility.ts';
import { LOCK_FILE } from '../../src/persistence/files/file-names.ts';
import { scratchFolder } from '../scratch-folder.ts';
import {
  closeFastEmbedder,
  fastEmbedder,
  START_MS,
  say,
  startTestService,
  type TestService,
} from '../start-service.ts';

let service: TestService;

beforeEach(async () => {
  service = await startTestService({ historyMs: 86_400_000 });
});
afterEach(() => service.close());
afterAll(closeFastEmbedder);

const inSession = (content: string, more: object = {}) => ({ content, session_id: 's', ...more });

async function vectorOf({ memory }: { memory: { id: string } }) {
  const vectors = await service.opened.store.vectorsOf(memory.id);
  return vectors.map((vector) => Array.from(vector));
}

/** As the model makes them of the text alone, and of the text behind another one. */
async function madeOf(text: string, before?: string) {
  const embedder = await fastEmbedder();
  const texts = before === undefined ? [text] : [text, `${before} ${text}`];
  return [Array.from(directionOf(await embedder.embed(texts)))];
}

async function vectorsMadeAnew() {
  service.jobs.makeVectors();
  while ((await service.opened.store.withoutVectorsCount(NOBODY)) > 0) await nextTurn();
}

const at = (second: number) => ({ timestamp: new Date(START_MS - 60_000 + second * 1_000).toISOString() });

async function change({ memory }: { memory: { id: string } }, fields: object) {
  const answer = await supertest(service.app).put(`/memory/${memory.id}`).set('X-Agent-ID', 'ann').send(fields);
  expect(answer.status).toBe(200);
}

async function erase({ memory }: { memory: { id: string } }) {
  const answer = await supertest(service.app).delete(`/memory/${memory.id}?erase=true`).set('X-Agent-ID', 'ann');
  expect(answer.status).toBe(200);
}

const CODE = 'The code of the shed is heron.';

test('nothing of an erased message stays in the vector of a terse one behind it', async () => {
  const secret = await say(service, 'ann', inSession(CODE));
  const answer = await say(service, 'ann', inSession('Changed in May.'));
  expect(await vectorOf(answer)).toEqual(await madeOf('Changed in May.', CODE));
  const erased = await supertest(service.app).delete(`/memory/${secret.memory.id}?erase=true`).set('X-Agent-ID', 'ann');
  expect([erased.status, await vectorOf(answer)]).toEqual([200, []]);
  await vectorsMadeAnew();
  expect(await vectorOf(answer)).toEqual(await madeOf('Changed in May.'));
});

test('the vector of a terse message follows an edit of the one before, and its history says nothing of that', async () => {
  const first = await say(service, 'ann', inSession(CODE));
  const answer = await say(service, 'ann', inSession('Changed in May.'));
  await supertest(service.app)
    .put(`/memory/${first.memory.id}`)
    .set('X-Agent-ID', 'ann')
    .send({ gist: 'The lock is new.' });
  await vectorsMadeAnew();
  expect(await vectorOf(answer)).toEqual(await madeOf('Changed in May.', 'The lock is new.'));
  const history = await supertest(service.app).get(`/memory/${answer.memory.id}/history`).set('X-Agent-ID', 'ann');
  expect([history.status, history.body.versions.length]).toEqual([200, 0]);
});

test('no terse message that others see takes anything from a PRIVATE one', async () => {
  await say(service, 'ann', inSession(CODE, { scope: 'PRIVATE' }));
  const answer = await say(service, 'ann', inSession('Changed in May.'));
  expect(await vectorOf(answer)).toEqual(await madeOf('Changed in May.'));
  const secret = await say(service, 'ann', inSession('Not in June.', { scope: 'PRIVATE' }));
  expect(await vectorOf(secret)).toEqual(await madeOf('Not in June.', 'Changed in May.'));
});

test('a terse message stands behind a message that comes later and was said between', async () => {
  const first = await say(service, 'ann', inSession(CODE, at(0)));
  const answer = await say(service, 'ann', inSession('Changed in May.', at(2)));
  await say(service, 'ann', inSession('When was the lock new?', at(1)));
  await vectorsMadeAnew();
  expect(await vectorOf(answer)).toEqual(await madeOf('Changed in May.', 'When was the lock new?'));
  await supertest(service.app).delete(`/memory/${first.memory.id}?erase=true`).set('X-Agent-ID', 'ann');
  expect(await vectorOf(answer)).toEqual(await madeOf('Changed in May.', 'When was the lock new?'));
});

test('what others see no more leaves the vector of a terse message that they see', async () => {
  const first = await say(service, 'ann', inSession(CODE));
  const answer = await say(service, 'ann', inSession('Changed in May.'));
  await supertest(service.app)
    .put(`/memory/${first.memory.id}`)
    .set('X-Agent-ID', 'ann')
    .send({ tags: ['code'] });
  expect(await vectorOf(answer)).toEqual(await madeOf('Changed in May.', CODE));
  await supertest(service.app).put(`/memory/${first.memory.id}`).set('X-Agent-ID', 'ann').send({ scope: 'PRIVATE' });
  expect(await vectorOf(answer)).toEqual([]);
  await vectorsMadeAnew();
  expect(await vectorOf(answer)).toEqual(await madeOf('Changed in May.'));
});

test('a terse message that was on its way while the one before was erased takes nothing from it', async () => {
  const whileOnItsWay = await startSlowly();
  const secret = await say(service, 'ann', inSession(CODE));
  whileOnItsWay(() => erase(secret));
  const answer = await say(service, 'ann', inSession('Changed in May.'));
  expect(await vectorOf(answer)).toEqual(await madeOf('Changed in May.'));
});

test('a terse message stands behind one that came between while it was on its way', async () => {
  const whileOnItsWay = await startSlowly();
  const secret = await say(service, 'ann', inSession(CODE, at(0)));
  whileOnItsWay(async () => void (await say(service, 'ann', inSession('When was the lock new?', at(1)))));
  const answer = await say(service, 'ann', inSession('Changed in May.', at(2)));
  await erase(secret);
  await vectorsMadeAnew();
  expect(await vectorOf(answer)).toEqual(await madeOf('Changed in May.', 'When was the lock new?'));
});

test('nothing of a PRIVATE message stays in the vector of a terse one that others see from now on', async () => {
  await say(service, 'ann', inSession(CODE, { scope: 'PRIVATE' }));
  const answer = await say(service, 'ann', inSession('Changed in May.', { scope: 'PRIVATE' }));
  await change(answer, { scope: 'TEAM' });
  expect(await vectorOf(answer)).toEqual([]);
  await vectorsMadeAnew();
  expect(await vectorOf(answer)).toEqual(await madeOf('Changed in May.'));
});

test('a terse message stands behind one that others see from now on', async () => {
  const secret = await say(service, 'ann', inSession(CODE, at(0)));
  const shown = await say(service, 'ann', inSession('When was the lock new?', { ...at(1), scope: 'PRIVATE' }));
  await say(service, 'ann', inSession('Who has the key?', { ...at(2), scope: 'PRIVATE' }));
  const answer = await say(service, 'ann', inSession('Changed in May.', at(3)));
  await change(shown, { scope: 'TEAM' });
  await erase(secret);
  await vectorsMadeAnew();
  expect(await vectorOf(answer)).toEqual(await madeOf('Changed in May.', 'When was the lock new?'));
});

test('a message that expires from now on leaves the vector of a terse one, which stands behind the one before it', async () => {
  const first = await say(service, 'ann', inSession('The shed has a lock.', at(0)));
  const secret = await say(service, 'ann', inSession(CODE, at(1)));
  const answer = await say(service, 'ann', inSession('Changed in May.', at(2)));
  await change(secret, { expires_at: new Date(START_MS + 3_600_000).toISOString() });
  await vectorsMadeAnew();
  expect(await vectorOf(answer)).toEqual(await madeOf('Changed in May.', 'The shed has a lock.'));
  await erase(first);
  expect(await vectorOf(answer)).toEqual([]);
});

test('a start after a kill takes the vector of a terse message that another one came before', async () => {
  const { path, removeScratch } = scratchFolder();
  await service.close();
  service = await startTestService({ dataDir: join(path, 'first') });
  const secret = await say(service, 'ann', inSession(CODE, at(0)));
  const answer = await say(service, 'ann', inSession('Changed in May.', at(2)));
  await say(service, 'ann', inSession('When was the lock new?', at(1)));
  const deleted = await supertest(service.app).delete(`/memory/${secret.memory.id}`).set('X-Agent-ID', 'ann');
  expect(deleted.status).toBe(200);
  cpSync(join(path, 'first'), join(path, 'killed'), {
    recursive: true,
    filter: (file) => basename(file) !== LOCK_FILE,
  });
  await service.close();
  service = await startTestService({ dataDir: join(path, 'killed') });
  expect(await vectorOf(answer)).toEqual([]);
  await service.close();
  removeScratch();
  service = await startTestService();
});

test('the vector of a derived memory holds nothing of what was said before its sources', async () => {
  const { store } = service.opened;
  await say(service, 'ann', inSession(CODE));
  const answer = await say(service, 'ann', inSession('Changed in May.'));
  const long = await say(service, 'ann', inSession('We have changed the code of the shed in May.'));
  const sources = await Promise.all(
    [answer, long].map(async ({ memory }) => (await store.find(memory.id)) as StoredMemory),
  );
  await addSemantic(store, sources, { id: 'both', strength: null, now: () => START_MS });
  await addSemantic(store, sources.slice(0, 1), { id: 'terse', strength: null, now: () => START_MS });
  expect(await vectorOf({ memory: { id: 'both' } })).toEqual(await vectorOf(long));
  expect(await vectorOf({ memory: { id: 'terse' } })).toEqual([]);
});

test('a merge makes the vectors of terse messages anew: the message before may be deleted here', async () => {
  const secret = await say(service, 'ann', inSession(CODE));
  const answer = await say(service, 'ann', inSession('Changed in May.'));
  const { text } = await supertest(service.app).get('/export?vectors=true').set('X-Agent-ID', 'ann');
  const records = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  await service.close();
  service = await startTestService();
  const merged = records.filter(({ id }) => id !== secret.memory.id);
  const { body } = await supertest(service.app).post('/merge').set('X-Agent-ID', 'ann').send({ memories: merged });
  expect([merged.length, merged[0].vectors.length, body.report.added]).toEqual([1, 1, 1]);
  await vectorsMadeAnew();
  expect(await vectorOf(answer)).toEqual(await madeOf('Changed in May.'));
});

/** Starts a service in which something happens while the vectors of a terse message are made. */
async function startSlowly() {
  const embedder = await fastEmbedder();
  let happening = async () => {};
  const slow: Embedder = {
    ...embedderFields(embedder),
    embed: async (texts) => {
      if (texts.some((text) => text.includes(CODE) && text !== CODE)) await happening();
      return await embedder.embed(texts);
    },
  };
  await service.close();
  service = await startTestService({ embedder: slow });
  return (happens: () => Promise<void>) => {
    happening = async () => {
      happening = async () => {};
      await happens();
    };
  };
}

function embedderFields({ modelId, dimension, kind, judgesAnswers, maxTokens }: Embedder) {
  return { modelId, dimension, kind, judgesAnswers, maxTokens, isReady: () => true, close: async () => {} };
}
