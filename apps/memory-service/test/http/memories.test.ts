import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import supertest from 'supertest';
import { anyProject } from '../sample-memory.ts';
import { ask, emptyStore, START_MS, say, startTestService, type TestService } from '../start-service.ts';
import { shareService } from './shared-service.ts';

let service: TestService;
shareService((started) => {
  service = started;
});

const get = (path: string, agent = 'ann') => supertest(service.app).get(path).set('X-Agent-ID', agent);
const put = (id: string, change: object, { agent = 'ann', ifMatch }: { agent?: string; ifMatch?: string } = {}) => {
  const request = supertest(service.app).put(`/memory/${id}`).set('X-Agent-ID', agent);
  return (ifMatch === undefined ? request : request.set('If-Match', ifMatch)).send(change);
};
const remove = (path: string, agent = 'ann') => supertest(service.app).delete(path).set('X-Agent-ID', agent);
const recalled = async (query: string, agent = 'ann') =>
  (await ask(service, agent, { query, top_k: 100 })).memories.map(({ id }) => id);

describe('GET /memory/{id}', () => {
  test('answers with the memory and an ETag that changes with it', async () => {
    const { memory } = await say(service, 'ann', 'The wiki password rotates.');
    const first = await get(`/memory/${memory.id}`, 'bob');
    expect(first.body).toEqual({ memory });
    expect(first.headers.etag).toMatch(/^"[0-9a-z]+"$/);
    await put(memory.id, { tags: ['wiki'] });
    const second = await get(`/memory/${memory.id}`);
    expect(second.headers.etag).not.toBe(first.headers.etag);
    // A recall makes no new version of the memory.
    await ask(service, 'ann', { query: 'wiki password', strengthen: true });
    const third = await get(`/memory/${memory.id}`);
    expect(third.headers.etag).toBe(second.headers.etag);
    expect(third.body.memory.recall_count).toBe(1);
  });

  test.each(['none', '0', '%20', '..%2f..%2fetc%2fpasswd', '__proto__', '*', 'x'.repeat(128)])(
    'answers 404 for %s',
    async (id) => {
      const answer = await get(`/memory/${id}`);
      expect([answer.status, answer.body.code]).toEqual([404, 'unknown_memory']);
    },
  );
});

describe('PUT /memory/{id}', () => {
  test('changes what it names and nothing else', async () => {
    const message = { content: 'The wiki moves to Oslo.', tags: ['a'], metadata: { x: 1 }, importance: 0.2 };
    const { memory } = await say(service, 'ann', message);
    for (const change of [
      { tags: ['b', 'c'] },
      { importance: 0 },
      { scope: 'SHARED' },
      { metadata: { y: [2] } },
      { tags: [] },
    ]) {
      const before = (await get(`/memory/${memory.id}`)).body.memory;
      service.clock.advance(1_000);
      const answer = await put(memory.id, change);
      const updated_at = new Date(service.clock.now()).toISOString();
      expect(answer.body.memory).toEqual({ ...before, ...change, updated_at, strength: expect.any(Number) });
      expect((await get(`/memory/${memory.id}`)).body.memory).toEqual(answer.body.memory);
    }
  });

  test('wants something to change', async () => {
    const answer = await put('any', {});
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toMatch(
      /^body must have at least one field\. Correct it; \/docs shows the contract\. A body that fits: {"gist":/,
    );
  });

  test('makes a new gist found at once, and the old words no more', async () => {
    const { memory } = await say(service, 'ann', 'The offsite is in Lisbon with Marguerite.');
    for (const filler of ['Lunch is at noon.', 'Backups take an hour.', 'The printer hums.'])
      await say(service, 'ann', filler);
    const answer = await put(memory.id, { gist: '  The retreat takes place in Reykjavik with Bartholomew. ' });
    expect(answer.body.memory).toMatchObject({
      gist: 'The retreat takes place in Reykjavik with Bartholomew.',
      content: 'The offsite is in Lisbon with Marguerite.',
    });
    const entities = answer.body.memory.entities.map(({ name }: { name: string }) => name);
    expect([entities.includes('Reykjavik'), entities.includes('Lisbon')]).toEqual([true, false]);
    const relevanceOf = async (query: string) =>
      (await ask(service, 'ann', query)).memories.find(({ id }) => id === memory.id)?.relevance;
    expect(await relevanceOf('Reykjavik Bartholomew')).not.toBe('low');
    expect((await recalled('Reykjavik Bartholomew'))[0]).toBe(memory.id);
    expect(await relevanceOf('Lisbon Marguerite')).toBe('low');
    expect((await ask(service, 'ann', 'Lisbon Marguerite')).context).toBe('');
  });

  test('is by anyone who sees it, but for the scope, which is the creator’s', async () => {
    const { memory } = await say(service, 'ann', 'The wiki moves.');
    expect((await put(memory.id, { tags: ['by-bob'] }, { agent: 'bob' })).status).toBe(200);
    for (const scope of ['PRIVATE', 'SHARED']) {
      const refused = await put(memory.id, { scope, tags: ['taken'] }, { agent: 'bob' });
      expect([refused.status, refused.body.code]).toEqual([403, 'not_the_creator']);
    }
    expect((await put(memory.id, { scope: 'TEAM' }, { agent: 'bob' })).status).toBe(200);
    expect((await get(`/memory/${memory.id}`)).body.memory).toMatchObject({ tags: ['by-bob'], agent_id: 'ann' });
    expect((await put(memory.id, { scope: 'PRIVATE' })).status).toBe(200);
    for (const change of [{ tags: [] }, { scope: 'TEAM' }]) {
      expect((await put(memory.id, change, { agent: 'bob' })).status).toBe(404);
    }
    expect((await put(memory.id, { scope: 'TEAM' })).status).toBe(200);
    expect((await get(`/memory/${memory.id}`, 'bob')).status).toBe(200);
  });

  test.each([
    ['content', 'x'],
    ['id', 'x'],
    ['agent_id', 'mallory'],
    ['kind', 'semantic'],
    ['created_at', '2026-01-01'],
    ['strength', 1],
  ])('does not let %s be changed', async (field, value) => {
    const { memory } = await say(service, 'ann', 'The wiki moves.');
    const answer = await put(memory.id, { tags: ['x'], [field]: value });
    expect([answer.status, answer.body.code]).toEqual([422, 'invalid_request']);
    expect((await get(`/memory/${memory.id}`)).body.memory).toEqual(memory);
  });
});

describe('If-Match', () => {
  test('lets a change through for the version that was read, for one of a list, and for any', async () => {
    const { memory } = await say(service, 'ann', 'The wiki moves.');
    const etag = async () => (await get(`/memory/${memory.id}`)).headers.etag as string;
    expect((await put(memory.id, { tags: ['1'] }, { ifMatch: await etag() })).status).toBe(200);
    expect((await put(memory.id, { tags: ['2'] }, { ifMatch: `"other", ${await etag()} ,"b"` })).status).toBe(200);
    expect((await put(memory.id, { tags: ['3'] }, { ifMatch: '*' })).status).toBe(200);
    const answer = await put(memory.id, { tags: ['4'] }, { ifMatch: await etag() });
    expect(answer.headers.etag).toBe(await etag());
  });

  test('refuses every other version, and nothing is changed', async () => {
    const { memory } = await say(service, 'ann', 'The wiki moves.');
    const old = (await get(`/memory/${memory.id}`)).headers.etag as string;
    await put(memory.id, { tags: ['new'] });
    const now = (await get(`/memory/${memory.id}`)).headers.etag as string;
    const stale = [old, '"x"', `W/${now}`, `${old}, "b"`].map((ifMatch) => [ifMatch, 412, 'precondition_failed']);
    const malformed = ['nonsense', '', now.replaceAll('"', '')].map((ifMatch) => [ifMatch, 422, 'invalid_input']);
    for (const [ifMatch, ...refused] of [...stale, ...malformed]) {
      const answer = await put(memory.id, { tags: ['lost'] }, { ifMatch: ifMatch as string });
      expect([ifMatch, answer.status, answer.body.code]).toEqual([ifMatch, ...refused]);
    }
    expect((await get(`/memory/${memory.id}`)).body.memory.tags).toEqual(['new']);
    expect((await put('none', { tags: [] }, { ifMatch: '*' })).status).toBe(404);
  });

  test('of the same version lets one of many through, though the clock stands still', async () => {
    const { memory } = await say(service, 'ann', 'The wiki moves.');
    for (let round = 0; round < 5; round++) {
      const ifMatch = (await get(`/memory/${memory.id}`)).headers.etag as string;
      const changes = Array.from({ length: 8 }, (_, i) =>
        put(memory.id, { gist: `Round ${round}, try ${i}.` }, { ifMatch }),
      );
      const statuses = (await Promise.all(changes)).map(({ status }) => status);
      expect(statuses.sort()).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
    }
  });
});

describe('DELETE /memory/{id}', () => {
  test('leaves nothing of it anywhere', async () => {
    const message = {
      content: 'Project Nightshade pays Morgenstern.',
      session_id: 's',
      tags: ['nightshade'],
      idempotency_key: 'k',
      name: 'Esmeralda',
    };
    const { memory } = await say(service, 'ann', message);
    await say(service, 'ann', { content: 'Lunch is at noon.', session_id: 's' });
    expect((await remove(`/memory/${memory.id}`)).body).toEqual({ deleted: memory.id });
    expect((await get(`/memory/${memory.id}`)).status).toBe(404);
    expect((await put(memory.id, { tags: [] })).status).toBe(404);
    expect((await remove(`/memory/${memory.id}`)).status).toBe(404);
    const traces = [
      await get('/memories?limit=1000'),
      await get('/memories?q=nightshade'),
      await get('/memories?tag=nightshade'),
      await get('/export'),
      await get('/working_memory?session_id=s'),
      await get('/stats'),
      await supertest(service.app).post('/recall').send({ query: 'What do they pay?', agent_id: 'ann', explain: true }),
    ];
    for (const { status, text } of traces) {
      expect(status).toBe(200);
      expect(text).not.toMatch(/nightshade|morgenstern|esmeralda/i);
    }
    expect((await get('/memories')).body.total).toBe(1);
    expect((await get('/stats')).body.agents.ann.total).toBe(1);
    expect(await service.opened.store.namedIn('Nightshade and Morgenstern', anyProject('ann'))).toEqual([]);
    expect((await service.opened.store.knownTo(anyProject('ann'), null)).speakers.find('Esmeralda')).toBeNull();
    expect(await recalled('Project Nightshade Morgenstern')).not.toContain(memory.id);
    const again = await say(service, 'ann', message);
    expect([again.duplicate, again.memory.id === memory.id]).toEqual([false, false]);
  });

  test('by another agent works for what it sees, and only once when it is asked ten times at once', async () => {
    const open = await say(service, 'ann', 'The wiki moves.');
    const secret = await say(service, 'ann', { content: 'The vault moves.', scope: 'PRIVATE' });
    expect((await remove(`/memory/${secret.memory.id}`, 'bob')).status).toBe(404);
    const statuses = await Promise.all(Array.from({ length: 10 }, () => remove(`/memory/${open.memory.id}`, 'bob')));
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 404)]);
    expect((await get(`/memory/${secret.memory.id}`)).status).toBe(200);
  });

  test('wins over changes and recalls that are under way: the memory never comes back', async () => {
    for (let round = 0; round < 10; round++) {
      const { memory } = await say(service, 'ann', `Fleeting thought number ${round}.`);
      const answers = await Promise.all([
        put(memory.id, { gist: 'Another fleeting thought.' }),
        supertest(service.app).post('/recall').send({ query: 'fleeting thought', agent_id: 'ann' }),
        remove(`/memory/${memory.id}`),
        put(memory.id, { gist: 'Yet another fleeting thought.' }),
        say(service, 'ann', `Fleeting thought number ${round}.`).then(() => ({ status: 200 })),
      ]);
      expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 404)).toEqual([]);
      expect((await get(`/memory/${memory.id}`)).status).toBe(404);
      const listed = (await get('/memories?limit=1000')).body.memories.map(({ id }: { id: string }) => id);
      expect(listed).not.toContain(memory.id);
      expect(await recalled('fleeting thought')).not.toContain(memory.id);
    }
  });
});

describe('DELETE /memories/agent/{agent_id}', () => {
  test('deletes what the caller may see of that agent, and says how many', async () => {
    for (let i = 0; i < 5; i++) await say(service, 'bob', `Fact ${i} of bob.`);
    await say(service, 'bob', { content: 'A secret of bob.', scope: 'PRIVATE' });
    await say(service, 'ann', 'A fact of ann.');
    expect((await remove('/memories/agent/bob', 'ann')).body).toEqual({ deleted: 5 });
    const none = await remove('/memories/agent/bob', 'ann');
    expect([none.status, none.body.code]).toEqual([404, 'no_memories_of_agent']);
    expect((await get('/stats', 'bob')).body.agents).toMatchObject({
      ann: { total: 1 },
      bob: { total: 1, private: 1 },
    });
    // Without a caller the request is that of the agent itself.
    expect((await supertest(service.app).delete('/memories/agent/bob')).body).toEqual({ deleted: 1 });
    expect((await get('/memories')).body.memories.map(({ gist }: { gist: string }) => gist)).toEqual([
      'A fact of ann.',
    ]);
  });

  test('knows no agent that stands for all', async () => {
    await say(service, 'ann', 'A fact of ann.');
    expect((await remove('/memories/agent/*')).status).toBe(404);
    expect((await get('/memories')).body.total).toBe(1);
  });

  test.each(['%20ann', 'a%00b', 'x'.repeat(129)])('refuses %s', async (agent) => {
    const answer = await remove(`/memories/agent/${agent}`);
    expect([answer.status, answer.type]).toEqual([422, 'application/problem+json']);
  });
});

describe('GET /memories', () => {
  interface Told {
    readonly agent: 'ann' | 'bob';
    readonly session: 's1' | 's2' | null;
    readonly scope: 'TEAM' | 'SHARED' | 'PRIVATE';
    readonly tag: 'x' | 'y';
    readonly minute: number;
    readonly word: 'Straße' | 'TULIP' | 'tulip' | 'river';
  }
  const told = fc.record<Told>({
    agent: fc.constantFrom('ann', 'bob'),
    session: fc.constantFrom('s1', 's2', null),
    scope: fc.constantFrom('TEAM', 'SHARED', 'PRIVATE'),
    tag: fc.constantFrom('x', 'y'),
    minute: fc.integer({ min: 0, max: 5 }),
    word: fc.constantFrom('Straße', 'TULIP', 'tulip', 'river'),
  });
  const filters = fc.record(
    {
      session_id: fc.constantFrom('s1', 's2', 's3'),
      agent_id: fc.constantFrom('ann', 'bob', 'carol', '*'),
      scope: fc.constantFrom('TEAM', 'SHARED', 'PRIVATE'),
      tag: fc.constantFrom('x', 'y', 'z'),
      since: fc.integer({ min: 0, max: 6 }),
      until: fc.integer({ min: 0, max: 6 }),
      q: fc.constantFrom('tulip', 'TULIP', 'straße', 'River', ' ', 'nowhere'),
      kind: fc.constantFrom('episodic', 'semantic'),
    },
    { requiredKeys: [] },
  );
  const filter = filters.filter(({ since = 0, until = 7 }) => since < until);
  const at = (minute: number) => new Date(START_MS - (10 - minute) * 60_000).toISOString();
  type Listed = { id: string; created_at: string };

  /** Walks all pages; between two of them the world may change. */
  async function walk(query: Record<string, string>, { between = async () => {}, caller = 'ann' } = {}) {
    const seen: Listed[] = [];
    const totals: number[] = [];
    let cursor: string | null = null;
    do {
      const asked = new URLSearchParams({ ...query, ...(cursor !== null && { cursor }) });
      const {
        body,
        status,
        text,
      }: { body: { memories: Listed[]; total: number; next_cursor: string | null }; status: number; text: string } =
        await get(`/memories?${asked}`, caller);
      expect([status, status === 200 ? '' : text]).toEqual([200, '']);
      seen.push(...body.memories);
      totals.push(body.total);
      cursor = body.next_cursor;
      await between();
    } while (cursor !== null);
    return { seen, totals };
  }

  test('lists what a naive list holds, for every filter, newest first, page by page', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(told, { maxLength: 14 }),
        filter,
        fc.integer({ min: 1, max: 6 }),
        fc.constantFrom('ann', 'bob', 'carol'),
        async (all, wanted, limit, caller) => {
          await emptyStore(service);
          const stored: (Told & Listed)[] = [];
          for (const [i, one] of all.entries()) {
            const { memory } = await say(service, one.agent, {
              content: `${one.word} ${i}`,
              session_id: one.session,
              scope: one.scope,
              tags: [one.tag],
              timestamp: at(one.minute),
            });
            stored.push({ ...one, id: memory.id, created_at: memory.created_at as string });
          }
          const { since, until, ...rest } = wanted;
          const query = {
            ...rest,
            ...(since !== undefined && { since: at(since) }),
            ...(until !== undefined && { until: at(until) }),
            limit: String(limit),
          } as Record<string, string>;
          const expected = stored
            .filter(({ scope, agent }) => scope !== 'PRIVATE' || agent === caller)
            .filter(
              ({ agent }) => wanted.agent_id === undefined || wanted.agent_id === '*' || agent === wanted.agent_id,
            )
            .filter(({ session }) => wanted.session_id === undefined || session === wanted.session_id)
            .filter(({ scope }) => wanted.scope === undefined || scope === wanted.scope)
            .filter(({ tag }) => wanted.tag === undefined || tag === wanted.tag)
            .filter(({ minute }) => since === undefined || minute >= since)
            .filter(({ minute }) => until === undefined || minute < until)
            .filter(({ word }) => wanted.q === undefined || `${word} `.toLowerCase().includes(wanted.q.toLowerCase()))
            .filter(() => wanted.kind !== 'semantic')
            .sort((a, b) => b.created_at.localeCompare(a.created_at) || b.id.localeCompare(a.id));
          const { seen, totals } = await walk(query, { caller });
          expect(seen.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
          expect(new Set(totals)).toEqual(new Set([expected.length]));
        },
      ),
      { numRuns: 60, seed: 4 },
    );
  });

  test('neither skips nor repeats what is there all the time, while others write and delete', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 4, maxLength: 14 }),
        fc.array(
          fc.oneof(
            fc.record({ write: fc.integer({ min: -1, max: 10 }) }),
            fc.record({ remove: fc.integer({ min: 0, max: 13 }) }),
            fc.record({ change: fc.integer({ min: 0, max: 13 }) }),
          ),
          { maxLength: 12 },
        ),
        fc.integer({ min: 1, max: 4 }),
        async (minutes, steps, limit) => {
          await emptyStore(service);
          const stored: Listed[] = [];
          for (const [i, minute] of minutes.entries()) {
            const { memory } = await say(service, 'ann', { content: `Fact ${i}.`, timestamp: at(minute) });
            stored.push(memory as unknown as Listed);
          }
          const removed = new Set<string>();
          let count = 0;
          const between = async () => {
            const step = steps[count++];
            if (step === undefined) return;
            if ('write' in step) await say(service, 'ann', { content: `News ${count}.`, timestamp: at(step.write) });
            else {
              const target = stored[('remove' in step ? step.remove : step.change) % stored.length] as Listed;
              if ('change' in step) await put(target.id, { gist: `Changed ${count}.` });
              else if ((await remove(`/memory/${target.id}`)).status === 200) removed.add(target.id);
            }
          };
          const { seen } = await walk({ limit: String(limit) }, { between });
          const ids = seen.map(({ id }) => id);
          expect(new Set(ids).size).toBe(ids.length);
          const stayed = stored.map(({ id }) => id).filter((id) => !removed.has(id));
          expect(stayed.filter((id) => !ids.includes(id))).toEqual([]);
          expect(seen).toEqual(
            [...seen].sort((a, b) => b.created_at.localeCompare(a.created_at) || b.id.localeCompare(a.id)),
          );
        },
      ),
      { numRuns: 40, seed: 4 },
    );
  });

  test('finds text in gist and content, whatever it holds', async () => {
    const { memory } = await say(service, 'ann', 'A [regular].* expression (?<x>) costs 100% \\ "quoted".');
    for (const q of ['[regular].*', '(?<x>)', '100%', '\\', '"QUOTED"', 'a']) {
      expect((await get(`/memories?q=${encodeURIComponent(q)}`)).body.total).toBe(1);
    }
    await put(memory.id, { gist: 'Something else.' });
    for (const q of ['something', 'regular']) expect((await get(`/memories?q=${q}`)).body.total).toBe(1);
    expect((await get('/memories?q=neither')).body.total).toBe(0);
  });

  test('lists what was never recalled, and what was', async () => {
    await say(service, 'ann', 'The wiki password rotates.');
    await say(service, 'ann', 'The heron stands at the pond.');
    await ask(service, 'ann', { query: 'wiki password', top_k: 1, strengthen: true });
    const listed = async (recalled: boolean) => {
      const { memories, total } = (await get(`/memories?recalled=${recalled}`)).body;
      return [total, memories.map(({ gist }: { gist: string }) => gist)];
    };
    expect(await listed(true)).toEqual([1, ['The wiki password rotates.']]);
    expect(await listed(false)).toEqual([1, ['The heron stands at the pond.']]);
    expect((await get('/memories?recalled=never')).status).toBe(422);
  });

  test('takes a cursor for what it is: a place, which may be gone or of another list', async () => {
    for (let i = 0; i < 6; i++) await say(service, 'ann', { content: `Fact ${i}.`, timestamp: at(i) });
    const { memories, next_cursor } = (await get('/memories?limit=2')).body;
    await remove(`/memory/${memories[1].id}`);
    const next = (await get(`/memories?limit=2&cursor=${next_cursor}`)).body;
    expect(next.memories.map(({ gist }: { gist: string }) => gist)).toEqual(['Fact 3.', 'Fact 2.']);
    expect((await get(`/memories?tag=none&cursor=${next_cursor}`)).body).toEqual({
      memories: [],
      total: 0,
      next_cursor: null,
    });
  });
});

describe('GET /stats', () => {
  test('counts by agent, as far as the caller may see', async () => {
    for (let i = 0; i < 3; i++)
      await say(service, 'ann', { content: `Fact ${i}.`, timestamp: `2026-11-1${i}T10:00:00Z` });
    await say(service, 'ann', { content: 'Secret.', scope: 'PRIVATE' });
    await say(service, 'bob', { content: 'Secret of bob.', scope: 'PRIVATE' });
    const counts = { episodic: 4, semantic: 0, total: 4, private: 1 };
    expect((await get('/stats')).body).toMatchObject({
      agents: { ann: { ...counts, last_active_at: '2026-11-21T09:30:00.123Z' } },
      totals: counts,
    });
    const open = { episodic: 3, semantic: 0, total: 3, private: 0 };
    expect((await get('/stats', 'carol')).body).toMatchObject({
      agents: { ann: { ...open, last_active_at: '2026-11-12T10:00:00.000Z' } },
      totals: open,
    });
    const { memories } = (await get('/memories?agent_id=ann', 'carol')).body;
    await remove(`/memory/${memories[0].id}`);
    expect((await get('/stats', 'carol')).body.agents.ann).toMatchObject({
      total: 2,
      last_active_at: '2026-11-11T10:00:00.000Z',
    });
  });

  test('names only agents of whom the caller sees something', async () => {
    const { memory } = await say(service, 'ann', 'One.');
    await say(service, 'bob', { content: 'Secret of bob.', scope: 'PRIVATE' });
    expect(Object.keys((await get('/stats')).body.agents)).toEqual(['ann']);
    await remove(`/memory/${memory.id}`);
    expect((await get('/stats')).body.agents).toEqual({});
  });

  test('counts the memories of each project that the caller may see, and none that it may not', async () => {
    await say(service, 'ann', { content: 'One of the shop.', project: 'shop' });
    await say(service, 'ann', { content: 'My own of the shop.', project: 'shop', scope: 'PRIVATE' });
    await say(service, 'ann', { content: 'My own of the till.', project: 'till', scope: 'PRIVATE' });
    await say(service, 'bob', { content: 'Shared by the yard.', project: 'yard', scope: 'SHARED' });
    await say(service, 'bob', 'Of no project.');
    expect((await get('/stats')).body.projects).toEqual({ shop: 2, till: 1, yard: 1 });
    expect((await get('/stats', 'carol')).body.projects).toEqual({ shop: 1, yard: 1 });
    expect((await get('/stats?project=till', 'carol')).body.projects).toEqual({ yard: 1 });
    expect((await get('/stats?project=*', 'carol')).body.projects).toEqual({ shop: 1, yard: 1 });
  });
});

describe('GET /export', () => {
  test('gives every memory that the caller may see, one a line, oldest first', async () => {
    const stored: object[] = [];
    // More than one batch.
    for (let i = 0; i < 250; i++) {
      const message = {
        content: `Fact ${i}\nwith a line break\u2028 and "quotes".`,
        timestamp: new Date(START_MS - i * 1000).toISOString(),
      };
      stored.unshift((await say(service, 'ann', message)).memory);
    }
    await say(service, 'bob', { content: 'Secret of bob.', scope: 'PRIVATE' });
    const answer = await get('/export')
      .buffer(true)
      .parse((res, done) => {
        let text = '';
        res.setEncoding('utf8');
        res.on('data', (chunk: string) => {
          text += chunk;
        });
        res.on('end', () => done(null, text));
      });
    expect([answer.status, answer.type]).toEqual([200, 'application/x-ndjson']);
    const lines = (answer.body as string).split('\n');
    expect(lines.pop()).toBe('');
    const asMemory = (line: string) => {
      const { gist_edited, stability_days, ...memory } = JSON.parse(line);
      expect([gist_edited, stability_days > 0]).toEqual([false, true]);
      return memory;
    };
    expect(lines.map(asMemory)).toEqual(stored);
  });
});

describe('--max-memories', () => {
  test('refuses the memory that is one too many, however many are sent at once, and takes it after a delete', async () => {
    const small = await startTestService({ config: { maxMemories: 5 } });
    const ingest = (i: number) =>
      supertest(small.app)
        .post('/ingest')
        .send({ content: `Fact number ${i}.` });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => ingest(i)));
    const stored = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ body }) => body.code === 'memory_limit_reached');
    expect([stored.length, refused.length]).toEqual([5, 15]);
    expect(refused[0]?.status).toBe(409);
    // A memory that is there already takes no further room.
    const known = stored[0]?.body.memory;
    expect((await supertest(small.app).post('/ingest').send({ content: known.content })).body.duplicate).toBe(true);
    await supertest(small.app).delete(`/memory/${known.id}`);
    expect((await ingest(99)).status).toBe(200);
    expect((await ingest(100)).status).toBe(409);
    await small.close();
  });

  test('leaves room for long messages and for as many edits as anybody makes', async () => {
    const small = await startTestService({ config: { maxMemories: 3 } });
    const sentence = (i: number) => `Sentence number ${i} tells of the billing service and its ${i * 3} servers. `;
    const long = (from: number) => Array.from({ length: 900 }, (_, i) => sentence(from + i)).join('');
    for (let i = 0; i < 3; i++) {
      const answer = await supertest(small.app)
        .post('/ingest')
        .send({ content: long(i * 1_000) });
      expect([i, answer.status, answer.status === 200 ? '' : answer.text]).toEqual([i, 200, '']);
    }
    const [{ id }] = (await supertest(small.app).get('/memories')).body.memories;
    for (let i = 0; i < 40; i++) {
      const answer = await supertest(small.app)
        .put(`/memory/${id}`)
        .send({ gist: `Edit ${i}: the tulips are ${i} cm.` });
      expect([i, answer.status, answer.status === 200 ? '' : answer.text]).toEqual([i, 200, '']);
    }
    const { body } = await supertest(small.app).post('/recall').send({ query: 'tulips edit 39' });
    expect(body.memories[0].id).toBe(id);
    await small.close();
  });
});

describe('accents, of which Unicode has two ways to write most', () => {
  const [APART, ONE] = ['cafe\u0301', 'caf\u00e9'];
  const ids = ({ body }: { body: { memories: { id: string }[] } }) => body.memories.map(({ id }) => id);
  beforeEach(() => emptyStore(service));

  test('are the same tag, however it is sent', async () => {
    const { memory } = await say(service, 'ann', { content: 'Lunch is at twelve tomorrow.', tags: [APART, ONE, 'x'] });
    expect(memory.tags).toEqual([ONE, 'x']);
    for (const tag of [APART, ONE]) {
      expect(ids(await get(`/memories?tag=${encodeURIComponent(tag)}`))).toEqual([memory.id]);
      expect((await get(`/memories/agenda?tag=${encodeURIComponent(tag)}`)).text).toContain(memory.id);
      const { memories } = await ask(service, 'ann', { query: 'lunch', tags: [tag] });
      expect(memories.map(({ id }) => id)).toEqual([memory.id]);
    }
    expect((await put(memory.id, { tags: [APART] })).body.memory.tags).toEqual([ONE]);
    const id = '0193a000000070008000000000000abc';
    const record = { id, content: 'Tea is at four.', created_at: '2026-11-01T00:00:00Z', tags: [APART] };
    await supertest(service.app)
      .post('/merge')
      .set('X-Agent-ID', 'ann')
      .send({ memories: [record] });
    expect(ids(await get(`/memories?tag=${encodeURIComponent(ONE)}`))).toHaveLength(2);
  });

  test('are found by q in either way', async () => {
    const said = [`${APART} opens at nine`, `${ONE} closes at five`];
    for (const content of said) await say(service, 'ann', content);
    for (const q of [APART, ONE, ONE.toUpperCase()])
      expect(ids(await get(`/memories?q=${encodeURIComponent(q)}`))).toHaveLength(2);
  });

  test('refuse a tag that is too long as it is kept', async () => {
    // U+FB2C is three characters in NFC.
    const answer = await supertest(service.app)
      .post('/ingest')
      .send({ content: 'x', tags: ['\ufb2c'.repeat(43)] });
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      [
        {
          where: 'body/tags',
          message: 'must have at most 128 characters each, and one has 129 as it is kept (Unicode NFC)',
        },
      ],
    ]);
  });
});
