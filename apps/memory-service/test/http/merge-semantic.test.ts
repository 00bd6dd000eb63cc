import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { closeFastEmbedder, say, startTestService, type TestService } from '../start-service.ts';
import { id, mergingInto, reasons, wire } from './merging.ts';

let remote: TestService;
beforeEach(async () => {
  remote = await startTestService();
});
afterEach(() => remote.close());
afterAll(closeFastEmbedder);

const { merge, read } = mergingInto(() => remote);

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

  test('are superseded by what had replaced a successor that is rejected, gone here or known by its words', async () => {
    const expired = wire(2, { superseded_by: id(3), expires_at: '2026-11-20T23:30:00.000Z' });
    const foreign = wire(3, { superseded_by: id(5), scope: 'PRIVATE', agent_id: 'bob' });
    await merge([wire(6), wire(8)]);
    await supertest(remote.app)
      .delete(`/memory/${id(6)}`)
      .set('X-Agent-ID', 'ann');
    const report = await merge([
      wire(1, { superseded_by: id(2) }),
      expired,
      foreign,
      wire(4, { superseded_by: id(6) }),
      wire(5),
      wire(6, { superseded_by: id(7) }),
      { ...wire(8), id: id(7) },
    ]);
    expect(report).toMatchObject({ added: 3, duplicates: 1, rejected_count: 3 });
    const successorOf = async (number: number) => (await read(id(number))).body.memory.superseded_by;
    expect([await successorOf(1), await successorOf(4)]).toEqual([id(5), id(8)]);
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
