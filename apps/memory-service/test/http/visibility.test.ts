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
} from '../start-service.ts';

/**
 * Two services hear the same, but one of them hears alice's PRIVATE memories as well. Whatever anybody but alice asks,
 * both must answer the same to the last byte: text, ids, tags, entities, counts, scores, order.
 */
interface Said {
  readonly agent: string;
  readonly content: string;
  readonly scope: 'TEAM' | 'SHARED' | 'PRIVATE';
  readonly session?: string;
  readonly tags?: string[];
  readonly name?: string;
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
];

const SECRETS = [/nightshade/i, /morgenstern/i, /48,000/, /90 minutes/, /salary/i, /\bNora\b/, /dora/i];

let withSecrets: TestService;
let without: TestService;
/** Ids by place in SAID. */
const ids: string[] = [];

beforeAll(async () => {
  const embedder = await fastEmbedder();
  const start = () => {
    const counter = countedIds();
    return { counter, service: startTestService({ embedder, ids: counter, clock: new ManualClock(START_MS) }) };
  };
  const [a, b] = [start(), start()];
  withSecrets = await a.service;
  without = await b.service;
  for (const said of SAID) {
    const isSecret = said.scope === 'PRIVATE' && said.agent !== 'bob';
    for (const service of [withSecrets, without]) {
      service.clock.advance(1_000);
      if (service === without && isSecret) {
        b.counter.next();
        continue;
      }
      const { content, scope, tags, name } = said;
      const message = { content, scope, tags, name, session_id: said.session };
      const answer = await send(service, said.agent, ['post', '/ingest', message]);
      if (service === withSecrets) ids.push(answer.body.memory.id);
    }
  }
});

afterAll(async () => {
  await withSecrets.close();
  await without.close();
  await closeFastEmbedder();
});

type Request = readonly [
  method: 'get' | 'post' | 'put' | 'delete',
  path: string,
  body?: object | undefined,
  headers?: Record<string, string>,
];

async function send({ app }: Pick<TestService, 'app'>, agent: string, [method, path, body, headers = {}]: Request) {
  const request = supertest(app)[method](path).set('X-Agent-ID', agent).set('X-Request-ID', 'same').set(headers);
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

const READS: readonly Request[] = [
  ...QUERIES.flatMap((query): Request[] => [
    ['post', '/recall', { query, explain: true, strengthen: false }],
    ['post', '/recall', { query, top_k: 100, session_id: 's1', strengthen: false }],
    ['post', '/recall', { query, tags: ['nightshade'], explain: true }],
    ['post', '/recall', { query, scope: 'PRIVATE', top_k: 50 }],
  ]),
  ['get', '/memories'],
  ['get', '/memories?limit=1'],
  ['get', '/memories?tag=nightshade'],
  ['get', '/memories?scope=PRIVATE'],
  ['get', '/memories?session_id=s1'],
  ['get', '/memories?agent_id=alice'],
  ['get', '/memories?agent_id=dora'],
  ['get', '/memories?q=nightshade'],
  ['get', '/memories?q=e'],
  ['get', '/stats'],
  ['get', '/export'],
  ['get', '/working_memory?session_id=s1'],
  ['get', '/working_memory'],
  ['get', '/health'],
  ['post', '/save'],
  ['post', '/contradictions'],
  ['post', '/contradictions', { threshold: 0, include_same_agent: true, states: ['open', 'resolved', 'dismissed'] }],
  ['post', '/contradictions', { threshold: 0, agent_ids: ['alice'], include_same_agent: true }],
];

describe.each(['bob', 'carol', 'default', 'mallory'])(
  'to %s a PRIVATE memory of alice or dora does not exist',
  (agent) => {
    test.each(READS.map((request) => ({ request })))('$request.0 $request.1 $request.2', async ({ request }) => {
      const [seen, expected] = [await send(withSecrets, agent, request), await send(without, agent, request)];
      expect(stable(seen.text)).toBe(stable(expected.text));
      expect(seen.status).toBe(expected.status);
      const [, path, body] = request;
      const asked = JSON.stringify([path, body]);
      for (const secret of SECRETS) if (!secret.test(asked)) expect(seen.text).not.toMatch(secret);
    });

    test.each([
      ['get', undefined],
      ['put', { gist: 'overwritten' }],
      ['put', { scope: 'TEAM' }],
      ['delete', undefined],
    ] as const)('%s /memory/{id} %p answers as for an id that never was', async (method, body) => {
      for (const [place, said] of SAID.entries()) {
        if (said.scope !== 'PRIVATE' || said.agent === agent) continue;
        const id = ids[place] as string;
        const answer = await send(withSecrets, agent, [method, `/memory/${id}`, body]);
        const never = await send(withSecrets, agent, [method, '/memory/00000000-0000-7000-8000-999999999999', body]);
        expect(answer.status).toBe(404);
        expect(answer.text.replaceAll(id, 'ID')).toBe(
          never.text.replaceAll('00000000-0000-7000-8000-999999999999', 'ID'),
        );
      }
    });

    test('what the agent stores meets none of them', async () => {
      const same = {
        content: 'Project Nightshade pays Morgenstern 48,000 for the audit.',
        session_id: 's1',
        idempotency_key: 'k',
      };
      for (const path of ['/ingest', '/ingest_and_recall']) {
        const [seen, expected] = [
          await send(withSecrets, agent, ['post', path, same]),
          await send(without, agent, ['post', path, same]),
        ];
        expect(stable(seen.text)).toBe(stable(expected.text));
      }
      for (const service of [withSecrets, without]) {
        const list = await send(service, agent, ['get', `/memories?agent_id=${agent}&q=Morgenstern`]);
        for (const { id } of list.body.memories) await send(service, agent, ['delete', `/memory/${id}`]);
      }
    });
  },
);

describe('the owner', () => {
  test('finds her own PRIVATE memories everywhere', async () => {
    const recalled = await send(withSecrets, 'alice', [
      'post',
      '/recall',
      { query: 'What does Nightshade pay Morgenstern?' },
    ]);
    expect(recalled.body.memories[0].id).toBe(ids[1]);
    const listed = await send(withSecrets, 'alice', ['get', '/memories?scope=PRIVATE']);
    expect(listed.body.memories.map(({ id }: { id: string }) => id)).toEqual([ids[8], ids[3], ids[1]]);
    const stats = await send(withSecrets, 'alice', ['get', '/stats']);
    expect(stats.body.agents.alice).toMatchObject({ total: 6, private: 3 });
    expect(stats.body.agents.dora).toBeUndefined();
  });

  test('may make a memory PRIVATE, and nobody else may change its scope', async () => {
    const { body } = await send(withSecrets, 'alice', [
      'post',
      '/ingest',
      { content: 'Shared for a moment: heliotrope.' },
    ]);
    const path = `/memory/${body.memory.id}`;
    expect((await send(withSecrets, 'bob', ['put', path, { scope: 'PRIVATE' }])).body.code).toBe('not_the_creator');
    expect((await send(withSecrets, 'alice', ['put', path, { scope: 'PRIVATE' }])).status).toBe(200);
    expect((await send(withSecrets, 'bob', ['get', path])).status).toBe(404);
    const recalled = await send(withSecrets, 'bob', ['post', '/recall', { query: 'heliotrope', top_k: 100 }]);
    expect(recalled.text.replace('"heliotrope"', '')).not.toMatch(/heliotrope/);
  });

  test('loses them only when she asks herself', async () => {
    const byBob = await send(withSecrets, 'bob', ['delete', '/memories/agent/dora']);
    expect([byBob.status, byBob.body.code]).toEqual([404, 'no_memories_of_agent']);
    const byDora = await send(withSecrets, 'dora', ['delete', '/memories/agent/dora']);
    expect(byDora.body).toEqual({ deleted: 1 });
  });
});

/** Without the times that differ between any two runs. */
function stable(text: string): string {
  return text.replace(/"(took_ms|uptime_seconds)":[\d.]+/g, '"$1":0');
}
