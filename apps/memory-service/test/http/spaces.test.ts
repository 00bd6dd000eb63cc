import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ManualClock } from '@agent-faculties/service-kit';
import { openEventReader, readContract } from '@agent-faculties/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { metric, parseExposition } from '../../../../packages/service-kit/test/exposition.ts';
import { backUpDirectory } from '../../src/persistence/backup/back-up-directory.ts';
import {
  closeFastEmbedder,
  countedIds,
  START_MS,
  startTestService,
  type TestService,
  type TestServiceOptions,
  temporaryFolder,
} from '../start-service.ts';

const SPACES = ['default', 'shop', 'till'] as const;
type SpaceName = (typeof SPACES)[number];
type Method = 'get' | 'post' | 'put' | 'delete';
type Request = readonly [Method, string, (object | string)?];

interface Opened {
  readonly service: TestService;
  readonly path: string;
  readonly ids: ReturnType<typeof countedIds>;
}

/** Holds all spaces; and a service for each space that holds nothing else. */
let all: Opened;
let alone: Record<SpaceName, Opened>;
const folders: ReturnType<typeof temporaryFolder>[] = [];

async function start(config: TestServiceOptions['config'] = {}, at: { path?: string; clock?: ManualClock } = {}) {
  const folder = at.path === undefined ? temporaryFolder() : null;
  if (folder) folders.push(folder);
  const path = at.path ?? (folder?.path as string);
  const ids = countedIds();
  const { clock = new ManualClock(START_MS) } = at;
  return { service: await startTestService({ dataDir: path, ids, clock, config }), path, ids };
}

async function send({ service }: Pick<Opened, 'service'>, space: string, [method, path, body]: Request) {
  const headers = { 'X-Agent-ID': 'ann', 'X-Space': space, 'X-Request-ID': 'same' };
  const request = supertest(service.app)[method](path).set(headers);
  if (typeof body === 'string') return await request.set('Content-Type', 'application/x-ndjson').send(body);
  return await (body === undefined ? request : request.send(body));
}

/** Sends the same to the space and to its twin, which makes the same ids. */
async function inBoth(space: SpaceName, request: Request) {
  const answer = await send(all, space, request);
  const made = all.ids.next();
  for (const other of SPACES) {
    if (other !== space) while (alone[other].ids.next() < made);
  }
  const twin = await send(alone[space], 'default', request);
  while (alone[space].ids.next() < made);
  return [answer, twin] as const;
}

const everyone = () => [all, ...Object.values(alone)];
const advance = (ms: number) => {
  for (const { service } of everyone()) service.clock.advance(ms);
};

/** What is said everywhere, in other words in each space. */
const SAID = (space: SpaceName) => [
  { content: `The checkout of the ${space} runs on db-${space.length}.`, tags: ['checkout', space] },
  { content: `The returns of the ${space} are refunded within ${space.length * 10} days.` },
  { content: `The returns of the ${space} are refunded within ${space.length * 10 + 1} days.`, agent_id: 'bob' },
  { content: `I fear that the ${space} is late.`, scope: 'PRIVATE' },
  { content: 'Everybody deploys on Thursdays at noon.', idempotency_key: 'evt-1' },
  ...['umbrella', 'coffee machine', 'window'].map((thing) => ({
    content: `Somebody left the ${thing} of the ${space} open.`,
    timestamp: '2026-03-01T10:00:00Z',
  })),
  ...['pump', 'valve', 'gauge'].map((part) => ({ content: `Osprey checks the boiler ${part} of the ${space} plant.` })),
];
/** Ids of what was said in each space, in order. */
const ids: Record<SpaceName, string[]> = { default: [], shop: [], till: [] };

beforeAll(async () => {
  all = await start({ openSpaces: 3 });
  alone = { default: await start(), shop: await start(), till: await start() };
  for (const index of SAID('shop').keys()) {
    for (const space of SPACES) {
      const body = SAID(space)[index] as object;
      const [answer, twin] = await inBoth(space, ['post', '/ingest', body]);
      if (answer.status !== 200 || twin.status !== 200) throw new Error(answer.text + twin.text);
      ids[space].push(answer.body.memory.id);
      advance(1_000);
    }
  }
});
afterAll(async () => {
  for (const { service } of everyone()) await service.close();
  for (const folder of folders) folder.remove();
  await closeFastEmbedder();
});

/** Without the times that it takes, and without the folder. */
const told = ({ status, text, headers }: supertest.Response) => [
  status,
  headers.etag,
  text
    .replace(/"(took|duration)_ms":[\d.]+/g, '"$1_ms":0')
    .replace(/"data_dir":"[^"]+"/, '"data_dir":""')
    .replace(/"next_cursor":"([^"]+)"/g, (_, cursor) => Buffer.from(cursor, 'base64url').toString()),
];

const TIDY = { prune_after_days: 30, prune_importance: 1, prune_strength: 1, keep_per_agent: 2 };
const TOOL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'recall', arguments: { query: 'Where does the checkout run?' } },
};
const PROMPT = {
  hook_event_name: 'UserPromptSubmit',
  session_id: 's',
  cwd: '/w',
  prompt: 'When are the returns paid?',
};
const LINE = { id: '0193a000-0000-7000-8000-000000000001', content: 'Brought.', created_at: '2026-11-20T10:00:00Z' };

/** Requests of every operation that happens in a space, in this order: questions first, then what writes. {0} is the first id. */
const REQUESTS: Readonly<Record<string, readonly Request[]>> = {
  recall: [
    ['post', '/recall', { query: 'Where does the checkout run?', explain: true }],
    ['post', '/recall', { query: 'returns', top_k: 100, strengthen: false, explain: true }],
    ['post', '/recall', { query: 'shop', top_k: 100 }],
  ],
  getWorkingMemory: [['get', '/working_memory']],
  getMemory: [['get', '/memory/{0}']],
  getMemoryHistory: [['get', '/memory/{0}/history']],
  getRelations: [['get', '/memory/{0}/relations']],
  explainAbsence: [['post', '/memory/{0}/why_not', { query: 'Where does the checkout run?' }]],
  getMemories: [['post', '/memories/get', { ids: ['{0}', '{4}', 'none'] }]],
  listMemories: [
    ['get', '/memories?limit=3'],
    ['get', '/memories?tag=checkout&agent_id=ann'],
  ],
  getAgenda: [['get', '/memories/agenda?days=62']],
  getTimeline: [['get', '/memories/timeline?buckets=7']],
  getSummary: [['get', '/memories/summary']],
  getStats: [['get', '/stats']],
  exportMemories: [['get', '/export?vectors=true']],
  listContradictions: [['post', '/contradictions', { threshold: 0, include_same_agent: true }]],
  listDoubtful: [['get', '/contradictions/doubtful?include_same_agent=true']],
  getHealth: [['get', '/health']],
  postMcp: [['post', '/mcp', TOOL]],
  ingest: [
    ['post', '/ingest', { content: 'Everybody deploys on Thursdays at noon.', idempotency_key: 'evt-1' }],
    ['post', '/ingest', { content: 'Nobody deploys on Thursdays.', idempotency_key: 'evt-1' }],
  ],
  ingestAndRecall: [['post', '/ingest_and_recall', { content: 'What is the checkout?', explain: true }]],
  updateMemory: [['put', '/memory/{0}', { importance: 1 }]],
  revertMemory: [['post', '/memory/{0}/revert', { version: 'none' }]],
  invalidateMemory: [['post', '/memory/{1}/invalidate', { reason: 'It was cancelled.' }]],
  resolveContradiction: [['post', '/contradictions/none/resolve', { dismiss: true }]],
  judgeContradiction: [['post', '/contradictions/none/judge', { says: 'compatible', judge: 'm' }]],
  merge: [['post', '/merge', `${JSON.stringify(LINE)}\n`]],
  receiveHook: [['post', '/hooks/claude-code', PROMPT]],
  listHooks: [['get', '/hooks?agent_id=*']],
  save: [['post', '/save']],
  consolidate: [['post', '/consolidate', TIDY]],
  getConsolidation: [['get', '/consolidate']],
  listPruned: [['get', '/pruned']],
  restorePruned: [['post', '/pruned/restore', {}]],
  undoConsolidation: [['post', '/consolidate/none/undo']],
  endOfDay: [['post', '/end_of_day', {}]],
  deleteMemory: [
    ['delete', '/memory/{2}'],
    ['delete', '/memory/{2}'],
  ],
  deleteAgentMemories: [['delete', '/memories/agent/bob']],
};

const withIds = (space: SpaceName, [method, path, body]: Request): Request => {
  const named = (text: string) => text.replace(/\{(\d)\}/g, (_, place) => ids[space][Number(place)] as string);
  return [method, named(path), typeof body === 'object' ? JSON.parse(named(JSON.stringify(body))) : body];
};

/** The stream has tests below, the page in test/browser. */
const ELSEWHERE: ReadonlySet<string> = new Set(['streamEvents', 'getDashboard']);

test('every operation that happens in a space has a request here', () => {
  const contract = readContract(new URL('../../openapi.yaml', import.meta.url)) as { paths: object };
  const SPACE = '#/components/parameters/space';
  const inSpace = Object.values(contract.paths).flatMap((item) => {
    const isShared = JSON.stringify(item.parameters ?? []).includes(SPACE);
    return Object.values(item as Record<string, { operationId?: string; parameters?: object[] }>).flatMap(
      ({ operationId, parameters = [] }) =>
        operationId !== undefined && (isShared || JSON.stringify(parameters).includes(SPACE)) ? [operationId] : [],
    );
  });
  expect(Object.keys(REQUESTS).sort()).toEqual(inSpace.filter((id) => !ELSEWHERE.has(id)).sort());
});

describe('an answer in a space is that of a service which has nothing else', () => {
  for (const [operationId, requests] of Object.entries(REQUESTS)) {
    test.each(requests as readonly Request[])(`${operationId}: %s %s %j`, async (...request) => {
      for (const space of SPACES) {
        const [answer, twin] = await inBoth(space, withIds(space, request as unknown as Request));
        expect(told(answer)).toEqual(told(twin));
      }
    });
  }

  test.each(['/export', '/memories?limit=1000', '/stats', '/pruned', '/consolidate', '/working_memory'])(
    'also afterwards: %s',
    async (path) => {
      for (const space of SPACES) {
        const [answer, twin] = await inBoth(space, ['get', path]);
        expect(told(answer)).toEqual(told(twin));
      }
    },
  );

  test('and the id of another space is unknown, whatever is done with it', async () => {
    const [id] = ids.shop;
    const unknown = '00000000-0000-7000-8000-999999999999';
    for (const space of ['default', 'till', 'nobody']) {
      for (const request of [
        ['get', `/memory/${id}`],
        ['get', `/memory/${id}/history`],
        ['get', `/memory/${id}/relations`],
        ['put', `/memory/${id}`, { importance: 0 }],
        ['post', `/memory/${id}/invalidate`, { reason: 'x' }],
        ['post', `/memory/${id}/revert`, { version: 'x' }],
        ['delete', `/memory/${id}`],
      ] as const) {
        const answer = await send(all, space, request);
        const [method, path, ...body] = request;
        const unknownAnswer = await send(all, space, [method, path.replace(id as string, unknown), ...body] as Request);
        expect([answer.status, answer.text.replaceAll(id as string, unknown)]).toEqual([404, unknownAnswer.text]);
      }
    }
    expect((await send(all, 'shop', ['get', `/memory/${id}`])).status).toBe(200);
  });
});

const MINUTE_MS = 60_000;
const say = (service: Opened, space: string, content: string) => send(service, space, ['post', '/ingest', { content }]);
const total = async (service: Opened, space: string) =>
  (await send(service, space, ['get', '/memories'])).body.total as number;
const measured = async ({ service }: Opened, name: string, labels = {}) =>
  metric(parseExposition((await supertest(service.app).get('/metrics')).text), name, labels);

describe('a space', () => {
  test('that does not exist is empty, and is made by the first write that is not refused', async () => {
    const { path } = all;
    const made = () => readdirSync(join(path, 'spaces')).includes('fresh');
    for (const request of ['/memories', '/stats', '/export', '/consolidate', '/pruned', '/health', '/hooks']) {
      expect((await send(all, 'fresh', ['get', request])).status).toBe(200);
    }
    const recalled = await send(all, 'fresh', ['post', '/recall', { query: 'checkout' }]);
    expect([recalled.status, recalled.body.memories]).toEqual([200, []]);
    expect((await send(all, 'fresh', ['delete', '/memory/none'])).body.code).toBe('unknown_memory');
    expect((await send(all, 'fresh', ['post', '/consolidate/none/undo'])).body.code).toBe('unknown_run');
    const hook = (prompt: string) =>
      ['post', '/hooks/claude-code', { hook_event_name: 'UserPromptSubmit', session_id: 's', prompt }] as const;
    const nothing = [...['/save', '/consolidate', '/end_of_day'].map((path) => ['post', path, {}] as const)];
    for (const request of [...nothing, ['post', '/hooks/claude-code', {}] as const, hook('#skip The code is 4711.')]) {
      expect((await send(all, 'fresh', request)).status).toBe(200);
      expect([await total(all, 'fresh'), made()]).toEqual([0, false]);
    }
    const reply = { hook_event_name: 'Stop', session_id: 's', last_assistant_message: 'Noted: 4711.' };
    expect((await send(all, 'fresh', ['post', '/hooks/claude-code', reply])).status).toBe(200);
    expect([await total(all, 'fresh'), made()]).toEqual([0, false]);
    expect((await say(all, 'fresh', 'The first words.')).status).toBe(200);
    expect(made()).toBe(true);
    expect(await total(all, 'fresh')).toBe(1);
    const inQuery = await supertest(all.service.app).get('/memories?space=fresh').set('X-Agent-ID', 'ann');
    expect(inQuery.body.total).toBe(1);
  });

  test.each(['A', 'a_b', '-a', '../a', 'a/b', '*', 'x'.repeat(64)])('cannot be called %j', async (name) => {
    const answer = await supertest(all.service.app).post('/ingest').query({ space: name }).send({ content: 'x' });
    expect([answer.status, answer.body.code]).toEqual([422, 'invalid_identity']);
  });

  test('is refused where there are too many', async () => {
    const few = await start({ maxSpaces: 2 });
    expect((await say(few, 'a', 'One.')).status).toBe(200);
    const refused = await say(few, 'b', 'Two.');
    expect([refused.status, refused.body.code]).toEqual([409, 'too_many_spaces']);
    expect(await total(few, 'b')).toBe(0);
    await few.service.close();
  });

  test('gives room to others, is closed when it is idle, and has everything again when it is used', async () => {
    const few = await start({ openSpaces: 2 });
    const names = ['a', 'b', 'c'];
    for (const [index, name] of names.entries()) {
      for (let said = 0; said <= index; said++) await say(few, name, `Words ${said} of ${name}.`);
      expect(await measured(few, 'memory_spaces_open')).toBe(2);
    }
    for (const [index, name] of names.entries()) expect(await total(few, name)).toBe(index + 1);
    few.service.clock.advance(10 * MINUTE_MS);
    await few.service.closeIdle();
    // The comparisons of new memories are not made yet, for which it stays open.
    expect(await measured(few, 'memory_spaces_open')).toBe(2);
    await send(few, 'c', ['post', '/contradictions', {}]);
    few.service.clock.advance(10 * MINUTE_MS);
    await few.service.closeIdle();
    expect(await measured(few, 'memory_spaces_open')).toBe(1);
    expect(await total(few, 'c')).toBe(3);
    await few.service.close();
    const again = await start({}, { path: few.path });
    for (const [index, name] of names.entries()) expect(await total(again, name)).toBe(index + 1);
    expect(await total(again, 'default')).toBe(0);
    await again.service.close();
  });

  test('makes room for the next one where both would take more than the memory limit, and comes back as it was', async () => {
    const tight = await start({ memoryLimitBytes: 1 });
    const words = (name: string) => say(tight, name, `Words of ${name}.`);
    for (const name of ['a', 'b', 'c']) await words(name);
    await tight.service.closeIdle();
    expect(await measured(tight, 'memory_spaces_open')).toBe(1);
    expect(await measured(tight, 'memory_spaces_bytes_limit')).toBe(1);
    for (const name of ['a', 'b', 'c']) expect(await total(tight, name)).toBe(1);
    expect(await measured(tight, 'memory_spaces_open')).toBe(2);
    await tight.service.close();
    const roomy = await start({ memoryLimitBytes: 1024 ** 3 }, { path: tight.path });
    for (const name of ['a', 'b', 'c']) expect(await total(roomy, name)).toBe(1);
    expect(await measured(roomy, 'memory_spaces_open')).toBe(4);
    // As docs/operations.md says: 1,100 bytes a memory, 3 a character, and twice a vector of 240 values.
    const reckoned = 1_100 + 3 * 'Words of a.'.length + 2 * 240 * Float32Array.BYTES_PER_ELEMENT;
    expect(await measured(roomy, 'memory_spaces_bytes')).toBe(3 * reckoned);
    await roomy.service.close();
  });

  test('that is damaged is refused, with what to do, and no other', async () => {
    const first = await start();
    for (const space of ['a', 'b', 'default']) await say(first, space, 'Words.');
    await first.service.close();
    writeFileSync(join(first.path, 'spaces', 'a', 'memories.json'), 'no memories');
    const again = await start({}, { path: first.path });
    for (let tries = 0; tries < 2; tries++) {
      const refused = await say(again, 'a', 'More.');
      expect([refused.status, refused.body.code]).toEqual([503, 'space_unavailable']);
      expect(refused.body.detail).toContain("The space 'a' cannot be opened");
    }
    for (const space of ['b', 'default']) expect(await total(again, space)).toBe(1);
    expect((await supertest(again.service.app).get('/health/ready')).status).toBe(200);
    await again.service.close();
  });

  test('that a read-only disk keeps from being made says so, and is made once it takes writes', async () => {
    const first = await start();
    const disk = join(first.path, 'spaces');
    mkdirSync(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      console.warn('not tried: mounting a small disk needs root on Linux');
      await first.service.close();
      return;
    }
    try {
      const refused = await say(first, 'a', 'Words.');
      expect([refused.status, refused.body.code]).toEqual([503, 'storage_unavailable']);
      expect(refused.body.detail).toMatch(/^The disk is read-only: nothing was changed/);
      expect(await total(first, 'a')).toBe(0);
      execFileSync('mount', ['-o', 'remount,rw', disk]);
      first.service.clock.advance(10_000);
      expect((await say(first, 'a', 'Words.')).status).toBe(200);
      await first.service.close();
    } finally {
      execFileSync('umount', ['--lazy', disk]);
    }
  });

  test('that is a link to somewhere else is refused, by a backup too', async () => {
    const first = await start();
    await say(first, 'a', 'Words.');
    symlinkSync(join(first.path, 'spaces', 'a'), join(first.path, 'spaces', 'b'));
    const refused = await say(first, 'b', 'More.');
    expect([refused.status, refused.body.code]).toEqual([503, 'space_unavailable']);
    expect(await total(first, 'a')).toBe(1);
    const backup = backUpDirectory(first.path, {
      output: async () => {},
      version: '1',
      nowMs: START_MS,
      pause: async () => {},
    });
    await expect(backup).rejects.toThrow(`${join('spaces', 'b')} is a symbolic link`);
    await first.service.close();
  });

  test('without a data directory lives as long as the service, however idle it is', async () => {
    const folder = temporaryFolder();
    const service = await startTestService({ config: { openSpaces: 1 } });
    const volatile = { service, path: folder.path, ids: countedIds() };
    for (const space of ['a', 'b']) await say(volatile, space, `Words of ${space}.`);
    service.clock.advance(60 * MINUTE_MS);
    await service.closeIdle();
    for (const space of ['a', 'b']) expect(await total(volatile, space)).toBe(1);
    await service.close();
    folder.remove();
  });

  test('is counted with the others, and named by no metric', async () => {
    const own = await start();
    await say(own, 'default', 'One.');
    for (const words of ['Two.', 'Three.']) await say(own, 'team-a', words);
    expect(await measured(own, 'memory_memories', { kind: 'episodic', scope: 'TEAM' })).toBe(3);
    expect(await measured(own, 'memory_fullest_space_memories')).toBe(2);
    expect(await measured(own, 'memory_spaces_opened_total')).toBe(1);
    expect((await supertest(own.service.app).get('/metrics')).text).not.toContain('team-a');
    await own.service.close();
  });

  test('is that of the key behind a gateway, whoever names another', async () => {
    const behind = await start({ trustIdentityHeader: true });
    await say(behind, 'team-a', 'Words.');
    const ask = (path: string, space: string) =>
      supertest(behind.service.app).get(path).set({ 'X-Agent-ID': 'ann', 'X-Space': space });
    expect((await ask('/memories?space=team-a', 'team-a')).body.total).toBe(1);
    for (const path of ['/memories?space=team-a', '/health?space=team-a', '/export?space=team-a']) {
      const refused = await ask(path, 'team-b');
      expect([refused.status, refused.body.code]).toEqual([403, 'foreign_space']);
    }
    await behind.service.close();
  });
});

describe('the stream of a space', () => {
  test('tells of what happens in it and nothing else, from before it exists, however long nobody asks', async () => {
    const own = await start({ openSpaces: 2 });
    const server = createServer(own.service.app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const stream = await openEventReader({ port, path: '/events/stream?agent_id=ann&space=late' });
    expect(await stream.next()).toMatchObject({ event: null });
    await say(own, 'default', 'Said to others.');
    const { body } = await say(own, 'late', 'The first.');
    expect(await stream.next()).toMatchObject({ event: 'added', data: { memory_id: body.memory.id } });
    await send(own, 'late', ['post', '/contradictions', {}]);
    own.service.clock.advance(60 * MINUTE_MS);
    await own.service.closeIdle();
    // There is room for no third one while the stream is open.
    expect((await say(own, 'third', 'x')).status).toBe(503);
    const next = await say(own, 'late', 'Another thing altogether.');
    expect(await stream.next()).toMatchObject({ event: 'added', data: { memory_id: next.body.memory.id } });
    stream.close();
    server.closeAllConnections();
    server.close();
    await own.service.close();
  });
});

describe('the night', () => {
  const CRON = { consolidateCron: '0 3 * * *', consolidateTimezone: 'UTC' };
  const lastNight = async (service: Opened, space: string) =>
    (await send(service, space, ['get', '/consolidate'])).body.last_report?.started_at ?? null;

  test('is given to spaces that are closed, one after the other, where it was missed', async () => {
    const first = await start(CRON);
    for (const space of ['a', 'b', 'quiet']) await say(first, space, 'Somebody left the window open.');
    await first.service.close();
    const clock = new ManualClock(START_MS + 24 * 60 * MINUTE_MS);
    const again = await start({ ...CRON, openSpaces: 2 }, { path: first.path, clock });
    again.service.start();
    await again.service.nights();
    for (const space of ['a', 'b', 'quiet']) expect(await lastNight(again, space)).not.toBeNull();
    expect(await measured(again, 'memory_spaces_open')).toBe(2);
    await again.service.close();

    // The next night is for those in which something has happened, and a week later for all.
    const next = await start(CRON, { path: first.path, clock });
    await say(next, 'a', 'Somebody left the door open.');
    await next.service.close();
    clock.advance(24 * 60 * MINUTE_MS);
    const third = await start(CRON, { path: first.path, clock });
    third.service.start();
    await third.service.nights();
    const dates = async (service: Opened) =>
      await Promise.all(['a', 'b', 'quiet'].map(async (space) => (await lastNight(service, space))?.slice(0, 10)));
    expect(await dates(third)).toEqual(['2026-11-23', '2026-11-22', '2026-11-22']);
    await third.service.close();
    clock.advance(7 * 24 * 60 * MINUTE_MS);
    const last = await start(CRON, { path: first.path, clock });
    last.service.start();
    await last.service.nights();
    expect(await dates(last)).toEqual(['2026-11-30', '2026-11-30', '2026-11-30']);
    await last.service.close();
  });
});
