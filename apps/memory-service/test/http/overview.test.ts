import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import supertest from 'supertest';
import { type Contradiction, contradictionId } from '../../src/domain/contradictions/contradiction.ts';
import type { Memory } from '../../src/domain/memory/memory.ts';
import type { StoredMemory } from '../../src/domain/memory/memory-store.ts';
import { START_MS, say, startTestService, type TestService } from '../start-service.ts';

interface Said {
  readonly id: string;
  readonly agent_id: string;
  readonly session_id: string | null;
  readonly kind: string;
  readonly created_at: string;
  readonly strength: number;
  readonly superseded_by: string | null;
  readonly valid_until: string | null;
  readonly recall_count: number;
}

const HOUR_MS = 3_600_000;
const idOf = (place: number) => `00000000-0000-7000-8000-${String(place).padStart(12, '0')}`;
const at = (hoursAgo: number) => new Date(START_MS - hoursAgo * HOUR_MS).toISOString();

/** A quarter of an hour apart, in turns of two agents and sessions; each tenth superseded, each seventh at an end, each ninth derived. */
const RECORDS = Array.from({ length: 90 }, (_, place) => ({
  id: idOf(place),
  content: `Fact ${place} of the long list.`,
  agent_id: place % 2 === 0 ? 'ann' : 'bob',
  session_id: place % 5 === 0 ? null : `s${place % 3}`,
  created_at: at((90 - place) / 4),
  updated_at: at((90 - place) / 4),
  recall_count: place % 4,
  ...(place % 10 === 3 && {
    superseded_by: idOf(place + 2),
    supersession: { agent_id: 'ann', at: at((90 - place) / 8), reason: 'said anew' },
  }),
  ...(place % 7 === 5 && { valid_until: at((90 - place) / 6) }),
}));

let service: TestService;
const get = async (path: string) => {
  const answer = await supertest(service.app).get(path).set('X-Agent-ID', 'ann');
  expect(answer.status).toBe(200);
  return answer.body;
};
const listed = async (query: string): Promise<Said[]> => (await get(`/memories?limit=1000&${query}`)).memories;

beforeAll(async () => {
  service = await startTestService({ embedder: null });
  const { body } = await supertest(service.app).post('/merge').send({ memories: RECORDS });
  expect(body.report).toMatchObject({ added: RECORDS.length, rejected: [] });
  await supertest(service.app)
    .post('/ingest')
    .set('X-Agent-ID', 'bob')
    .send({ content: 'Nobody else sees this.', scope: 'PRIVATE', timestamp: at(3) });
});
afterAll(() => service.close());

describe('the timeline', () => {
  test('counts what a list of the same time holds, and what a list as of the same moment holds', async () => {
    const hoursAgo = fc.double({ min: 0, max: 24, noNaN: true });
    await fc.assert(
      fc.asyncProperty(
        hoursAgo,
        hoursAgo,
        hoursAgo,
        fc.integer({ min: 1, max: 12 }),
        async (one, other, held, buckets) => {
          fc.pre(at(one) !== at(other));
          const [since, until] = [at(Math.max(one, other)), at(Math.min(one, other))];
          const span = `since=${since}&until=${until}`;
          const timeline = await get(`/memories/timeline?${span}&as_of=${at(held)}&buckets=${buckets}`);
          const all = await listed(span);
          const holding = await listed(`${span}&as_of=${at(held)}`);
          const placeOf = ({ created_at }: Said) =>
            Math.floor(
              ((Date.parse(created_at) - Date.parse(since)) * buckets) / (Date.parse(until) - Date.parse(since)),
            );
          const counted = (said: Said[], agent: string) =>
            Array.from(
              { length: buckets },
              (_, place) => said.filter((memory) => memory.agent_id === agent && placeOf(memory) === place).length,
            );
          expect(timeline.total).toBe(all.length);
          for (const lane of timeline.lanes) {
            expect(lane.counts).toEqual(counted(all, lane.agent_id));
            expect(lane.held).toEqual(counted(holding, lane.agent_id));
          }
          expect(new Set(timeline.lanes.map(({ agent_id }: Said) => agent_id))).toEqual(
            new Set(all.map(({ agent_id }) => agent_id)),
          );
          const ids = (memories: { id: string }[]) => memories.map(({ id }) => id).sort();
          expect(ids(timeline.points)).toEqual(ids(all));
          expect(ids(timeline.points.filter(({ held: isHeld }: { held: boolean }) => isHeld))).toEqual(ids(holding));
        },
      ),
      { numRuns: 40 },
    );
  });

  test('tells the sessions of each agent, the one that ended last first', async () => {
    const { sessions, sessions_total: total } = await get('/memories/timeline');
    const all = await listed('session_id=s1');
    const own = all.filter(({ agent_id }) => agent_id === 'ann');
    expect(total).toBe(6);
    expect(sessions.find((one: Said) => one.agent_id === 'ann' && one.session_id === 's1')).toEqual({
      agent_id: 'ann',
      session_id: 's1',
      first_at: own.at(-1)?.created_at,
      last_at: own[0]?.created_at,
      count: own.length,
    });
    const ends = sessions.map(({ last_at }: { last_at: string }) => last_at);
    expect(ends).toEqual([...ends].sort().reverse());
  });

  test('knows what was stored since it was asked last', async () => {
    const before = await get('/memories/timeline');
    await supertest(service.app).post('/ingest').set('X-Agent-ID', 'cid').send({ content: 'One more.' });
    expect((await get('/memories/timeline')).total).toBe(before.total + 1);
  });

  test('refuses an end before the beginning', async () => {
    const { status, body } = await supertest(service.app).get('/memories/timeline?since=2026-02-01&until=2026-01-01');
    expect([status, body.code]).toEqual([422, 'invalid_input']);
    expect(body.detail).toContain('later than since');
  });
});

describe('the summary', () => {
  test('counts what the list holds, by strength, and shows the most recalled', async () => {
    const summary = await get('/memories/summary');
    const all = await listed('');
    const count = (is: (memory: Said) => boolean) => all.filter(is).length;
    const step = ({ strength }: Said) => Math.min(9, Math.floor(strength * 10));
    expect(summary).toMatchObject({
      total: all.length,
      superseded: count(({ superseded_by }) => superseded_by !== null),
      ended: count(({ valid_until }) => valid_until !== null && Date.parse(valid_until) <= START_MS),
      never_recalled: count(({ recall_count }) => recall_count === 0),
      strength: Array.from({ length: 10 }, (_, place) => count((memory) => step(memory) === place)),
    });
    expect(summary.superseded).toBeGreaterThan(0);
    expect(summary.most_recalled.map(({ recall_count }: Said) => recall_count)).toEqual(Array(10).fill(3));
  });
});

describe('the relations of a memory', () => {
  test('tell what it came in the place of, and what was said around it in its session', async () => {
    const { supersedes, said_before: before, said_after: after } = await get(`/memory/${idOf(46)}/relations`);
    const own = RECORDS.filter(({ agent_id, session_id }) => agent_id === 'ann' && session_id === 's1');
    const place = own.findIndex(({ id }) => id === idOf(46));
    const ids = (memories: { id: string }[]) => memories.map(({ id }) => id);
    expect(supersedes).toEqual([]);
    expect(ids(before)).toEqual(ids(own.slice(Math.max(0, place - 5), place)));
    expect(ids(after)).toEqual(ids(own.slice(place + 1, place + 6)));
    expect((await get(`/memory/${idOf(45)}/relations`)).supersedes.map(({ id }: Said) => id)).toEqual([idOf(43)]);
  });

  test('tell what it contradicts, the surest first, whatever it contradicts that the caller does not see', async () => {
    const own = await startTestService({ embedder: null });
    const { store } = own.opened;
    const stored = async (agent: string, message: { content: string; scope?: string }) => {
      const { id } = (await say(own, agent, message)).memory;
      return ((await store.find(id)) as StoredMemory).memory;
    };
    const memory = await stored('ann', { content: 'The Nightshade turbine is inspected in May.' });
    const hidden: Memory[] = [];
    for (let year = 0; year < 60; year++)
      hidden.push(await stored('ann', { content: `The turbine is inspected in ${2030 + year}.`, scope: 'PRIVATE' }));
    const others = [
      await stored('bob', { content: 'The Nightshade turbine is inspected in June.' }),
      await stored('cid', { content: 'The Nightshade turbine is inspected in July.' }),
    ];
    const contradicting = (other: Memory, score: number): Contradiction => ({
      id: contradictionId(memory.id, other.id),
      a: memory.id,
      b: other.id,
      score,
      reason: 'date',
      topic: 'turbine',
      clash: { a: ['May'], b: [] },
      by: 'rules',
      foundAt: START_MS,
      decision: null,
      opinion: null,
    });
    const found = [
      ...hidden.map((other) => contradicting(other, 0.9)),
      ...others.map((other, i) => contradicting(other, 0.7 + i / 10)),
    ];
    const memories = [memory, ...hidden, ...others];
    await store.noteCompared({ by: 'rules', memories, read: memories, found });
    const relations = async (agent: string) =>
      (await supertest(own.app).get(`/memory/${memory.id}/relations`).set('X-Agent-ID', agent)).body;
    const told = (await relations('bob')).contradictions.map(({ b }: { b: { memory_id: string } }) => b.memory_id);
    expect(told).toEqual(others.map(({ id }) => id).reverse());
    expect((await relations('ann')).contradictions).toHaveLength(50);
    await own.close();
  });

  test('tell who recalled it and when, and not who only looked', async () => {
    const own = await startTestService({ embedder: null });
    const say = { content: 'The Nightshade turbine is inspected in May.' };
    const { body } = await supertest(own.app).post('/ingest').set('X-Agent-ID', 'ann').send(say);
    const recall = async (agent: string, more: object = {}) => {
      own.clock.advance(60_000);
      const query = 'When is the Nightshade turbine inspected?';
      await supertest(own.app)
        .post('/recall')
        .set('X-Agent-ID', agent)
        .send({ query, ...more });
    };
    await recall('bob');
    await recall('cid');
    await recall('dot', { strengthen: false });
    const relations = await supertest(own.app).get(`/memory/${body.memory.id}/relations`).set('X-Agent-ID', 'ann');
    const minutesLater = (minutes: number) => new Date(START_MS + minutes * 60_000).toISOString();
    expect(relations.body.recalled_by).toEqual([
      { agent_id: 'cid', at: minutesLater(2) },
      { agent_id: 'bob', at: minutesLater(1) },
    ]);
    await own.close();
  });

  test('tell what it was derived from and what was derived from it', async () => {
    const own = await startTestService({ embedder: null });
    const say = async (content: string) =>
      (await supertest(own.app).post('/ingest').set('X-Agent-ID', 'ann').send({ content })).body.memory.id;
    const sources: string[] = [];
    for (const part of ['pump', 'valve', 'gauge']) {
      sources.push(await say(`The Nightshade turbine has a leaking turbine ${part} at the Nightshade turbine hall.`));
    }
    const consolidate = async (dry_run: boolean) =>
      (await supertest(own.app).post('/consolidate').send({ prune: false, dry_run })).body.report;
    const foreseen = await consolidate(true);
    const report = await consolidate(false);
    const [derived] = report.ids.semantic_created;
    const relations = async (id: string) => (await supertest(own.app).get(`/memory/${id}/relations`)).body;
    const { body } = await supertest(own.app).get(`/memory/${derived.id}`);
    expect(foreseen.ids.semantic_created).toEqual([{ ...derived, id: null, gist: body.memory.gist }]);
    expect((await relations(derived.id)).sources.map(({ id }: Said) => id).sort()).toEqual([...derived.sources].sort());
    expect((await relations(sources[0] as string)).derived.map(({ id }: Said) => id)).toEqual([derived.id]);
    await own.close();
  });
});
