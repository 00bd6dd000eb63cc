import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { closeFastEmbedder, startTestService, type TestService } from '../start-service.ts';

const QUERY = 'Which port does the printer listen on?';

let service: TestService;
const ids = new Map<string, string>();
const id = (name: string) => ids.get(name) as string;
const ask = async (name: string, more: object = {}, agent = 'ann') => {
  const path = `/memory/${id(name)}/why_not`;
  return await supertest(service.app)
    .post(path)
    .set('X-Agent-ID', agent)
    .send({ query: QUERY, ...more });
};
async function say(name: string, message: object): Promise<void> {
  service.clock.advance(60_000);
  const { body } = await supertest(service.app).post('/ingest').set('X-Agent-ID', 'ann').send(message);
  ids.set(name, body.memory.id);
}

beforeAll(async () => {
  service = await startTestService({});
  await say('old', { content: 'The printer listens on port 631.', tags: ['office'] });
  for (const floor of ['first', 'second', 'third', 'fourth', 'fifth']) {
    await say(floor, { content: `The printer on the ${floor} floor listens on port 9100.` });
  }
  await say('lunch', { content: 'Zucchini soup: tomorrow.', source: 'tool' });
  await say('secret', { content: 'My printer listens on port 4711.', scope: 'PRIVATE' });
  await say('new', { content: 'The printer listens on port 515.', supersedes: [id('old')] });
});
afterAll(async () => {
  await service.close();
  await closeFastEmbedder();
});

describe('POST /memory/{id}/why_not', () => {
  test('says in which place of the recall a memory is', async () => {
    const recalled = await supertest(service.app)
      .post('/recall')
      .set('X-Agent-ID', 'ann')
      .send({ query: QUERY, top_k: 3, strengthen: false });
    const second = recalled.body.memories[1];
    ids.set('second of all', second.id);
    const { body } = await ask('second of all', { top_k: 3 });
    expect(body).toMatchObject({
      recalled: true,
      place: 2,
      score: second.score,
      relevance: second.relevance,
      unmet: [],
    });
    expect(body.explanation).toBe('It is recalled, in place 2.');
  });

  test('says where one comes that is beyond those taken, and behind what', async () => {
    const { body } = await ask('old', { top_k: 1 });
    expect(body).toMatchObject({ recalled: false, place: expect.any(Number), unmet: [], told_by: null });
    expect(body.place).toBeGreaterThan(1);
    expect(body.explanation).toMatch(
      /^It comes in place \d, and the request takes 1\. .*behind what came in its place\.$/,
    );
  });

  test('names each condition that leaves it out, and what would speak for it', async () => {
    const { body } = await ask('old', {
      kinds: ['semantic'],
      tags: ['office'],
      scope: 'SHARED',
      until: '2000-01-01',
      as_of: '2100-01-01',
    });
    expect(body).toMatchObject({ recalled: false, place: null, unmet: ['kinds', 'scope', 'until', 'as_of'] });
    expect(body.score).toBeGreaterThan(0.3);
    expect((await ask('lunch', { min_trust: 'user' })).body.unmet).toEqual(['min_trust']);
    expect((await ask('lunch', { agent_ids: ['bob'] })).body.unmet).toEqual(['agent_ids']);
    expect((await ask('old', { tags: ['home'], since: '2100-01-01' })).body.unmet).toEqual(['tags', 'since']);
  });

  test('tells of one of which little or nothing bears on the question', async () => {
    const { body } = await ask('lunch', { top_k: 2 });
    expect(body.recalled).toBe(false);
    expect(body.score === null || body.score < body.least_score).toBe(true);
    const query = { query: 'qqqq xxxx' };
    expect((await ask('old', query)).body.relevance).not.toBe('high');
  });

  test('leaves no trace', async () => {
    await ask('old');
    const { body } = await supertest(service.app).get(`/memory/${id('old')}`);
    expect(body.memory).toMatchObject({ recall_count: 0, last_recalled_at: null });
  });

  test('knows no memory that the caller may not see', async () => {
    const { status, body } = await ask('secret', {}, 'bob');
    expect([status, body.code]).toEqual([404, 'unknown_memory']);
    expect((await ask('secret')).body.recalled).toBe(true);
  });
});
