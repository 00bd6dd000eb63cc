import { describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { ask, START_MS, say, type TestService } from '../start-service.ts';
import { idsOf, requestsTo } from './requests.ts';
import { shareService } from './shared-service.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

let service: TestService;
shareService((started) => {
  service = started;
});

const { post, total, memoryOf, workingMemory } = requestsTo(() => service);

describe('POST /ingest', () => {
  test('answers with the memory, with the defaults of what was not said', async () => {
    const answer = await post('/ingest', { content: '  The staging database moved to db-7.\n' });
    expect(answer.body).toEqual({
      duplicate: false,
      contradictions: [],
      memory: {
        id: expect.stringMatching(/^0{8}-0000-7000-8000-\d{12}$/),
        gist: 'The staging database moved to db-7.',
        content: 'The staging database moved to db-7.',
        tags: [],
        importance: expect.any(Number),
        agent_id: 'default',
        session_id: null,
        scope: 'TEAM',
        project: null,
        kind: 'episodic',
        role: null,
        name: null,
        source: 'assistant',
        entities: expect.arrayContaining([{ name: 'db-7', type: 'identifier' }]),
        created_at: '2026-11-21T09:30:00.123Z',
        updated_at: '2026-11-21T09:30:00.123Z',
        last_recalled_at: null,
        recall_count: 0,
        strength: 1,
        sources: [],
        consolidated_into: null,
        superseded_by: null,
        supersession: null,
        valid_from: null,
        valid_until: null,
        invalidation: null,
        expires_at: null,
        metadata: {},
      },
    });
  });

  test('keeps what was said of a message, and reads it back the same', async () => {
    const message = {
      role: 'user',
      content: 'We ship on Friday.',
      name: ' Nora ',
      agent_id: 'ann',
      session_id: 's1',
      scope: 'PRIVATE',
      tags: ['ship', 'Straße', 'データ'],
      importance: 0.25,
      timestamp: '2026-11-20T10:00:00.5+01:00',
      metadata: { agent_id: 'mallory', deep: { list: [1, 2.5, null, '\ud800'] }, constructor: 'x' },
    };
    const { memory } = (await post('/ingest', message)).body;
    expect(memory).toMatchObject({
      role: 'user',
      name: 'Nora',
      agent_id: 'ann',
      session_id: 's1',
      scope: 'PRIVATE',
      tags: message.tags,
      importance: 0.25,
      created_at: '2026-11-20T09:00:00.500Z',
      updated_at: '2026-11-21T09:30:00.123Z',
      metadata: message.metadata,
    });
    expect(await memoryOf(memory.id)).toEqual(memory);
  });

  test('keeps a long message whole and gives it a gist of 500 characters at most', async () => {
    const sentences = Array.from({ length: 400 }, (_, i) => `Point ${i} of the audit concerns server number ${i * 7}.`);
    const content = `${sentences.join(' ')} The decision: we move the billing to Frankfurt in March.`;
    const { memory } = await say(service, 'ann', content);
    expect(memory.content).toBe(content);
    expect([...(memory.gist as string)].length).toBeLessThanOrEqual(500);
    expect((memory.gist as string).length).toBeGreaterThan(0);
    // The question has words from the middle of the text, which the gist may leave out.
    expect(idsOf(await ask(service, 'ann', 'Which point of the audit concerns server number 1407?'))).toEqual([
      memory.id,
    ]);
  });

  test.each(['👩🏽‍🚀', 'é', 'x', '한'])('cuts no character %s in two where it makes a gist', async (character) => {
    const { memory } = await say(service, 'ann', character.repeat(2_000));
    expect(memory.content).toBe(character.repeat(2_000).normalize());
    expect((memory.gist as string).isWellFormed()).toBe(true);
    expect((memory.gist as string).length).toBeLessThanOrEqual(500);
  });
});

describe('the same words', () => {
  const said = { content: 'The build takes 5 minutes.', session_id: 's1' };

  test('by the same agent in the same session strengthen the memory that is there', async () => {
    const first = await say(service, 'ann', said);
    service.clock.advance(DAY_MS - 1);
    const again = await say(service, 'ann', { ...said, content: '  the build  TAKES 5 minutes.\n' });
    expect(again).toMatchObject({ duplicate: true, memory: { id: first.memory.id, recall_count: 1, strength: 1 } });
    expect(await total()).toBe(1);
  });

  test.each([
    ['in another session', 'ann', { session_id: 's2' }],
    ['without a session', 'ann', { session_id: null }],
    ['in another scope', 'ann', { scope: 'SHARED' }],
    ['by another agent', 'bob', {}],
    ['by another speaker', 'ann', { name: 'Nora' }],
    ['with another number', 'ann', { content: 'The build takes 6 minutes.' }],
    ['with another sign', 'ann', { content: 'The build takes -5 minutes.' }],
    ['said a day before', 'ann', { timestamp: new Date(START_MS - DAY_MS).toISOString() }],
  ])('%s are another memory', async (_, agent, change) => {
    const first = await say(service, 'ann', said);
    const other = await say(service, agent, { ...said, ...change });
    expect(other.duplicate).toBe(false);
    expect(other.memory.id).not.toBe(first.memory.id);
    expect(await total()).toBe(2);
  });

  test('a day later are another memory', async () => {
    await say(service, 'ann', said);
    service.clock.advance(DAY_MS);
    expect((await say(service, 'ann', said)).duplicate).toBe(false);
  });

  test('said twenty times at once are one memory', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => say(service, 'ann', said)));
    expect(new Set(answers.map(({ memory }) => memory.id)).size).toBe(1);
    expect(answers.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    expect(await total()).toBe(1);
    expect((await workingMemory('agent_id=ann&session_id=s1')).length).toBe(1);
  });

  test('are another memory once somebody has put other words in their place', async () => {
    const first = await say(service, 'ann', said);
    const edit = { gist: 'The build takes 9 minutes.' };
    await supertest(service.app).put(`/memory/${first.memory.id}?agent_id=ann`).send(edit);
    const again = await say(service, 'ann', said);
    expect(again).toMatchObject({ duplicate: false, memory: { content: said.content } });
    expect(idsOf(await ask(service, 'ann', 'build 5 minutes'))).toContain(again.memory.id);
  });

  test('follow a memory into its new scope', async () => {
    const first = await say(service, 'ann', said);
    await supertest(service.app).put(`/memory/${first.memory.id}?agent_id=ann`).send({ scope: 'PRIVATE' });
    // A TEAM memory must be there for everybody.
    expect(await say(service, 'ann', said)).toMatchObject({ duplicate: false, memory: { scope: 'TEAM' } });
    const secret = await say(service, 'ann', { ...said, scope: 'PRIVATE' });
    expect(secret).toMatchObject({ duplicate: true, memory: { id: first.memory.id } });
  });

  const again = { ...said, tags: ['old', 'new'], metadata: { run: 8, host: 'db-7', kept: [1] }, importance: 0.8 };

  test('bring the memory what else they say, and the answer names what it says otherwise', async () => {
    const first = await say(service, 'ann', {
      ...said,
      tags: ['old'],
      metadata: { run: 7, kept: [1] },
      importance: 0.4,
    });
    service.clock.advance(MINUTE_MS);
    const second = await say(service, 'ann', { ...again, source: 'tool' });
    const memory = { tags: ['old', 'new'], metadata: { run: 7, kept: [1], host: 'db-7' }, importance: 0.8 };
    expect(second).toMatchObject({ duplicate: true, memory: { ...memory, id: first.memory.id, source: 'assistant' } });
    expect(second).toMatchObject({ not_taken: ['source', 'metadata.run'] });
    expect(await memoryOf(first.memory.id)).toMatchObject(memory);
    expect((await ask(service, 'ann', { query: 'build minutes', tags: ['new'] })).memories).toHaveLength(1);
    const versions = async () =>
      (await supertest(service.app).get(`/memory/${first.memory.id}/history`).set('X-Agent-ID', 'ann')).body.versions;
    expect(await versions()).toMatchObject([{ operation: 'edit', by: 'ann', reason: 'said again' }]);
    expect((await versions())[0].changed.sort()).toEqual(['importance', 'metadata', 'tags']);
    const third = await say(service, 'ann', { ...said, tags: ['new'], importance: 0.5 });
    expect(third).toMatchObject({ duplicate: true, not_taken: ['importance'] });
    expect(await say(service, 'ann', said)).not.toHaveProperty('not_taken');
    // Neither had anything new.
    expect(await versions()).toHaveLength(1);
  });

  test('change nothing where they name what cannot be superseded', async () => {
    const { memory } = await say(service, 'ann', said);
    const answer = await post('/ingest', { ...again, agent_id: 'ann', supersedes: ['none'] });
    expect(answer.status).toBe(422);
    expect(await memoryOf(memory.id)).toMatchObject({ tags: [], metadata: {}, importance: memory.importance });
  });

  test('bring it all that of them, also where they put it in the place of another', async () => {
    const old = await say(service, 'ann', 'The build takes 7 minutes.');
    const known = await say(service, 'ann', said);
    service.clock.advance(MINUTE_MS);
    await say(service, 'ann', { content: 'The build takes 8 minutes.', supersedes: [known.memory.id] });
    const [next] = (await ask(service, 'ann', 'build 8 minutes')).memories;
    const back = await say(service, 'ann', { ...again, supersedes: [old.memory.id, next?.id] });
    const memory = { tags: again.tags, metadata: again.metadata, superseded_by: null };
    expect(back).toMatchObject({ duplicate: true, memory: { ...memory, id: known.memory.id } });
    expect(await memoryOf(known.memory.id)).toMatchObject(memory);
    for (const id of [old.memory.id, next?.id as string]) {
      expect(await memoryOf(id)).toMatchObject({ superseded_by: known.memory.id });
    }
  });

  test('of a deleted memory are a new one', async () => {
    const first = await say(service, 'ann', said);
    await supertest(service.app).delete(`/memory/${first.memory.id}?agent_id=ann`);
    const again = await say(service, 'ann', said);
    expect([again.duplicate, again.memory.id === first.memory.id]).toEqual([false, false]);
  });
});
