import type { Embedder, TextRole } from '@agent-faculties/embeddings';
import { afterAll, afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import supertest from 'supertest';
import { closeFastEmbedder, fastEmbedder, say, startTestService, type TestService } from '../start-service.ts';

const LONG = Array.from({ length: 40 }, (_, i) => `Step ${i}: Zeus takes shard ${i} of the archive to new racks.`);

/** Hands texts on to the real model and keeps them. */
async function recordingEmbedder(): Promise<Embedder & { texts: string[] }> {
  const { modelId, dimension, kind, judgesAnswers, maxTokens, embed } = bound(await fastEmbedder());
  const texts: string[] = [];
  return {
    modelId,
    dimension,
    kind,
    judgesAnswers,
    maxTokens,
    texts,
    isReady: () => true,
    close: async () => {},
    embed: async (given) => {
      texts.push(...given);
      return await embed(given);
    },
  };
}

function bound(embedder: Embedder) {
  const { modelId, dimension, kind, judgesAnswers, maxTokens } = embedder;
  return {
    modelId,
    dimension,
    kind,
    judgesAnswers,
    maxTokens,
    embed: (texts: readonly string[], role?: TextRole) => embedder.embed(texts, role),
  };
}

interface Recording {
  readonly service: TestService;
  readonly embedder: Awaited<ReturnType<typeof recordingEmbedder>>;
}

async function startRecording(): Promise<Recording> {
  const embedder = await recordingEmbedder();
  const service = await startTestService({ embedder });
  await say(service, 'ann', 'Apollo runs on PostgreSQL 16.2.');
  await say(service, 'ann', { content: 'I keep the keys of Apollo in the vault.', name: 'Dana' });
  await say(service, 'bob', { content: 'Dana leads the Apollo migration.', scope: 'PRIVATE' });
  await say(service, 'bob', 'The migration of Zeus waits for Maria Lopez and her archive.');
  embedder.texts.length = 0;
  return { service, embedder };
}

async function sayAndAsk({ service }: Recording, body: object) {
  const sent = { agent_id: 'ann', session_id: 's1', explain: true, ...body };
  const answer = await supertest(service.app).post('/ingest_and_recall').send(sent);
  expect(answer.status).toBe(200);
  return answer.body;
}

describe('a message that is its own query', () => {
  let once: Recording;
  let twice: Recording;

  beforeEach(async () => {
    once = await startRecording();
    twice = await startRecording();
  });

  afterEach(async () => {
    for (const { service } of [once, twice]) await service.close();
  });

  afterAll(closeFastEmbedder);

  /** A query with a blank at its end is another text than the message, so it is read by itself. */
  const askedTwice = async (content: string, fields: object = {}) => ({
    one: await sayAndAsk(once, { ...fields, content }),
    two: await sayAndAsk(twice, { ...fields, content, query: `${content} ` }),
  });

  test.each([
    ['a short message', 'Is Zeus ready for the next migration?', 1],
    ['a message of several chunks', LONG.join(' '), 4],
  ])('is embedded once, and answered as if it were embedded twice: %s', async (_, content, chunks) => {
    const { one, two } = await askedTwice(content);
    expect(one.memories.length).toBeGreaterThan(1);
    expect(one).toEqual(two);
    expect(once.embedder.texts).toHaveLength(chunks);
    expect(twice.embedder.texts).toEqual([...once.embedder.texts, once.embedder.texts[0]]);
  });

  test('is embedded as a query by itself where it is terse, since its vector may hold what was said before it', async () => {
    const { one, two } = await askedTwice('Is Zeus ready?');
    expect(one).toEqual(two);
    expect(once.embedder.texts).toEqual(['Is Zeus ready?', 'Is Zeus ready?']);
  });

  test('is not embedded again when it is said again', async () => {
    const content = 'Is Zeus ready for the next migration?';
    await askedTwice(content);
    const { one, two } = await askedTwice(content);
    expect(one.duplicate).toBe(true);
    expect(one).toEqual(two);
    expect(once.embedder.texts).toEqual([content]);
    expect(twice.embedder.texts).toEqual([content, content, content]);
  });

  test('is embedded as a question besides where it names a speaker, who is asked in the first person', async () => {
    const { one, two } = await askedTwice('Where does Dana keep the keys?');
    expect(one).toEqual(two);
    expect(once.embedder.texts).toEqual(['Where does Dana keep the keys?', 'Where does I keep the keys?']);
  });

  test('is put right where it misspells a word, although it is a memory with that word itself', async () => {
    const { one, two } = await askedTwice('Who waits for the archvie?');
    expect(one).toEqual(two);
    expect(once.embedder.texts).toEqual(['Who waits for the archvie?', 'Who waits for the archive?']);
  });

  test('is embedded by its own words where its memory was given another gist since', async () => {
    const content = 'Is Zeus ready for the next migration?';
    const keyed = { idempotency_key: 'k1' };
    for (const each of [once, twice]) {
      const { memory } = await sayAndAsk(each, { content, ...keyed });
      const edit = { gist: 'Maria Lopez waits.' };
      expect((await supertest(each.service.app).put(`/memory/${memory.id}?agent_id=ann`).send(edit)).status).toBe(200);
      each.embedder.texts.length = 0;
    }
    const { one, two } = await askedTwice(content, keyed);
    expect(one.duplicate).toBe(true);
    expect(one).toEqual(two);
    expect(once.embedder.texts).toEqual([content]);
  });

  test('has its names looked up once, also in what it warms up for the next recall', async () => {
    const looked = jest.spyOn(once.service.opened.indexes.entities, 'namedIn');
    const { one, two } = await askedTwice('Apollo and Zeus move on Friday.');
    expect(one).toEqual(two);
    const ofText = expect.objectContaining({ text: 'Apollo and Zeus move on Friday.' });
    expect(looked.mock.calls).toEqual([[ofText, { agentId: 'ann', project: null }]]);
    const next = { content: 'What of the vault?', query: 'Which keys?' };
    expect(await sayAndAsk(once, next)).toEqual(await sayAndAsk(twice, next));
  });

  test('has the names of a query of its own looked up besides', async () => {
    const looked = jest.spyOn(once.service.opened.indexes.entities, 'namedIn');
    await sayAndAsk(once, { content: 'Apollo moves on Friday.', query: 'And Zeus?' });
    const ofMessage = expect.objectContaining({ text: 'Apollo moves on Friday.' });
    expect(looked.mock.calls.map(([text]) => text)).toEqual([ofMessage, 'And Zeus?']);
  });
});
