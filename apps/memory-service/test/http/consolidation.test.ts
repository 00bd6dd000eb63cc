import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UnavailableError } from '@agent-faculties/service-kit';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import supertest from 'supertest';
import type { Consolidator } from '../../src/domain/consolidation/consolidator.ts';
import { consolidationFigures } from '../../src/http/consolidation.ts';
import {
  ask,
  closeFastEmbedder,
  emptyStore,
  START_MS,
  say,
  startTestService,
  type TestService,
  temporaryFolder,
} from '../start-service.ts';
import { remove as removeFrom } from '../store/change-store.ts';

const DAY_MS = 86_400_000;
const folder = temporaryFolder();
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ dataDir: folder.path });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await emptyStore(service);
  service.clock.set(START_MS);
});
afterAll(async () => {
  await service.close();
  await closeFastEmbedder();
  folder.remove();
});

const consolidate = async (body: object = {}, agent = 'ann') => {
  const answer = await supertest(service.app).post('/consolidate').set('X-Agent-ID', agent).send(body);
  expect(answer.status).toBe(200);
  return answer.body.report;
};
const get = (path: string, agent = 'ann') => supertest(service.app).get(path).set('X-Agent-ID', agent);
const remove = (path: string, agent = 'ann') => supertest(service.app).delete(path).set('X-Agent-ID', agent);
const idOf = async (agent: string, message: Parameters<typeof say>[2]) =>
  (await say(service, agent, message)).memory.id;

const POOL = [
  'The database connection pool of the ledger service is capped at 10 connections per replica.',
  'The ledger service ran out of database connections when the pool of connections was full.',
  'We raised the database connection pool of the ledger service to 18 connections per replica.',
];
const sayPool = async (more: object = {}, agent = 'ann') => {
  const ids: string[] = [];
  for (const content of POOL) ids.push(await idOf(agent, { content, session_id: 'pool', ...more }));
  return ids;
};

describe('near duplicates', () => {
  const duplicates = [
    ['The staging database runs on port 5433.', 'the staging database runs on port 5433'],
    ["The gateway doesn't cache anonymous answers.", 'Gateway does not cache anonymous answers!'],
    ['Nightly backups keep 1,000 snapshots.', 'The nightly backups keep 1000 snapshots.'],
  ];
  test.each(duplicates)('%s = %s', async (one, other) => {
    const first = await idOf('ann', { content: one, session_id: 's1' });
    const second = await idOf('ann', { content: other, session_id: 's2', tags: ['again'] });
    const report = await consolidate();
    expect(report).toMatchObject({
      deduplicated: 1,
      changed: true,
      ids: { deduplicated: [{ id: first, absorbed: [second] }] },
    });
    const { memory } = (await get(`/memory/${second}`)).body;
    expect(memory).toMatchObject({ id: first, consolidated_into: first, gist: one, tags: ['again'] });
    expect((await get(`/memory/${first}`)).body.memory.consolidated_into).toBeNull();
    expect(await consolidate()).toMatchObject({ changed: false, deduplicated: 0 });
  });

  const different = [
    ['The contract runs for 5 years.', 'The contract runs for 6 years.'],
    ['The gateway caches anonymous answers.', 'The gateway does not cache anonymous answers.'],
    ['Release 2.4.1 broke the importer.', 'Release 2.4.2 broke the importer.'],
    ['Nora owns the billing service.', 'Tim owns the billing service.'],
    ['We moved the wiki from Confluence to Notion.', 'We moved the wiki from Notion to Confluence.'],
    ['The review is on 5 May 2026.', 'The review is on 6 May 2026.'],
    ['The freezer runs at -5 degrees.', 'The freezer runs at 5 degrees.'],
    ['Deploys were frozen before the fair.', 'Deploys were frozen after the fair.'],
    ['All deploys need two reviews.', 'Some deploys need two reviews.'],
  ];
  test.each(different)('%s is not %s', async (one, other) => {
    await idOf('ann', { content: one, session_id: 's1' });
    await idOf('ann', { content: other, session_id: 's2' });
    expect(await consolidate()).toMatchObject({ deduplicated: 0, pruned: 0 });
  });

  test('two agents, one fact; what each says of itself stays apart', async () => {
    const first = await idOf('ann', 'The staging database runs on port 5433.');
    await idOf('bob', 'The staging database runs on port 5433.');
    await idOf('ann', 'I prefer tabs over spaces in Python.');
    await idOf('bob', 'I prefer tabs over spaces in Python.');
    const report = await consolidate();
    expect(report.ids.deduplicated).toEqual([{ id: first, absorbed: [expect.any(String)] }]);
  });

  test('what another said the same survives the deletion of the one that absorbed it', async () => {
    await idOf('ann', 'The staging database runs on port 5433.');
    const bobs = await idOf('bob', 'The staging database runs on port 5433.');
    await consolidate();
    expect((await remove('/memories/agent/ann', 'ann')).body).toEqual({ deleted: 1 });
    expect((await get(`/memory/${bobs}`, 'bob')).body.memory).toMatchObject({
      id: bobs,
      agent_id: 'bob',
      consolidated_into: null,
    });
    expect((await ask(service, 'bob', 'staging database port')).memories.map(({ id }) => id)).toEqual([bobs]);
  });

  test('an edit of the one that absorbed another does not change what the other said', async () => {
    const anns = await idOf('ann', 'The staging database runs on port 5433.');
    const bobs = await idOf('bob', 'The staging database runs on port 5433.');
    await consolidate();
    await supertest(service.app)
      .put(`/memory/${anns}`)
      .set('X-Agent-ID', 'ann')
      .send({ gist: 'The staging database runs on port 6000.' });
    expect((await get(`/memory/${bobs}`)).body.memory).toMatchObject({
      id: bobs,
      gist: 'The staging database runs on port 5433.',
    });
  });

  test('an edit or a delete of one that was absorbed leaves the memory of the other agent as it is', async () => {
    const anns = await idOf('ann', 'The staging database runs on port 5433.');
    const bobs = await idOf('bob', 'The staging database runs on port 5433.');
    await consolidate();
    const put = (id: string, change: object, headers: Record<string, string> = {}) =>
      supertest(service.app)
        .put(`/memory/${id}`)
        .set({ 'X-Agent-ID': 'bob', ...headers })
        .send(change);
    const read = await get(`/memory/${bobs}`, 'bob');
    expect((await put(bobs, { scope: 'PRIVATE' }, { 'If-Match': '"stale"' })).status).toBe(412);
    const closed = await put(bobs, { scope: 'PRIVATE' }, { 'If-Match': read.headers.etag as string });
    expect([closed.status, closed.body.memory]).toEqual([200, expect.objectContaining({ id: bobs, scope: 'PRIVATE' })]);
    expect((await get(`/memory/${bobs}`, 'ann')).status).toBe(404);
    await put(bobs, { scope: 'TEAM' });
    await consolidate();
    await put(bobs, { gist: 'The staging database runs on port 6000.' });
    expect((await get(`/memory/${anns}`)).body.memory).toMatchObject({
      agent_id: 'ann',
      scope: 'TEAM',
      gist: 'The staging database runs on port 5433.',
    });
    await put(bobs, { gist: 'The staging database runs on port 5433.' });
    await consolidate();
    expect((await get(`/memory/${bobs}`)).body.memory.id).toBe(anns);
    expect((await remove(`/memory/${bobs}`, 'bob')).status).toBe(200);
    expect((await get(`/memory/${bobs}`)).status).toBe(404);
    expect((await get(`/memory/${anns}`)).status).toBe(200);
  });

  test('words of one that was absorbed are news once the survivor says something else', async () => {
    const again = { content: 'staging database runs on port 5433', session_id: 's2' };
    const first = await idOf('ann', { content: 'The staging database runs on port 5433.', session_id: 's1' });
    await idOf('ann', again);
    await consolidate();
    expect(await say(service, 'ann', again)).toMatchObject({ duplicate: true, memory: { id: first } });
    await supertest(service.app)
      .put(`/memory/${first}`)
      .set('X-Agent-ID', 'ann')
      .send({ gist: 'The staging database runs on port 6000.' });
    expect(await say(service, 'ann', again)).toMatchObject({ duplicate: false, memory: { gist: again.content } });
  });

  test('PRIVATE and TEAM memories, and PRIVATE ones of two agents, are never one', async () => {
    const content = 'The staging database runs on port 5433.';
    await idOf('ann', { content, scope: 'PRIVATE' });
    await idOf('ann', { content });
    await idOf('bob', { content, scope: 'PRIVATE' });
    expect(await consolidate()).toMatchObject({ deduplicated: 0 });
  });

  test('a repeated request under the key of an absorbed memory is answered with the one that it is in', async () => {
    const first = await idOf('ann', { content: 'The staging database runs on port 5433.', session_id: 's1' });
    const message = { content: 'Staging database runs on port 5433', session_id: 's2', idempotency_key: 'k' };
    await idOf('ann', message);
    await consolidate();
    const again = await say(service, 'ann', message);
    expect(again).toMatchObject({ duplicate: true, memory: { id: first } });
  });
});

describe('clusters', () => {
  test('get a semantic memory beside them, once, of their own words with who and when', async () => {
    const ids = await sayPool({ tags: ['db'] });
    await idOf('ann', 'The canteen has lentil soup on Thursdays and pancakes on Fridays.');
    const report = await consolidate();
    expect(report).toMatchObject({ semantic_created: 1, clusters: 1, examined: 4, deduplicated: 0, skipped: 0 });
    const [{ id, sources }] = report.ids.semantic_created;
    expect(sources).toEqual(ids);
    const { memory } = (await get(`/memory/${id}`)).body;
    expect(memory).toMatchObject({ kind: 'semantic', sources: ids, tags: ['db'], scope: 'TEAM', session_id: 'pool' });
    expect(memory.metadata).toMatchObject({ agents: ['ann'] });
    for (const line of memory.gist.split('\n')) {
      expect(POOL.map((said) => `2026-11-21 ann: ${said}`)).toContain(line);
    }
    expect(await consolidate()).toMatchObject({
      changed: false,
      semantic_created: 0,
      semantic_rebuilt: 0,
      clusters: 1,
    });
  });

  test('are shown in a context source by source, by whom each was told, and an edited one as of its agent', async () => {
    const names = ['Dana', null, 'Eve: x'];
    for (const [place, content] of POOL.entries()) {
      await say(service, 'ann', {
        content,
        session_id: 'pool',
        name: names[place],
        source: place === 1 ? 'tool' : 'user',
      });
    }
    const { ids } = await consolidate();
    const id = ids.semantic_created[0].id;
    const recall = () => ask(service, 'bob', { query: 'database connection pool ledger', kinds: ['semantic'] });
    const { memories, context } = await recall();
    expect(memories.map((memory) => memory.source)).toEqual(['tool']);
    const lines = context.split('\n').slice(1, -1);
    const speakers = ['Dana (told by ann)', 'ann (from a tool)', 'Eve x (told by ann)'];
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) {
      const place = POOL.findIndex((content) => line.endsWith(`: ${content}`));
      expect(line).toBe(`- 2026-11-21 ${speakers[place]}: ${POOL[place]}`);
    }
    await supertest(service.app)
      .put(`/memory/${id}`)
      .send({ gist: '2026-11-21 Dana: The ledger pool of connections is mine.' });
    expect((await recall()).context.split('\n').slice(1, -1)).toEqual([
      '- 2026-11-21 ann (from a tool) (edited): 2026-11-21 Dana: The ledger pool of connections is mine.',
    ]);
  });

  test('a dry run says what a real one would do and changes nothing', async () => {
    const ids = await sayPool();
    const dry = await consolidate({ dry_run: true });
    expect(dry).toMatchObject({ dry_run: true, semantic_created: 1 });
    expect((await get('/memories?kind=semantic')).body.total).toBe(0);
    expect(dry.ids.semantic_created).toEqual([{ id: null, sources: ids, gist: expect.any(String) }]);
    const real = await consolidate();
    const { id, sources } = real.ids.semantic_created[0];
    expect(sources).toEqual(ids);
    const { gist } = (await get(`/memory/${id}`)).body.memory;
    expect(dry.ids.semantic_created[0].gist).toBe(gist);
  });

  test('grow by what is said later', async () => {
    await sayPool();
    const { ids: before } = await consolidate();
    const later = await idOf('ann', {
      content: 'The ledger service keeps 6 connections of its database connection pool idle per replica.',
      session_id: 'pool',
    });
    const report = await consolidate();
    expect(report).toMatchObject({ semantic_created: 0, semantic_rebuilt: 1 });
    expect(report.ids.semantic_rebuilt[0].id).toBe(before.semantic_created[0].id);
    expect(report.ids.semantic_rebuilt[0].sources).toContain(later);
  });

  test('of PRIVATE memories are PRIVATE, and reported to their agent alone', async () => {
    await sayPool({ scope: 'PRIVATE' });
    const seenByBob = await consolidate({}, 'bob');
    expect(seenByBob).toMatchObject({ semantic_created: 0, examined: 0, clusters: 0 });
    expect((await get('/memories?kind=semantic', 'ann')).body.memories).toMatchObject([
      { scope: 'PRIVATE', agent_id: 'ann' },
    ]);
    expect((await get('/memories?kind=semantic', 'bob')).body.total).toBe(0);
    expect((await get('/health')).body.consolidation.last_report).toMatchObject({ semantic_created: 0, examined: 0 });
    expect((await get('/consolidate', 'ann')).body.last_report).toMatchObject({ semantic_created: 1 });
    expect((await get('/health')).body.consolidation.last_report.ids).toBeUndefined();
  });

  test('a deleted source leaves the gist at once; with fewer than two left the semantic memory goes', async () => {
    const [first, second] = await sayPool();
    const { ids } = await consolidate();
    const semantic = ids.semantic_created[0].id;
    await remove(`/memory/${first}`);
    const { memory } = (await get(`/memory/${semantic}`)).body;
    expect(memory.sources).not.toContain(first);
    expect(memory.gist).not.toContain('capped');
    expect(memory.content).not.toContain('capped');
    await remove(`/memory/${second}`);
    expect((await get(`/memory/${semantic}`)).status).toBe(404);
  });

  test('an edited source leaves it, and so does one that becomes PRIVATE', async () => {
    const [first, second] = await sayPool();
    const extra = await idOf('ann', {
      content: 'The ledger service keeps 6 connections of its database connection pool idle per replica.',
      session_id: 'pool',
    });
    const { ids } = await consolidate();
    const semantic = ids.semantic_created[0].id;
    const put = (id: string | undefined, change: object) =>
      supertest(service.app).put(`/memory/${id}`).set('X-Agent-ID', 'ann').send(change);
    await put(first, { gist: 'The canteen is closed on Monday.' });
    let { memory } = (await get(`/memory/${semantic}`)).body;
    expect(memory.sources).toEqual(expect.not.arrayContaining([first]));
    expect(memory.gist).not.toContain('capped');
    await put(second, { scope: 'PRIVATE' });
    ({ memory } = (await get(`/memory/${semantic}`)).body);
    expect(memory.sources).toContain(extra);
    expect(memory.sources).not.toContain(second);
    expect(memory.gist).not.toContain('ran out');
  });

  test('keep what recalling did to them when they are made anew', async () => {
    const [first] = await sayPool();
    await idOf('ann', {
      content: 'The ledger service keeps 6 connections of its database connection pool idle per replica.',
      session_id: 'pool',
    });
    const { ids } = await consolidate();
    const semantic = ids.semantic_created[0].id;
    const query = { query: 'database connection pool of the ledger service', kinds: ['semantic'], strengthen: true };
    await ask(service, 'ann', query);
    const recalls = async () => (await get(`/memory/${semantic}`)).body.memory.recall_count;
    expect(await recalls()).toBe(1);
    await idOf('bob', { content: POOL[1] as string, tags: ['again'] });
    expect(await consolidate()).toMatchObject({ deduplicated: 1, semantic_rebuilt: 1 });
    expect(await recalls()).toBe(1);
    await remove(`/memory/${first}`);
    expect(await recalls()).toBe(1);
  });

  test('deleting an agent leaves what others said together', async () => {
    const [anns] = await sayPool({}, 'ann');
    const more = await idOf('bob', {
      content: 'The ledger service keeps 6 connections of its database connection pool idle per replica.',
    });
    const more2 = await idOf('bob', {
      content: 'Each replica of the ledger service warms its database connection pool of 4 connections.',
    });
    const { ids } = await consolidate();
    const semantic = ids.semantic_created[0];
    expect(semantic.sources).toEqual(expect.arrayContaining([anns, more, more2]));
    await remove('/memories/agent/ann');
    const { memory } = (await get(`/memory/${semantic.id}`, 'bob')).body;
    expect(memory).toMatchObject({ sources: [more, more2], agent_id: 'bob', metadata: { agents: ['bob'] } });
  });

  test('keep their scope', async () => {
    await sayPool();
    const { ids } = await consolidate();
    const answer = await supertest(service.app)
      .put(`/memory/${ids.semantic_created[0].id}`)
      .set('X-Agent-ID', 'ann')
      .send({ scope: 'PRIVATE' });
    expect(answer.body).toMatchObject({ status: 409, code: 'scope_of_sources' });
  });

  test('recall answers as before where a semantic memory makes room for nothing, and searches it when asked for it', async () => {
    await sayPool();
    const query = { query: 'database connection pool of the ledger service', top_k: 5 };
    const before = await ask(service, 'ann', query);
    await consolidate();
    expect((await ask(service, 'ann', query)).memories).toEqual(before.memories);
    const semantic = await ask(service, 'ann', { ...query, kinds: ['semantic'] });
    expect(semantic.memories).toMatchObject([{ kind: 'semantic' }]);
    const other = await ask(service, 'ann', { query: 'Where do penguins live?', kinds: ['semantic'] });
    expect(other.context).toBe('');
  });
});

describe('pruning', () => {
  const SMALL = { content: 'Sounds good, see you!', importance: 0.1, timestamp: '2026-01-05T10:00:00Z' };
  const files = () => {
    try {
      return readdirSync(join(folder.path, 'pruned'))
        .map((name) => readFileSync(join(folder.path, 'pruned', name), 'utf8'))
        .join('');
    } catch {
      return '';
    }
  };

  test('takes nothing by default from a small store', async () => {
    await idOf('ann', SMALL);
    expect(await consolidate()).toMatchObject({ pruned: 0, changed: false });
  });

  test('takes the old, weak and unimportant to an archive, from where they come back and stay', async () => {
    const weak = await idOf('ann', SMALL);
    const important = await idOf('ann', { ...SMALL, content: 'The vault key is in the safe.', importance: 0.9 });
    const young = await idOf('ann', { content: 'Sounds fine to me as well.', importance: 0.1 });
    const recalled = await idOf('ann', { ...SMALL, content: 'The cat likes the window.' });
    await ask(service, 'ann', { query: 'Where does the cat like to be? window', strengthen: true });
    const report = await consolidate({ keep_per_agent: 0 });
    expect(report.ids.pruned).toEqual([weak]);
    for (const id of [important, young, recalled]) expect((await get(`/memory/${id}`)).status).toBe(200);
    expect((await get(`/memory/${weak}`)).status).toBe(404);
    expect((await get('/pruned')).body).toMatchObject({
      total: 1,
      pruned: [{ memory: { id: weak, gist: SMALL.content }, kept_until: '2026-12-21T09:30:00.123Z' }],
    });
    const restore = (ids?: readonly string[]) =>
      supertest(service.app).post('/pruned/restore').set('X-Agent-ID', 'ann').send({ ids });
    expect((await restore(['unknown', young, 'unknown'])).body).toEqual({
      restored: [],
      not_found: ['unknown', young],
      without_key: [],
    });
    const restored = await restore();
    expect(restored.body).toEqual({ restored: [weak], not_found: [], without_key: [] });
    expect((await get(`/memory/${weak}`)).body.memory).toMatchObject({ id: weak, gist: SMALL.content });
    expect(await consolidate({ keep_per_agent: 0 })).toMatchObject({ pruned: 0 });
    expect(files()).not.toContain(SMALL.content);
  });

  describe('brings back, by a restore and by an undo,', () => {
    const pruned = async () => (await consolidate({ keep_per_agent: 0 })).run_id as string;
    const post = (path: string, body: object) => supertest(service.app).post(path).set('X-Agent-ID', 'ann').send(body);
    const ways: [string, (run: string) => unknown][] = [
      ['restore', () => post('/pruned/restore', {})],
      ['undo', (run) => post(`/consolidate/${run}/undo`, {})],
    ];

    test.each(ways)('what was superseded by a memory that is gone, superseded by nothing: %s', async (_, bringBack) => {
      const id = await idOf('ann', SMALL);
      const successor = await idOf('ann', { content: 'It is not fine.', supersedes: [id] });
      const run = await pruned();
      await remove(`/memory/${successor}`);
      await bringBack(run);
      expect((await get(`/memory/${id}`)).body.memory).toMatchObject({ superseded_by: null, supersession: null });
    });

    test.each(ways)(
      'what was superseded by a memory that is gone, superseded by what had replaced it: %s',
      async (_, bringBack) => {
        const id = await idOf('ann', SMALL);
        const successor = await idOf('ann', { content: 'It is not fine.', supersedes: [id] });
        const run = await pruned();
        const last = await idOf('ann', { content: 'It is fine again.', supersedes: [successor] });
        await remove(`/memory/${successor}`);
        await bringBack(run);
        expect((await get(`/memory/${id}`)).body.memory).toMatchObject({
          superseded_by: last,
          supersession: { reason: 'what replaced it was replaced' },
        });
      },
    );

    test.each(ways)('what had superseded a PRIVATE memory, and supersedes it anew: %s', async (_, bringBack) => {
      const id = await idOf('ann', { content: 'I doubt that it is fine.', scope: 'PRIVATE' });
      const successor = await idOf('ann', { ...SMALL, supersedes: [id] });
      const own = async () => (await get(`/memory/${id}`)).body.memory.superseded_by;
      const run = await pruned();
      // That it is there keeps no memory that others see from being pruned.
      expect(await own()).toBeNull();
      await bringBack(run);
      expect(await own()).toBe(successor);
    });

    test('what was told under a key that is taken since, without the key, and named', async () => {
      const key = { idempotency_key: 'k' };
      const first = await idOf('ann', { ...SMALL, ...key });
      await pruned();
      const second = await idOf('ann', { ...SMALL, content: 'Sounds good, see you at 2!', ...key });
      await pruned();
      const third = await idOf('ann', { content: 'It is raining.', ...key });
      const noKey = await idOf('ann', { ...SMALL, content: 'See you at the other gate!' });
      await pruned();
      const { restored, without_key } = (await post('/pruned/restore', {})).body;
      expect(restored.sort()).toEqual([first, second, noKey].sort());
      expect(without_key.sort()).toEqual([first, second].sort());
      expect(await say(service, 'ann', { content: 'It is raining.', ...key })).toMatchObject({
        duplicate: true,
        memory: { id: third },
      });
    });
  });

  test('keeps a floor for each agent', async () => {
    for (let i = 0; i < 5; i++)
      await idOf('ann', { ...SMALL, content: `Sounds good, see you at ${i}!`, session_id: `s${i}` });
    expect(await consolidate({ keep_per_agent: 3 })).toMatchObject({ pruned: 2 });
    expect(await consolidate({ keep_per_agent: 3 })).toMatchObject({ pruned: 0, changed: false });
    await remove('/memories/agent/ann');
  });

  test("PRIVATE ones are nobody else's to see or to bring back", async () => {
    const id = await idOf('ann', { ...SMALL, scope: 'PRIVATE' });
    expect(await consolidate({ keep_per_agent: 0 }, 'bob')).toMatchObject({ pruned: 0 });
    expect((await get('/pruned', 'bob')).body.total).toBe(0);
    const tried = await supertest(service.app)
      .post('/pruned/restore')
      .set('X-Agent-ID', 'bob')
      .send({ ids: [id] });
    expect(tried.body).toEqual({ restored: [], not_found: [id], without_key: [] });
    expect((await remove(`/memory/${id}`, 'bob')).status).toBe(404);
    expect((await get('/pruned', 'ann')).body.total).toBe(1);
    expect((await remove(`/memory/${id}`, 'ann')).status).toBe(200);
    expect((await get('/pruned', 'ann')).body.total).toBe(0);
    expect(files()).not.toContain(SMALL.content);
  });

  test.each([
    ['DELETE /memory', (id: string) => `/memory/${id}`],
    ['DELETE /memories/agent', () => '/memories/agent/ann'],
  ])('%s takes along what is pruned just then', async (_what, path) => {
    const id = await idOf('ann', SMALL);
    const { store, archive } = service.opened;
    const stored = await store.find(id);
    if (!stored || !archive) throw new Error('there is neither a memory nor an archive');
    const changeNow = store.changeTogether.bind(store);
    const interfered = jest.spyOn(store, 'changeTogether').mockImplementationOnce(async (decision) => {
      await archive.keep([stored], START_MS);
      await changeNow({ expected: [], changes: [{ op: 'delete', ids: [id] }] });
      return await changeNow(decision);
    });
    expect((await remove(path(id))).status).toBe(200);
    expect(interfered).toHaveBeenCalled();
    interfered.mockRestore();
    expect((await get('/pruned')).body.total).toBe(0);
    expect(files()).not.toContain(SMALL.content);
  });

  test('a deleted one leaves the other files soon, too', async () => {
    const id = await idOf('ann', SMALL);
    await consolidate({ keep_per_agent: 0 });
    const saveSoon = jest.spyOn(service.jobs, 'saveAfterDelete');
    await remove(`/memory/${id}`);
    expect(saveSoon).toHaveBeenCalledTimes(1);
  });

  test('comes in pages', async () => {
    for (let i = 0; i < 3; i++) {
      await idOf('ann', { ...SMALL, content: `Sounds good, see you at ${i}!`, session_id: `s${i}` });
    }
    const { ids } = await consolidate({ keep_per_agent: 0 });
    const first = (await get('/pruned?limit=2')).body;
    const second = (await get(`/pruned?limit=2&cursor=${first.next_cursor}`)).body;
    expect([first.total, first.pruned.length, second.pruned.length, second.next_cursor]).toEqual([3, 2, 1, null]);
    const seen = [...first.pruned, ...second.pruned].map(({ memory }) => memory.id);
    expect(seen.sort()).toEqual([...ids.pruned].sort());
    expect((await get('/pruned?cursor=none')).body).toMatchObject({ status: 422, errors: [{ where: 'query/cursor' }] });
    await remove('/memories/agent/ann');
  });

  test('what a process that was killed left in the archive is not there after the next start', async () => {
    const id = await idOf('ann', SMALL);
    const gone = await idOf('ann', { ...SMALL, content: 'Nothing new here.' });
    const { store, archive } = service.opened;
    const [live, old] = [await store.find(id), await store.find(gone)];
    if (!live || !old || !archive) throw new Error('there are no memories, or there is no archive');
    await archive.keep([old], START_MS - 31 * DAY_MS);
    await archive.keep([live], START_MS);
    await removeFrom(store, [gone]);
    writeFileSync(join(folder.path, 'pruned', '2026-11-21.ndjson.tmp'), SMALL.content);
    expect((await get('/pruned')).body.total).toBe(0);
    await service.close();
    service = await startTestService({ dataDir: folder.path });
    expect(readdirSync(join(folder.path, 'pruned'))).toEqual([]);
    expect((await get(`/memory/${id}`)).status).toBe(200);
  });

  test("the end of the day counts others' PRIVATE memories for them alone", async () => {
    await idOf('ann', { ...SMALL, scope: 'PRIVATE' });
    await consolidate({ keep_per_agent: 0 });
    service.clock.set(START_MS + 31 * DAY_MS);
    const ended = await supertest(service.app).post('/end_of_day').set('X-Agent-ID', 'bob').send({});
    expect(ended.body.report.expired).toBe(0);
    expect(files()).toBe('');
  });

  test('what was pruned 30 days ago goes at the end of the day', async () => {
    await idOf('ann', SMALL);
    await consolidate({ keep_per_agent: 0 });
    service.clock.set(START_MS + 29 * DAY_MS);
    const endOfDay = () => supertest(service.app).post('/end_of_day').send({});
    expect((await endOfDay()).body.report).toMatchObject({ expired: 0, failed: [] });
    service.clock.set(START_MS + 31 * DAY_MS);
    expect((await endOfDay()).body.report).toMatchObject({ expired: 1 });
    expect((await get('/pruned')).body.total).toBe(0);
  });
});

describe('a run that the disk ends', () => {
  const fillTheDisk = (doneBefore: number) => {
    const { store } = service.opened;
    const change = store.changeTogether.bind(store);
    let calls = 0;
    jest.spyOn(store, 'changeTogether').mockImplementation(async (group) => {
      if (++calls > doneBefore) throw new UnavailableError('The disk is full.', { code: 'storage_unavailable' });
      return await change(group);
    });
  };
  const sayTwice = async () => {
    const ids: string[] = [];
    for (const session_id of ['s1', 's2'])
      ids.push(await idOf('ann', { content: 'The staging database runs on port 5433.', session_id }));
    return ids;
  };

  test('answers with what it has done, keeps the report, and goes on next time', async () => {
    await sayPool();
    const [first, second] = await sayTwice();
    fillTheDisk(1);
    const { status, body } = await supertest(service.app).post('/consolidate').set('X-Agent-ID', 'ann').send({});
    const done = { problem: expect.stringContaining('The disk is full.'), stopped: false, deduplicated: 1 };
    expect(status).toBe(503);
    expect(body).toMatchObject({
      code: 'consolidation_incomplete',
      detail: expect.stringContaining('its work so far is kept'),
      report: { ...done, ids: { deduplicated: [{ id: first, absorbed: [second] }] } },
    });
    expect((await get('/consolidate')).body.last_report).toMatchObject(done);
    jest.restoreAllMocks();
    expect(await consolidate()).toMatchObject({ problem: null, deduplicated: 0, semantic_created: 1 });
  });

  test('is a failed step of the end of the day, and the others are done', async () => {
    await sayPool();
    await sayTwice();
    fillTheDisk(1);
    const { body } = await supertest(service.app).post('/end_of_day').set('X-Agent-ID', 'ann').send({});
    expect(body.report).toMatchObject({
      failed: ['consolidate'],
      steps: [{ problem: expect.stringContaining('The disk is full.') }, { problem: null }, { problem: null }],
      consolidation: { deduplicated: 1 },
    });
  });

  test('is done all the same where only its report could not be written', async () => {
    await sayTwice();
    jest.spyOn(service.opened.runLog, 'note').mockRejectedValueOnce(new UnavailableError('The disk is full.'));
    expect(await consolidate()).toMatchObject({ deduplicated: 1, problem: null });
  });
});

describe('the last report', () => {
  const lastReport = async (agent: string) => (await get('/consolidate', agent)).body.last_report;

  test('names nothing that has become PRIVATE to others, or is deleted, and counts what it counted', async () => {
    const [first, second, third] = await sayPool();
    const { ids } = await consolidate();
    const semantic = ids.semantic_created[0].id;
    expect((await lastReport('bob')).ids.semantic_created).toEqual([{ id: semantic, sources: [first, second, third] }]);
    await supertest(service.app).put(`/memory/${first}`).set('X-Agent-ID', 'ann').send({ scope: 'PRIVATE' });
    expect((await lastReport('bob')).ids.semantic_created).toEqual([{ id: semantic, sources: [second, third] }]);
    expect((await lastReport('ann')).ids.semantic_created[0].sources).toEqual([first, second, third]);
    await remove(`/memory/${second}`);
    expect(await lastReport('bob')).toMatchObject({ semantic_created: 1, ids: { semantic_created: [] } });
  });

  test('names what was pruned while it can be brought back', async () => {
    const old = { importance: 0.1, timestamp: '2026-01-05T10:00:00Z' };
    const [stored, deleted] = [
      await idOf('ann', { ...old, content: 'Fine.' }),
      await idOf('ann', { ...old, content: 'See you.' }),
    ];
    expect((await consolidate({ keep_per_agent: 0 })).ids.pruned.sort()).toEqual([stored, deleted].sort());
    await remove(`/memory/${deleted}`);
    expect((await lastReport('ann')).ids.pruned).toEqual([stored]);
    await remove('/memories/agent/ann');
  });

  test('is summed up for /health once, however often that is asked', async () => {
    await sayPool();
    await consolidate();
    const last = service.opened.runLog.last;
    const of = { consolidator: { running: null, last, undoers: null } as Consolidator, nextRunAt: () => null };
    const { last_report } = consolidationFigures(of);
    expect(last_report).toMatchObject({ semantic_created: 1 });
    expect(consolidationFigures(of).last_report).toBe(last_report);
  });
});

describe('POST /end_of_day', () => {
  test('consolidates, maintains and saves, in this order', async () => {
    await sayPool();
    const { report } = (await supertest(service.app).post('/end_of_day').send()).body;
    expect(report).toMatchObject({
      failed: [],
      steps: [
        { step: 'consolidate', skipped: null, problem: null },
        { step: 'maintain', skipped: null, problem: null },
        { step: 'save', skipped: null, problem: null },
      ],
      consolidation: { semantic_created: 1 },
      saved: { took_ms: expect.any(Number) },
    });
    expect(service.opened.persistence.state().unsavedChanges).toBe(0);
  });

  test('a second run while one is under way is refused with the state of the first', async () => {
    await sayPool();
    const [one, other] = await Promise.all([
      supertest(service.app).post('/consolidate').send({}),
      supertest(service.app).post('/end_of_day').send({}),
    ]);
    const refused = one.status === 409 ? one : other;
    expect([one.status, other.status].sort()).toEqual([200, 409]);
    expect(refused.body).toMatchObject({
      code: 'consolidation_running',
      running: { started_at: '2026-11-21T09:30:00.123Z', dry_run: false },
    });
  });

  test('the report outlives a restart', async () => {
    await sayPool();
    await consolidate();
    await service.close();
    service = await startTestService({ dataDir: folder.path });
    expect((await get('/health')).body.consolidation).toMatchObject({
      running: null,
      next_run_at: null,
      last_report: { semantic_created: 1 },
    });
    expect(await consolidate()).toMatchObject({ changed: false, clusters: 1 });
  });
});
