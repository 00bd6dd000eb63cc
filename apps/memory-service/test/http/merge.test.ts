import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { copyOfKilled } from '@agent-faculties/testing';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { LOCK_FILE } from '../../src/persistence/files/file-names.ts';
import {
  ask,
  closeFastEmbedder,
  fastEmbedder,
  START_MS,
  say,
  startTestService,
  type TestService,
  temporaryFolder,
} from '../start-service.ts';

let remote: TestService;
beforeEach(async () => {
  remote = await startTestService();
});
afterEach(() => remote.close());
afterAll(closeFastEmbedder);

const ID = '0193a000-0000-7000-8000-0000000000';
const id = (number: number) => `${ID}${String(number).padStart(2, '0')}`;

/** A memory as an answer of the service shows it. */
function wire(number: number, changes: Record<string, unknown> = {}) {
  const gist = `The staging database of project Kestrel was moved to rack ${number}.`;
  return {
    id: id(number),
    gist,
    content: gist,
    tags: ['infra'],
    importance: 0.4,
    agent_id: 'ann',
    session_id: 'monday',
    scope: 'TEAM',
    kind: 'episodic',
    role: 'user',
    name: 'Ann',
    entities: [{ name: 'Kestrel', type: 'project' }],
    created_at: '2026-11-20T09:30:00.000Z',
    updated_at: '2026-11-20T09:30:00.000Z',
    last_recalled_at: null,
    recall_count: 0,
    strength: 1,
    sources: [],
    consolidated_into: null,
    superseded_by: null,
    supersession: null,
    project: null,
    valid_from: null,
    valid_until: null,
    invalidation: null,
    expires_at: null,
    metadata: {},
    ...changes,
  };
}

const ndjson = (...records: unknown[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');

const stream = (body: string | Buffer, { agent = 'ann', query = '' } = {}) =>
  supertest(remote.app)
    .post(`/merge${query}`)
    .set('X-Agent-ID', agent)
    .type('application/x-ndjson')
    .send(body as string);

const merge = async (records: readonly unknown[], agent = 'ann') => {
  const answer = await supertest(remote.app).post('/merge').set('X-Agent-ID', agent).send({ memories: records });
  if (answer.status !== 200) throw new Error(`merge answered ${answer.status}: ${answer.text}`);
  return answer.body.report;
};

const read = async (memoryId: string, agent = 'ann') =>
  await supertest(remote.app).get(`/memory/${memoryId}`).set('X-Agent-ID', agent);

const reasons = (report: { rejected: { index: number; reason: string }[] }) =>
  report.rejected.map(({ index, reason }) => [index, reason]);

const NOT_FREE = 'its id is not free here: a memory of this id was deleted, or is not yours to see';

describe('a merge', () => {
  test('takes in a JSON body, keeps every field and reports what became of the records', async () => {
    const memory = wire(1, {
      source: 'tool',
      project: 'web-shop',
      valid_from: '2026-11-01T00:00:00.000Z',
      valid_until: '2026-12-01T00:00:00.000Z',
      invalidation: { agent_id: 'bob', at: '2026-11-20T11:00:00.000Z', reason: 'It moved.' },
      expires_at: '2027-01-01T00:00:00.000Z',
      metadata: { source: 'wiki' },
      recall_count: 3,
      last_recalled_at: '2026-11-20T10:00:00.000Z',
    });
    const answer = await supertest(remote.app)
      .post('/merge')
      .send({ agent_id: 'ann', memories: [memory] });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      report: {
        received: 1,
        added: 1,
        updated: 0,
        duplicates: 0,
        rejected_count: 0,
        rejected: [],
        without_vectors: 1,
        dry_run: false,
      },
    });
    const { strength: _, ...stored } = (await read(id(1))).body.memory;
    const { strength: __, ...sent } = memory;
    expect(stored).toEqual(sent);
  });

  test('keeps the source of a record; one that does not say is of source import, and none changes what is known', async () => {
    await merge([wire(1, { source: 'user' }), wire(2)]);
    const sources = async () => [(await read(id(1))).body.memory.source, (await read(id(2))).body.memory.source];
    expect(await sources()).toEqual(['user', 'import']);
    const later = { updated_at: '2026-11-21T09:00:00.000Z', tags: ['later'] };
    expect(await merge([wire(1, later), wire(2, { ...later, source: 'user' })])).toMatchObject({ updated: 2 });
    expect(await sources()).toEqual(['user', 'import']);
    expect(reasons(await merge([wire(3, { source: 'me' })]))).toEqual([
      [0, expect.stringContaining('source must be one of')],
    ]);
  });

  test('takes in lines, and a last one without a line end', async () => {
    const answer = await stream(`${JSON.stringify(wire(1))}\r\n\n${JSON.stringify(wire(2))}`);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.body.report).toMatchObject({ received: 2, added: 2, rejected: [] });
  });

  test('makes the vectors that are missing, and recall finds the memory by its meaning', async () => {
    await merge([wire(1, { content: 'The dog ate my homework.', gist: 'The dog ate my homework.' })]);
    await until(async () => (await health()).embedding.pending === 0);
    expect((await health()).vectors).toBe(1);
    expect((await ask(remote, 'bob', 'a puppy swallowed the school exercise')).memories[0]?.id).toBe(id(1));
  });

  test('of an export leaves another store with the same memories and vectors', async () => {
    await say(remote, 'ann', {
      content: 'We picked PostgreSQL 16 for Kestrel last week.',
      session_id: 's',
      tags: ['db'],
      name: 'Ann',
    });
    await say(remote, 'ann', { content: 'My key is in the blue box.', scope: 'PRIVATE' });
    await say(remote, 'bob', 'Long story. '.repeat(200));
    const { memory: edited } = await say(remote, 'bob', 'The demo is on Monday.');
    await supertest(remote.app).put(`/memory/${edited.id}`).send({ gist: 'The demo is on Tuesday.' });
    await ask(remote, 'ann', { query: 'PostgreSQL for Kestrel', strengthen: true });
    const exported = (await exportAll('ann', '?vectors=true')).text;
    const before = await listed('ann');
    const other = await startTestService();
    const origin = remote;
    remote = other;
    try {
      const { report } = (await stream(exported)).body;
      expect(report).toMatchObject({ received: 4, added: 4, rejected: [], without_vectors: 0 });
      expect(await listed('ann')).toEqual(before);
      expect((await exportAll('ann', '?vectors=true')).text).toBe(exported);
      expect((await health()).embedding.pending).toBe(0);
    } finally {
      await origin.close();
    }
  });

  test('of an export is read without a warning of Node that too many listen to the answer', async () => {
    await say(remote, 'ann', { content: 'The staging database was moved to rack 7.' });
    let most = 0;
    let limit = 0;
    const watched: RequestListener = (req, res) => {
      res.on('newListener', (event) => {
        if (event === 'close') most = Math.max(most, res.listenerCount(event) + 1);
        limit = res.getMaxListeners() || Number.POSITIVE_INFINITY;
      });
      // As tracing does.
      res.once('close', () => {});
      remote.app(req, res);
    };
    await supertest(watched).get('/export').expect(200);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(limit);
  });

  test('of the same again changes nothing', async () => {
    const lines = ndjson(wire(1), wire(2), wire(3));
    await stream(lines);
    const before = await listed('ann');
    const { body } = await stream(lines);
    expect(body.report).toMatchObject({ received: 3, added: 0, updated: 0, duplicates: 3, rejected: [] });
    expect(await listed('ann')).toEqual(before);
  });

  test('that says dry_run tells what would happen, and nothing does', async () => {
    await merge([wire(1)]);
    const lines = ndjson(wire(1, { updated_at: '2026-11-20T10:00:00Z', tags: [] }), wire(2), wire(2), { id: 'x' });
    const { report } = (await stream(lines, { query: '?dry_run=true' })).body;
    expect(report).toMatchObject({
      received: 4,
      added: 1,
      updated: 1,
      duplicates: 1,
      rejected_count: 1,
      dry_run: true,
    });
    const inBody = await supertest(remote.app)
      .post('/merge')
      .send({ memories: [wire(2)], dry_run: true });
    expect(inBody.body.report).toMatchObject({ added: 1, dry_run: true });
    expect((await read(id(2))).status).toBe(404);
    expect((await read(id(1))).body.memory.tags).toEqual(['infra']);
  });

  test('of a thousand records lets others in between', async () => {
    const lines = ndjson(...Array.from({ length: 1_000 }, (_, i) => ({ ...wire(1), ...distinct(i) })));
    let answered = 0;
    const merging = stream(lines).then(({ body }) => ({ report: body.report, answered }));
    while (answered < 5) {
      await say(remote, 'bob', `Something else ${answered}`);
      answered++;
    }
    expect(await merging).toMatchObject({ report: { added: 1_000 }, answered: expect.any(Number) });
    expect(await total('ann')).toBe(1_005);
  });
});

describe('of two records of one id', () => {
  test('the later one stays, whichever comes first, and the recalls of both count', async () => {
    const older = wire(1, { recall_count: 5, last_recalled_at: '2026-11-20T11:00:00.000Z' });
    const newer = wire(1, {
      gist: 'Rack 7 it is.',
      gist_edited: true,
      importance: 0.9,
      updated_at: '2026-11-20T10:00:00.000Z',
      recall_count: 2,
      last_recalled_at: '2026-11-20T10:30:00.000Z',
    });
    expect(await merge([older, newer])).toMatchObject({ added: 1, updated: 1, duplicates: 0 });
    const first = (await read(id(1))).body.memory;
    expect(first).toMatchObject({
      gist: 'Rack 7 it is.',
      content: older.content,
      importance: 0.9,
      recall_count: 5,
      last_recalled_at: '2026-11-20T11:00:00.000Z',
    });
    await remote.close();
    remote = await startTestService();
    expect(await merge([newer, older])).toMatchObject({ added: 1, updated: 0, duplicates: 1 });
    expect((await read(id(1))).body.memory).toEqual(first);
    expect((await ask(remote, 'bob', 'rack 7')).memories[0]?.gist).toBe('Rack 7 it is.');
  });

  test('one of another agent is rejected, and the memory stays with its own', async () => {
    await merge([wire(1)]);
    const report = await merge(
      [wire(1, { agent_id: 'bob', updated_at: '2026-11-21T09:00:00Z', gist: 'Mine.' })],
      'bob',
    );
    expect(reasons(report)).toEqual([
      [0, "its id belongs to a memory of agent 'ann' here: a memory never changes its agent"],
    ]);
    expect((await read(id(1))).body.memory).toMatchObject({ agent_id: 'ann', gist: wire(1).gist });
  });

  test('one that was deleted here does not come back', async () => {
    await merge([wire(1), wire(2)]);
    await supertest(remote.app)
      .delete(`/memory/${id(1)}`)
      .set('X-Agent-ID', 'ann');
    const report = await merge([wire(1, { updated_at: '2026-11-21T09:00:00Z' }), wire(2)]);
    expect(report).toMatchObject({ duplicates: 1, rejected: [{ index: 0, reason: NOT_FREE }] });
    expect((await read(id(1))).status).toBe(404);
  });
});

describe('what was deleted stays deleted', () => {
  const folder = temporaryFolder();
  afterAll(folder.remove);

  test.each([
    ['a stop', 'stopped'],
    ['a crash', 'killed'],
  ])('after %s', async (_, name) => {
    await remote.close();
    const dataDir = join(folder.path, name);
    remote = await startTestService({ dataDir, embedder: null });
    await merge([wire(1), wire(2)]);
    await supertest(remote.app)
      .delete(`/memory/${id(1)}`)
      .set('X-Agent-ID', 'ann');
    const crashed = join(folder.path, `${name} copy`);
    copyOfKilled(dataDir, { to: crashed, without: [LOCK_FILE] });
    await remote.close();
    remote = await startTestService({ dataDir: name === 'killed' ? crashed : dataDir, embedder: null });
    expect(await merge([wire(1), wire(2)])).toMatchObject({
      duplicates: 1,
      rejected: [{ index: 0, reason: NOT_FREE }],
    });
  });
});

test('what is changed after a merge that names a successor of another project is there after a kill -9', async () => {
  const folder = temporaryFolder();
  await remote.close();
  remote = await startTestService({ dataDir: join(folder.path, 'data'), embedder: null });
  await merge([wire(1), wire(2, { project: 'till' })]);
  await merge([wire(1, { superseded_by: id(2), updated_at: '2026-11-21T09:00:00Z' })]);
  expect((await read(id(1))).body.memory.superseded_by).toBeNull();
  await supertest(remote.app).post('/save').send({});
  const changed = await supertest(remote.app)
    .put(`/memory/${id(1)}`)
    .send({ tags: ['kept'] });
  expect(changed.status).toBe(200);
  copyOfKilled(join(folder.path, 'data'), { to: join(folder.path, 'copy'), without: [LOCK_FILE] });
  await remote.close();
  remote = await startTestService({ dataDir: join(folder.path, 'copy'), embedder: null });
  expect((await read(id(1))).body).toEqual(changed.body);
  await remote.close();
  folder.remove();
});

describe('PRIVATE memories', () => {
  const secret = wire(1, { scope: 'PRIVATE', content: 'The PIN is 4711.', gist: 'The PIN is 4711.' });

  test('are taken from their own agent, and seen by it alone', async () => {
    expect(await merge([secret])).toMatchObject({ added: 1 });
    expect((await read(id(1))).body.memory.scope).toBe('PRIVATE');
    expect((await read(id(1), 'bob')).status).toBe(404);
  });

  test('are not taken from others, whether they are known or not', async () => {
    const unknown = await merge([secret], 'bob');
    await merge([secret]);
    const known = await merge([secret], 'bob');
    expect(known).toEqual(unknown);
    expect(known.rejected[0].reason).toMatch(/^a PRIVATE memory is only taken from its own agent/);
  });

  test('stay as they are when others send their id, which is told what a deleted one would be told', async () => {
    await merge([secret, wire(2)]);
    await supertest(remote.app)
      .delete(`/memory/${id(2)}`)
      .set('X-Agent-ID', 'ann');
    const late = { updated_at: '2026-11-21T09:00:00Z' };
    const report = await merge([wire(1, late), wire(2, late), wire(1, { agent_id: 'bob', ...late })], 'bob');
    expect(reasons(report)).toEqual([
      [0, NOT_FREE],
      [1, NOT_FREE],
      [2, NOT_FREE],
    ]);
    expect((await read(id(1))).body.memory).toMatchObject({ scope: 'PRIVATE', content: 'The PIN is 4711.' });
  });

  test('do not make duplicates of what others say with the same words', async () => {
    await merge([secret]);
    expect(await merge([{ ...secret, id: id(2), agent_id: 'bob' }], 'bob')).toMatchObject({ added: 1, duplicates: 0 });
  });

  test('can be opened by a newer record of their own agent only', async () => {
    await merge([secret]);
    const opened = { ...secret, scope: 'TEAM', updated_at: '2026-11-20T12:00:00Z' };
    expect(await merge([opened], 'bob')).toMatchObject({ rejected_count: 1 });
    expect(await merge([opened], 'ann')).toMatchObject({ updated: 1 });
    expect((await read(id(1), 'bob')).body.memory.scope).toBe('TEAM');
  });

  test('identity in metadata changes neither owner nor scope', async () => {
    const metadata = { agent_id: 'ann', scope: 'TEAM', id: id(9), __proto__x: 1 };
    await merge([{ ...secret, agent_id: 'bob', metadata }], 'bob');
    expect((await read(id(1), 'bob')).body.memory).toMatchObject({ agent_id: 'bob', scope: 'PRIVATE', metadata });
    expect((await read(id(1), 'ann')).status).toBe(404);
  });
});

describe('words that are known', () => {
  test('of the same agent in the same session within a day are a duplicate under any id', async () => {
    await merge([wire(1)]);
    const same = wire(1, { id: id(2), created_at: '2026-11-21T09:29:00.000Z' });
    const later = wire(1, { id: id(3), created_at: '2026-11-21T09:31:00.000Z' });
    const elsewhere = wire(1, { id: id(4), session_id: 'tuesday' });
    const other = wire(1, { id: id(5), agent_id: 'bob' });
    expect(await merge([same, later, elsewhere, other])).toMatchObject({ added: 3, duplicates: 1 });
    expect((await read(id(2))).status).toBe(404);
    expect((await read(id(1))).body.memory.recall_count).toBe(0);
  });

  test('with another number are news', async () => {
    expect(await merge([wire(5), { ...wire(6), name: 'Ann' }])).toMatchObject({ added: 2 });
  });

  test('that an ingest brings at the same moment are stored once', async () => {
    const said = wire(1, { session_id: null, name: null, created_at: new Date(START_MS).toISOString() });
    const [report, { memory }] = await Promise.all([
      merge([said]),
      say(remote, 'ann', { content: said.content, role: 'user' }),
    ]);
    expect(report.added + report.duplicates).toBe(1);
    expect(await total('ann')).toBe(1);
    expect((await read(memory.id)).status).toBe(200);
  });
});

describe('semantic memories', () => {
  const derived = (changes = {}) =>
    wire(9, {
      kind: 'semantic',
      role: null,
      name: null,
      gist: 'Racks 1 and 2 hold the databases.',
      content: 'Racks 1 and 2 hold the databases.',
      sources: [id(1), id(2)],
      updated_at: '2026-11-20T23:00:00.000Z',
      ...changes,
    });

  test('that were derived are not taken: they could tell what was made PRIVATE or edited here', async () => {
    await merge([wire(1), wire(2)]);
    await supertest(remote.app)
      .put(`/memory/${id(1)}`)
      .set('X-Agent-ID', 'ann')
      .send({ scope: 'PRIVATE' });
    await supertest(remote.app)
      .put(`/memory/${id(2)}`)
      .send({ gist: 'Nothing to see here.' });
    const later = new Date(remote.clock.now() + 60_000).toISOString();
    const report = await merge([
      derived({ updated_at: later }),
      derived({ updated_at: later, sources: [id(7), id(8)] }),
      derived({ sources: [] }),
    ]);
    expect(report).toMatchObject({ added: 1, rejected_count: 2 });
    expect(report.rejected[0].reason).toMatch(/send those, and consolidation derives it again/);
  });

  test('of this server are known to it', async () => {
    for (const number of [1, 2, 3]) {
      await say(remote, 'ann', `The connection pool of the ledger service has ${number}0 connections per replica.`);
    }
    await supertest(remote.app).post('/consolidate').send({});
    const { body } = await supertest(remote.app).get('/memories?kind=semantic');
    expect(body.memories).toHaveLength(1);
    expect(await merge(body.memories)).toMatchObject({ duplicates: 1, rejected: [] });
  });

  test('must not name themselves, nor a successor that leads back to them', async () => {
    const report = await merge([
      derived({ sources: [id(9)] }),
      wire(1, { superseded_by: id(2) }),
      wire(2, { superseded_by: id(3) }),
      wire(3, { superseded_by: id(1) }),
      wire(4, { consolidated_into: id(4) }),
    ]);
    expect(report).toMatchObject({ added: 3, rejected_count: 2 });
    expect(report.rejected.map(({ index }: { index: number }) => index)).toEqual([0, 3]);
    expect((await read(id(4))).body.memory.consolidated_into).toBeNull();
    expect((await read(id(1))).body.memory.superseded_by).toBe(id(2));
    // Its successor was rejected.
    expect((await read(id(2))).body.memory).toMatchObject({ superseded_by: null, supersession: null });
    const later = await merge([wire(2, { superseded_by: id(1), updated_at: '2026-11-21T09:00:00.000Z' })]);
    expect(later).toMatchObject({ updated: 0, rejected_count: 1 });
    expect((await read(id(1))).body.memory.superseded_by).toBe(id(2));
  });

  test('are superseded by nothing that the same request has rejected, wherever it stood', async () => {
    const broken = { ...wire(1), importance: 7 };
    const foreign = wire(2, { scope: 'PRIVATE', agent_id: 'bob' });
    const many = Array.from({ length: 200 }, (_, i) => ({
      ...wire(1),
      content: `Rack ${i} is empty.`,
      gist: `Rack ${i} is empty.`,
      id: `0193a000-0000-7000-8000-0000000001${String(i).padStart(3, '0')}`.replace('0000000001', '000000001'),
    }));
    const report = await merge([
      wire(3, { superseded_by: id(1) }),
      wire(4, { superseded_by: id(2) }),
      wire(5, { superseded_by: id(9) }),
      ...many,
      broken,
      foreign,
      wire(6, { superseded_by: id(1) }),
    ]);
    expect(report).toMatchObject({ added: 204, rejected_count: 2 });
    const successors = [];
    for (const number of [3, 4, 5, 6]) successors.push((await read(id(number))).body.memory.superseded_by);
    // The one of no record may come later.
    expect(successors).toEqual([null, null, id(9), null]);
  });

  test('are superseded by nothing that was deleted here, which never comes', async () => {
    await merge([wire(1)]);
    await supertest(remote.app)
      .delete(`/memory/${id(1)}`)
      .set('X-Agent-ID', 'ann');
    expect(await merge([wire(2, { superseded_by: id(1) })])).toMatchObject({ added: 1 });
    expect((await read(id(2))).body.memory).toMatchObject({ superseded_by: null, supersession: null });
  });

  test('are superseded by what says the words of their successor here, and never by themselves', async () => {
    await merge([wire(1)]);
    const sameWords = (number: number, changes = {}) => ({ ...wire(1), id: id(number), ...changes });
    const records = [wire(3, { superseded_by: id(2) }), sameWords(2), wire(4, { superseded_by: id(2) })];
    expect(await merge(records)).toMatchObject({ added: 2, duplicates: 1 });
    for (const number of [3, 4]) expect((await read(id(number))).body.memory.superseded_by).toBe(id(1));
    expect(await merge(records)).toMatchObject({ added: 0, updated: 0, duplicates: 3 });
    expect((await read(id(3))).body.memory.superseded_by).toBe(id(1));

    const newer = { superseded_by: id(5), updated_at: '2026-11-21T09:00:00.000Z' };
    expect(await merge([wire(1, newer), sameWords(5)])).toMatchObject({ updated: 1, duplicates: 1 });
    expect((await read(id(1))).body.memory.superseded_by).toBeNull();
  });

  test('went into another one only where that is there after the merge, wherever it stood, and for all who see them', async () => {
    await merge([wire(1)]);
    await supertest(remote.app)
      .post('/merge')
      .send({ agent_id: 'bob', memories: [wire(2, { scope: 'PRIVATE', agent_id: 'bob' })] });
    const into = (number: number) => ({ consolidated_into: id(number) });
    const records = [
      wire(11, into(1)),
      wire(12, into(2)),
      wire(13, into(99)),
      wire(14, into(21)),
      wire(15, into(22)),
      wire(16, into(23)),
      wire(21),
      { ...wire(1), id: id(22) },
      { ...wire(23), importance: 7 },
    ];
    expect(await merge(records)).toMatchObject({ added: 7, duplicates: 1, rejected_count: 1 });
    const told = async () => {
      const all = [];
      for (const number of [11, 12, 13, 14, 15, 16]) all.push((await read(id(number))).body.memory.consolidated_into);
      return all;
    };
    // The words of 22 are known as 1.
    expect(await told()).toEqual([id(1), null, null, id(21), id(1), null]);
    expect(await merge(records)).toMatchObject({ added: 0, updated: 0, duplicates: 8 });
    expect(await told()).toEqual([id(1), null, null, id(21), id(1), null]);
  });

  test('go into one project where the request names it, and each into its own where it names none', async () => {
    const records = [
      wire(1, { project: 'shop' }),
      wire(2, { project: 'till' }),
      wire(3),
      wire(4, { project: undefined }),
    ];
    const inShop = await supertest(remote.app)
      .post('/merge')
      .send({ agent_id: 'ann', project: 'shop', memories: records });
    expect(reasons(inShop.body.report)).toEqual([
      [
        1,
        expect.stringContaining("does not belong to project 'shop', which the request names: name none in the request"),
      ],
      [2, expect.stringContaining('name none in the request')],
    ]);
    expect(await merge(records)).toMatchObject({ added: 2, duplicates: 2, rejected: [] });
  });
});

describe('vectors', () => {
  const text = 'A short text, though of more than six words.';
  const unit = async () => (await (await fastEmbedder()).embed([text]))[0] as Float32Array;
  const base64 = (vector: Float32Array) =>
    Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
  const post = async (body: Record<string, unknown>) => await supertest(remote.app).post('/merge').send(body);

  test('of this model are used as they are', async () => {
    const model = (await fastEmbedder()).modelId;
    const memories = [wire(1, { content: text, gist: text }), wire(2)];
    const { body } = await post({ memories, embedding_model: model, vectors: [[base64(await unit())], null] });
    expect(body.report).toMatchObject({ added: 2, without_vectors: 1 });
    const [line] = (await exportAll('ann', '?vectors=true')).text.split('\n');
    expect(JSON.parse(line as string)).toMatchObject({ embedding_model: model, vectors: [base64(await unit())] });
  });

  test('of another model, or of another number of pieces, are made again', async () => {
    const model = (await fastEmbedder()).modelId;
    const vector = base64(await unit());
    const lines = ndjson(
      wire(1, { embedding_model: 'other@1', vectors: [vector] }),
      wire(2, { embedding_model: model, vectors: [vector, vector] }),
      wire(3, { vectors: null }),
    );
    expect((await stream(lines)).body.report).toMatchObject({ added: 3, without_vectors: 3, rejected: [] });
  });

  test('that are none are rejected with their record', async () => {
    const embedding_model = (await fastEmbedder()).modelId;
    const long = (await unit()).map((value) => 2 * value);
    const broken = (await unit()).map((value, i) => (i === 3 ? Number.NaN : value));
    const { report } = (
      await stream(
        ndjson(
          wire(1, { embedding_model, vectors: ['AAAA'] }),
          wire(2, { embedding_model, vectors: [base64(long)] }),
          wire(3, { embedding_model, vectors: [base64(broken)] }),
          wire(4, { embedding_model, vectors: 'AAAA' }),
          wire(5, { vectors: ['AAAA'] }),
          wire(6, { embedding_model, vectors: [7] }),
        ),
      )
    ).body;
    expect(reasons(report)).toEqual([
      [0, 'vectors must each be base64 of 240 32-bit floats, little-endian'],
      [1, 'vectors must each be of length 1'],
      [2, 'vectors must each be of length 1'],
      [3, 'vectors must be a list, one for each chunk of the text'],
      [4, 'embedding_model must name the model of the vectors'],
      [5, 'vectors must each be base64 of 240 32-bit floats, little-endian'],
    ]);
  });

  test('must be as many lists as there are memories', async () => {
    const answer = await post({ memories: [wire(1)], embedding_model: 'x', vectors: [] });
    expect([answer.status, answer.body.code, answer.body.errors[0].where]).toEqual([
      422,
      'invalid_input',
      'body/vectors',
    ]);
  });
});

describe('each record is judged by itself', () => {
  test('and what is wrong with it is said', async () => {
    const broken: [string, Record<string, unknown>, string][] = [
      ['an id that is none', { id: '../etc' }, 'id must be a UUID in lower case'],
      ['no content', { content: undefined }, 'content is required'],
      ['blank content', { content: ' \n ' }, 'content is blank: send words'],
      ['long content', { content: 'x'.repeat(200_001) }, 'content has more than 200000 characters'],
      ['a long name', { name: 'x'.repeat(129) }, 'name must be 1 to 128 characters'],
      ['control characters in an agent', { agent_id: 'a\u0000b' }, 'agent_id must be 1 to 128 characters'],
      ['all agents', { agent_id: '*' }, "agent_id must name one agent: '*' means all agents"],
      ['an agent with blanks', { agent_id: ' ann' }, 'agent_id begins or ends with a blank'],
      ['control characters in a session', { session_id: 'a\nb' }, 'session_id must be 1 to 128 characters'],
      ['control characters in a tag', { tags: ['a\u0007'] }, 'tags/0 must be 1 to 128 characters'],
      ['too many tags', { tags: Array.from({ length: 65 }, (_, i) => `t${i}`) }, 'tags must be a list of at most 64'],
      ['an unknown scope', { scope: 'PUBLIC' }, 'scope must be one of TEAM, SHARED, PRIVATE'],
      ['an unknown kind', { kind: 'dream' }, 'kind must be one of episodic, semantic'],
      ['an unknown role', { role: 'ghost' }, 'role must be one of user, assistant, system'],
      ['importance beyond 1', { importance: 1.1 }, 'importance must be a number from 0 to 1'],
      ['no instant', { created_at: 'yesterday' }, "created_at: 'yesterday' is not an instant"],
      ['no created_at', { created_at: undefined }, 'created_at is required'],
      ['a day that does not exist', { created_at: '2026-02-31' }, "created_at: '2026-02-31' is not an instant"],
      ['the future', { created_at: '2026-11-23T00:00:00Z' }, 'created_at lies more than a day ahead'],
      ['a change in the future', { updated_at: '2099-01-01T00:00:00Z' }, 'updated_at lies more than a day ahead'],
      ['before 1970', { created_at: '1969-12-31T23:59:59Z' }, 'created_at lies before 1970'],
      ['half a recall', { recall_count: 0.5 }, 'recall_count must be a whole number'],
      ['negative recalls', { recall_count: -1 }, 'recall_count must be a whole number from 0 to'],
      ['entities that are none', { entities: ['Kestrel'] }, 'entities/0 must be an object'],
      ['an unknown source', { sources: ['x'] }, 'sources/0 must be a UUID in lower case'],
      [
        'an end before the beginning',
        { valid_from: '2026-12-01T00:00:00Z', valid_until: '2026-11-01T00:00:00Z' },
        'valid_until must be later than valid_from',
      ],
      ['an odd successor', { superseded_by: 7 }, 'superseded_by must be a UUID in lower case'],
      ['metadata that is a list', { metadata: [] }, 'metadata must be an object'],
      ['large metadata', { metadata: { x: 'x'.repeat(65_536) } }, 'metadata has 65544 bytes as JSON'],
      ['a gist that is none', { gist: 7 }, 'gist must be a text'],
    ];
    const records = broken.flatMap(([, changes], i) => [wire(2 * i, changes), wire(2 * i + 1)]);
    const { report } = (await stream(ndjson(...records))).body;
    expect(report).toMatchObject({ received: 2 * broken.length, added: broken.length, rejected_count: broken.length });
    for (const [i, [what, , reason]] of broken.entries()) {
      const { index, reason: told } = report.rejected[i];
      expect([what, index, told.slice(0, reason.length)]).toEqual([what, 2 * i, reason]);
    }
    expect(await total('ann')).toBe(broken.length);
  });

  test('lines that are cut, no JSON, no object, no UTF-8 or too deep', async () => {
    const body = Buffer.concat([
      Buffer.from(`${JSON.stringify(wire(1))}\n{"id": nonsense}\n[1]\n7\n`),
      Buffer.from([0x7b, 0xff, 0x7d, 0x0a]),
      Buffer.from(`${JSON.stringify({ ...wire(2), metadata: JSON.parse('['.repeat(100) + ']'.repeat(100)) })}\n`),
      Buffer.from(JSON.stringify(wire(3)).slice(0, 100)),
    ]);
    const answer = await stream(body);
    expect(reasons(answer.body.report)).toEqual([
      [1, 'is not JSON'],
      [2, 'is not a JSON object'],
      [3, 'is not a JSON object'],
      [4, 'is not UTF-8'],
      [5, 'is nested deeper than 64 levels'],
      [6, 'is not JSON'],
    ]);
    expect(answer.body.report).toMatchObject({ received: 7, added: 1 });
  });

  test('a line beyond 4 MiB is rejected, and the next one taken', async () => {
    const report = (await stream(ndjson(wire(1, { metadata: { x: 'x'.repeat(5 * 1024 ** 2) } }), wire(2)))).body.report;
    expect(reasons(report)).toEqual([[0, 'has more than 4194304 bytes']]);
    expect(report.added).toBe(1);
  });

  test('an entry of a JSON body that is no object', async () => {
    expect(reasons(await merge([null, 'x', [wire(1)], wire(2)]))).toEqual([
      [0, 'is not a JSON object'],
      [1, 'is not a JSON object'],
      [2, 'is not a JSON object'],
    ]);
  });

  test('what is missing is made as for a new message, and unknown fields are left out', async () => {
    await merge(
      [{ id: id(1), content: 'Kestrel 2.4 ships on Friday.', created_at: '2026-11-20T09:30:00Z', score: 1 }],
      'eve',
    );
    expect((await read(id(1), 'eve')).body.memory).toMatchObject({
      gist: 'Kestrel 2.4 ships on Friday.',
      agent_id: 'eve',
      scope: 'TEAM',
      kind: 'episodic',
      session_id: null,
      tags: [],
      entities: [{ name: '2.4', type: 'version' }],
      created_at: '2026-11-20T09:30:00.000Z',
      updated_at: '2026-11-20T09:30:00.000Z',
    });
  });

  test('what is beyond the limit of the server', async () => {
    await remote.close();
    remote = await startTestService({ config: { maxMemories: 2 } });
    const report = await merge([wire(1), wire(2), wire(3), wire(1)]);
    expect(report).toMatchObject({ added: 2, duplicates: 1, rejected: [{ index: 2 }] });
    expect(report.rejected[0].reason).toBe(
      'the server holds as many memories as it may: delete some, or raise --max-memories',
    );
  });
});

describe('a request that is none', () => {
  test.each<[string, () => supertest.Test, number, string]>([
    [
      'another content type',
      () => supertest(remote.app).post('/merge').type('text/csv').send('id'),
      415,
      'unsupported_media_type',
    ],
    ['no memories', () => supertest(remote.app).post('/merge').send({}), 422, 'invalid_request'],
    [
      'unknown fields',
      () => supertest(remote.app).post('/merge').send({ memories: [], force: true }),
      422,
      'invalid_request',
    ],
    [
      'all agents',
      () => supertest(remote.app).post('/merge?agent_id=*').send({ memories: [] }),
      422,
      'invalid_identity',
    ],
    [
      'gzip',
      () => supertest(remote.app).post('/merge').type('application/x-ndjson').set('Content-Encoding', 'gzip').send('x'),
      415,
      'unsupported_media_type',
    ],
    [
      'an odd dry_run',
      () => supertest(remote.app).post('/merge?dry_run=maybe').send({ memories: [] }),
      422,
      'invalid_request',
    ],
  ])('%s', async (_, send, status, code) => {
    const answer = await send();
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.body.detail).toMatch(/\.(?: A body that fits: \{.*\})?$/);
  });

  test('an empty one takes in nothing', async () => {
    expect((await stream('')).body.report).toMatchObject({ received: 0, added: 0 });
    expect(await merge([])).toMatchObject({ received: 0 });
  });
});

const exportAll = async (agent: string, query = '') =>
  await supertest(remote.app).get(`/export${query}`).set('X-Agent-ID', agent).buffer();

const listed = async (agent: string) =>
  (await supertest(remote.app).get('/memories?limit=1000').set('X-Agent-ID', agent)).body.memories;

const total = async (agent: string) =>
  (await supertest(remote.app).get('/memories?limit=1').set('X-Agent-ID', agent)).body.total;

const health = async () => (await supertest(remote.app).get('/health')).body;

/** A record with words and an id that no other has. */
function distinct(number: number) {
  const content = `Rack number ${number}.`;
  return { id: `0193a000-0000-7000-9000-${String(number).padStart(12, '0')}`, content, gist: content };
}

/** Waits until the work in the background has come so far. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise(setImmediate);
}
