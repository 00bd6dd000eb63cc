import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import type { SpaceStore, StoredSpace } from '../../src/domain/space/stored-space.ts';
import { volatilePersistence } from '../../src/persistence/open-persistence.ts';
import { InMemoryStore } from '../space/in-memory-store.ts';
import { ask, closeFastEmbedder, countedIds, say, startServiceOver } from '../start-service.ts';

/** The plainest engine there is, whose every answer takes a turn of the event loop, as one elsewhere would. */
function distantSpace(store: InMemoryStore): StoredSpace {
  const distant = new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (value.constructor.name === 'AsyncGeneratorFunction') return value.bind(target);
      return async (...about: unknown[]) => {
        await nextTurn();
        const answer = await value.apply(target, about);
        await nextTurn();
        return answer;
      };
    },
  }) as SpaceStore;
  const { persistence, runLog } = volatilePersistence();
  return {
    store: distant,
    isOwner: async () => true,
    history: null,
    archive: null,
    persistence,
    runLog,
    figures: {
      memories: () => 0,
      contradictions: () => 0,
      vectors: () => 0,
      vectorsInDatabase: () => 0,
      vectorBytes: () => 0,
      bytes: () => 0,
      vectorProcessId: () => undefined,
      waitingForVectors: () => 0,
      waitingForComparison: () => 0,
    },
    onChange: () => {},
    answering: async (work) => await work(),
    readerProgress: null,
    wasThereAt: () => null,
    revision: () => store.revision,
    compact: async () => {},
    close: async () => {},
  };
}

const ids = countedIds();
let store: InMemoryStore;
/** Two services on one engine: neither has the locks of the other. */
let services: Awaited<ReturnType<typeof start>>[];

function start() {
  return startServiceOver(async () => distantSpace(store), { ids, config: { maxMemories: 8 } });
}

beforeEach(async () => {
  store = new InMemoryStore({ hasModel: true });
  services = [await start(), await start()];
});
afterEach(async () => {
  for (const service of services) await service.close();
});
afterAll(closeFastEmbedder);

const app = (number: number) => (services[number % 2] as (typeof services)[number]).app;
const service = (number: number) => services[number % 2] as (typeof services)[number];
const PORT = 'The staging database of Kestrel runs on port 5433.';

describe('another engine under the service', () => {
  test('keeps, finds, changes and deletes what agents say', async () => {
    const { memory } = await say(service(0), 'ann', PORT);
    await say(service(1), 'ann', { content: 'Dana likes tea.', scope: 'PRIVATE' });
    const { memories, context } = await ask(service(1), 'bob', 'Which port has the staging database?');
    expect(memories.map(({ content }) => content)).toEqual([PORT]);
    expect(context).toContain('5433');
    const edit = await supertest(app(1))
      .put(`/memory/${memory.id}`)
      .set('X-Agent-ID', 'ann')
      .send({ gist: 'It is 6000.' });
    expect(edit.status).toBe(200);
    expect((await ask(service(0), 'ann', 'Which port?')).memories.map(({ gist }) => gist)).toContain('It is 6000.');
    expect((await supertest(app(0)).delete(`/memory/${memory.id}`).set('X-Agent-ID', 'ann')).status).toBe(200);
    expect((await supertest(app(1)).get(`/memory/${memory.id}`).set('X-Agent-ID', 'ann')).status).toBe(404);
    expect((await ask(service(1), 'bob', 'Which port has the staging database?')).memories).toEqual([]);
  });

  test('consolidates and compares', async () => {
    await say(service(0), 'ann', 'The Kestrel release is on Friday.');
    await say(service(0), 'bob', { content: 'The Kestrel release is on Friday!', session_id: 'other' });
    await say(service(0), 'bob', 'The Kestrel release is on Monday.');
    const { body } = await supertest(app(0)).post('/consolidate').send({});
    expect(body.report).toMatchObject({ deduplicated: 1, problem: null });
    const found = await supertest(app(1)).post('/contradictions').send({ threshold: 0.3 });
    expect([found.status, found.body.pending]).toEqual([200, 0]);
  });

  test('stores one of the same words that come to several services at once', async () => {
    const said = await Promise.all([...Array(12).keys()].map((number) => say(service(number), 'ann', PORT)));
    expect(said.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    expect(new Set(said.map(({ memory }) => memory.id)).size).toBe(1);
    expect(await store.size()).toBe(1);
  });

  test('stores one of one idempotency key, and refuses the others of other words', async () => {
    const answers = await Promise.all(
      [...Array(6).keys()].map((number) =>
        supertest(app(number))
          .post('/ingest')
          .set('X-Agent-ID', 'ann')
          .send({ content: `${number} is it.`, idempotency_key: 'k' }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    expect(await store.size()).toBe(1);
  });

  test('never holds more than it may', async () => {
    const answers = await Promise.all(
      [...Array(20).keys()].map((number) =>
        supertest(app(number))
          .post('/ingest')
          .send({ content: `Number ${number} is said.` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(8);
    expect(await store.size()).toBe(8);
  });

  test('loses no change of several that are made at once', async () => {
    const { memory } = await say(service(0), 'ann', PORT);
    const changes = [{ tags: ['a'] }, { importance: 1 }, { gist: 'It is 6000.' }, { metadata: { of: 'it' } }];
    const answers = await Promise.all(
      changes.map((change, number) =>
        supertest(app(number)).put(`/memory/${memory.id}`).set('X-Agent-ID', 'ann').send(change),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { body } = await supertest(app(0)).get(`/memory/${memory.id}`).set('X-Agent-ID', 'ann');
    expect(body.memory).toMatchObject({ tags: ['a'], importance: 1, gist: 'It is 6000.', metadata: { of: 'it' } });
  });

  test('deletes no memory for one who may no longer see it', async () => {
    const { memory } = await say(service(0), 'ann', PORT);
    const [edited, deleted] = await Promise.all([
      supertest(app(0)).put(`/memory/${memory.id}`).set('X-Agent-ID', 'ann').send({ scope: 'PRIVATE' }),
      supertest(app(1)).delete(`/memory/${memory.id}`).set('X-Agent-ID', 'bob'),
    ]);
    const left = await store.find(memory.id);
    // Either of the two may come first.
    expect([edited.status, deleted.status, left?.memory.scope]).toEqual(
      left ? [200, 404, 'PRIVATE'] : [404, 200, undefined],
    );
  });
});
