import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Embedder } from '@agent-faculties/embeddings';
import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { directionOf } from '../../src/domain/embedding/direction.ts';
import { NOBODY } from '../../src/domain/memory/visibility.ts';
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
  const at = (second: number) => ({ timestamp: new Date(START_MS - 60_000 + second * 1_000).toISOString() });
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
  const embedder = await fastEmbedder();
  let erase = async () => {};
  const slow: Embedder = {
    ...embedderFields(embedder),
    embed: async (texts) => {
      if (texts.some((text) => text.includes(CODE) && text !== CODE)) await erase();
      return await embedder.embed(texts);
    },
  };
  await service.close();
  service = await startTestService({ embedder: slow });
  const secret = await say(service, 'ann', inSession(CODE));
  erase = async () => {
    const answer = await supertest(service.app)
      .delete(`/memory/${secret.memory.id}?erase=true`)
      .set('X-Agent-ID', 'ann');
    expect(answer.status).toBe(200);
  };
  const answer = await say(service, 'ann', inSession('Changed in May.'));
  expect(await vectorOf(answer)).toEqual(await madeOf('Changed in May.'));
});

function embedderFields({ modelId, dimension, kind, judgesAnswers, maxTokens }: Embedder) {
  return { modelId, dimension, kind, judgesAnswers, maxTokens, isReady: () => true, close: async () => {} };
}
