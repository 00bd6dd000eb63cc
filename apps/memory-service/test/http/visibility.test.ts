import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ManualClock } from '@agent-faculties/service-kit';
import { loadSpec, operationsOf } from '@agent-faculties/service-kit/http';
import { type EventReader, openEventReader } from '@agent-faculties/testing';
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
 * Two services hear the same, but one of them hears PRIVATE memories of alice and dora as well. Whatever anybody else asks,
 * both must answer the same to the last byte, headers among it: text, ids, tags, entities, counts, scores, order, sizes. The
 * clock stands still while they answer, so how long it takes is left out. Every operation of the contract takes part.
 */
interface Said {
  readonly agent: string;
  readonly content: string;
  readonly scope: 'TEAM' | 'SHARED' | 'PRIVATE';
  readonly session?: string;
  readonly tags?: string[];
  readonly name?: string;
  readonly timestamp?: string;
}

const SAID: readonly Said[] = [
  {
    agent: 'alice',
    content: 'The release train leaves on Thursday at noon.',
    scope: 'TEAM',
    session: 's1',
    tags: ['release'],
  },
  {
    agent: 'alice',
    content: 'Project Nightshade pays Morgenstern 48,000 for the audit.',
    scope: 'PRIVATE',
    session: 's1',
    tags: ['nightshade'],
  },
  { agent: 'alice', content: 'Who takes the release notes?', scope: 'SHARED', session: 's1' },
  {
    agent: 'alice',
    content: 'My salary talk with Nora about the release bonus is on Friday.',
    scope: 'PRIVATE',
    session: 's1',
    name: 'Nora',
  },
  {
    agent: 'bob',
    content: 'I write the release notes for the billing service.',
    scope: 'TEAM',
    session: 's2',
    tags: ['release'],
  },
  {
    agent: 'bob',
    content: 'The billing database runs on db-7.internal.',
    scope: 'PRIVATE',
    session: 's2',
    tags: ['db'],
  },
  {
    agent: 'carol',
    content: 'Nightly backups of the billing service take 40 minutes.',
    scope: 'SHARED',
    tags: ['backup'],
  },
  { agent: 'alice', content: 'Release 2.4.1 fixes the login loop.', scope: 'TEAM', session: 's1', tags: ['release'] },
  { agent: 'alice', content: 'The nightly backups of the billing service take 90 minutes.', scope: 'PRIVATE' },
  { agent: 'bob', content: 'Nightly backups of the billing service take 70 minutes.', scope: 'TEAM' },
  { agent: 'dora', content: 'Nightshade is staffed by dora alone.', scope: 'PRIVATE', tags: ['nightshade'] },
  // A night prunes these. How many it prunes must not depend on the number of PRIVATE memories of alice.
  ...['umbrella', 'parking garage', 'coffee machine', 'window'].map((thing) => ({
    agent: 'alice',
    content: `Somebody left the ${thing} open.`,
    scope: 'TEAM' as const,
    timestamp: '2026-03-01T10:00:00Z',
  })),
  // These share words that are also the name of somebody in a PRIVATE memory.
  ...['boiler pressure', 'boiler valve', 'boiler gauge'].map((what, number) => ({
    agent: 'carol',
    content: `Osprey checks the ${what} of plant ${number + 3}.`,
    scope: 'TEAM' as const,
  })),
  { agent: 'alice', content: 'I look after the nightshade wing.', scope: 'PRIVATE', name: 'Osprey Boiler' },
  // These give alice one PRIVATE semantic memory.
  ...['pump', 'valve', 'gauge'].map((what) => ({
    agent: 'alice',
    content: `The Nightshade turbine has a leaking turbine ${what} at the Nightshade turbine hall.`,
    scope: 'PRIVATE' as const,
  })),
];

const SECRETS = [/nightshade/i, /morgenstern/i, /48,000/, /90 minutes/, /salary/i, /\bNora\b/, /dora/i];

let withSecrets: TestService;
let without: TestService;
const folders: ReturnType<typeof temporaryFolder>[] = [];
/** Ids by place in SAID. */
const ids: string[] = [];
/** The id of the contradiction between bob and carol; it is made of the ids of both memories. */
let contradiction = '';
/** What is streamed to agents from the beginning, from the one and the other service. */
const streams = new Map<string, readonly [EventReader, EventReader]>();
const ends: (() => void)[] = [];

async function streamTo(agent: string, { app }: TestService): Promise<EventReader> {
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const reader = await openEventReader({ port, path: '/events/stream', headers: { 'X-Agent-ID': agent } });
  ends.push(() => {
    reader.close();
    server.close();
  });
  return reader;
}

beforeAll(async () => {
  const embedder = await fastEmbedder();
  const start = () => {
    const counter = countedIds();
    const clock = new ManualClock(START_MS);
    const folder = temporaryFolder();
    folders.push(folder);
    return { counter, service: startTestService({ embedder, ids: counter, clock, dataDir: folder.path }) };
  };
  const [a, b] = [start(), start()];
  withSecrets = await a.service;
  without = await b.service;
  for (const agent of ['bob', 'carol', 'mallory']) {
    streams.set(agent, [await streamTo(agent, withSecrets), await streamTo(agent, without)]);
  }
  for (const said of SAID) {
    const isSecret = said.scope === 'PRIVATE' && said.agent !== 'bob';
    for (const service of [withSecrets, without]) {
      service.clock.advance(1_000);
      if (service === without && isSecret) {
        b.counter.next();
        continue;
      }
      const answer = await send(service, said.agent, ['post', '/ingest', messageOf(said)]);
      if (service === withSecrets) ids.push(answer.body.memory.id);
    }
  }
  const found = await send(without, 'bob', ['post', '/contradictions']);
  await send(withSecrets, 'bob', ['post', '/contradictions']);
  contradiction = found.body.contradictions[0].id;
});

afterAll(async () => {
  for (const end of ends) end();
  await withSecrets.close();
  await without.close();
  for (const folder of folders) folder.remove();
  await closeFastEmbedder();
});

function messageOf({ content, scope, tags, name, timestamp, session }: Said) {
  return { content, scope, tags, name, timestamp, session_id: session };
}

type Request = readonly [
  method: 'get' | 'post' | 'put' | 'delete',
  path: string,
  body?: object | undefined,
  headers?: Record<string, string>,
];

async function send({ app, opened }: TestService, agent: string, [method, path, body, headers = {}]: Request) {
  // A stream never ends: its head is compared here, and what it says below.
  const request = supertest(app)
    [path === '/events/stream' ? 'head' : method](
      path
        .replace('{public}', ids[0] as string)
        .replace('{contradiction}', contradiction)
        .replace('{run}', opened.runLog.last?.id ?? 'none'),
    )
    .set('X-Agent-ID', agent)
    .set('X-Request-ID', 'same')
    .set(headers);
  return await (body ? request.send(body) : request);
}

const QUERIES = [
  'nightshade',
  'What does Project Nightshade pay Morgenstern?',
  'release',
  'When is the salary talk with Nora?',
  'What did Nora say?',
  'Where does the billing database run?',
  'Who takes the release notes?',
  'something that nobody ever told',
];

/** Ids by place in SAID, known before anything is said. */
function everyId(): string[] {
  return SAID.map((_, place) => `00000000-0000-7000-8000-${String(place + 1).padStart(12, '0')}`);
}

function rpc(method: string, params: object = {}): Request {
  return ['post', '/mcp', { jsonrpc: '2.0', id: 1, method, params }];
}

/** Requests that change nothing that others see later, by operation. */
const READS: Readonly<Record<string, readonly Request[]>> = {
  recall: QUERIES.flatMap((query): Request[] => [
    ['post', '/recall', { query, explain: true, strengthen: false }],
    ['post', '/recall', { query, top_k: 100, session_id: 's1', strengthen: false }],
    ['post', '/recall', { query, tags: ['nightshade'], explain: true }],
    ['post', '/recall', { query, scope: 'PRIVATE', top_k: 50 }],
  ]),
  listMemories: [
    ['get', '/memories'],
    ['get', '/memories?limit=1'],
    ['get', '/memories?tag=nightshade'],
    ['get', '/memories?scope=PRIVATE'],
    ['get', '/memories?session_id=s1'],
    ['get', '/memories?agent_id=alice'],
    ['get', '/memories?agent_id=dora'],
    ['get', '/memories?q=nightshade'],
    ['get', '/memories?q=e'],
    ['get', '/memories?as_of=2026-11-21T10:00:00Z'],
  ],
  getMemory: [['get', '/memory/{public}']],
  listDoubtful: [['get', '/contradictions/doubtful?include_same_agent=true']],
  getMemories: [['post', '/memories/get', { ids: everyId() }]],
  getStats: [['get', '/stats']],
  explainAbsence: QUERIES.flatMap((query): Request[] => [
    ['post', '/memory/{public}/why_not', { query, top_k: 1 }],
    ['post', `/memory/${everyId()[1]}/why_not`, { query }],
  ]),
  getAgenda: [
    ['get', '/memories/agenda'],
    ['get', '/memories/agenda?days=62&limit=1'],
    ['get', '/memories/agenda?agent_id=alice'],
    ['get', '/memories/agenda?scope=PRIVATE&as_of=2026-11-22'],
    ['get', '/memories/agenda?session_id=s1'],
  ],
  getTimeline: [
    ['get', '/memories/timeline'],
    ['get', '/memories/timeline?since=2026-01-01&buckets=500'],
    ['get', '/memories/timeline?as_of=2026-11-21T10:00:00Z&buckets=3'],
  ],
  getSummary: [['get', '/memories/summary']],
  getRelations: [
    ['get', '/memory/{public}/relations'],
    ['get', '/memory/none/relations'],
  ],
  exportMemories: [
    ['get', '/export'],
    ['get', '/export?vectors=true'],
  ],
  getWorkingMemory: [
    ['get', '/working_memory?session_id=s1'],
    ['get', '/working_memory'],
  ],
  getHealth: [['get', '/health']],
  getPrompt: [['get', '/prompt']],
  getLiveness: [['get', '/health/live']],
  getReadiness: [['get', '/health/ready']],
  getConsolidation: [['get', '/consolidate']],
  listPruned: [
    ['get', '/pruned'],
    ['get', '/pruned?limit=1'],
  ],
  save: [['post', '/save']],
  listContradictions: [
    ['post', '/contradictions'],
    ['post', '/contradictions', { threshold: 0, include_same_agent: true, states: ['open', 'resolved', 'dismissed'] }],
    ['post', '/contradictions', { threshold: 0, agent_ids: ['alice'], include_same_agent: true }],
  ],
  getDashboard: [['get', '/dashboard']],
  getDocs: [['get', '/docs']],
  getOpenApi: [['get', '/openapi.json']],
  postMcp: [
    ...QUERIES.map((query) => rpc('tools/call', { name: 'recall', arguments: { query, top_k: 100 } })),
    ...QUERIES.map((topic) => rpc('prompts/get', { name: 'team-memory', arguments: { topic } })),
    rpc('tools/call', { name: 'contradictions', arguments: { threshold: 0, include_same_agent: true } }),
    rpc('resources/list'),
    rpc('resources/read', { uri: 'memory://context' }),
  ],
  listHooks: [['get', '/hooks']],
  streamEvents: [['get', '/events/stream']],
  getMemoryHistory: [
    ['get', '/memory/{public}/history'],
    ['get', '/memory/none/history'],
  ],
};

/** What changes the store, in this order: the last ones delete. */
const TIDY = { prune_after_days: 30, prune_importance: 1, prune_strength: 1, keep_per_agent: 6 };
const WRITES: Readonly<Record<string, readonly Request[]>> = {
  ingest: [['post', '/ingest', { content: 'Project Nightshade is what people whisper about.', session_id: 's1' }]],
  ingestAndRecall: [
    ['post', '/ingest_and_recall', { content: 'What does Nightshade pay for the audit?', explain: true }],
  ],
  receiveHook: QUERIES.map((prompt) => [
    'post',
    '/hooks/claude-code',
    { hook_event_name: 'UserPromptSubmit', session_id: 's1', prompt },
  ]),
  updateMemory: [
    ['put', '/memory/{public}', { gist: 'The release train leaves on Nightshade.', tags: ['nightshade'] }],
    ['put', '/memory/{public}', { scope: 'PRIVATE' }],
  ],
  merge: [
    [
      'post',
      '/merge',
      {
        memories: [
          { id: '0193a0000000700080000000000000b1', content: 'Brought along.', created_at: '2026-11-20T10:00:00Z' },
          {
            id: '0193a0000000700080000000000000b2',
            content: 'Not mine.',
            created_at: '2026-11-20T10:00:00Z',
            agent_id: 'dora',
            scope: 'PRIVATE',
          },
        ],
      },
    ],
  ],
  judgeContradiction: [
    ['post', '/contradictions/{contradiction}/judge', { says: 'compatible', judge: 'm' }],
    ['post', '/contradictions/none/judge', { says: 'compatible', judge: 'm' }],
  ],
  resolveContradiction: [
    ['post', '/contradictions/{contradiction}/resolve', { dismiss: true }],
    ['post', '/contradictions/none/resolve', { dismiss: true }],
  ],
  invalidateMemory: [
    ['post', '/memory/{public}/invalidate', { reason: 'Nightshade was cancelled.' }],
    ['post', '/memory/none/invalidate', { reason: 'Nightshade was cancelled.' }],
  ],
  consolidate: [
    ['post', '/consolidate', { ...TIDY, dry_run: true }],
    ['post', '/consolidate', { ...TIDY, keep_per_agent: 7 }],
    ['post', '/consolidate', { ...TIDY, keep_per_agent: 7 }],
  ],
  undoConsolidation: [
    ['post', '/consolidate/{run}/undo'],
    ['post', '/consolidate/{run}/undo'],
    ['get', '/memory/{public}/history'],
  ],
  revertMemory: [
    ['post', '/memory/{public}/revert', { version: (START_MS + 1_000).toString(36) }],
    ['get', '/memory/{public}/history'],
  ],
  restorePruned: [
    ['post', '/pruned/restore', { ids: ['{public}'] }],
    ['post', '/pruned/restore', {}],
  ],
  endOfDay: [['post', '/end_of_day', TIDY]],
  deleteMemory: [
    ['delete', '/memory/{public}'],
    ['delete', '/memory/{public}'],
    ['get', '/memory/{public}/history'],
    ['delete', '/memory/{public}?erase=true'],
  ],
  deleteAgentMemories: [
    ['delete', '/memories/agent/alice'],
    ['delete', '/memories/agent/dora'],
  ],
};

/** Ids that only one of the two could have made, such as those of semantic memories, by the order in which they are shown. */
const renamed = new Map<TestService, Map<string, string>>();
const MADE_BEFORE = SAID.length;

function comparable(service: TestService, { status, headers, text }: supertest.Response) {
  const names = renamed.get(service) ?? new Map<string, string>();
  renamed.set(service, names);
  const named = (body: string) =>
    body.replace(/00000000-0000-7000-8000-\d{12}/g, (id) => {
      if (Number(id.slice(-12)) <= MADE_BEFORE) return id;
      names.set(id, names.get(id) ?? `made-${names.size}`.padEnd(id.length));
      return names.get(id) as string;
    });
  const dataDir = service.opened.persistence.state().dataDir as string;
  const plain = text
    ?.replaceAll(dataDir, 'DATA')
    .replace(/"next_cursor":"([^"]+)"/g, (_, cursor) => Buffer.from(cursor, 'base64url').toString());
  const { date: _, ...others } = headers;
  return { status, headers: named(JSON.stringify(others)), text: named(plain ?? '') };
}

/** Both must answer the same, and name nothing that is PRIVATE to another. */
async function expectTheSame(agent: string, request: Request): Promise<void> {
  const [seen, expected] = [await send(withSecrets, agent, request), await send(without, agent, request)];
  expect(comparable(withSecrets, seen)).toEqual(comparable(without, expected));
  const asked = JSON.stringify([request, expected.text]);
  for (const secret of SECRETS) if (!secret.test(asked)) expect(seen.text ?? '').not.toMatch(secret);
}

const requestsOf = (cases: typeof READS) =>
  Object.values(cases).flatMap((requests) => requests.map((request) => ({ request })));

test('every operation of the contract has a case, but for those that only operators reach', () => {
  const table = readFileSync(new URL('../../../../docker/gateway/roles.table', import.meta.url), 'utf8');
  const operations = operationsOf(loadSpec(new URL('../../openapi.yaml', import.meta.url)));
  const isForOperators = ({ method, path }: { method: string; path: string }) =>
    new RegExp(`^memory +${method.toUpperCase()} +${path} +none$`, 'm').test(table);
  const agents = operations.filter((operation) => !isForOperators(operation));
  expect(operations.filter(isForOperators).map(({ operationId }) => operationId)).toEqual(['getMetrics']);
  expect(agents.map(({ operationId }) => operationId).sort()).toEqual(
    [...Object.keys(READS), ...Object.keys(WRITES)].sort(),
  );
});

describe.each(['bob', 'carol', 'default', 'mallory'])(
  'to %s a PRIVATE memory of alice or dora does not exist',
  (agent) => {
    test.each(requestsOf(READS))('$request.0 $request.1 $request.2', async ({ request }) => {
      await expectTheSame(agent, request);
    });

    test.each([
      ['get', '/memory/ID', undefined],
      ['put', '/memory/ID', { gist: 'overwritten' }],
      ['put', '/memory/ID', { scope: 'TEAM' }],
      ['put', '/memory/ID', { superseded_by: null, valid_until: null }],
      ['delete', '/memory/ID', undefined],
      ['post', '/memory/ID/invalidate', { reason: 'It was cancelled.' }],
      ['post', '/ingest', { content: 'It was cancelled.', supersedes: ['ID'] }],
    ] as const)('%s %s %j answers as for an id that never was', async (method, path, body) => {
      for (const [place, said] of SAID.entries()) {
        if (said.scope !== 'PRIVATE' || said.agent === agent) continue;
        const answerFor = async (id: string) => {
          const withId = body && JSON.parse(JSON.stringify(body).replace('ID', id));
          const { status, text } = await send(withSecrets, agent, [method, path.replace('ID', id), withId]);
          return { status, text: text.replaceAll(id, 'ID') };
        };
        const answer = await answerFor(ids[place] as string);
        expect(answer).toEqual(await answerFor('00000000-0000-7000-8000-999999999999'));
        expect(answer.status).toBe(path === '/ingest' ? 422 : 404);
      }
    });

    test('its history and an erasure answer as for an id that never was', async () => {
      for (const [place, said] of SAID.entries()) {
        if (said.scope !== 'PRIVATE' || said.agent === agent) continue;
        for (const [method, more, body] of [
          ['get', '/history', undefined],
          ['post', '/revert', { version: 'none' }],
          ['delete', '?erase=true', undefined],
        ] as const) {
          const [answer, never] = await Promise.all(
            [ids[place] as string, '00000000-0000-7000-8000-999999999999'].map(async (id) => {
              const { status, text } = await send(withSecrets, agent, [method, `/memory/${id}${more}`, body]);
              return { status, text: text.replaceAll(id, 'ID') };
            }),
          );
          expect(answer).toEqual(never);
          expect(answer?.status).toBe(404);
        }
      }
    });

    test('what the agent stores meets none of them', async () => {
      const same = {
        content: 'Project Nightshade pays Morgenstern 48,000 for the audit.',
        session_id: 's1',
        idempotency_key: 'k',
      };
      for (const path of ['/ingest', '/ingest_and_recall']) await expectTheSame(agent, ['post', path, same]);
      for (const service of [withSecrets, without]) {
        const list = await send(service, agent, ['get', `/memories?agent_id=${agent}&q=Morgenstern`]);
        for (const { id } of list.body.memories) await send(service, agent, ['delete', `/memory/${id}`]);
      }
    });
  },
);

describe('whatever mallory changes', () => {
  test.each(requestsOf(WRITES))('$request.0 $request.1 $request.2', async ({ request }) => {
    await expectTheSame('mallory', request);
  });

  test.each(requestsOf(READS))('then $request.0 $request.1 $request.2', async ({ request }) => {
    for (const agent of ['mallory', 'bob']) await expectTheSame(agent, request);
  });
});

test.each(['bob', 'carol', 'mallory'])('all of that was streamed alike to %s', async (agent) => {
  const told: string[] = [];
  for (const [place, service] of [withSecrets, without].entries()) {
    const last = await send(service, 'carol', ['post', '/ingest', { content: `That is all, ${agent}.` }]);
    const messages: object[] = [];
    for (let id = ''; id !== last.body.memory.id; ) {
      const { event, data } = (await streams.get(agent)?.[place]?.next()) ?? {};
      // A heartbeat comes with the time of day.
      if (event) messages.push({ event, data });
      id = data?.memory_id ?? '';
    }
    told.push(comparable(service, { status: 200, headers: {}, text: JSON.stringify(messages, null, 1) } as never).text);
  }
  expect(told[0]).toBe(told[1]);
  for (const event of ['added', 'edited', 'invalidated', 'deleted', 'contradiction', 'consolidation']) {
    expect(told[0]).toContain(`"event": "${event}"`);
  }
});

describe('the owner', () => {
  let service: TestService;
  const ids: string[] = [];
  beforeAll(async () => {
    service = await startTestService();
    for (const said of SAID) {
      service.clock.advance(1_000);
      ids.push((await send(service, said.agent, ['post', '/ingest', messageOf(said)])).body.memory.id);
    }
  });
  afterAll(() => service.close());

  test('finds her own PRIVATE memories everywhere', async () => {
    const recalled = await send(service, 'alice', [
      'post',
      '/recall',
      { query: 'What does Nightshade pay Morgenstern?' },
    ]);
    expect(recalled.body.memories[0].id).toBe(ids[1]);
    const listed = await send(service, 'alice', ['get', '/memories?scope=PRIVATE']);
    const own = ids.filter((_, place) => SAID[place]?.agent === 'alice' && SAID[place]?.scope === 'PRIVATE');
    expect(listed.body.memories.map(({ id }: { id: string }) => id)).toEqual(own.reverse());
    const stats = await send(service, 'alice', ['get', '/stats']);
    expect(stats.body.agents.alice).toMatchObject({ total: 14, private: 7 });
    expect(stats.body.agents.dora).toBeUndefined();
  });

  test('may make a memory PRIVATE, and nobody else may change its scope', async () => {
    const { body } = await send(service, 'alice', ['post', '/ingest', { content: 'Shared for a moment: heliotrope.' }]);
    const path = `/memory/${body.memory.id}`;
    expect((await send(service, 'bob', ['put', path, { scope: 'PRIVATE' }])).body.code).toBe('not_the_creator');
    expect((await send(service, 'alice', ['put', path, { scope: 'PRIVATE' }])).status).toBe(200);
    expect((await send(service, 'bob', ['get', path])).status).toBe(404);
    const recalled = await send(service, 'bob', ['post', '/recall', { query: 'heliotrope', top_k: 100 }]);
    expect(recalled.text.replace('"heliotrope"', '')).not.toMatch(/heliotrope/);
  });

  test('loses them only when she asks herself', async () => {
    const byBob = await send(service, 'bob', ['delete', '/memories/agent/dora']);
    expect([byBob.status, byBob.body.code]).toEqual([404, 'no_memories_of_agent']);
    const byDora = await send(service, 'dora', ['delete', '/memories/agent/dora']);
    expect(byDora.body).toEqual({ deleted: 1 });
  });
});
