import { ManualClock } from '@agent-faculties/service-kit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import {
  closeFastEmbedder,
  countedIds,
  fastEmbedder,
  START_MS,
  startTestService,
  type TestService,
  temporaryFolder,
} from '../start-service.ts';

/**
 * Two services hear the same in project shop, in no project, and what project till shares; one of them also hears what project till
 * keeps for itself. Whatever is asked in project shop, both must answer the same to the last byte: a project in a store of many
 * gets what it would get alone.
 */
interface Said {
  readonly agent: string;
  readonly content: string;
  readonly project?: string;
  readonly scope?: 'TEAM' | 'SHARED' | 'PRIVATE';
  readonly name?: string;
  readonly timestamp?: string;
  readonly tags?: string[];
}

const SAID: readonly Said[] = [
  { agent: 'ann', project: 'shop', content: 'The checkout of the shop runs on db-7.', tags: ['checkout'] },
  { agent: 'ann', project: 'till', content: 'The checkout of the till runs on nightshade-3.', tags: ['checkout'] },
  { agent: 'bob', project: 'shop', content: 'Returns are refunded within 14 days.' },
  {
    agent: 'bob',
    project: 'till',
    content: 'Returns are refunded within 90 days, says Morgenstern.',
    name: 'Morgenstern',
  },
  { agent: 'bob', project: 'till', scope: 'SHARED', content: 'Card payments go through the Osprey gateway.' },
  { agent: 'ann', content: 'Everybody deploys on Thursdays at noon.' },
  { agent: 'ann', project: 'till', scope: 'PRIVATE', content: 'I fear that the nightshade checkout is late.' },
  { agent: 'ann', project: 'shop', scope: 'PRIVATE', content: 'I fear that the checkout is late.' },
  { agent: 'dora', project: 'till', content: 'The Osprey gateway of the till is nightshade blue.' },
  { agent: 'cara', project: 'shop', content: 'Returns are refunded within 30 days.' },
  ...['pump', 'valve', 'gauge'].flatMap((part): Said[] => [
    { agent: 'cara', project: 'shop', content: `Osprey checks the boiler ${part} of the shop plant.` },
    { agent: 'cara', project: 'till', content: `Osprey checks the nightshade ${part} of the till plant.` },
  ]),
  ...['umbrella', 'coffee machine', 'window'].flatMap((thing): Said[] => [
    { agent: 'ann', project: 'shop', content: `Somebody left the ${thing} open.`, timestamp: '2026-03-01T10:00:00Z' },
    { agent: 'ann', project: 'till', content: `Nobody left the ${thing} open.`, timestamp: '2026-03-01T10:00:00Z' },
  ]),
];
const isHidden = ({ project, scope }: Said) => project === 'till' && scope !== 'SHARED';
const SECRETS = [/nightshade/i, /morgenstern/i, /90 days/, /"till(?!s)/, /dora/];

type Request = readonly [method: 'get' | 'post' | 'put' | 'delete', path: string, body?: object];

let all: TestService;
let alone: TestService;
const folders: ReturnType<typeof temporaryFolder>[] = [];
const ids: string[] = [];

beforeAll(async () => {
  const embedder = await fastEmbedder();
  const start = () => {
    const folder = temporaryFolder();
    folders.push(folder);
    const ids = countedIds();
    const clock = new ManualClock(START_MS);
    return { counter: ids, service: startTestService({ embedder, ids, clock, dataDir: folder.path }) };
  };
  const [a, b] = [start(), start()];
  all = await a.service;
  alone = await b.service;
  for (const said of SAID) {
    const { agent, project, ...message } = said;
    for (const service of [all, alone]) {
      service.clock.advance(1_000);
      if (service === alone && isHidden(said)) {
        b.counter.next();
        continue;
      }
      const answer = await send(service, { agent, project }, ['post', '/ingest', message]);
      expect(answer.status).toBe(200);
      if (service === all) ids.push(answer.body.memory.id);
    }
  }
});

afterAll(async () => {
  await all.close();
  await alone.close();
  for (const folder of folders) folder.remove();
  await closeFastEmbedder();
});

interface From {
  readonly agent: string;
  readonly project?: string | undefined;
}

async function send({ app }: Pick<TestService, 'app'>, { agent, project }: From, [method, path, body]: Request) {
  const request = supertest(app)[method](path).set('X-Agent-ID', agent).set('X-Request-ID', 'same');
  if (project) request.set('X-Project', project);
  return await (body ? request.send(body) : request);
}

const QUERIES = [
  'nightshade',
  'Where does the checkout run?',
  'Within how many days are returns refunded?',
  'What did Morgenstern say?',
  'the Osprey gateway',
  'deploys',
  'something that nobody ever told',
];
const TIDY = { prune_after_days: 30, prune_importance: 1, prune_strength: 1, keep_per_agent: 2 };
const rpc = (name: string, args: object): Request => [
  'post',
  '/mcp',
  { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
];

const READS: readonly Request[] = [
  ...QUERIES.flatMap((query): Request[] => [
    ['post', '/recall', { query, explain: true }],
    ['post', '/recall', { query, top_k: 100, strengthen: false, explain: true }],
    rpc('recall', { query, top_k: 100 }),
  ]),
  ['get', '/memories'],
  ['get', '/memories?limit=2'],
  ['get', '/memories?tag=checkout'],
  ['get', '/memories?agent_id=ann'],
  ['get', '/memories?q=e'],
  [
    'post',
    '/memories/get',
    { ids: SAID.map((_, place) => `00000000-0000-7000-8000-${String(place + 1).padStart(12, '0')}`) },
  ],
  ['get', '/stats'],
  ['get', '/export'],
  ['get', '/working_memory'],
  ['post', '/contradictions', { threshold: 0, include_same_agent: true }],
  ['get', '/contradictions/doubtful?include_same_agent=true'],
  ['get', '/consolidate'],
  ['get', '/pruned'],
];

const WRITES: readonly Request[] = [
  ['post', '/ingest', { content: 'Nightshade is what people whisper about.' }],
  ['post', '/ingest_and_recall', { content: 'What is the checkout of Morgenstern?', explain: true }],
  ['post', '/consolidate', { ...TIDY, dry_run: true }],
  ['post', '/consolidate', TIDY],
  ['post', '/pruned/restore', {}],
  ['delete', '/memories/agent/cara'],
  ['delete', '/memories/agent/dora'],
];

/** Ids that only one of the two could have made, by the order in which they are shown. */
const renamed = new Map<TestService, Map<string, string>>();

function comparable(service: TestService, { status, text }: supertest.Response) {
  const names = renamed.get(service) ?? new Map<string, string>();
  renamed.set(service, names);
  const body = text
    .replace(/00000000-0000-7000-8000-\d{12}/g, (id) => {
      if (Number(id.slice(-12)) <= SAID.length) return id;
      names.set(id, names.get(id) ?? `made-${names.size}`.padEnd(id.length));
      return names.get(id) as string;
    })
    .replace(/"next_cursor":"([^"]+)"/g, (_, cursor) => Buffer.from(cursor, 'base64url').toString());
  return { status, body };
}

async function expectTheSame(agent: string, request: Request): Promise<void> {
  const from = { agent, project: 'shop' };
  const [seen, expected] = [await send(all, from, request), await send(alone, from, request)];
  expect(comparable(all, seen)).toEqual(comparable(alone, expected));
  const asked = JSON.stringify([request, expected.text]);
  for (const secret of SECRETS) if (!secret.test(asked)) expect(seen.text).not.toMatch(secret);
}

describe.each(['ann', 'bob', 'eve'])('to %s in project shop, what project till keeps does not exist', (agent) => {
  test.each(READS)('%s %s %j', async (...request) => {
    await expectTheSame(agent, request as unknown as Request);
  });

  test('nor by its id', async () => {
    for (const [place, said] of SAID.entries()) {
      const path = `/memory/${ids[place]}`;
      const answers = [];
      for (const request of [
        ['get', path],
        ['put', path, { importance: 1 }],
        ['delete', path],
      ] as const) {
        if (isHidden(said)) answers.push((await send(all, { agent, project: 'shop' }, request)).status);
      }
      if (isHidden(said)) expect(answers).toEqual([404, 404, 404]);
    }
  });
});

describe('whatever eve changes in project shop', () => {
  test.each(WRITES)('%s %s %j', async (...request) => {
    await expectTheSame('eve', request as unknown as Request);
  });

  test.each(READS)('then %s %s %j', async (...request) => {
    await expectTheSame('bob', request as unknown as Request);
  });
});

describe('a memory of another project', () => {
  const OSPREY = SAID.findIndex(({ scope }) => scope === 'SHARED');

  test('that is SHARED is read, and not changed', async () => {
    const path = `/memory/${ids[OSPREY]}`;
    const from = { agent: 'bob', project: 'shop' };
    expect((await send(all, from, ['get', path])).body.memory).toMatchObject({ project: 'till', scope: 'SHARED' });
    for (const request of [
      ['put', path, { importance: 1 }],
      ['delete', path],
    ] as const) {
      const { status, body } = await send(all, from, request);
      expect([status, body.code]).toEqual([403, 'other_project']);
    }
    expect((await send(all, { agent: 'bob', project: 'till' }, ['put', path, { importance: 1 }])).status).toBe(200);
  });

  test('is seen where no project is named, and in all', async () => {
    for (const project of [undefined, '*']) {
      const { body } = await send(all, { agent: 'bob', project }, ['get', '/memories?limit=1000']);
      const projects = new Set(body.memories.map((memory: { project: string | null }) => memory.project));
      expect(projects).toEqual(new Set(['shop', 'till', null]));
    }
  });

  test('is not taken in by a merge in this one', async () => {
    const record = {
      id: '0193a0000000700080000000000000b1',
      content: 'Brought along.',
      created_at: '2026-11-20T10:00:00Z',
    };
    const merge = (memory: object) =>
      send(all, { agent: 'bob', project: 'shop' }, ['post', '/merge', { memories: [memory] }]);
    const refused = await merge({ ...record, project: 'till' });
    expect(refused.body.report.rejected[0].reason).toContain("does not belong to project 'shop'");
    expect((await merge(record)).body.report.added).toBe(1);
    const read = await send(all, { agent: 'bob', project: 'shop' }, ['get', `/memory/${record.id}`]);
    expect(read.body.memory.project).toBe('shop');
  });
});

test('the same words in two projects are two memories', async () => {
  const say = (project?: string) =>
    send(all, { agent: 'gil', project }, ['post', '/ingest', { content: 'Ship on Friday.' }]);
  const said = [await say('shop'), await say('till'), await say(), await say('shop')];
  expect(said.map(({ body }) => body.duplicate)).toEqual([false, false, false, true]);
});

test('nothing is written under a name with invisible characters; what is there is shown and can be deleted', async () => {
  const project = encodeURIComponent('sh\u200bop');
  const told = await send(all, { agent: 'gil' }, ['post', `/ingest?project=${project}`, { content: 'Ship.' }]);
  expect([told.status, told.body.detail]).toEqual([422, expect.stringContaining('invisible character U+200B')]);
  expect((await send(all, { agent: 'gil' }, ['get', `/memories?project=${project}`])).status).toBe(200);
  expect((await send(all, { agent: 'gil' }, ['delete', `/memory/none?project=${project}`])).status).toBe(404);
});

test('nothing is written in all projects', async () => {
  const { status, body } = await send(all, { agent: 'gil', project: '*' }, ['post', '/ingest', { content: 'Ship.' }]);
  expect([status, body.code]).toEqual([422, 'invalid_identity']);
});

test('an idempotency key is of one project', async () => {
  const say = (project: string, content: string) =>
    send(all, { agent: 'kim', project }, ['post', '/ingest', { content, idempotency_key: 'evt-9' }]);
  const first = await say('shop', 'Said in the shop.');
  const other = await say('till', 'Said in the till.');
  expect([other.status, other.body.duplicate, other.body.memory.project]).toEqual([200, false, 'till']);
  expect((await say('shop', 'Said in the shop.')).body).toMatchObject({
    duplicate: true,
    memory: { id: first.body.memory.id },
  });
  expect((await say('shop', 'Other words.')).body.code).toBe('idempotency_key_reused');
});
