import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { copyOfKilled } from '@agent-faculties/testing';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { LOCK_FILE } from '../../src/persistence/files/file-names.ts';
import {
  ask,
  closeFastEmbedder,
  START_MS,
  say,
  startTestService,
  type TestService,
  temporaryFolder,
} from '../start-service.ts';
import { id, mergingInto, ndjson, reasons, wire } from './merging.ts';

let remote: TestService;
beforeEach(async () => {
  remote = await startTestService();
});
afterEach(() => remote.close());
afterAll(closeFastEmbedder);

const { exportAll, health, listed, merge, read, stream, total } = mergingInto(() => remote);

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

  test('changes nothing by a record that does not say when it was changed and has the known content', async () => {
    const bare = { id: id(1), content: 'Use tabs.', created_at: '2026-11-20T09:30:00Z' };
    await merge([bare]);
    await supertest(remote.app)
      .put(`/memory/${id(1)}`)
      .send({ tags: ['style'] });
    await supertest(remote.app)
      .post(`/memory/${id(1)}/invalidate`)
      .send({ reason: 'The formatter decides.' });
    const before = (await read(id(1))).body;
    const again = { ...bare, created_at: '2026-11-21T11:00:00Z' };
    expect(await merge([again])).toMatchObject({ updated: 0, duplicates: 1 });
    expect(await merge([again], 'bob')).toMatchObject({ duplicates: 1, rejected_count: 0 });
    expect((await read(id(1))).body).toEqual(before);
    expect(await merge([{ ...again, content: 'Use two blanks.' }])).toMatchObject({ updated: 1 });
    expect((await read(id(1))).body.memory.gist).toBe('Use two blanks.');
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

/** A record with words and an id that no other has. */
function distinct(number: number) {
  const content = `Rack number ${number}.`;
  return { id: `0193a000-0000-7000-9000-${String(number).padStart(12, '0')}`, content, gist: content };
}

/** Waits until the work in the background has come so far. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise(setImmediate);
}
