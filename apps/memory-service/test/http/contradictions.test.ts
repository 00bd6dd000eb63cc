import { rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { EmbeddingFailedError, type PairScorer } from '@agent-faculties/embeddings';
import { copyOfKilled } from '@agent-faculties/testing';
import { afterAll, afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import supertest from 'supertest';
import { LOCK_FILE } from '../../src/persistence/files/file-names.ts';
import {
  ask,
  closeFastEmbedder,
  emptyStore,
  say,
  startTestService,
  type TestService,
  temporaryFolder,
} from '../start-service.ts';

const POOL_OPEN = 'The Alder Street pool opens at 7:00.';
const POOL_LATE = 'The Alder Street pool opens at 9:30.';

/** Stands for the model: sure of pairs of pools and of kettles, sure that all else is compatible. Notes what it was asked. */
class StandIn implements PairScorer {
  readonly modelId = 'stand-in@000000000000';
  asked: (readonly [string, string])[] = [];
  isDown = false;

  async score(pairs: readonly (readonly [string, string])[]): Promise<Float32Array> {
    if (this.isDown) throw new EmbeddingFailedError('the model is down');
    this.asked.push(...pairs);
    const isSure = ([a, b]: readonly [string, string]) => [/pool/, /kettle/].some((one) => one.test(a) && one.test(b));
    return Float32Array.from(pairs, (pair) => (isSure(pair) ? 0.97 : 0.02));
  }

  isReady(): boolean {
    return !this.isDown;
  }

  async close(): Promise<void> {}
}

const ownFile = await open(fileURLToPath(import.meta.url));
const FILES: FileHandle = Object.getPrototypeOf(ownFile);
await ownFile.close();

const model = new StandIn();
let service: TestService;
const folder = temporaryFolder();
const start = async () => startTestService({ pairScorer: model, dataDir: folder.path });

beforeEach(async () => {
  service ??= await start();
  await emptyStore(service);
  model.asked = [];
});
afterEach(() => {
  model.isDown = false;
});
afterAll(async () => {
  await service.close();
  await closeFastEmbedder();
  folder.remove();
});

async function post(agent: string, path: string, body: object = {}) {
  return await supertest(service.app).post(path).set('X-Agent-ID', agent).send(body);
}
const list = async (agent: string, body: object = {}) => (await post(agent, '/contradictions', body)).body;
const resolve = (agent: string, id: string, body: object) => post(agent, `/contradictions/${id}/resolve`, body);
const pairs = ({ contradictions }: { contradictions: { a: { memory_id: string }; b: { memory_id: string } }[] }) =>
  contradictions.map(({ a, b }) => [a.memory_id, b.memory_id]);

async function said(agent: string, content: string, more: object = {}): Promise<string> {
  service.clock.advance(1_000);
  return (await say(service, agent, { content, ...more })).memory.id;
}

test('what a confirming model does not agree with is found below the usual threshold only', async () => {
  const isConfirmed = ([a]: readonly [string, string]) => /Alder/.test(a);
  const nliScorer: PairScorer = {
    modelId: 'nli@000000000000',
    score: async (asked) => Float32Array.from(asked, (pair) => (isConfirmed(pair) ? 0.9 : 0.4)),
    isReady: () => true,
    close: async () => {},
  };
  const confirmed = await startTestService({ pairScorer: model, nliScorer });
  const texts = [POOL_OPEN, POOL_LATE, 'The blue kettle holds 2 litres.', 'The blue kettle holds 3 litres.'];
  for (const [index, content] of texts.entries()) await say(confirmed, `agent-${index}`, { content });
  const found = async (threshold?: number) => {
    const { body } = await supertest(confirmed.app).post('/contradictions').send({ threshold });
    return body.contradictions.map(({ score, topic }: { score: number; topic: string }) => [topic, score]);
  };
  expect(await found()).toEqual([['Alder Street pool', expect.any(Number)]]);
  expect(await found(0.4)).toEqual([
    ['Alder Street pool', expect.any(Number)],
    ['blue kettle', 0.45],
  ]);
  await confirmed.close();
});

describe('POST /contradictions', () => {
  test('tells who says what, when, why it clashes, and how sure it is', async () => {
    const older = await said('ann', POOL_OPEN, { session_id: 's1', role: 'assistant' });
    const newer = await said('bob', POOL_LATE, { name: 'Bob' });
    const { contradictions, total, compared, pending, threshold } = await list('carol');
    expect({ total, compared, pending, threshold }).toEqual({ total: 1, compared: 2, pending: 0, threshold: 0.6 });
    expect(contradictions).toEqual([
      {
        id: expect.any(String),
        score: expect.any(Number),
        confidence: 'high',
        reason: 'date',
        explanation: 'About Alder Street pool: ann says “7:00”, Bob (told by bob) says “9:30”; the times differ.',
        topic: 'Alder Street pool',
        state: 'open',
        decision: null,
        opinion: null,
        found_at: expect.stringMatching(/^2026-11-21T09:30:02/),
        a: {
          memory_id: older,
          agent_id: 'ann',
          scope: 'TEAM',
          project: null,
          session_id: 's1',
          role: 'assistant',
          name: null,
          gist: POOL_OPEN,
          created_at: expect.stringMatching(/^2026-11-21T09:30:01/),
          clash: ['7:00'],
        },
        b: expect.objectContaining({ memory_id: newer, agent_id: 'bob', name: 'Bob', clash: ['9:30'] }),
      },
    ]);
  });

  test('compares nothing first where it may not wait', async () => {
    await said('ann', POOL_OPEN);
    await said('bob', POOL_LATE);
    expect(await list('carol', { wait_ms: 0 })).toMatchObject({ total: 0, compared: 0, pending: 2 });
    expect(await list('carol')).toMatchObject({ total: 1, compared: 2, pending: 0 });
    expect(await list('carol', { wait_ms: 0 })).toMatchObject({ total: 1, pending: 0 });
  });

  test('lists the three surest open ones of a memory, and more when one is decided', async () => {
    await said('ann', POOL_OPEN);
    for (const agent of ['bob', 'carol', 'dave', 'eve']) await said(agent, POOL_LATE);
    const { contradictions, total } = await list('ann');
    expect([contradictions.length, total]).toEqual([3, 3]);
    await resolve('ann', contradictions[0].id, { dismiss: true });
    expect(pairs(await list('ann'))).toHaveLength(3);
    expect((await list('ann', { states: ['open', 'dismissed'] })).total).toBe(4);
  });

  test("an assistant's answer is held against other agents elsewhere, not against its thread", async () => {
    await said('ann', POOL_OPEN, { session_id: 's1', role: 'user' });
    await said('ann', POOL_LATE, { session_id: 's1', role: 'assistant' });
    expect((await list('ann', { include_same_agent: true })).total).toBe(0);
    await said('bob', POOL_OPEN, { session_id: 's2', role: 'user' });
    expect((await list('ann', { include_same_agent: true })).total).toBe(1);
  });

  test('compares each memory once, and one that gets another gist once more', async () => {
    await said('ann', POOL_OPEN);
    const id = await said('bob', POOL_LATE);
    await list('ann');
    expect(model.asked).toEqual([[POOL_OPEN, POOL_LATE]]);
    await list('ann');
    await supertest(service.app)
      .put(`/memory/${id}`)
      .send({ tags: ['pool'] });
    expect(pairs(await list('ann'))).toHaveLength(1);
    expect(model.asked).toHaveLength(1);
    await supertest(service.app).put(`/memory/${id}`).send({ gist: 'The Alder Street pool is closed on Sundays.' });
    await list('ann');
    expect(model.asked).toHaveLength(2);
  });

  test('is rid of a contradiction with an edit that ends it, and with a deleted side', async () => {
    const first = await said('ann', POOL_OPEN);
    const second = await said('bob', POOL_LATE);
    await said('cid', 'The Alder Street pool opens at 11:00.');
    expect((await list('ann')).total).toBe(3);
    await supertest(service.app).put(`/memory/${first}`).send({ gist: 'Ann went swimming in the lake.' });
    expect((await list('ann')).total).toBe(1);
    await supertest(service.app).delete(`/memory/${second}`);
    expect((await list('ann')).total).toBe(0);
  });

  test('leaves out what one agent said at two times, unless asked', async () => {
    await said('ann', POOL_OPEN);
    await said('ann', POOL_LATE);
    expect((await list('bob')).total).toBe(0);
    expect((await list('bob', { include_same_agent: true })).total).toBe(1);
  });

  test('filters by threshold, agents, state and limit', async () => {
    await said('ann', POOL_OPEN);
    await said('bob', POOL_LATE);
    await said('cid', 'The Alder Street pool opens at 11:00.');
    const { contradictions } = await list('ann');
    const best = contradictions[0].score;
    expect((await list('ann', { threshold: 1 })).total).toBe(0);
    expect((await list('ann', { threshold: best })).total).toBeGreaterThan(0);
    expect((await list('ann', { agent_ids: ['bob'] })).total).toBe(2);
    expect((await list('ann', { agent_ids: ['bob', 'ann'] })).total).toBe(1);
    expect((await list('ann', { agent_ids: ['nobody'] })).total).toBe(0);
    expect((await list('ann', { states: ['resolved', 'dismissed'] })).total).toBe(0);
    const limited = await list('ann', { limit: 1 });
    expect([limited.total, limited.contradictions.length]).toEqual([3, 1]);
  });

  test('answers with what is known while the model is down, and says what waits', async () => {
    await said('ann', POOL_OPEN);
    await said('bob', POOL_LATE);
    await list('ann');
    await said('cid', 'The Alder Street pool opens at 11:00.');
    model.isDown = true;
    expect(await list('ann')).toMatchObject({ total: 1, compared: 2, pending: 1 });
    model.isDown = false;
    expect(await list('ann')).toMatchObject({ total: 3, compared: 3, pending: 0 });
  });
});

describe('a series of lines of one form', () => {
  test('is no series of contradictions', async () => {
    for (let round = 0; round < 8; round++) {
      await said(`agent-${round}`, `Deployed the kettle of Elm Row to staging, version ${600 + 11 * round}.`);
    }
    expect(await list('ann')).toMatchObject({ total: 0, compared: 8 });
    await said('ann', 'The Alder Street pool opens at 7:00.');
    await said('bob', 'The Alder Street pool opens at 9:30.');
    expect((await list('ann')).total).toBe(1);
  });
});

describe('a line of a series', () => {
  const swept = (place: string) => `Swept the kettle room of ${place} and found it clean.`;
  const NEVER = 'The kettle room of Elm Row was never swept.';

  test('speaks of its own case, whichever memory is compared later', async () => {
    const line = await said('ann', swept('Elm Row'));
    const never = await said('bob', NEVER);
    expect(pairs(await list('ann'))).toEqual([[line, never]]);
    await emptyStore(service);
    for (const place of ['Oak Hill', 'Fir Lane', 'Ash Court', 'Bay Street', 'Yew Park'])
      await said('ann', swept(place));
    await said('ann', swept('Elm Row'));
    await said('bob', NEVER);
    expect((await list('ann')).total).toBe(0);
  });
});

describe('a series of lines of one form with several parts filled in', () => {
  const ROOMS = ['in the pantry', 'by the garden door', 'under the old stairs', 'beside the window'];
  const TIMES = ['after lunch', 'before the concert', 'during heavy rain', 'late at night'];
  const ENDS = ['wiped up by Ann', 'left for Bob', 'dried within minutes', 'reported to the landlord'];
  const line = (at: number) => {
    const of = (parts: readonly string[], step: number) => parts[(at * step + Math.floor(at / 4)) % parts.length];
    return `While guests waited the copper kettle of Elm Row spilled water ${of(ROOMS, 1)} ${of(TIMES, 3)}; ${of(ENDS, 2)}.`;
  };

  test('is no series of contradictions', async () => {
    for (let at = 0; at < 8; at++) await said(`agent-${at}`, line(at));
    expect(await list('ann')).toMatchObject({ total: 0, compared: 8 });
  });

  test('may tell one case in two ways', async () => {
    const hung = (day: string, place: string) => `The kettle of ${place} hung ${day}.`;
    const elmRow = await said('ann', hung('7 hours', 'Elm Row'));
    for (const place of ['Oak Hill', 'Fir Lane', 'Ash Court', 'Bay Street', 'Yew Park']) {
      await said('ann', hung('7 hours', place));
    }
    const other = await said('bob', hung('9 hours', 'Elm Row'));
    await said('bob', 'The kettle of Oak Hill hung clean and polished 9 hours.');
    expect(pairs(await list('ann'))).toEqual([[elmRow, other]]);
  });
});

describe('POST /contradictions/{id}/resolve', () => {
  async function disagreement() {
    const older = await said('ann', POOL_OPEN);
    const newer = await said('bob', POOL_LATE);
    const { contradictions } = await list('ann');
    return { id: contradictions[0].id as string, older, newer };
  }
  const memory = async (id: string) => (await supertest(service.app).get(`/memory/${id}`)).body.memory;

  test('makes the loser say what superseded it, and ranks it below', async () => {
    const { id, older, newer } = await disagreement();
    const before = await memory(older);
    service.clock.advance(5_000);
    const answer = await resolve('carol', id, { winner: newer, note: 'They changed it in spring.' });
    expect(answer.body.contradiction).toMatchObject({
      state: 'resolved',
      decision: { winner: newer, agent_id: 'carol', note: 'They changed it in spring.' },
    });
    expect((await memory(older)).superseded_by).toBe(newer);
    expect((await memory(older)).updated_at > before.updated_at).toBe(true);
    expect((await memory(newer)).superseded_by).toBeNull();
    expect((await list('ann')).total).toBe(0);
    expect((await list('ann', { states: ['resolved'] })).total).toBe(1);
    const { memories, context } = await ask(service, 'ann', 'Does the Alder Street pool open at 7:00?');
    expect(memories.map((one) => one.id)).toEqual([newer, older]);
    expect(context).toMatch(/ann \(superseded\): The Alder Street pool opens at 7:00/);
    expect(context).not.toMatch(/bob \(superseded\)/);
  });

  test('can be taken back, decided again, and repeated', async () => {
    const { id, older, newer } = await disagreement();
    for (const _ of [1, 2]) expect((await resolve('ann', id, { winner: newer })).status).toBe(200);
    expect((await resolve('ann', id, { winner: older })).status).toBe(200);
    expect([(await memory(older)).superseded_by, (await memory(newer)).superseded_by]).toEqual([null, older]);
    expect((await resolve('ann', id, { reopen: true })).body.contradiction.state).toBe('open');
    expect([(await memory(older)).superseded_by, (await memory(newer)).superseded_by]).toEqual([null, null]);
    expect((await list('ann')).total).toBe(1);
  });

  test('a dismissed pair is not reported again, unless a gist changes', async () => {
    const { id, newer } = await disagreement();
    expect((await resolve('ann', id, { dismiss: true })).body.contradiction.state).toBe('dismissed');
    expect((await list('ann')).total).toBe(0);
    await supertest(service.app)
      .put(`/memory/${newer}`)
      .send({ tags: ['again'] });
    expect((await list('ann')).total).toBe(0);
    await supertest(service.app).put(`/memory/${newer}`).send({ gist: 'The Alder Street pool opens at 9:45.' });
    expect((await list('ann')).total).toBe(1);
  });

  describe('a dismissed pair of which a side was gone or said something else for a while', () => {
    const put = async (one: string, change: object) => {
      service.clock.advance(1_000);
      await supertest(service.app).put(`/memory/${one}`).send(change);
    };
    const states = async () =>
      (await list('ann', { states: ['open', 'dismissed'] })).contradictions.map((one: { state: string }) => one.state);
    const bringBack = async (one: string) => {
      service.clock.advance(1_000);
      const { body } = await supertest(service.app).get(`/memory/${one}/history`);
      return await supertest(service.app).post(`/memory/${one}/revert`).send({ version: body.versions[0].version });
    };
    const remove = async (one: string) => {
      service.clock.advance(1_000);
      await supertest(service.app).delete(`/memory/${one}`);
    };

    test.each(['older', 'newer'] as const)(
      'stays dismissed, by whom and when, once the %s one is back',
      async (side) => {
        const pair = await disagreement();
        const { agent_id, decided_at } = (await resolve('ann', pair.id, { dismiss: true, note: 'Two pools.' })).body
          .contradiction.decision;
        await remove(pair[side]);
        expect(await states()).toEqual([]);
        await bringBack(pair[side]);
        const { contradictions } = await list('ann', { states: ['dismissed'] });
        expect(contradictions[0]).toMatchObject({
          id: pair.id,
          decision: { winner: null, agent_id, decided_at, note: null },
        });
        expect((await list('ann')).total).toBe(0);
      },
    );

    test('stays dismissed after both were gone, and through a save', async () => {
      const { id, older, newer } = await disagreement();
      await resolve('ann', id, { dismiss: true });
      await remove(newer);
      await remove(older);
      await supertest(service.app).post('/save');
      await bringBack(newer);
      await list('ann');
      await bringBack(older);
      expect(await states()).toEqual(['dismissed']);
    });

    test('stays dismissed with the words that it had, and is open with others', async () => {
      const { id, older, newer } = await disagreement();
      await resolve('ann', id, { dismiss: true });
      await put(newer, { gist: 'The Alder Street pool opens at 9:45.' });
      expect(await states()).toEqual(['open']);
      await put(newer, { gist: POOL_LATE });
      expect(await states()).toEqual(['dismissed']);
      await remove(newer);
      await put(older, { gist: 'The Alder Street pool opens at 7:15.' });
      await bringBack(newer);
      expect(await states()).toEqual(['open']);
    });

    test('is open again where somebody has opened it since', async () => {
      const { id, newer } = await disagreement();
      await resolve('ann', id, { dismiss: true });
      await remove(newer);
      await bringBack(newer);
      await list('ann');
      await resolve('ann', id, { reopen: true });
      await remove(newer);
      await bringBack(newer);
      expect(await states()).toEqual(['open']);
    });
  });

  test('survives a crash and a save', async () => {
    const { id, older, newer } = await disagreement();
    await resolve('ann', id, { winner: newer });
    await said('dee', 'The kettle in the Alder kitchen holds 1 litre.');
    await said('eve', 'The kettle in the Alder kitchen holds 2 litres.');
    const kettle = (await list('ann')).contradictions[0].id;
    await resolve('ann', kettle, { dismiss: true });
    const asked = model.asked.length;
    // A copy of the folder as it stands is what a kill leaves behind.
    for (const isSaved of [false, true]) {
      if (isSaved) await supertest(service.app).post('/save');
      const copy = temporaryFolder();
      copyOfKilled(folder.path, { to: copy.path, without: [LOCK_FILE] });
      const again = await startTestService({ pairScorer: model, dataDir: copy.path });
      const all = await supertest(again.app)
        .post('/contradictions')
        .send({ states: ['open', 'resolved', 'dismissed'] });
      expect(all.body.contradictions.map(({ state }: { state: string }) => state).sort()).toEqual([
        'dismissed',
        'resolved',
      ]);
      expect((await supertest(again.app).get(`/memory/${older}`)).body.memory.superseded_by).toBe(newer);
      expect(model.asked).toHaveLength(asked);
      await again.close();
      copy.remove();
    }
  });

  test('a deleted winner sets the loser free', async () => {
    const { id, older, newer } = await disagreement();
    await resolve('ann', id, { winner: newer });
    await supertest(service.app).delete(`/memory/${newer}`);
    expect((await memory(older)).superseded_by).toBeNull();
  });

  test('ends where the loser says something else from then on', async () => {
    const { id, older, newer } = await disagreement();
    await resolve('ann', id, { winner: newer });
    const put = (change: object) => supertest(service.app).put(`/memory/${older}`).send(change);
    await put({ tags: ['pool'], gist: POOL_OPEN });
    expect((await memory(older)).superseded_by).toBe(newer);
    await put({ gist: 'The Alder Street pool is closed on Sundays.' });
    expect((await memory(older)).superseded_by).toBeNull();
    expect((await list('ann', { states: ['resolved'] })).total).toBe(0);
  });

  test('still puts the winner in place where its words are mended, and is found anew once that is taken back', async () => {
    const { id, older, newer } = await disagreement();
    await resolve('ann', id, { winner: newer, note: 'They changed it in spring.' });
    const put = (one: string, change: object) => supertest(service.app).put(`/memory/${one}`).send(change);
    const mended = POOL_LATE.replace('opens', 'now opens');
    await put(newer, { gist: mended });
    expect(await memory(older)).toMatchObject({
      superseded_by: newer,
      supersession: { agent_id: 'ann', reason: 'They changed it in spring.' },
    });
    expect((await list('ann')).total).toBe(0);
    // The decision showed words that are gone.
    expect((await list('ann', { states: ['resolved'] })).total).toBe(0);
    await put(older, { superseded_by: null });
    expect((await list('ann')).contradictions).toMatchObject([
      { id, state: 'open', decision: null, a: { memory_id: older }, b: { memory_id: newer, gist: mended } },
    ]);
  });

  test.each([
    ['winner', (winner: string) => ({ winner })],
    ['dismissal', () => ({ dismiss: true })],
  ])('with a %s outlives a consolidation that finds one of the two said before', async (kind, verdict) => {
    const before = await said('dee', POOL_LATE);
    const { older, newer } = await disagreement();
    const { contradictions } = await list('ann');
    const decided = contradictions.find((one: { b: { memory_id: string } }) => one.b.memory_id === newer);
    await resolve('ann', decided.id, verdict(newer));
    const report = (await post('ann', '/consolidate')).body.report;
    expect(report).toMatchObject({ deduplicated: 0 });
    expect((await memory(newer)).id).toBe(newer);
    expect((await memory(before)).id).toBe(before);
    const [winner] = (await list('ann', { states: ['resolved', 'dismissed'] })).contradictions;
    expect(winner).toMatchObject({ id: decided.id, a: { memory_id: older }, b: { memory_id: newer } });
    if (kind === 'winner') expect((await memory(older)).superseded_by).toBe(newer);
  });

  test.each([
    [{}, 422, 'invalid_input', /exactly one of winner, dismiss and reopen/],
    [{ dismiss: true, reopen: true }, 422, 'invalid_input', /exactly one/],
    [{ dismiss: false }, 422, 'invalid_request', /dismiss/],
    [{ winner: 'somebody-else' }, 422, 'invalid_input', /takes no part in this contradiction: send '/],
    [{ winner: '' }, 422, 'invalid_request', /winner/],
    [{ loser: 'x' }, 422, 'invalid_request', /loser/],
  ])('refuses %j', async (body, status, code, detail) => {
    const { id } = await disagreement();
    const answer = await resolve('ann', id, body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(JSON.stringify(answer.body)).toMatch(detail);
  });

  test('refuses an unknown id, and a circle', async () => {
    const none = await resolve('ann', 'none', { dismiss: true });
    expect([none.status, none.body.code]).toEqual([404, 'unknown_contradiction']);
    const a = await said('ann', POOL_OPEN);
    const b = await said('bob', POOL_LATE);
    const c = await said('cid', 'The Alder Street pool opens at 11:00.');
    const { contradictions } = await list('ann');
    const between = (x: string, y: string) =>
      contradictions.find(
        (one: { a: { memory_id: string }; b: { memory_id: string } }) =>
          [one.a.memory_id, one.b.memory_id].sort().join() === [x, y].sort().join(),
      ).id;
    expect((await resolve('ann', between(a, b), { winner: b })).status).toBe(200);
    expect((await resolve('ann', between(b, c), { winner: c })).status).toBe(200);
    const circle = await resolve('ann', between(a, c), { winner: a });
    expect([circle.status, circle.body.code]).toEqual([409, 'superseded_in_a_circle']);
  });
});

describe('PRIVATE memories', () => {
  test('are held against their own agent only, and seen by it alone', async () => {
    await said('ann', 'The salary of the Alder pool guard is 900 euros.', { scope: 'PRIVATE' });
    await said('bob', 'The salary of the Alder pool guard is 1200 euros.');
    await said('ann', 'The salary of the Alder pool guard is 1500 euros.');
    const mine = await list('ann', { include_same_agent: true });
    expect(mine.total).toBe(2);
    const theirs = await list('bob', { include_same_agent: true });
    expect(theirs.total).toBe(1);
    expect(JSON.stringify(theirs)).not.toMatch(/900/);
    const own = mine.contradictions.find((one: { a: { clash: string[] } }) => /900/.test(JSON.stringify(one)));
    const byBob = await resolve('bob', own.id, { dismiss: true });
    expect([byBob.status, byBob.body.code]).toEqual([404, 'unknown_contradiction']);
    const winner = await resolve('ann', own.id, { winner: own.a.memory_id });
    expect([winner.status, winner.body.code]).toEqual([409, 'private_winner']);
  });

  test('leave with a memory that becomes PRIVATE, and the loser is free again', async () => {
    const older = await said('ann', POOL_OPEN);
    const newer = await said('bob', POOL_LATE);
    const { contradictions } = await list('ann');
    await resolve('ann', contradictions[0].id, { winner: newer });
    const answer = await supertest(service.app)
      .put(`/memory/${newer}`)
      .set('X-Agent-ID', 'bob')
      .send({ scope: 'PRIVATE' });
    expect(answer.status).toBe(200);
    expect((await list('bob', { states: ['open', 'resolved'] })).total).toBe(0);
    expect((await supertest(service.app).get(`/memory/${older}`)).body.memory.superseded_by).toBeNull();
  });
});

describe('at the moment that it matters', () => {
  const recalled = async (agent: string, query = 'When does the Alder Street pool open?') =>
    (await post(agent, '/recall', { query })).body;

  test('a recalled memory brings what contradicts it, until somebody decides', async () => {
    const older = await said('ann', POOL_OPEN);
    const newer = await said('bob', POOL_LATE);
    const { contradictions } = await list('carol');
    const about = (other: string) => [{ id: contradictions[0].id, other: { id: other } }];
    expect((await recalled('carol')).context).toContain(
      '\n- undecided: About Alder Street pool: ann says “7:00”, bob says “9:30”; the times differ.\n',
    );
    const first = (await post('carol', '/recall', { query: 'When does the Alder Street pool open?', top_k: 1 })).body;
    expect(first.memories).toHaveLength(1);
    expect([first.context.includes(POOL_OPEN), first.context.includes(POOL_LATE)]).toEqual([true, true]);
    expect((await recalled('carol')).memories).toMatchObject([
      { id: newer, contradictions: about(older) },
      { id: older, contradictions: about(newer) },
    ]);
    await resolve('carol', contradictions[0].id, { winner: newer });
    for (const memory of (await recalled('carol')).memories) expect(memory.contradictions).toEqual([]);
  });

  test('what a recall leaves out does not come in as the other side', async () => {
    await said('ann', POOL_OPEN);
    await said('bob', POOL_LATE, { source: 'tool' });
    await list('carol');
    const query = 'When does the Alder Street pool open?';
    const { memories, context } = (await post('carol', '/recall', { query, min_trust: 'assistant' })).body;
    expect(memories).toMatchObject([{ gist: POOL_OPEN, contradictions: [] }]);
    expect(context).not.toMatch(/9:30|undecided/);
    expect((await recalled('carol')).context).toMatch(/9:30.*undecided/s);
  });

  test('an answer of ingest waits for the comparison if it is told to', async () => {
    const older = await said('ann', POOL_OPEN);
    const ingest = async (agent: string, more: object) =>
      (await post(agent, '/ingest', { content: POOL_LATE, ...more })).body;
    expect((await ingest('bob', {})).contradictions).toEqual([]);
    const { memory, contradictions } = await ingest('carol', { contradiction_wait_ms: 2_000 });
    expect(contradictions).toMatchObject([
      { other: { id: older, agent_id: 'ann', gist: POOL_OPEN }, explanation: expect.stringContaining('“7:00”') },
    ]);
    expect((await recalled('carol')).memories.map(({ id }: { id: string }) => id)).toContain(memory.id);
  });

  test('it says nothing of a PRIVATE memory to others', async () => {
    await said('ann', POOL_OPEN, { scope: 'PRIVATE' });
    const { body } = await post('bob', '/ingest', { content: POOL_LATE, contradiction_wait_ms: 2_000 });
    expect(body.contradictions).toEqual([]);
  });

  test('a model that is down keeps no answer back', async () => {
    await said('ann', POOL_OPEN);
    model.isDown = true;
    const { status, body } = await post('bob', '/ingest', { content: POOL_LATE, contradiction_wait_ms: 2_000 });
    expect([status, body.contradictions]).toEqual([200, []]);
  });
});

describe('a doubtful pair', () => {
  let byRules: TestService;
  beforeEach(async () => {
    byRules = await startTestService({ dataDir: folder.path.concat('-doubtful') });
    await emptyStore(byRules);
    await say(byRules, 'ann', 'The backups of billing run every night.');
    await say(byRules, 'bob', 'The backups of billing no longer run.');
    await supertest(byRules.app).post('/contradictions').send({});
  });
  afterEach(async () => {
    await byRules.close();
    rmSync(folder.path.concat('-doubtful'), { recursive: true });
  });
  const doubtful = async () => (await supertest(byRules.app).get('/contradictions/doubtful')).body.pairs;
  const listed = async () => (await supertest(byRules.app).post('/contradictions').send({})).body.contradictions;
  const judge = (id: string, body: object) =>
    supertest(byRules.app)
      .post(`/contradictions/${id}/judge`)
      .set('X-Agent-ID', 'carol')
      .send({ judge: 'some-model', ...body });

  test('is handed out for a judge and listed nowhere else', async () => {
    expect(await doubtful()).toMatchObject([
      { score: 0.375, opinion: null, a: { agent_id: 'ann' }, b: { agent_id: 'bob' } },
    ]);
    expect(await listed()).toEqual([]);
  });

  test('is listed when a judge calls it a contradiction, which says who, and decides nothing', async () => {
    const [{ id }] = await doubtful();
    const { status, body } = await judge(id, { says: 'contradiction', note: 'Either they run or not.' });
    const opinion = { says: 'contradiction', judge: 'some-model', agent_id: 'carol', note: 'Either they run or not.' };
    expect([status, body.contradiction]).toMatchObject([200, { state: 'open', score: 0.375, decision: null, opinion }]);
    expect([await doubtful(), await listed()]).toMatchObject([[], [{ id, opinion }]]);
    const { memories } = (
      await supertest(byRules.app).post('/recall').send({ query: 'Do the backups of billing run?' })
    ).body;
    expect(memories[0].contradictions).toMatchObject([{ id }]);
  });

  test('is left alone when a judge calls it compatible, until another says otherwise', async () => {
    const [{ id }] = await doubtful();
    await judge(id, { says: 'compatible' });
    expect([await doubtful(), await listed()]).toEqual([[], []]);
    await judge(id, { says: 'contradiction' });
    expect(await listed()).toMatchObject([{ id }]);
  });

  test('keeps what was said through a start from the journal and one from a save', async () => {
    const [{ id }] = await doubtful();
    await judge(id, { says: 'contradiction' });
    await byRules.close();
    byRules = await startTestService({ dataDir: folder.path.concat('-doubtful') });
    expect(await listed()).toMatchObject([{ id, opinion: { judge: 'some-model' } }]);
    await supertest(byRules.app).post('/save');
    await byRules.close();
    byRules = await startTestService({ dataDir: folder.path.concat('-doubtful') });
    expect(await listed()).toMatchObject([{ id, opinion: { judge: 'some-model' } }]);
  });

  test('is no longer one after somebody has decided', async () => {
    const [{ id }] = await doubtful();
    await supertest(byRules.app).post(`/contradictions/${id}/resolve`).send({ dismiss: true });
    const { status, body } = await judge(id, { says: 'contradiction' });
    expect([status, body.code]).toEqual([409, 'not_doubtful']);
  });

  test.each([{}, { says: 'maybe' }, { says: 'compatible', judge: '' }])('refuses %j', async (body) => {
    const [{ id }] = await doubtful();
    expect((await judge(id, body)).status).toBe(422);
  });
});

test('those that are known are listed while the disk takes no writes, and the others once it does', async () => {
  await said('ann', POOL_OPEN);
  await said('bob', POOL_LATE);
  expect(await list('ann')).toMatchObject({ total: 1, pending: 0 });
  await said('ann', 'The kettle in the office is red.');
  const full = jest
    .spyOn(FILES, 'write')
    .mockRejectedValue(Object.assign(new Error('no space'), { code: 'ENOSPC', syscall: 'write', errno: -28 }) as never);
  const asked = await post('ann', '/contradictions');
  full.mockRestore();
  expect([asked.status, asked.body]).toMatchObject([200, { total: 1, pending: 1 }]);
  expect(await list('ann')).toMatchObject({ total: 1, pending: 0 });
});
