import supertest from 'supertest';
import type { TestService } from '../start-service.ts';

const ID = '0193a000-0000-7000-8000-0000000000';
export const id = (number: number) => `${ID}${String(number).padStart(2, '0')}`;

/** A memory as an answer of the service shows it. */
export function wire(number: number, changes: Record<string, unknown> = {}) {
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

export const ndjson = (...records: unknown[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');

export const reasons = (report: { rejected: { index: number; reason: string }[] }) =>
  report.rejected.map(({ index, reason }) => [index, reason]);

/** What merges into a service, and reads what it then has; the service may be another one in each test. */
export function mergingInto(remote: () => TestService) {
  return {
    stream: (body: string | Buffer, { agent = 'ann', query = '' } = {}): supertest.Test =>
      supertest(remote().app)
        .post(`/merge${query}`)
        .set('X-Agent-ID', agent)
        .type('application/x-ndjson')
        .send(body as string),
    /** @returns the report */
    merge: async (records: readonly unknown[], agent = 'ann') => {
      const answer = await supertest(remote().app).post('/merge').set('X-Agent-ID', agent).send({ memories: records });
      if (answer.status !== 200) throw new Error(`merge answered ${answer.status}: ${answer.text}`);
      return answer.body.report;
    },
    read: async (memoryId: string, agent = 'ann'): Promise<supertest.Response> =>
      await supertest(remote().app).get(`/memory/${memoryId}`).set('X-Agent-ID', agent),
    exportAll: async (agent: string, query = ''): Promise<supertest.Response> =>
      await supertest(remote().app).get(`/export${query}`).set('X-Agent-ID', agent).buffer(),
    listed: async (agent: string) =>
      (await supertest(remote().app).get('/memories?limit=1000').set('X-Agent-ID', agent)).body.memories,
    total: async (agent: string) =>
      (await supertest(remote().app).get('/memories?limit=1').set('X-Agent-ID', agent)).body.total,
    health: async () => (await supertest(remote().app).get('/health')).body,
  };
}
